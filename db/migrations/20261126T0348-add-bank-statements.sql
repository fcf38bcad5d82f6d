-- Statements of banks: the files as they came, the statements in them, and their lines, which are the bank's side of
-- every bank account. A line is imported once; what the bank wrote never changes.

create table bank_statement_files (
  id bigint generated always as identity primary key,
  bank_account_id bigint not null references bank_accounts (id),
  file_id bigint not null references files (id),
  sha256 sha256_hex not null,
  format text not null check (format in ('ofx', 'qif', 'csv', 'camt.052', 'camt.053', 'camt.054', 'mt940', 'mt942',
    'bai2')),
  imported_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  unique (id, bank_account_id)
);
comment on table bank_statement_files is
  'Files of bank statements as they were imported. The same file again brings nothing.';
create unique index bank_statement_files_once on bank_statement_files (bank_account_id, sha256);
create index bank_statement_files_file on bank_statement_files (file_id);
create index bank_statement_files_user on bank_statement_files (imported_by_id);
grant select, insert on bank_statement_files to app_rw;

create table bank_statements (
  id bigint generated always as identity primary key,
  bank_account_id bigint not null references bank_accounts (id),
  bank_statement_file_id bigint not null,
  kind text not null check (kind in ('statement', 'advance')),
  number text,
  from_on date,
  to_on date,
  opening_minor minor_amount,
  opening_on date,
  closing_minor minor_amount,
  closing_on date,
  net_minor minor_amount not null,
  line_count integer not null check (line_count >= 0),
  new_count integer not null check (new_count between 0 and line_count),
  flags jsonb not null default '[]' check (jsonb_typeof(flags) = 'array'),
  search_text text not null generated always as (search_words(number)) stored,
  created_at timestamptz not null default now(),
  foreign key (bank_statement_file_id, bank_account_id) references bank_statement_files (id, bank_account_id),
  unique (id, bank_account_id),
  check (from_on <= to_on),
  check (opening_minor is null or closing_minor is null or opening_minor + net_minor = closing_minor
    or flags @> '[{"flag": "balance_mismatch"}]')
);
comment on table bank_statements is 'Statements of bank accounts; camt.052, camt.054 and MT942 are advance notices.';
comment on column bank_statements.net_minor is 'Sum of all lines of the file, those that were here already included.';
comment on column bank_statements.new_count is 'Lines that this file brought first.';
comment on column bank_statements.flags is 'What the file shows to be wrong: flag, count, message.';
create index bank_statements_account on bank_statements (bank_account_id, to_on desc, id desc);
create index bank_statements_file on bank_statements (bank_statement_file_id);
create index bank_statements_latest on bank_statements (to_on desc nulls last, id desc);
create index bank_statements_search on bank_statements using gin (search_text gin_trgm_ops);
grant select, insert on bank_statements to app_rw;

create table bank_transactions (
  id bigint generated always as identity primary key,
  bank_account_id bigint not null references bank_accounts (id),
  bank_statement_id bigint not null,
  position integer not null check (position >= 1),
  state text not null default 'booked' check (state in ('booked', 'advance', 'superseded')),
  booked_on date not null,
  value_on date,
  amount_minor minor_amount not null,
  name text not null default '',
  memo text not null default '',
  reference text not null default '',
  bank_reference text,
  end_to_end_id text,
  check_number text,
  type text not null default '',
  counterparty_account text,
  balance_minor minor_amount,
  original jsonb check (jsonb_typeof(original) = 'object'),
  details jsonb not null default '[]' check (jsonb_typeof(details) = 'array'),
  line_key sha256_hex not null,
  search_text text not null generated always as (ledger_fold(name || ' ' || memo || ' ' || reference
    || coalesce(' ' || end_to_end_id, '') || coalesce(' ' || check_number, ''))) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (bank_statement_id, bank_account_id) references bank_statements (id, bank_account_id)
);
comment on table bank_transactions is 'Lines of bank statements. What the bank wrote never changes.';
comment on column bank_transactions.state is
  'Booked; told in advance; superseded by the statement of the day, which has the last word.';
comment on column bank_transactions.bank_reference is 'The id that the bank gave the line.';
comment on column bank_transactions.line_key is
  'SHA-256 of day, amount, id or text and the place among identical lines: the line is imported once.';
comment on column bank_transactions.details is 'Parts of a sum that the bank booked together. For information.';
create unique index bank_transactions_once on bank_transactions (bank_account_id, line_key);
create index bank_transactions_statement on bank_transactions (bank_statement_id, position);
create index bank_transactions_day on bank_transactions (bank_account_id, booked_on, amount_minor);
create index bank_transactions_search on bank_transactions using gin (search_text gin_trgm_ops);
grant select, insert on bank_transactions to app_rw;
grant update (state, details, version, updated_at) on bank_transactions to app_rw;
call maintain_updated_at('bank_transactions');

-- An advance line gives way to a statement, never the other way round; a booked line stays booked.
create function tg_bank_transactions_state() returns trigger language plpgsql as $$
begin
  if old.state <> new.state and not (old.state = 'advance' and new.state = 'superseded') then
    raise exception 'bank transaction % stays %', old.id, old.state using errcode = '23514';
  end if;
  return new;
end $$;
create trigger bank_transactions_state before update of state on bank_transactions
  for each row execute function tg_bank_transactions_state();
revoke all on function tg_bank_transactions_state() from public;
