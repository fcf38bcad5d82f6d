-- Shows, their prices, restrictions and add-ons.

create table shows (
  id bigint generated always as identity primary key,
  show_code text not null unique check (show_code ~ '^[A-Z0-9][A-Z0-9-]{0,23}$'),
  type text not null check (type in ('play', 'musical')),
  title text not null check (title <> ''),
  sort_title text not null check (sort_title <> ''),
  authors_credit text not null default '',
  synopsis text not null default '',
  year integer check (year between 1000 and 2200),
  running_time_minutes integer check (running_time_minutes between 1 and 1440),
  cast_min integer check (cast_min between 1 and 1000),
  cast_max integer check (cast_max between 1 and 1000),
  age_rating text not null default '',
  orchestrations text[] not null default '{}' check (orchestrations <@ array['full', 'reduced', 'piano', 'tracks']),
  divisions text[] not null default array['US', 'EU', 'UK', 'PROD'] check (is_division_set(divisions)),
  active boolean not null default true,
  available_from date,
  royalty_presentation text not null default 'gross' check (royalty_presentation in ('gross', 'net')),
  proximity_radius_km integer not null default 80 check (proximity_radius_km between 0 and 20040),
  proximity_months integer not null default 3 check (proximity_months between 0 and 60),
  billing_template text not null default '',
  search_text text not null generated always as (
  search_words(show_code, title, authors_credit)) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (cast_max >= cast_min)
);
comment on table shows is 'Titles in the catalog.';
comment on column shows.royalty_presentation is
  'Whether the company acts as principal or agent. The show decides if its agreements differ.';
create index shows_title on shows (sort_title collate "und-x-icu", id) where deleted_at is null;
create index shows_type_title on shows (type, sort_title collate "und-x-icu", id) where deleted_at is null;
create index shows_latest on shows (updated_at desc, id desc) where deleted_at is null;
create index shows_trash on shows (deleted_at desc, id desc) where deleted_at is not null;
-- Titles and names are looked up as returns write them, for every row of a file.
create index shows_title_key on shows (search_fold(title)) where deleted_at is null;
create index shows_code_start on shows (lower(show_code) text_pattern_ops);
create index shows_title_fold on shows (name_key(title)) where deleted_at is null;
create index shows_search on shows using gin (search_text gin_trgm_ops);
create index shows_title_start on shows (fold_name(title) text_pattern_ops);
grant select, insert, update on shows to app_rw;

create table show_aliases (
  id bigint generated always as identity primary key,
  show_id bigint not null references shows (id),
  alias text not null check (alias <> ''),
  alias_key text not null generated always as (search_fold(alias)) stored unique,
  created_at timestamptz not null default now()
);
comment on table show_aliases is 'Other titles under which returns and imports recognize a show.';
create index show_aliases_show on show_aliases (show_id);
create index show_aliases_fold on show_aliases (name_key(alias));
grant select, insert, update, delete on show_aliases to app_rw;

create table show_images (
  id bigint generated always as identity primary key,
  show_id bigint not null references shows (id),
  file_id bigint not null references files (id),
  caption text not null default '',
  sort integer not null default 0,
  width integer not null default 1 check (width between 1 and 20000),
  height integer not null default 1 check (height between 1 and 20000),
  created_at timestamptz not null default now()
);
comment on table show_images is 'Pictures of a show.';
comment on column show_images.width is 'Width in px of the stored picture, so that pages can reserve its space.';
comment on column show_images.height is 'Height in px of the stored picture.';
create index show_images_show on show_images (show_id, sort, id);
create index show_images_file on show_images (file_id);
grant select, insert, update, delete on show_images to app_rw;

create table show_packages (
  id bigint generated always as identity primary key,
  show_id bigint not null references shows (id),
  division text not null references divisions (code),
  name text not null check (name <> ''),
  item_class text not null default 'rental' check (item_class in ('rental', 'printed_script', 'printed_music',
    'e_publication', 'digital_music', 'tracks')),
  currency currency_code not null,
  price_minor minor_amount not null check (price_minor >= 0),
  included_period_count integer not null check (included_period_count between 1 and 120),
  period_unit text not null check (period_unit in ('week', 'month')),
  extra_period_price_minor minor_amount not null default 0 check (extra_period_price_minor >= 0),
  shipping_minor minor_amount not null default 0 check (shipping_minor >= 0),
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (show_id, division, name)
);
comment on table show_packages is
  'Rental packages of a show. Separate from rate cards: a new royalty rate must not copy rental prices.';
