-- What was judged while returns began to be counted against days is judged once more: an accepted return counts before
-- one that waits, what meets only returns that do not count themselves counts, and a second return of the same period
-- that somebody said to add is not asked about again.
create temporary table judged on commit drop as
  select q.box_office_report_id as id, q.id as question_id from box_office_questions q
    join box_office_reports b on b.id = q.box_office_report_id
  where b.status in ('submitted', 'queried', 'accepted', 'estimated') and q.kind = 'overlap' and q.answered_at is null
    and q.question = 'These days were in another return already when this one came in.';

-- Whether two returns cover a performance in common or, where a period holds none, their days meet.
create function pg_temp.meet(a box_office_reports, b box_office_reports) returns boolean language sql stable as $$
  select a.license_id = b.license_id and a.id <> b.id
    and (a.license_venue_id is null or b.license_venue_id is null or a.license_venue_id = b.license_venue_id)
    and (daterange(a.period_from, a.period_to, '[]') && daterange(b.period_from, b.period_to, '[]')
      or a.performance_id = b.performance_id)
    and (not a.covers_performances or not b.covers_performances or exists (
      select 1 from performances_of_return(a.license_id, a.license_venue_id, a.performance_id, a.period_from,
        a.period_to) p
      where p in (select * from performances_of_return(b.license_id, b.license_venue_id, b.performance_id,
        b.period_from, b.period_to))))
$$;

do $$
declare
  one record;
begin
  -- A return of which nobody accepted anything yet waits, where one that is accepted already meets it.
  for one in select distinct a.id, a.license_id from judged j join box_office_reports b on b.id = j.id
      join box_office_reports a on a.license_id = b.license_id and a.id < b.id
    where b.added and a.status in ('submitted', 'queried') and a.earned_minor is null and not a.held and not a.added
      and pg_temp.meet(a, b) order by a.id
  loop
    insert into box_office_questions (box_office_report_id, license_id, kind, question)
    values (one.id, one.license_id, 'overlap', 'These days are in another return that was accepted already.');
    update box_office_reports set held = true, open_questions = open_questions + 1 where id = one.id;
  end loop;
  -- In the order they came in: who meets no return that counts, counts.
  for one in select b.id, j.question_id from judged j join box_office_reports b on b.id = j.id
    order by b.status <> 'accepted', b.id
  loop
    if not exists (select 1 from box_office_reports b join box_office_reports a on pg_temp.meet(a, b)
      where b.id = one.id and return_counts(a.status, a.held, a.added, a.replaces_report_id)) then
      delete from box_office_questions where id = one.question_id;
      update box_office_reports set held = held and open_questions > 1, added = false, add_reason = null,
        open_questions = open_questions - 1
      where id = one.id;
    end if;
  end loop;
end $$;

update box_office_reports b set open_questions = open_questions - 1, add_reason = 'Added when it came in'
from judged j where j.id = b.id and b.part > 1 and b.added;
delete from box_office_questions q using judged j, box_office_reports b
where q.id = j.question_id and b.id = j.id and b.part > 1 and b.added;
