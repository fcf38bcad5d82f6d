-- Exports and bulk actions as background work. The file of an export is available to its requester until it expires;
-- it is not in `files`, whose rows stay forever.

create table exports (
  id bigint generated always as identity primary key,
  model_name text not null check (model_name <> ''),
  format text not null default 'csv' check (format in ('csv', 'xlsx')),
  columns text[] not null check (cardinality(columns) between 1 and 200),
  filter jsonb not null default '{}',
  status text not null default 'waiting'
    check (status in ('waiting', 'running', 'done', 'failed', 'cancelled', 'expired')),
  row_count integer check (row_count >= 0),
  failure text,
  requested_by_id bigint not null references users (id),
  finished_at timestamptz,
  title text not null default 'List' check (title <> ''),
  headers text[] not null default '{}',
  rows_total integer not null default 0 check (rows_total >= 0),
  total_is_exact boolean not null default true,
  rows_done integer not null default 0 check (rows_done >= 0),
  started_at timestamptz,
  storage_key text unique check (storage_key ~ '^[A-Za-z0-9/_-]{16,200}$'),
  size_bytes bigint check (size_bytes >= 0),
  sha256 sha256_hex,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'done') = (storage_key is not null)),
  check ((status = 'done') <= (expires_at is not null and row_count is not null)),
  check ((status in ('done', 'failed', 'cancelled', 'expired')) = (finished_at is not null))
);
comment on table exports is
  'Exports of lists to a file, written by a job, available to the requester until they expire.';
comment on column exports.title is 'Name of the list as shown to the requester.';
comment on column exports.headers is 'Column headings as shown to the requester.';
comment on column exports.total_is_exact is 'False: the list does not count beyond rows_total.';
create index exports_requester on exports (requested_by_id, created_at desc, id desc);
create index exports_at_work on exports (id) where status in ('waiting', 'running');
create index exports_to_expire on exports (expires_at) where status = 'done';
grant select, insert, update on exports to app_rw;

-- Announces progress to the requester's browsers (packages/server-kit/live.ts).
create function tell_export() returns trigger language plpgsql as $$
begin
  perform pg_notify('live',
    json_build_object('user', new.requested_by_id, 'keys', json_build_array('/api/jobs'))::text);
  return null;
end $$;

create trigger tell_export after insert or update of status, rows_done on exports
  for each row execute function tell_export();

create table bulk_runs (
  id bigint generated always as identity primary key,
  requested_by_id bigint not null references users (id),
  endpoint text not null check (endpoint ~ '^(POST|PUT|DELETE) /api/admin/'),
  body jsonb not null default '{}' check (jsonb_typeof(body) = 'object'),
  model_name text not null check (model_name <> ''),
  filter jsonb not null default '{}' check (jsonb_typeof(filter) = 'object'),
  label text not null check (label <> ''),
  noun text not null check (noun <> ''),
  undo_of_id bigint unique references bulk_runs (id) on delete cascade,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  rows_total integer not null check (rows_total > 0),
  rows_done integer not null default 0,
  rows_refused integer not null default 0 check (rows_refused >= 0),
  failure text,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (rows_done between rows_refused and rows_total),
  check ((status = 'done') <= (rows_done = rows_total)),
  check ((status in ('done', 'failed', 'cancelled')) = (finished_at is not null))
);
comment on table bulk_runs is
  'Actions on many records: requested once, carried out record by record by a job, through the same call as for '
  'one record.';
comment on column bulk_runs.endpoint is
  'Call carried out for each record, for example DELETE /api/admin/staff/venues/{id}.';
comment on column bulk_runs.model_name is 'List that the records were chosen in.';
comment on column bulk_runs.label is 'Action as named in the list, for example "Move to trash".';
comment on column bulk_runs.undo_of_id is 'Run that this one undoes, once.';
create index bulk_runs_requester on bulk_runs (requested_by_id, created_at desc, id desc);
create index bulk_runs_at_work on bulk_runs (id) where status in ('waiting', 'running');
grant select, insert, update, delete on bulk_runs to app_rw;

create table bulk_run_rows (
  id bigint generated always as identity primary key,
  bulk_run_id bigint not null references bulk_runs (id) on delete cascade,
  row_no integer not null check (row_no > 0),
  record_id bigint not null,
  params jsonb not null default '{}' check (jsonb_typeof(params) = 'object'),
  record_version integer,
  label text not null,
  href text check (href ~ '^/([^/\\]|$)'),
  outcome text not null default 'waiting' check (outcome in ('waiting', 'done', 'refused')),
  code text,
  reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (bulk_run_id, row_no),
  unique (bulk_run_id, record_id),
  check ((outcome = 'refused') = (reason is not null))
);
comment on table bulk_run_rows is 'Records of a bulk action, and the result for each.';
comment on column bulk_run_rows.record_id is 'Record, with the version that the person saw.';
create index bulk_run_rows_outcome on bulk_run_rows (bulk_run_id, outcome, row_no);
grant select, insert, update, delete on bulk_run_rows to app_rw;

-- Announces progress to the requester (packages/server-kit/live.ts), every fiftieth record of thousands.
create function tell_bulk_run() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.status = old.status and new.rows_done % 50 <> 0 then return null; end if;
  perform pg_notify('live',
    json_build_object('user', new.requested_by_id, 'keys', json_build_array('/api/jobs'))::text);
  return null;
end $$;

create trigger tell_bulk_run after insert or update of status, rows_done on bulk_runs
  for each row execute function tell_bulk_run();

call maintain_updated_at('exports', 'bulk_runs', 'bulk_run_rows');
