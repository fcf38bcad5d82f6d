-- What a licence consists of: venues with their price bands, performances, charges with their tax, payment plan,
-- terms.
-- Sources: domain.md 2.1 (ticketing), 2.11 (lines, plan), 2.12 (tax per line), 6.3 (terms), 7 (fields).

create table license_venues (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  venue_id bigint references venues (id),
  name text not null check (name <> ''),
  address postal_address,
  lat double precision check (lat between -90 and 90),
  lng double precision check (lng between -180 and 180),
  time_zone text not null default 'America/New_York',
  capacity integer check (capacity between 0 and 200000),
  seats_offered integer check (seats_offered between 0 and 200000),
  expected_attendance integer check (expected_attendance between 0 and 200000),
  opening_on date,
  closing_on date,
  number_of_performances integer not null default 0 check (number_of_performances >= 0),
  capacity_gross_minor minor_amount,
  weighted_gross_minor minor_amount,
  -- Rounded for display only; the fee is taken from the gross above (2.1).
  weighted_avg_price_minor minor_amount,
  unit_fee_minor minor_amount,
  royalty_minor minor_amount,
  tax_jurisdiction text,
  vat_on_tickets_ppm rate_ppm,
  sort integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((lat is null) = (lng is null)),
  check (closing_on >= opening_on)
);
create index license_venues_license on license_venues (license_id, sort, id);
create index license_venues_venue on license_venues (venue_id, opening_on, id);

-- The ticketing table of SPEC 3, as rows: seats, price and weight are checked here and can be summed.
create table license_venue_tickets (
  id bigint generated always as identity primary key,
  license_venue_id bigint not null references license_venues (id),
  sort integer not null default 0,
  label text not null default '',
  number_of_seats integer not null default 0 check (number_of_seats between 0 and 200000),
  price_minor minor_amount not null default 0 check (price_minor between 0 and 9999999),
  weight numeric(12, 4) not null default 0 check (weight between 0 and 1000000),
  created_at timestamptz not null default now()
);
create index license_venue_tickets_venue on license_venue_tickets (license_venue_id, sort, id);

-- ordinal runs over the whole licence, order starts_at then id (2.2); cancelled and postponed ones have none.
create table performances (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  license_venue_id bigint not null references license_venues (id),
  ordinal integer check (ordinal >= 1),
  starts_at timestamptz not null,
  local_date date not null,
  local_time time not null,
  type text not null default 'public' check (type in ('public', 'preview', 'matinee', 'school', 'dress_invited',
    'gala', 'competition', 'stream_live', 'stream_vod')),
  is_free boolean not null default false,
  status text not null default 'planned' check (status in ('planned', 'performed', 'cancelled', 'postponed')),
  expected_attendance integer check (expected_attendance between 0 and 200000),
  unit_fee_minor minor_amount,
  fee_rule text,
  -- First day of the contractual week, the key that weekly reports and weekly minimums group by.
  week_key date not null,
  cancelled_at timestamptz,
  cancel_reason text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'cancelled') = (cancelled_at is not null))
);
create index performances_license on performances (license_id, starts_at, id);
create index performances_venue on performances (license_venue_id, local_date, id);
create index performances_calendar on performances (local_date, id) include (license_id, status);
create unique index performances_once on performances (license_venue_id, starts_at, type)
  where status in ('planned', 'performed');

-- Price bands of one performance where they differ from its venue's.
create table performance_tickets (
  id bigint generated always as identity primary key,
  performance_id bigint not null references performances (id),
  sort integer not null default 0,
  label text not null default '',
  number_of_seats integer not null default 0 check (number_of_seats between 0 and 200000),
  price_minor minor_amount not null default 0 check (price_minor between 0 and 9999999),
  weight numeric(12, 4) not null default 0 check (weight between 0 and 1000000),
  created_at timestamptz not null default now()
);
create index performance_tickets_performance on performance_tickets (performance_id, sort, id);

-- The lines of a quote, and later what invoices are made of. Tax is stored as determined: an issued line is never
-- re-rated.
create table license_charges (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  license_venue_id bigint references license_venues (id),
  add_on_id bigint references add_ons (id),
  show_package_id bigint references show_packages (id),
  sort integer not null default 0,
  kind text not null check (kind in
    ('royalty', 'advance', 'rental', 'extra_week', 'sale', 'digital', 'add_on', 'shipping', 'fee', 'discount')),
  -- quoted: part of the offer; late: added after execution (fees, extra weeks, overage).
  origin text not null default 'quoted' check (origin in ('quoted', 'late')),
  description text not null check (description <> ''),
  quantity integer not null default 1 check (quantity between 0 and 1000000),
  unit_minor minor_amount not null,
  net_minor minor_amount not null,
  item_class text not null check (item_class in ('performing_licence', 'rental', 'printed_script', 'printed_music',
    'e_publication', 'digital_music', 'tracks', 'logo', 'merchandise', 'shipping', 'fee')),
  income_type text not null default 'royalty' check (income_type in ('royalty', 'rental', 'sale', 'digital', 'add_on',
    'streaming', 'video', 'perusal', 'late_fee', 'advance', 'breakage', 'cancellation_fee', 'shipping', 'fee')),
  royalty_bearing boolean not null default false,
  tax_code text,
  tax_jurisdiction text,
  tax_rate_id bigint,
  tax_rate_ppm rate_ppm not null default 0,
  tax_minor minor_amount not null default 0,
  tax_reason text not null default '',
  total_minor minor_amount not null,
  invoiced_net_minor minor_amount not null default 0,
  invoiced_tax_minor minor_amount not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (total_minor = net_minor + tax_minor),
  check (kind = 'discount' or net_minor = unit_minor * quantity or kind in ('royalty', 'advance')),
  check (kind <> 'shipping' or not royalty_bearing)
);
create index license_charges_license on license_charges (license_id, sort, id);
create index license_charges_venue on license_charges (license_venue_id);
create index license_charges_add_on on license_charges (add_on_id);
create index license_charges_package on license_charges (show_package_id);

