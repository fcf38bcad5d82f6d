-- Parts of a license: venues, performances, materials, charges with their tax, payment plan, terms. Materials are
-- copied from a template, so later edits of it change no license.

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
comment on table license_venues is 'Venues of a license.';
comment on column license_venues.weighted_avg_price_minor is
  'Rounded, for display only. The fee is calculated from the gross.';
create index license_venues_license on license_venues (license_id, sort, id);
create index license_venues_venue on license_venues (venue_id, opening_on, id);
grant select, insert, update, delete on license_venues to app_rw;

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
comment on table license_venue_tickets is 'Ticket prices and seats at a venue of a license.';
create index license_venue_tickets_venue on license_venue_tickets (license_venue_id, sort, id);
grant select, insert, update, delete on license_venue_tickets to app_rw;

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
  week_key date not null,
  cancelled_at timestamptz,
  cancel_reason text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'cancelled') = (cancelled_at is not null))
);
comment on table performances is
  'Performances of a license. ordinal counts over the whole license by time; canceled and postponed ones have '
  'none.';
comment on column performances.week_key is
  'First day of the contractual week. Weekly reports and minimums are grouped by it.';
create index performances_license on performances (license_id, starts_at, id);
create index performances_venue on performances (license_venue_id, local_date, id);
create index performances_calendar on performances (local_date, id) include (license_id, status);
create unique index performances_once on performances (license_venue_id, starts_at, type)
  where status in ('planned', 'performed');
grant select, insert, update, delete on performances to app_rw;

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
comment on table performance_tickets is 'Ticket prices and seats of a performance that differ from its venue.';
create index performance_tickets_performance on performance_tickets (performance_id, sort, id);
grant select, insert, update, delete on performance_tickets to app_rw;

create table license_boms (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  source_bom_template_id bigint references bom_templates (id),
  source_version integer,
  name text not null check (name <> ''),
  cast_size integer check (cast_size between 0 and 1000),
  venues integer check (venues >= 0),
  weeks integer check (weeks >= 0),
  performances integer check (performances >= 0),
  optional_material_ids bigint[] not null default '{}',
  note text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((source_bom_template_id is null) = (source_version is null)),
  -- A template is copied once; a change of it comes by re-sync.
  unique (license_id, source_bom_template_id)
);
comment on table license_boms is 'Bills of materials of a license.';
comment on column license_boms.source_bom_template_id is 'Template it was copied from; null: put together by staff.';
comment on column license_boms.cast_size is 'Counts that the quantities were calculated from.';
create index license_boms_template on license_boms (source_bom_template_id, license_id);
create index license_boms_latest on license_boms (updated_at desc, id desc);
grant select, insert, update, delete on license_boms to app_rw;

create table license_materials (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  license_bom_id bigint references license_boms (id),
  material_id bigint not null references materials (id),
  item_number text not null,
  name text not null check (name <> ''),
  type text not null check (type in ('rental', 'sale', 'digital', 'service', 'perusal')),
  fulfilment text not null check (fulfilment in ('physical', 'download', 'stream_app', 'email')),
  quantity integer not null check (quantity between 1 and 100000),
  template_quantity integer check (template_quantity between 1 and 100000),
  included_in_package boolean not null default true,
  unit_price_minor minor_amount not null default 0 check (unit_price_minor >= 0),
  replacement_price_minor minor_amount check (replacement_price_minor >= 0),
  item_class text not null check (item_class in ('rental', 'printed_script', 'printed_music', 'e_publication',
    'digital_music', 'tracks', 'logo', 'merchandise', 'fee')),
  income_type text not null check (income_type in ('rental', 'sale', 'digital', 'perusal')),
  royalty_bearing boolean not null default false,
  return_required boolean not null default false,
  ship_group text not null default 'main' check (ship_group in ('advance', 'main', 'orchestra', 'digital')),
  lead_days integer not null default 0 check (lead_days between 0 and 365),
  substituted_for_id bigint references materials (id),
  note text not null default '',
  sort integer not null default 0,
  download_limit integer not null default 5
  check (download_limit between 1 and 1000),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (license_id, license_bom_id, material_id)
);
comment on table license_materials is 'Materials that a license receives.';
comment on column license_materials.template_quantity is
  'Quantity from the template; null if a person added the material.';
comment on column license_materials.included_in_package is
  'Part of the rental package or free of charge. Otherwise charged on the quote at its unit price.';
