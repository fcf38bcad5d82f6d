-- Applications: up to three shows on the same dates, each of which becomes a license of its own.

create table license_applications (
  id bigint generated always as identity primary key,
  number text unique,
  customer_id bigint not null references customers (id),
  submitted_by_user_id bigint references users (id),
  status text not null default 'draft' check (status in ('draft', 'submitted', 'in_review', 'info_requested',
    'clearance', 'approved', 'converted', 'declined', 'withdrawn', 'expired')),
  source text not null default 'portal' check (source in ('portal', 'staff', 'import')),
  division text not null references divisions (code),
  category text not null check (category in ('Amateur', 'Pro')),
  currency currency_code not null,
  customer_classification_id bigint references customer_classifications (id),
  organisation_type text not null default 'other' check (organisation_type in
    ('school_k12', 'university', 'community', 'youth', 'professional', 'church', 'camp', 'other')),
  producing_organisation text not null default '',
  union_status text not null default 'none' check (union_status in
    ('none', 'AEA', 'SPT', 'guest_artist', 'LORT', 'Equity UK')),
  first_performance_on date,
  last_performance_on date,
  number_of_performances integer not null default 0 check (number_of_performances between 0 and 1000),
  is_free_admission boolean not null default false,
  cast_size integer check (cast_size between 1 and 1000),
  orchestration text check (orchestration in ('full', 'reduced', 'piano', 'tracks')),
  needs_streaming boolean not null default false,
  needs_video boolean not null default false,
  purpose text not null default 'season'
    check (purpose in ('season', 'competition', 'fundraiser', 'camp', 'excerpt')),
  tax_exempt boolean not null default false,
  message text not null default '',
  license_rep_id bigint references users (id),
  sla_due_at timestamptz,
  sla_paused_at timestamptz,
  clearance_expected_on date,
  availability_result jsonb,
  price_preview jsonb,
  override_reason text,
  decision_reason_code text check (decision_reason_code in ('rights_unavailable', 'professional_conflict',
    'proximity', 'dates_too_soon', 'incomplete', 'arrears', 'not_eligible', 'other')),
  decision_note text not null default '',
  submitted_at timestamptz,
  decided_at timestamptz,
  decided_by_id bigint references users (id),
  search_text text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (last_performance_on >= first_performance_on),
  check (status in ('draft', 'withdrawn') or (number is not null and submitted_at is not null)),
  check (status <> 'declined' or decision_reason_code is not null)
);
comment on table license_applications is 'Applications for a license.';
comment on column license_applications.availability_result is
  'Verdict and public reason per venue at submission, with the price shown then. Never recalculated.';
create index license_applications_latest on license_applications (updated_at desc, id desc);
create index license_applications_status on license_applications (status, submitted_at desc, id desc);
create index license_applications_division on license_applications (division, status, submitted_at desc, id desc);
create index license_applications_customer on license_applications (customer_id, updated_at desc, id desc);
create index license_applications_rep on license_applications (license_rep_id, status, sla_due_at, id);
create index license_applications_submitter on license_applications (submitted_by_user_id);
create index license_applications_classification on license_applications (customer_classification_id);
create index license_applications_search on license_applications using gin (search_text gin_trgm_ops);
create index license_applications_number_start on license_applications (lower(number) text_pattern_ops)
  where number is not null;
grant select, insert, update on license_applications to app_rw;

create table license_application_shows (
  id bigint generated always as identity primary key,
  license_application_id bigint not null references license_applications (id),
  show_id bigint not null references shows (id),
  rank smallint not null check (rank between 1 and 3),
  chosen boolean not null default false,
  created_at timestamptz not null default now(),
  unique (license_application_id, show_id),
  unique (license_application_id, rank)
);
comment on table license_application_shows is 'Shows requested in an application.';
create index license_application_shows_show on license_application_shows (show_id);
grant select, insert, update, delete on license_application_shows to app_rw;

create table license_application_venues (
  id bigint generated always as identity primary key,
  license_application_id bigint not null references license_applications (id),
  venue_id bigint references venues (id),
  name text not null check (name <> ''),
  address postal_address,
  lat double precision check (lat between -90 and 90),
  lng double precision check (lng between -180 and 180),
  time_zone text not null default 'America/New_York',
  capacity integer check (capacity between 0 and 200000),
  expected_attendance integer check (expected_attendance between 0 and 200000),
  sort integer not null default 0,
  created_at timestamptz not null default now(),
  check ((lat is null) = (lng is null))
);
comment on table license_application_venues is
  'Venues requested in an application, in the same form as license_venues.';
create index license_application_venues_application on license_application_venues (license_application_id, sort, id);
create index license_application_venues_venue on license_application_venues (venue_id);
grant select, insert, update, delete on license_application_venues to app_rw;

create table license_application_tickets (
  id bigint generated always as identity primary key,
  license_application_venue_id bigint not null references license_application_venues (id),
  sort integer not null default 0,
  label text not null default '',
  number_of_seats integer not null default 0 check (number_of_seats between 0 and 200000),
  price_minor minor_amount not null default 0 check (price_minor between 0 and 9999999),
  weight numeric(12, 4) not null default 0 check (weight between 0 and 1000000),
  created_at timestamptz not null default now()
);
comment on table license_application_tickets is 'Ticket prices and seats at a venue of an application.';
create index license_application_tickets_venue
  on license_application_tickets (license_application_venue_id, sort, id);
grant select, insert, update, delete on license_application_tickets to app_rw;

create table license_application_performances (
  id bigint generated always as identity primary key,
  license_application_venue_id bigint not null references license_application_venues (id),
  local_date date not null,
  local_time time not null,
  type text not null default 'public' check (type in ('public', 'preview', 'matinee', 'school', 'dress_invited',
    'gala', 'competition', 'stream_live', 'stream_vod')),
  is_free boolean not null default false,
  created_at timestamptz not null default now(),
  unique (license_application_venue_id, local_date, local_time, type)
);
comment on table license_application_performances is 'Performances requested in an application.';
grant select, insert, update, delete on license_application_performances to app_rw;

create table license_application_information_requests (
  id bigint generated always as identity primary key,
  license_application_id bigint not null references license_applications (id),
  message text not null check (message <> ''),
  fields text[] not null default '{}',
  asked_by_id bigint references users (id),
  answer text,
  answered_by_id bigint references users (id),
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table license_application_information_requests is
  'Questions of staff to an applicant. The reply deadline is suspended until the answer.';
create index application_information_requests_application
  on license_application_information_requests (license_application_id, created_at desc, id desc);
grant select, insert, update on license_application_information_requests to app_rw;

create table license_application_events (
  id bigint generated always as identity primary key,
  license_application_id bigint not null references license_applications (id),
  event text not null check (event <> ''),
  from_status text,
  to_status text,
  actor_id bigint references users (id),
  on_behalf_of_id bigint references customers (id),
  reason text not null default '',
  created_at timestamptz not null default now()
);
comment on table license_application_events is 'History of an application.';
create index license_application_events_application
  on license_application_events (license_application_id, created_at desc, id desc);
create index license_application_events_actor on license_application_events (actor_id);
create index license_application_events_behalf on license_application_events (on_behalf_of_id);
grant select, insert on license_application_events to app_rw;

call maintain_updated_at('license_applications', 'license_application_information_requests');

call make_append_only('license_application_events');
