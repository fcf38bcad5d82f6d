-- Venues, vendors and warehouses.

create table venues (
  id bigint generated always as identity primary key,
  number text not null unique default 'V-' || nextval('venue_numbers'),
  name text not null check (name <> ''),
  kind text not null default 'theatre'
    check (kind in ('theatre', 'school_hall', 'arena', 'church', 'outdoor', 'other')),
  address postal_address,
  locality text generated always as (address ->> 'locality') stored,
  country_code text generated always as (address ->> 'country_code') stored,
  lat double precision check (lat between -90 and 90),
  lng double precision check (lng between -180 and 180),
  geocode_source text check (geocode_source in ('manual', 'places', 'import', 'postal_centroid')),
  time_zone text not null default 'America/New_York' check (time_zone ~ '^[A-Za-z_]+(/[A-Za-z0-9_+-]+)*$'),
  capacity integer check (capacity between 0 and 200000),
  owner_customer_id bigint references customers (id),
  phone text,
  website text,
  active boolean not null default true,
  merged_into_id bigint references venues (id),
  search_text text not null generated always as (
  search_words(number, name, address ->> 'locality', address ->> 'postal_code', phone)) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((lat is null) = (lng is null)),
  check (merged_into_id <> id)
);
comment on table venues is 'Venues and their halls.';
create index venues_name on venues (name collate "und-x-icu", id) where deleted_at is null;
create index venues_latest on venues (updated_at desc, id desc) where deleted_at is null;
create index venues_country on venues (country_code, name collate "und-x-icu", id) where deleted_at is null;
create index venues_point on venues (lat, lng) where lat is not null;
create index venues_owner on venues (owner_customer_id) where owner_customer_id is not null;
create index venues_merged_into on venues (merged_into_id) where merged_into_id is not null;
create index venues_name_key on venues (search_fold(name)) where deleted_at is null;
create index venues_number_start on venues (lower(number) text_pattern_ops);
create index venues_name_fold on venues (name_key(name)) where deleted_at is null;
create index venues_town_fold on venues (coalesce(name_key(address ->> 'locality'), ''))
  where deleted_at is null and merged_into_id is null;
create index venues_search on venues using gin (search_text gin_trgm_ops);
create index venues_name_start on venues (fold_name(name) text_pattern_ops);
grant select, insert, update on venues to app_rw;

create table venue_aliases (
  id bigint generated always as identity primary key,
  venue_id bigint not null references venues (id),
  alias text not null check (alias <> ''),
  alias_key text not null generated always as (search_fold(alias)) stored unique,
  created_at timestamptz not null default now()
);
comment on table venue_aliases is
  'Other names under which returns and imports recognize a venue. A name stands for one venue.';
create index venue_aliases_venue on venue_aliases (venue_id);
create index venue_aliases_fold on venue_aliases (name_key(alias));
grant select, insert, update, delete on venue_aliases to app_rw;

create table venue_default_tickets (
  id bigint generated always as identity primary key,
  venue_id bigint not null references venues (id),
  sort integer not null default 0,
  label text not null default '',
  number_of_seats integer not null default 0 check (number_of_seats between 0 and 200000),
  price_minor minor_amount not null default 0 check (price_minor between 0 and 9999999),
  currency currency_code not null,
  weight numeric(12, 4) not null default 0 check (weight between 0 and 1000000),
  created_at timestamptz not null default now()
);
comment on table venue_default_tickets is 'Ticket prices and seats that a new license at the venue starts with.';
create index venue_default_tickets_venue on venue_default_tickets (venue_id, sort, id);
grant select, insert, update, delete on venue_default_tickets to app_rw;

create table customer_venues (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  venue_id bigint not null references venues (id),
  created_at timestamptz not null default now(),
  unique (customer_id, venue_id)
);
comment on table customer_venues is 'Venues that a customer uses.';
create index customer_venues_venue on customer_venues (venue_id);
grant select, insert, update, delete on customer_venues to app_rw;

