-- A return stands for the performances of its venue in its period. Two returns that cover a performance in common, or
-- whose days meet where a period holds none, are never billed both: the second is held until somebody says that it
-- replaces the first or is added to it, with a reason. What is held computes nothing.

-- As far as a return may exceed what its performances can take and seat before it is held.
alter table divisions
  add column return_gross_limit_ppm integer not null default 1100000
    check (return_gross_limit_ppm between 1000000 and 10000000),
  add column return_attendance_limit_ppm integer not null default 1500000
    check (return_attendance_limit_ppm between 1000000 and 10000000);
grant update (return_gross_limit_ppm, return_attendance_limit_ppm) on divisions to app_rw;

alter table box_office_reports
  add column held boolean not null default false,
  -- Counts beside the returns that it overlaps, because somebody said why.
  add column added boolean not null default false,
  add column add_reason text,
  -- The return that takes the place of this one, from its answer on; this one steps back when that one is accepted.
  add column replaced_by_id bigint references box_office_reports (id),
  -- Whether its period held a performance when it was last looked at.
  add column covers_performances boolean not null default false,
  add constraint box_office_reports_added check (not added or add_reason <> ''),
  add constraint box_office_reports_replaced_by check (replaced_by_id <> id);
create index box_office_reports_replaced_by_id on box_office_reports (replaced_by_id) where replaced_by_id is not null;
create index box_office_reports_held on box_office_reports (license_id) where held;
update box_office_reports o set replaced_by_id = b.id from box_office_reports b where b.replaces_report_id = o.id;

alter table box_office_questions drop constraint box_office_questions_kind_check;
alter table box_office_questions add constraint box_office_questions_kind_check check (kind in ('no_performances',
  'capacity_over_100', 'gross_over_potential', 'price_above_quoted', 'deduction_not_allowed',
  'overlap', 'outside_run', 'in_future', 'gross_over_limit', 'attendance_over_limit'));
alter table box_office_questions drop constraint box_office_questions_answer_check;
alter table box_office_questions add constraint box_office_questions_answer_check
  check (answer in ('as_reported', 'corrected', 'replace', 'add'));

-- A return that bills: one that is held, was added, or still waits to take the place of another does not.
create function return_counts(status text, held boolean, added boolean, replaces bigint) returns boolean
language sql immutable parallel safe as $$
  select status in ('submitted', 'queried', 'accepted', 'estimated') and not held and not added
    and (replaces is null or status = 'accepted')
$$;

-- The performances that a return stands for.
create function performances_of_return(license bigint, venue bigint, performance bigint, from_day date, to_day date)
returns setof bigint language sql stable as $$
  select p.id from performances p
  where p.license_id = license and p.status in ('planned', 'performed')
    and (venue is null or p.license_venue_id = venue) and (performance is null or p.id = performance)
    and (performance is not null or p.local_date between from_day and to_day)
$$;

