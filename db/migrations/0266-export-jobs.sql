-- Exports as background work (api-added X202, X197 to X199, A345): the view of a list is written by a job into a file
-- that its requester alone may take, until it expires. The file lies beside the others but is no document: it is not in
-- `files`, whose rows stay for ever and are small.

alter table exports
  drop constraint exports_status_check,
  drop constraint exports_check,
  drop constraint exports_check1,
  drop column file_id;
alter table exports
  -- What people call the list, and the headings they saw over its columns.
  add column title text not null default 'List' check (title <> ''),
  add column headers text[] not null default '{}',
  add column rows_total integer not null default 0 check (rows_total >= 0),
  -- false: the list counts no further than rows_total.
  add column total_is_exact boolean not null default true,
  add column rows_done integer not null default 0 check (rows_done >= 0),
  add column started_at timestamptz,
  add column storage_key text unique check (storage_key ~ '^[A-Za-z0-9/_-]{16,200}$'),
  add column size_bytes bigint check (size_bytes >= 0),
  add column sha256 sha256_hex,
  add column expires_at timestamptz,
  add check (status in ('waiting', 'running', 'done', 'failed', 'cancelled', 'expired')),
  add check ((status = 'done') = (storage_key is not null)),
  add check ((status = 'done') <= (expires_at is not null and row_count is not null)),
  add check ((status in ('done', 'failed', 'cancelled', 'expired')) = (finished_at is not null));
create index exports_at_work on exports (id) where status in ('waiting', 'running');
create index exports_to_expire on exports (expires_at) where status = 'done';

-- Whoever asked sees how far it is: their browsers read their jobs anew (packages/server-kit/live.ts).
create function tell_export() returns trigger language plpgsql as $$
begin
  perform pg_notify('live',
    json_build_object('user', new.requested_by_id, 'keys', json_build_array('/api/jobs'))::text);
  return null;
end $$;
create trigger tell_export after insert or update of status, rows_done on exports
  for each row execute function tell_export();