create sequence vendor_numbers start 1001;
grant usage on sequence vendor_numbers to app_rw;

create table vendors (
  id bigint generated always as identity primary key,
  number text not null unique default 'VN-' || nextval('vendor_numbers'),
  name text not null check (name <> ''),
  legal_name text,
  divisions text[] not null default array['US'] check (is_division_set(divisions) and cardinality(divisions) > 0),
  default_currency currency_code not null default 'USD',
  contact_name text,
  email email_address,
  phone text,
  website text,
  address postal_address,
  remit_to_address postal_address,
  vat_number text,
  form_1099 boolean not null default false,
  payment_method text not null default 'check' check (payment_method in ('ach', 'wire', 'check', 'bacs', 'sepa')),
  payment_terms_days integer not null default 30 check (payment_terms_days between 0 and 365),
  notes text not null default '',
  active boolean not null default true,
  bank_account_encrypted bytea,
  bank_routing_encrypted bytea,
  bank_key_id text,
  bank_account_last4 text check (bank_account_last4 ~ '^[0-9A-Z]{1,4}$'),
  bank_verified_at timestamptz,
  tin_encrypted bytea,
  tin_key_id text,
  tin_last4 text check (tin_last4 ~ '^[0-9A-Z]{1,4}$'),
  search_text text not null generated always as (
  search_words(number, name, legal_name, contact_name, email, phone, address ->> 'postal_code')) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(bank_account_encrypted, bank_account_last4, bank_key_id) in (0, 3)),
  check (num_nonnulls(tin_encrypted, tin_last4, tin_key_id) in (0, 3))
);
comment on table vendors is 'Suppliers of goods and services.';
comment on column vendors.remit_to_address is 'Payment address if different; null: the address.';
comment on column vendors.bank_account_encrypted is
  'AES-256-GCM ciphertext under the key named by bank_key_id. Screens show the last four digits only.';
create index vendors_name on vendors (name collate "und-x-icu", id) where deleted_at is null;
create index vendors_latest on vendors (updated_at desc, id desc) where deleted_at is null;
create index vendors_number_start on vendors (lower(number) text_pattern_ops);
create index vendors_search on vendors using gin (search_text gin_trgm_ops);
create index vendors_name_start on vendors (fold_name(name) text_pattern_ops);
grant select, insert, update on vendors to app_rw;

create table warehouses (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[A-Z0-9][A-Z0-9-]{0,15}$'),
  name text not null check (name <> ''),
  division text not null references divisions (code),
  address postal_address,
  returns_address postal_address,
  time_zone text not null default 'America/New_York' check (time_zone ~ '^[A-Za-z_]+(/[A-Za-z0-9_+-]+)*$'),
  contact_name text,
  email email_address,
  phone text,
  ship_cutoff text check (ship_cutoff ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  carriers text[] not null default '{}' check (cardinality(carriers) <= 20),
  return_lead_days integer not null default 5 check (return_lead_days between 0 and 60),
  default_for_division boolean not null default false,
  active boolean not null default true,
  search_text text not null generated always as (
  search_words(code, name, address ->> 'locality', address ->> 'postal_code')) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table warehouses is 'Warehouses that materials are shipped from and returned to.';
comment on column warehouses.returns_address is 'Address for returns if different; null: the address.';
comment on column warehouses.ship_cutoff is 'Local time until which picked orders leave on the same day.';
comment on column warehouses.return_lead_days is
  'Days after the return date until returned copies are available again.';
-- Orders of a division are reserved in one warehouse unless someone says otherwise.
create unique index warehouses_default on warehouses (division) where default_for_division and deleted_at is null;
create index warehouses_division on warehouses (division);
create index warehouses_name on warehouses (name collate "und-x-icu", id) where deleted_at is null;
create index warehouses_code_start on warehouses (lower(code) text_pattern_ops);
create index warehouses_search on warehouses using gin (search_text gin_trgm_ops);
grant select, insert, update on warehouses to app_rw;

call maintain_updated_at('venues', 'vendors', 'warehouses');