create index show_packages_division on show_packages (division);
grant select, insert, update on show_packages to app_rw;

create table rate_cards (
  id bigint generated always as identity primary key,
  show_id bigint references shows (id),
  category text not null check (category in ('Amateur', 'Pro')),
  division text not null references divisions (code),
  customer_classification_id bigint references customer_classifications (id),
  name text not null default '',
  effective_from date not null,
  effective_to date,
  status text not null default 'draft' check (status in ('draft', 'approved', 'superseded')),
  currency currency_code not null,
  fee_method text not null check (fee_method in
    ('flat', 'seat_band', 'percent_potential', 'percent_actual', 'greater_of', 'flat_run', 'negotiated')),
  greater_of_first text check (greater_of_first in ('flat', 'seat_band', 'percent_potential', 'percent_actual')),
  greater_of_second text check (greater_of_second in ('flat', 'seat_band', 'percent_potential', 'percent_actual')),
  rate_ppm rate_ppm,
  gross_basis text not null default 'weighted'
    check (gross_basis in ('capacity', 'weighted', 'expected', 'top_price')),
  flat_run_minor minor_amount check (flat_run_minor >= 0),
  min_per_performance_minor minor_amount not null default 0 check (min_per_performance_minor >= 0),
  min_per_run_minor minor_amount not null default 0 check (min_per_run_minor >= 0),
  min_per_week_minor minor_amount not null default 0 check (min_per_week_minor >= 0),
  min_performances integer not null default 0 check (min_performances between 0 and 1000),
  guarantee_scope text not null default 'performance' check (guarantee_scope in ('performance', 'run', 'week')),
  full_week_performances integer check (full_week_performances between 1 and 30),
  minimum_counts_toward_advance boolean not null default true,
  week_start smallint not null default 1 check (week_start between 0 and 6),
  round_up_to_minor minor_amount not null default 0 check (round_up_to_minor >= 0),
  round_up_scope text not null default 'performance' check (round_up_scope in ('performance', 'run')),
  advance_minor minor_amount not null default 0 check (advance_minor >= 0),
  true_up text not null default 'none' check (true_up in ('none', 'down_only', 'up_only', 'both')),
  free_admission_kind text check (free_admission_kind in ('min', 'percent_of_min', 'flat')),
  free_admission_ppm rate_ppm,
  free_admission_minor minor_amount check (free_admission_minor >= 0),
  show_package_id bigint references show_packages (id),
  deposit_kind text check (deposit_kind in ('security', 'on_account')),
  deposit_minor minor_amount not null default 0 check (deposit_minor >= 0),
  execution_policy text not null check (execution_policy in
    ('paid_in_full', 'deposit_paid', 'advance_paid', 'purchase_order', 'signature_only')),
  notes text not null default '',
  author_id bigint references users (id),
  approved_by_id bigint references users (id),
  approved_at timestamptz,
  empty_week_owes_minimum boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (effective_to is null or effective_to >= effective_from),
  check (fee_method not in ('percent_potential', 'percent_actual') or rate_ppm is not null),
  check ((fee_method = 'greater_of') = (greater_of_first is not null and greater_of_second is not null)),
  check (greater_of_first <> greater_of_second),
  check ((fee_method = 'flat_run') = (flat_run_minor is not null)),
  check ((free_admission_kind = 'percent_of_min') = (free_admission_ppm is not null)
    or free_admission_kind is null and free_admission_ppm is null),
  check ((free_admission_kind = 'flat') = (free_admission_minor is not null)
    or free_admission_kind is null and free_admission_minor is null),
  check (deposit_minor = 0 or deposit_kind is not null),
  check ((status = 'draft') = (approved_at is null)),
  -- Four eyes compares persons, not permissions.
  check (approved_by_id is null or author_id is null or approved_by_id <> author_id)
);
comment on table rate_cards is
  'Rate cards: how the royalty of a license is calculated. Without a show, the card is the default for all '
  'shows. The most specific approved card valid on the first performance wins. A card in use is superseded, '
  'never edited; licenses keep a copy.';
comment on column rate_cards.show_id is 'Null: the default card for all shows.';
comment on column rate_cards.greater_of_first is 'The two methods that greater_of compares; null for other methods.';
comment on column rate_cards.rate_ppm is 'Percentage royalty in parts per million: 10% is 100000.';
comment on column rate_cards.empty_week_owes_minimum is
  'Whether a reported week without a performance owes the weekly minimum.';
create unique index rate_cards_approved on rate_cards
  (show_id, category, division, customer_classification_id, effective_from) nulls not distinct
    where status = 'approved';
