-- Closing and reopening a period takes two persons (accounting.md 1.3): the first one's request waits here until
-- another one confirms it through ledger_set_period.
create table period_requests (
  id bigint generated always as identity primary key,
  division text not null,
  period int not null,
  state text not null check (state in ('open', 'closed')),
  reason text not null default '',
  requested_by bigint not null references users (id),
  created_at timestamptz not null default now(),
  unique (division, period),
  foreign key (division, period) references periods (division, period)
);
create index period_requests_person on period_requests (requested_by);
grant select, insert, delete on period_requests to app_rw;
