-- Tax as data, effective-dated, edited by staff, never code; and the holidays behind every "business day".
-- Source: domain.md 2.12. Exchange rates belong to the ledger's migrations.

create table tax_codes (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  code text not null check (code ~ '^[A-Z0-9_-]{1,32}$'),
  name text not null check (name <> ''),
  kind text not null check (kind in ('standard', 'zero', 'reduced', 'exempt', 'outside_scope', 'reverse_charge',
    'sales_tax', 'use_tax', 'oss')),
  -- Boxes of the division's return that the net and the tax of a line are added to.
  net_box text,
  tax_box text,
  legal_text text not null default '',
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, code)
);

-- Jurisdiction: 'GB', 'DE' or, in the US, 'US-NY', 'US-NY-Kings', 'US-NY-New York': country, state, then locality.
create table tax_rates (
  id bigint generated always as identity primary key,
  tax_code_id bigint not null references tax_codes (id),
  jurisdiction text not null check (jurisdiction ~ '^[A-Z]{2}(-[^-]+){0,3}$'),
  level text not null check (level in ('country', 'state', 'county', 'city', 'district')),
  rate_ppm rate_ppm not null,
  taxes_shipping boolean not null default false,
  valid_from date not null,
  valid_to date,
  source text not null default '',
  created_by_id bigint references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (valid_to >= valid_from),
  unique (tax_code_id, jurisdiction, valid_from)
);
create index tax_rates_lookup on tax_rates (jurisdiction, valid_from desc, id);

create table taxability (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  jurisdiction text not null check (jurisdiction ~ '^[A-Z]{2}(-[^-]+){0,3}$'),
  item_class text not null check (item_class in ('performing_licence', 'rental', 'printed_script', 'printed_music',
    'e_publication', 'digital_music', 'tracks', 'logo', 'merchandise', 'shipping', 'fee')),
  taxable boolean not null,
  tax_code_id bigint references tax_codes (id),
  valid_from date not null,
  valid_to date,
  source text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (valid_to >= valid_from),
  check (not taxable or tax_code_id is not null),
  unique (division, jurisdiction, item_class, valid_from)
);
create index taxability_code on taxability (tax_code_id);

create table tax_registrations (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  jurisdiction text not null check (jurisdiction ~ '^[A-Z]{2}(-[A-Z0-9]+)?$'),
  scheme text not null check (scheme in ('vat', 'oss', 'sales_tax')),
  number text not null check (number <> ''),
  valid_from date not null,
  valid_to date check (valid_to >= valid_from),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, jurisdiction, scheme, valid_from)
);

create table holidays (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  on_date date not null,
  name text not null check (name <> ''),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, on_date)
);

alter table license_charges add foreign key (tax_rate_id) references tax_rates (id);
create index license_charges_tax_rate on license_charges (tax_rate_id);

call maintain_updated_at('tax_codes', 'tax_rates', 'taxability', 'tax_registrations', 'holidays');

-- Rates end (valid_to), they are not deleted: issued lines name the row they were taxed by. Holidays are a calendar.
grant select, insert, update on tax_codes, tax_rates, taxability, tax_registrations, holidays to app_rw;
grant delete on holidays to app_rw;