-- One return for each performance: the key says so.
create table box_office_performances (
  performance_id bigint primary key references performances (id) on delete cascade,
  box_office_report_id bigint not null references box_office_reports (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index box_office_performances_report on box_office_performances (box_office_report_id);
grant select, insert, delete on box_office_performances to app_rw;

create function look_at_performances() returns trigger language plpgsql as $$
begin
  new.covers_performances := exists (select 1 from performances_of_return(new.license_id, new.license_venue_id,
    new.performance_id, new.period_from, new.period_to));
  return new;
end $$;
create trigger look_at_performances
  before insert or update of license_venue_id, performance_id, period_from, period_to, status on box_office_reports
  for each row execute function look_at_performances();

-- An estimate stands only for what nobody reported.
create function cover_performances() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from box_office_performances where box_office_report_id = new.id;
  end if;
  if not return_counts(new.status, new.held, new.added, new.replaces_report_id) then
    return null;
  end if;
  if new.status = 'estimated' then
    insert into box_office_performances (performance_id, box_office_report_id)
    select p, new.id from performances_of_return(new.license_id, new.license_venue_id, new.performance_id,
      new.period_from, new.period_to) p
    on conflict do nothing;
  else
    insert into box_office_performances (performance_id, box_office_report_id)
    select p, new.id from performances_of_return(new.license_id, new.license_venue_id, new.performance_id,
      new.period_from, new.period_to) p;
  end if;
  return null;
end $$;

-- A performance that is added, moved or called off belongs to the first return that covers its day.
create function follow_performance() returns trigger language plpgsql as $$
begin
  delete from box_office_performances where performance_id = new.id;
  if new.status in ('planned', 'performed') then
    insert into box_office_performances (performance_id, box_office_report_id)
    select new.id, b.id from box_office_reports b
    where b.license_id = new.license_id and (b.license_venue_id is null or b.license_venue_id = new.license_venue_id)
      and (b.performance_id is null and new.local_date between b.period_from and b.period_to
        or b.performance_id = new.id)
      and return_counts(b.status, b.held, b.added, b.replaces_report_id)
    order by b.status = 'estimated', b.id limit 1
    on conflict do nothing;
  end if;
  return null;
end $$;

-- What a week of the licence was charged, return by return: its minimum is one for all venues and returns.
create table box_office_weeks (
  id bigint generated always as identity primary key,
  box_office_report_id bigint not null references box_office_reports (id) on delete cascade,
  license_id bigint not null references licenses (id),
  -- The first day of the week of the licence.
  week_on date not null,
  base_minor minor_amount not null,
  performances_held integer not null check (performances_held >= 0),
  charged_minor minor_amount not null,
  created_at timestamptz not null default now(),
  unique (box_office_report_id, week_on)
);
create index box_office_weeks_license on box_office_weeks (license_id, week_on);
grant select, insert, delete on box_office_weeks to app_rw;
grant delete on box_office_attachments, box_office_questions to app_rw;

-- An estimate may step back for a return that nobody sent in for the very same period.
alter table box_office_reports drop constraint box_office_reports_check6;
alter table box_office_reports add constraint box_office_reports_submitted check (status in ('expected', 'estimated')
  or submitted_at is not null or (status = 'replaced' and estimated));

-- What stands in the books: returns of a run that took the place of its parts become what they were, one return.
create temporary table run_parts on commit drop as
  select p.id, min(r.id) as run_id from box_office_reports r
    join licenses l on l.id = r.license_id
    join box_office_reports p on p.license_id = r.license_id and p.scope <> 'run' and p.status = 'accepted'
      and (r.license_venue_id is null or r.license_venue_id = p.license_venue_id)
      and r.period_from <= p.period_from and p.period_to <= r.period_to
  where r.scope = 'run' and r.status = 'accepted' and l.guarantee_scope is distinct from 'week'
  group by p.id;
update box_office_reports b set earned_minor = b.earned_minor + x.earned,
  recouped_minor = b.recouped_minor + x.recouped,
  replaces_report_id = coalesce(b.replaces_report_id, x.first),
  due_minor = case when coalesce(b.replaces_report_id, x.first) is null then b.due_minor + x.earned - x.recouped
    else b.due_minor end
from (select p.run_id, sum(o.earned_minor) as earned, sum(o.recouped_minor) as recouped,
    min(o.id) filter (where not exists (select 1 from box_office_reports u where u.replaces_report_id = o.id)) as first
  from run_parts p join box_office_reports o on o.id = p.id group by p.run_id) x
where b.id = x.run_id;
update box_office_reports b set status = 'replaced', replaced_by_id = p.run_id from run_parts p where p.id = b.id;

update box_office_reports b set covers_performances = true
where exists (select 1 from performances_of_return(b.license_id, b.license_venue_id, b.performance_id, b.period_from,
  b.period_to));

-- Other returns that overlap: the first one counts. What is billed already stays, is named, and waits for an answer.
create temporary table doubled on commit drop as
  select b.id, b.license_id, b.status, min(a.id) as first_id
  from box_office_reports a join box_office_reports b on b.license_id = a.license_id and b.id > a.id
    and (a.license_venue_id is null or b.license_venue_id is null or a.license_venue_id = b.license_venue_id)
    and (daterange(a.period_from, a.period_to, '[]') && daterange(b.period_from, b.period_to, '[]')
      or a.performance_id = b.performance_id)
  where return_counts(a.status, false, false, a.replaces_report_id)
    and return_counts(b.status, false, false, b.replaces_report_id)
    and (not a.covers_performances or not b.covers_performances or exists (
      select 1 from performances_of_return(a.license_id, a.license_venue_id, a.performance_id, a.period_from,
        a.period_to) p
      where p in (select * from performances_of_return(b.license_id, b.license_venue_id, b.performance_id,
        b.period_from, b.period_to))))
  group by b.id;
insert into box_office_questions (box_office_report_id, license_id, kind, question)
select id, license_id, 'overlap', 'These days were in another return already when this one came in.' from doubled;
update box_office_reports b set open_questions = open_questions + 1,
  held = b.status in ('submitted', 'queried') and b.earned_minor is null,
  added = not (b.status in ('submitted', 'queried') and b.earned_minor is null),
  add_reason = case when not (b.status in ('submitted', 'queried') and b.earned_minor is null)
    then 'Accepted before returns that overlap were held' end
from doubled d where d.id = b.id;

insert into box_office_performances (performance_id, box_office_report_id)
select distinct on (p.id) p.id, b.id from box_office_reports b
  join performances p on p.id in (select * from performances_of_return(b.license_id, b.license_venue_id,
    b.performance_id, b.period_from, b.period_to))
where return_counts(b.status, b.held, b.added, b.replaces_report_id)
order by p.id, b.status = 'estimated', b.id;

create trigger cover_performances_made after insert on box_office_reports
  for each row when (new.covers_performances) execute function cover_performances();
create trigger cover_performances_changed
  after update of license_venue_id, performance_id, period_from, period_to, status, held, added, replaces_report_id
  on box_office_reports for each row when (old.covers_performances or new.covers_performances)
  execute function cover_performances();
create trigger follow_performance after insert or update of local_date, status, license_venue_id on performances
  for each row execute function follow_performance();

alter table box_office_reports
  add constraint box_office_reports_held check (not held or earned_minor is null or estimated),
  -- Where one of two periods holds no performance, their days may not meet.
  add constraint box_office_reports_days exclude using gist (
    int8range(license_id, license_id, '[]') with &&,
    int8range(license_venue_id, license_venue_id, '[]') with &&,
    daterange(period_from, period_to, '[]') with &&,
    (case when covers_performances then int8range(id, id, '[]') else int8range(null, null) end) with &&)
    where (return_counts(status, held, added, replaces_report_id));

insert into box_office_weeks (box_office_report_id, license_id, week_on, base_minor, performances_held, charged_minor)
select b.id, b.license_id,
  b.period_to - ((extract(dow from b.period_to)::int - coalesce(l.week_start, 1) + 7) % 7),
  b.net_minor, coalesce(b.performances_held, 0), greatest(b.percentage_minor, b.minimum_minor)
from box_office_reports b join licenses l on l.id = b.license_id
where b.status in ('accepted', 'estimated') and b.earned_minor is not null and l.guarantee_scope = 'week'
  and (l.rate_ppm > 0 and l.fee_method in ('percent_actual', 'greater_of', 'negotiated')
    or jsonb_array_length(coalesce(l.fee_terms -> 'gross_tiers', '[]')) > 0);
