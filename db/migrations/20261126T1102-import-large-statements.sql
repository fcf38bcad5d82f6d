-- Large files of a bank are imported in the background: whoever asked sees how far it is.
create table bank_statement_imports (
  id bigint generated always as identity primary key,
  bank_account_id bigint not null references bank_accounts (id),
  file_id bigint not null references files (id),
  request jsonb not null check (jsonb_typeof(request) = 'object'),
  status text not null default 'waiting' check (status in ('waiting', 'running', 'finished', 'failed')),
  lines_total integer not null default 0 check (lines_total >= 0),
  lines_done integer not null default 0 check (lines_done between 0 and lines_total),
  result jsonb check (jsonb_typeof(result) = 'object'),
  failure text,
  requested_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'finished') = (result is not null)),
  check ((status = 'failed') = (failure is not null))
);
comment on table bank_statement_imports is 'Large files of a bank on their way: imported whole or not at all.';
comment on column bank_statement_imports.request is
  'What was previewed: the hash, and the answers that reading the file took.';
comment on column bank_statement_imports.result is 'Statements and counts, once it is imported.';
create index bank_statement_imports_account on bank_statement_imports (bank_account_id);
create index bank_statement_imports_file on bank_statement_imports (file_id);
create index bank_statement_imports_user on bank_statement_imports (requested_by_id);
create index bank_statement_imports_waiting on bank_statement_imports (id) where status in ('waiting', 'running');
create trigger touch_updated_at before update on bank_statement_imports
  for each row execute function touch_updated_at();
grant select, insert, update on bank_statement_imports to app_rw;
