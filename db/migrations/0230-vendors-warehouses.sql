-- Whom the house buys from, and where its books lie. Sources: domain.md 4, 7 (vendor, warehouse); SPEC.md 7 names the
-- calls and no field. Bank details and tax ids of vendors come with their payment.

create sequence vendor_numbers start 1001;
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
  -- Where payment goes when that is another place; null: to the address.
  remit_to_address postal_address,
  vat_number text,
  form_1099 boolean not null default false,
  payment_method text not null default 'check' check (payment_method in ('ach', 'wire', 'check', 'bacs', 'sepa')),
  payment_terms_days integer not null default 30 check (payment_terms_days between 0 and 365),
  notes text not null default '',
  active boolean not null default true,
  search_text text not null generated always as (search_fold(number || ' ' || name || ' ' || coalesce(legal_name, '')
    || ' ' || coalesce(contact_name, '') || ' ' || coalesce(email, ''))) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index vendors_name on vendors (name collate "und-x-icu", id) where deleted_at is null;
create index vendors_latest on vendors (updated_at desc, id desc) where deleted_at is null;
create index vendors_search on vendors using gin (search_text gin_trgm_ops);

create table warehouses (
  id bigint generated always as identity primary key,
  code text not null unique check (code ~ '^[A-Z0-9][A-Z0-9-]{0,15}$'),
  name text not null check (name <> ''),
  division text not null references divisions (code),
  address postal_address,
  -- Where returns go when that is another door; null: to the address.
  returns_address postal_address,
  time_zone text not null default 'America/New_York' check (time_zone ~ '^[A-Za-z_]+(/[A-Za-z0-9_+-]+)*$'),
  contact_name text,
  email email_address,
  phone text,
  -- Local time until which what was picked leaves the same day.
  ship_cutoff text check (ship_cutoff ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  carriers text[] not null default '{}' check (cardinality(carriers) <= 20),
  -- A return counts as available so many days after its day: unpacked, graded, shelved (domain.md 4: default 5).
  return_lead_days integer not null default 5 check (return_lead_days between 0 and 60),
  default_for_division boolean not null default false,
  active boolean not null default true,
  search_text text not null generated always as (search_fold(code || ' ' || name || ' '
    || coalesce(address ->> 'locality', ''))) stored,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Orders of a division are reserved in one warehouse unless someone says otherwise.
create unique index warehouses_default on warehouses (division) where default_for_division and deleted_at is null;
create index warehouses_division on warehouses (division);
create index warehouses_name on warehouses (name collate "und-x-icu", id) where deleted_at is null;

call maintain_updated_at('vendors', 'warehouses');
grant select, insert, update on vendors, warehouses to app_rw;
grant usage on sequence vendor_numbers to app_rw;