create index rate_cards_show on rate_cards (show_id, category, division, effective_from desc, id desc);
create index rate_cards_latest on rate_cards (updated_at desc, id desc);
create index rate_cards_division on rate_cards (division, category, status, effective_from desc, id desc);
create index rate_cards_classification on rate_cards (customer_classification_id);
create index rate_cards_package on rate_cards (show_package_id);
grant select, insert, update, delete on rate_cards to app_rw;

create table rate_card_performance_tiers (
  id bigint generated always as identity primary key,
  rate_card_id bigint not null references rate_cards (id),
  from_n integer not null check (from_n >= 1),
  amount_minor minor_amount not null check (amount_minor >= 0),
  created_at timestamptz not null default now(),
  unique (rate_card_id, from_n)
);
comment on table rate_card_performance_tiers is 'Amount per performance, from the nth performance of a license on.';
grant select, insert, update, delete on rate_card_performance_tiers to app_rw;

create table rate_card_seat_bands (
  id bigint generated always as identity primary key,
  rate_card_id bigint not null references rate_cards (id),
  from_seats integer not null check (from_seats >= 0),
  to_seats integer check (to_seats >= from_seats),
  amount_minor minor_amount not null check (amount_minor >= 0),
  created_at timestamptz not null default now(),
  unique (rate_card_id, from_seats)
);
comment on table rate_card_seat_bands is
  'Amounts by seating capacity. Both ends are included; an open end is null. A capacity in no band is an error, '
  'never zero.';
grant select, insert, update, delete on rate_card_seat_bands to app_rw;

create table rate_card_gross_tiers (
  id bigint generated always as identity primary key,
  rate_card_id bigint not null references rate_cards (id),
  from_gross_minor minor_amount not null check (from_gross_minor >= 0),
  rate_ppm rate_ppm not null,
  mode text not null default 'marginal' check (mode in ('marginal', 'retroactive')),
  after_recoupment boolean not null default false,
  created_at timestamptz not null default now(),
  unique (rate_card_id, from_gross_minor, after_recoupment)
);
comment on table rate_card_gross_tiers is 'Percentages by weekly gross.';
comment on column rate_card_gross_tiers.after_recoupment is
  'The tier applies from the date on which the producer declares recoupment.';
grant select, insert, update, delete on rate_card_gross_tiers to app_rw;

create table rate_card_deductions (
  id bigint generated always as identity primary key,
  rate_card_id bigint not null references rate_cards (id),
  type text not null check (type in ('admission_tax', 'theatre_party_commission', 'union_pension_welfare',
    'group_sales_commission', 'card_commission', 'remote_ticketing_commission', 'restoration_charge',
    'subscription_discount')),
  cap_ppm rate_ppm,
  created_at timestamptz not null default now(),
  unique (rate_card_id, type)
);
comment on table rate_card_deductions is
  'Deductions that a return may claim, each with a limit as a share of the reported gross.';
grant select, insert, update, delete on rate_card_deductions to app_rw;

create table show_restrictions (
  id bigint generated always as identity primary key,
  show_id bigint not null references shows (id),
  kind text not null check (kind in ('blocked', 'needs_clearance', 'max_n')),
  max_n integer check (max_n >= 0),
  division text references divisions (code),
  country country_code,
  region text,
  lat double precision check (lat between -90 and 90),
  lng double precision check (lng between -180 and 180),
  radius_km numeric(9, 3) check (radius_km > 0),
  date_from date not null,
  date_to date,
  categories text[] not null default '{}' check (categories <@ array['Amateur', 'Pro']),
  customer_classification_id bigint references customer_classifications (id),
  media text[] not null default '{}' check (media <@ array['stage', 'stream', 'record']),
  starts_from time,
  starts_before time,
  reason_public text not null check (reason_public <> ''),
  reason_internal text not null default '',
  source_license_id bigint,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (date_to is null or date_to >= date_from),
  check ((kind = 'max_n') = (max_n is not null)),
  check (num_nonnulls(lat, lng, radius_km) in (0, 3)),
  check (region is null or country is not null),
  check (starts_from < starts_before)
);
comment on table show_restrictions is
  'Restrictions on licensing a show. Empty arrays and nulls match everything. A restriction may come from an '
  'exclusive license.';
