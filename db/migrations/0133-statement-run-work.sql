-- A large statement run is calculated and issued in the background, a chunk of statements per transaction; the row of
-- the run says what is to do and how far it is, so that a killed worker's successor goes on where it stopped.
alter table royalty_statement_runs
  add column work text check (work in ('calculate', 'issue')),
  add column work_done integer not null default 0 check (work_done >= 0),
  add column work_total integer not null default 0 check (work_total >= work_done),
  -- Calculating: the agreement of the last subject that is done; what follows it is still to do.
  add column work_cursor bigint not null default 0,
  -- Whom it is calculated for (null: everybody), or the day of issue.
  add column work_royaltor_ids bigint[],
  add column work_on date,
  add column work_by_id bigint references users (id),
  -- Why the last work ended early, in words.
  add column failure text;
create index royalty_statement_runs_work on royalty_statement_runs (id) where work is not null;
create index royalty_statement_runs_work_by on royalty_statement_runs (work_by_id) where work_by_id is not null;
