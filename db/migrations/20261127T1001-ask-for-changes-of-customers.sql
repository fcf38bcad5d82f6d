-- Customers ask for changes of their own legal name, kind, billing address, phone and VAT number; staff confirm them.
create table customer_change_requests (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  changes jsonb not null check (jsonb_typeof(changes) = 'object' and changes <> '{}'),
  old_values jsonb not null check (jsonb_typeof(old_values) = 'object'),
  summary text not null check (summary <> ''),
  status text not null default 'waiting' check (status in ('waiting', 'confirmed', 'declined', 'withdrawn')),
  asked_by_id bigint not null references users (id),
  reason text not null default '' check (status <> 'declined' or reason <> ''),
  decided_by_id bigint references users (id),
  decided_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status in ('confirmed', 'declined')) = (decided_by_id is not null)),
  check ((decided_by_id is null) = (decided_at is null)),
  check (decided_by_id <> asked_by_id)
);
comment on table customer_change_requests is 'Changes of a customer''s own details that staff confirm or decline.';
comment on column customer_change_requests.changes is 'New value of each field that changes.';
comment on column customer_change_requests.old_values is
  'Their values when the customer asked: confirming refuses others.';
comment on column customer_change_requests.summary is 'Old and new values in words, for the approvals inbox.';
create unique index customer_change_requests_waiting on customer_change_requests (customer_id)
  where status = 'waiting';
create index customer_change_requests_customer on customer_change_requests (customer_id, id desc);
create index customer_change_requests_asked_by on customer_change_requests (asked_by_id);
create index customer_change_requests_decided_by on customer_change_requests (decided_by_id);
create trigger touch_updated_at before update on customer_change_requests
  for each row execute function touch_updated_at();
grant select, insert, update on customer_change_requests to app_rw;