create index show_restrictions_show on show_restrictions (show_id, date_from, date_to) where deleted_at is null;
create index show_restrictions_all on show_restrictions (show_id, id);
create index show_restrictions_division on show_restrictions (division);
create index show_restrictions_classification on show_restrictions (customer_classification_id);
-- The same rule twice is a slip of the hand; rules that overlap in part are allowed, the worst one wins.
create unique index show_restrictions_same on show_restrictions (show_id, kind, division, country, region, lat, lng,
  radius_km, date_from, date_to, categories, customer_classification_id, media, starts_from, starts_before)
  nulls not distinct where deleted_at is null;
create index show_restrictions_source on show_restrictions (source_license_id);
grant select, insert, update on show_restrictions to app_rw;

create table add_ons (
  id bigint generated always as identity primary key,
  show_id bigint not null references shows (id),
  key text not null check (key ~ '^[a-z0-9_]{1,60}$'),
  name text not null check (name <> ''),
  kind text not null check (kind in ('performance_tracks', 'rehearsal_tracks', 'logo_pack', 'streaming_license',
    'video_archival', 'scenic_projection', 'study_guide', 'transposition', 'digital_script_app',
    'choreography_guide', 'extra_weeks')),
  description text not null default '',
  divisions text[] not null default array['US', 'EU', 'UK', 'PROD'] check (is_division_set(divisions)),
  categories text[] not null default '{}' check (categories <@ array['Amateur', 'Pro']),
  available_from date,
  available_to date check (available_to >= available_from),
  requires_clearance boolean not null default false,
  pricing_model text not null default 'flat' check (pricing_model in
    ('flat', 'per_performance', 'per_week', 'percent_stream_gross', 'per_user')),
  price_usd_minor minor_amount check (price_usd_minor >= 0),
  price_eur_minor minor_amount check (price_eur_minor >= 0),
  price_gbp_minor minor_amount check (price_gbp_minor >= 0),
  rate_ppm rate_ppm,
  item_class text not null default 'tracks' check (item_class in ('performing_licence', 'rental', 'printed_script',
    'printed_music', 'e_publication', 'digital_music', 'tracks', 'logo', 'merchandise', 'fee')),
  income_type text not null default 'add_on'
    check (income_type in ('add_on', 'streaming', 'video', 'digital', 'rental')),
  royalty_bearing boolean not null default false,
  terms_text text not null default '',
  mandatory_program_text text not null default '',
  active boolean not null default true,
  grace_days integer not null default 14 check (grace_days between 0 and 3650),
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((pricing_model = 'percent_stream_gross') = (rate_ppm is not null)),
  unique (show_id, key)
);
comment on table add_ons is 'Priced options of a show. Without a price in a currency, the option is not offered in it.';
comment on column add_ons.grace_days is 'Days after the last performance until the right of use ends.';
create index add_ons_name on add_ons (name collate "und-x-icu", id) where deleted_at is null;
create index add_ons_search on add_ons using gin (search_words(name, key) gin_trgm_ops);
grant select, insert, update on add_ons to app_rw;

-- An approved card is what quotes were priced with: its rows no longer change, except that it is superseded or
-- closed.
create function guard_rate_card() returns trigger
language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.status <> 'draft' then
      raise exception 'rate card % is %: only a draft may be deleted', old.id, old.status using errcode = '23514';
    end if;
    return old;
  end if;
  if old.status <> 'draft' and (to_jsonb(new) - array['status', 'effective_to', 'version', 'updated_at'])
      <> (to_jsonb(old) - array['status', 'effective_to', 'version', 'updated_at']) then
    raise exception 'rate card % is %: make a new one', old.id, old.status using errcode = '23514';
  end if;
  return new;
end $$;

create trigger guard_rate_card before update or delete on rate_cards for each row execute function guard_rate_card();

create function guard_rate_card_rows() returns trigger
language plpgsql as $$
declare
  card bigint := case tg_op when 'DELETE' then old.rate_card_id else new.rate_card_id end;
begin
  if (select status from rate_cards where id = card) <> 'draft' then
    raise exception 'rate card % is not a draft: its rows no longer change', card using errcode = '23514';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;

create trigger guard_rate_card_rows before insert or update or delete on rate_card_performance_tiers
  for each row execute function guard_rate_card_rows();

create trigger guard_rate_card_rows before insert or update or delete on rate_card_seat_bands
  for each row execute function guard_rate_card_rows();

create trigger guard_rate_card_rows before insert or update or delete on rate_card_gross_tiers
  for each row execute function guard_rate_card_rows();

create trigger guard_rate_card_rows before insert or update or delete on rate_card_deductions
  for each row execute function guard_rate_card_rows();

call maintain_updated_at('shows', 'show_packages', 'rate_cards', 'show_restrictions', 'add_ons');
