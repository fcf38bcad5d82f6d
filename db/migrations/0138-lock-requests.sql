-- A lock date is asked for by one person and set by another (accounting.md 1.3): the first one's request waits here
-- until it is confirmed through ledger_set_lock. A request without a day lifts the lock.
create table lock_requests (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  sub_ledger text not null check (sub_ledger in ('sales', 'purchase', 'tax', 'bank', 'hard')),
  locked_through date,
  reason text not null default '' check (length(reason) <= 500),
  requested_by bigint not null references users (id),
  created_at timestamptz not null default now(),
  unique (division, sub_ledger)
);
create index lock_requests_person on lock_requests (requested_by);
grant select, insert, delete on lock_requests to app_rw;
