-- One action over many records (api-added X203, frontend.md U11): a person asks for it once, a job does it record by
-- record with the call that does it for one, and every record keeps what became of it.
create table bulk_runs (
  id bigint generated always as identity primary key,
  requested_by_id bigint not null references users (id),
  -- 'DELETE /api/admin/staff/venues/{id}', and what is sent with it beside the version of the record.
  endpoint text not null check (endpoint ~ '^(POST|PUT|DELETE) /api/admin/'),
  body jsonb not null default '{}' check (jsonb_typeof(body) = 'object'),
  -- The list that the records were chosen in, and how it was narrowed.
  model_name text not null check (model_name <> ''),
  filter jsonb not null default '{}' check (jsonb_typeof(filter) = 'object'),
  -- 'Move to trash', 'venues': the words of the list.
  label text not null check (label <> ''),
  noun text not null check (noun <> ''),
  -- The run whose doing this one takes back; once.
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
create index bulk_runs_requester on bulk_runs (requested_by_id, created_at desc, id desc);
create index bulk_runs_at_work on bulk_runs (id) where status in ('waiting', 'running');
call maintain_updated_at('bulk_runs');

create table bulk_run_rows (
  id bigint generated always as identity primary key,
  bulk_run_id bigint not null references bulk_runs (id) on delete cascade,
  row_no integer not null check (row_no > 0),
  -- The record, the other numbers of its address, and the version that the person saw of it.
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
create index bulk_run_rows_outcome on bulk_run_rows (bulk_run_id, outcome, row_no);
call maintain_updated_at('bulk_run_rows');

-- Whoever asked sees how far it is (packages/server-kit/live.ts); of thousands of records every fiftieth tells.
create function tell_bulk_run() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.status = old.status and new.rows_done % 50 <> 0 then return null; end if;
  perform pg_notify('live',
    json_build_object('user', new.requested_by_id, 'keys', json_build_array('/api/jobs'))::text);
  return null;
end $$;
create trigger tell_bulk_run after insert or update of status, rows_done on bulk_runs
  for each row execute function tell_bulk_run();
grant select, insert, update, delete on bulk_runs, bulk_run_rows to app_rw;
