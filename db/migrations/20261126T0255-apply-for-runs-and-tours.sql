-- Applications for whole runs and tours: price bands by type of performance, deductions by venue, chosen add-ons, other
-- dates. What is applied for flows into the licence, whose venues take the same columns. Two performances at one time
-- at one venue are refused from now on; those that stand already keep their place.

alter table license_application_tickets add column performance_type text check (performance_type in ('public',
  'preview', 'matinee', 'school', 'dress_invited', 'gala', 'competition', 'stream_live', 'stream_vod'));
alter table license_venue_tickets add column performance_type text check (performance_type in ('public', 'preview',
  'matinee', 'school', 'dress_invited', 'gala', 'competition', 'stream_live', 'stream_vod'));
comment on column license_application_tickets.performance_type is
  'Type of performance that these seats and prices are for; null: every type without prices of its own.';
comment on column license_venue_tickets.performance_type is
  'Type of performance that these seats and prices are for; null: every type without prices of its own.';

create function is_deduction_list(list jsonb) returns boolean language sql immutable as $$
  select jsonb_typeof(list) = 'array' and not exists (select 1 from jsonb_array_elements(list) e
    where jsonb_typeof(e) <> 'object' or e ->> 'type' is null or (jsonb_typeof(e -> 'cap_ppm') = 'number'
      and (e ->> 'cap_ppm')::numeric between 0 and 1000000) is not true)
$$;
alter table license_application_venues add column deductions jsonb not null default '[]'
  check (is_deduction_list(deductions));
alter table license_venues add column deductions jsonb not null default '[]' check (is_deduction_list(deductions));
comment on column license_application_venues.deductions is
  'What the venue takes off the gross: type and most of it in ppm of the reported gross.';
comment on column license_venues.deductions is
  'What the venue takes off the gross, as applied for. Of what the deal allows, no more than this is taken off the '
  'returns of the venue; empty: as the deal says.';

-- The bands of a performance: its own, else those of its type at its venue, else the others of the venue.
create view performance_bands with (security_invoker = true) as
select p.id as performance_id, t.sort, t.label, t.number_of_seats, t.price_minor, t.weight
from performances p join performance_tickets t on t.performance_id = p.id
union all
select p.id, k.sort, k.label, k.number_of_seats, k.price_minor, k.weight
from performances p join license_venue_tickets k on k.license_venue_id = p.license_venue_id
where not exists (select 1 from performance_tickets o where o.performance_id = p.id)
  and k.performance_type is not distinct from (select max(x.performance_type) from license_venue_tickets x
    where x.license_venue_id = p.license_venue_id and x.performance_type = p.type);
comment on view performance_bands is 'Seats and prices that count for each performance.';
grant select on performance_bands to app_rw;

-- Streams go on beside the performance that they show; anything else takes the stage for itself.
alter table license_application_performances add column same_time boolean not null default false;
alter table performances add column same_time boolean not null default false;
comment on column license_application_performances.same_time is
  'Stood at the time of another performance of its venue before that was refused.';
comment on column performances.same_time is
  'Stood at the time of another performance of its venue before that was refused.';
update license_application_performances p set same_time = true
where type not in ('stream_live', 'stream_vod') and exists (select 1 from license_application_performances o
  where o.license_application_venue_id = p.license_application_venue_id and o.local_date = p.local_date
    and o.local_time = p.local_time and o.type not in ('stream_live', 'stream_vod') and o.id < p.id);
update performances p set same_time = true
where type not in ('stream_live', 'stream_vod') and status in ('planned', 'performed') and exists (select 1
  from performances o where o.license_venue_id = p.license_venue_id and o.starts_at = p.starts_at
    and o.status in ('planned', 'performed') and o.type not in ('stream_live', 'stream_vod') and o.id < p.id);
create unique index license_application_performances_one_at_a_time
  on license_application_performances (license_application_venue_id, local_date, local_time)
  where type not in ('stream_live', 'stream_vod') and not same_time;
create unique index performances_one_at_a_time on performances (license_venue_id, starts_at)
  where type not in ('stream_live', 'stream_vod') and status in ('planned', 'performed') and not same_time;

-- A venue is named once; one that was named twice keeps its place under its name and address.
update license_application_venues v set venue_id = null
where venue_id is not null and exists (select 1 from license_application_venues o
  where o.license_application_id = v.license_application_id and o.venue_id = v.venue_id and o.id < v.id);
create unique index license_application_venues_once on license_application_venues (license_application_id, venue_id)
  where venue_id is not null;

alter table license_applications add constraint license_applications_length
  check (number_of_performances <= 300 or created_at < '2026-11-26');

create table license_application_add_ons (
  id bigint generated always as identity primary key,
  license_application_id bigint not null references license_applications (id),
  add_on_id bigint not null references add_ons (id),
  quantity integer not null default 1 check (quantity between 1 and 10000),
  created_at timestamptz not null default now(),
  unique (license_application_id, add_on_id)
);
comment on table license_application_add_ons is 'Add-ons chosen in an application, each of one of its shows.';
create index license_application_add_ons_add_on on license_application_add_ons (add_on_id);
grant select, insert, update, delete on license_application_add_ons to app_rw;

create table license_application_alternatives (
  id bigint generated always as identity primary key,
  license_application_id bigint not null references license_applications (id),
  rank smallint not null check (rank between 1 and 3),
  first_performance_on date not null,
  availability_result jsonb,
  created_at timestamptz not null default now(),
  unique (license_application_id, rank),
  unique (license_application_id, first_performance_on)
);
comment on table license_application_alternatives is
  'Other dates of an application: the whole run, moved so that its first performance falls on that day.';
comment on column license_application_alternatives.availability_result is
  'Verdict and public reason per show at submission. Never recalculated.';
grant select, insert, update, delete on license_application_alternatives to app_rw;
