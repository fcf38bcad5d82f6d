-- A report that is only expected is a line of a schedule: when a run moves or is cancelled the schedule is made again.
-- What somebody sent in, or what was estimated, is never deleted.
create function guard_expected_report() returns trigger
language plpgsql as $$
begin
  if old.status <> 'expected' then
    raise exception 'box-office report % is %: it is never deleted', old.id, old.status using errcode = '23514';
  end if;
  return old;
end $$;
create trigger guard_expected_report before delete on box_office_reports
  for each row execute function guard_expected_report();

grant delete on box_office_reports to app_rw;
