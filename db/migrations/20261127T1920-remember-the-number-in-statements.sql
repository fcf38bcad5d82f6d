-- The number by which the files of a bank name this account, where it is written in another way than the account's own:
-- sealed as that one is, kept when a person has confirmed it, gone when the account gets another number.
alter table bank_accounts add column statement_number_encrypted bytea, add column statement_number_key_id text;
alter table bank_accounts add constraint bank_accounts_statement_number
  check ((statement_number_encrypted is null) = (statement_number_key_id is null));
