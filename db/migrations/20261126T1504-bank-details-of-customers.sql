-- Bank details of customers, for refunds that leave by a bank file: the same columns, persons and checks as those of
-- vendors. The portal reads none of them.

alter table customers
  add column bank_account_encrypted bytea,
  add column bank_routing_encrypted bytea,
  add column bank_key_id text,
  add column bank_account_last4 text check (bank_account_last4 ~ '^[0-9A-Z]{1,4}$'),
  add column bank_kind text check (bank_kind in ('us', 'uk', 'iban', 'other')),
  add column bank_country text check (bank_country ~ '^[A-Z]{2}$'),
  add column bank_holder text check (bank_holder <> ''),
  add column bank_is_savings boolean not null default false,
  add column bank_details_version integer not null default 0,
  add column bank_details_changed_by_id bigint references users (id),
  add column bank_details_changed_at timestamptz,
  add column bank_verified_at timestamptz,
  add column bank_verified_by_id bigint references users (id),
  add column bank_verified_note text,
  add constraint customers_bank_sealed check (
    num_nonnulls(bank_account_encrypted, bank_account_last4, bank_key_id) in (0, 3)),
  add constraint customers_bank_verified check (bank_verified_at is null
    or (bank_account_encrypted is not null and bank_verified_by_id is not null and bank_verified_note is not null)),
  add constraint customers_bank_four_eyes check (bank_verified_by_id <> bank_details_changed_by_id);
create trigger bank_details_guard before insert or update on customers
  for each row execute function tg_bank_details_guard();
create index customers_bank_changed_by on customers (bank_details_changed_by_id)
  where bank_details_changed_by_id is not null;
create index customers_bank_verified_by on customers (bank_verified_by_id) where bank_verified_by_id is not null;

comment on column customers.bank_account_encrypted is 'Where refunds are paid to, sealed; never read back.';
comment on column customers.bank_kind is 'Kind of the account; null where none is stored.';
comment on column customers.bank_holder is 'Name on the account where it is not that of the customer.';
comment on column customers.bank_details_version is
  'Counts each change of the bank details; a payment keeps the one it was approved with.';
comment on column customers.bank_verified_note is 'Who confirmed the details and how they were reached.';