-- Payment plan: shares of one set of line kinds total one whole (2.11, checked on saving); amounts once priced.
create table license_instalments (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  sort integer not null default 0,
  label text not null check (label <> ''),
  due_event text not null check (due_event in ('acceptance', 'execution', 'shipment', 'opening', 'closing',
    'return_of_materials', 'settlement', 'report', 'date')),
  due_on date,
  line_kinds text[] not null default '{}' check (line_kinds <@ array['royalty', 'advance', 'rental', 'extra_week',
    'sale', 'digital', 'add_on', 'shipping', 'fee', 'discount']),
  share_ppm rate_ppm,
  is_deposit boolean not null default false,
  net_minor minor_amount not null default 0,
  tax_minor minor_amount not null default 0,
  amount_minor minor_amount not null default 0,
  status text not null default 'planned' check (status in ('planned', 'billed', 'paid', 'cancelled')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((due_event = 'date') = (due_on is not null)),
  check (is_deposit = (share_ppm is null)),
  check (amount_minor = net_minor + tax_minor)
);
create index license_instalments_license on license_instalments (license_id, sort, id);

create table license_terms (
  id bigint generated always as identity primary key,
  license_id bigint not null unique references licenses (id),
  rights_granted text[] not null default array['stage'] check (rights_granted <@ array['stage', 'stream_live',
    'stream_scheduled', 'stream_on_demand', 'video_archival', 'concert', 'excerpt'] and rights_granted <> '{}'),
  language text not null default 'English',
  territory text not null default '',
  exclusive boolean not null default false,
  exclusivity_radius_km integer check (exclusivity_radius_km >= 0),
  exclusive_from date,
  exclusive_to date,
  max_performances integer check (max_performances >= 1),
  average_seat_cap integer check (average_seat_cap >= 1),
  ticket_price_cap_minor minor_amount check (ticket_price_cap_minor >= 0),
  licensee_billing_ppm rate_ppm not null default 500000,
  presenter_line text not null default '',
  video_clause text not null default 'none' check (video_clause in ('none', 'archival', 'personal_noncommercial')),
  mandatory_program_text text not null default '',
  logo_usage text not null default 'none' check (logo_usage in ('none', 'licensed')),
  changes_clause text not null default '',
  replica_elements_forbidden boolean not null default true,
  report_frequency text not null default 'run' check (report_frequency in ('performance', 'week', 'run', 'none')),
  report_due_days integer not null default 7 check (report_due_days between 0 and 365),
  late_interest_ppm_per_month rate_ppm not null default 0,
  audit_right boolean not null default true,
  comps integer not null default 2 check (comps >= 0),
  merchandise text not null default '',
  cancellation_policy text not null default 'standard' check (cancellation_policy in
    ('standard', 'liquidated_damages', 'professional')),
  governing_law text not null default '',
  insurance text not null default '',
  other_terms text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (exclusive_to >= exclusive_from)
);

-- Billing block: who is named how large, as a share of the title's type size (6.3).
create table license_billing_lines (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  sort integer not null default 0,
  text text not null check (text <> ''),
  role text not null default '',
  percent_of_title_ppm integer not null default 500000 check (percent_of_title_ppm between 0 and 2000000),
  placement text not null default 'below' check (placement in ('above', 'below', 'program_only')),
  logo_required boolean not null default false,
  created_at timestamptz not null default now()
);
create index license_billing_lines_license on license_billing_lines (license_id, sort, id);

call maintain_updated_at('license_venues', 'performances', 'license_charges', 'license_instalments', 'license_terms');

grant select, insert, update on license_venues, license_venue_tickets, performances, performance_tickets,
  license_charges, license_instalments, license_terms, license_billing_lines to app_rw;
-- A quote is priced again as a whole: its parts are replaced while it is a draft. What was offered stays in
-- license_versions, what was billed or reported is held by the foreign keys of invoices and reports.
grant delete on license_venues, license_venue_tickets, performances, performance_tickets, license_charges,
  license_instalments, license_billing_lines to app_rw;