comment on column license_materials.return_required is 'Whether the material must come back after the run.';
create index license_materials_license on license_materials (license_id, sort, id);
create index license_materials_bom on license_materials (license_bom_id);
create index license_materials_material on license_materials (material_id, license_id);
create index license_materials_substituted on license_materials (substituted_for_id);
grant select, insert, update, delete on license_materials to app_rw;

create table license_charges (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  license_venue_id bigint references license_venues (id),
  add_on_id bigint references add_ons (id),
  show_package_id bigint references show_packages (id),
  sort integer not null default 0,
  kind text not null check (kind in
    ('royalty', 'advance', 'rental', 'extra_week', 'sale', 'digital', 'add_on', 'shipping', 'fee', 'discount')),
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
  license_material_id bigint references license_materials (id) on delete set null,
  share_ppm integer check (share_ppm between 1 and 1000000),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (total_minor = net_minor + tax_minor),
  check (kind = 'discount' or net_minor = unit_minor * quantity or kind in ('royalty', 'advance')),
  check (kind <> 'shipping' or not royalty_bearing),
  foreign key (tax_rate_id) references tax_rates (id),
  constraint license_charges_multiply
  check (quantity::bigint * unit_minor = net_minor)
);
comment on table license_charges is
  'Lines of a quote and of later charges, from which invoices are made. Tax is stored as determined.';
comment on column license_charges.origin is
  'Quoted: part of the offer. late: added afterwards, for example fees, extra weeks and overage.';
comment on column license_charges.license_material_id is
  'Material that the charge is for, if the package does not include it.';
comment on column license_charges.share_ppm is
  'Share of the company as sold. Later changes of the add-on do not apply.';
create index license_charges_license on license_charges (license_id, sort, id);
create index license_charges_venue on license_charges (license_venue_id);
create index license_charges_add_on on license_charges (add_on_id);
create index license_charges_package on license_charges (show_package_id);
create index license_charges_tax_rate on license_charges (tax_rate_id);
create index license_charges_material on license_charges (license_material_id);
grant select, insert, update, delete on license_charges to app_rw;

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
  invoice_id bigint,
  proforma_id bigint,
  deposit_id bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((due_event = 'date') = (due_on is not null)),
  check (is_deposit = (share_ppm is null)),
  check (amount_minor = net_minor + tax_minor)
);
comment on table license_instalments is 'Payment plan of a license: shares of the lines, and amounts once priced.';
create index license_instalments_license on license_instalments (license_id, sort, id);
create index license_instalments_invoice on license_instalments (invoice_id) where invoice_id is not null;
create index license_instalments_proforma on license_instalments (proforma_id) where proforma_id is not null;
create index license_instalments_deposit on license_instalments (deposit_id) where deposit_id is not null;
grant select, insert, update, delete on license_instalments to app_rw;

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
comment on table license_terms is 'Contract terms of a license.';
grant select, insert, update on license_terms to app_rw;

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
comment on table license_billing_lines is 'Billing credits: who is named, and how large as a share of the title.';
create index license_billing_lines_license on license_billing_lines (license_id, sort, id);
grant select, insert, update, delete on license_billing_lines to app_rw;

create trigger mark_material_used after insert or update of material_id on license_materials
  for each row execute function mark_material_used();

-- Licenses of a show that can conflict with a request. They belong to other customers, so no policy shows them: the
-- availability check gets places, dates and terms, and no names. The only place where a request reads across
-- customers.
create function standing_licenses(p_show_id bigint, p_now timestamptz)
returns table (id bigint, number text, phase text, division text, category text, classification_id bigint,
  country text, region text, lat double precision, lng double precision, first_performance_on date,
  last_performance_on date)
language sql stable security definer set search_path = public, pg_temp as $$
  select l.id, l.number, case when l.phase = 'draft' then 'sent' else l.phase end, l.division, l.category,
    l.customer_classification_id, coalesce(v.address ->> 'country_code', ''), v.address ->> 'administrative_area',
    v.lat, v.lng, v.opening_on, v.closing_on
  from licenses l join license_venues v on v.license_id = l.id
  where l.show_id = p_show_id and l.deleted_at is null and v.opening_on is not null
    and (l.phase in ('accepted', 'licensed', 'in_production')
      or (l.phase = 'sent' and l.offer_expires_at > p_now)
      or (l.phase = 'draft' and l.rights_held_until > p_now))
$$;

call maintain_updated_at('license_venues', 'performances', 'license_boms', 'license_materials', 'license_charges',
  'license_instalments', 'license_terms');

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function standing_licenses(bigint, timestamp with time zone) from public;
grant execute on function standing_licenses(bigint, timestamp with time zone) to app_rw;
