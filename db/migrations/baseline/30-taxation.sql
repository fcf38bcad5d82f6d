-- Tax rules as data with validity dates, edited by staff. US local sales tax is found by ZIP code, not by city name:
-- many towns share a name with one that taxes.

create table tax_authorities (
  id bigint generated always as identity primary key,
  jurisdiction text not null unique check (jurisdiction ~ '^[A-Z]{2}(-[A-Z0-9]{1,3})?$'),
  name text not null check (name <> ''),
  created_at timestamptz not null default now()
);
comment on table tax_authorities is 'Tax authorities, by country or US state.';
grant select, insert on tax_authorities to app_rw;

create table tax_codes (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  code text not null check (code ~ '^[A-Z0-9_-]{1,32}$'),
  name text not null check (name <> ''),
  kind text not null check (kind in ('standard', 'zero', 'reduced', 'exempt', 'outside_scope', 'reverse_charge',
    'sales_tax', 'use_tax', 'oss')),
  net_box text,
  tax_box text,
  legal_text text not null default '',
  active boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, code)
);
comment on table tax_codes is 'Tax codes of a division, with the boxes of its tax return.';
comment on column tax_codes.net_box is 'Box of the tax return that the net amount is added to; tax_box: the tax.';
grant select, insert, update on tax_codes to app_rw;

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
comment on table tax_rates is 'Rates of a tax code by jurisdiction: a country, or a US state.';
comment on column tax_rates.jurisdiction is 'Country or US state: GB, DE, US-NY.';
comment on column tax_rates.valid_to is 'Last day of the rate; null: no end. Rates end, they are not deleted.';
create index tax_rates_lookup on tax_rates (jurisdiction, valid_from desc, id);
grant select, insert, update on tax_rates to app_rw;

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
comment on table taxability is 'Whether a class of items is taxed in a jurisdiction, and under which tax code.';
create index taxability_code on taxability (tax_code_id);
grant select, insert, update on taxability to app_rw;

create table tax_registrations (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  jurisdiction text not null check (jurisdiction ~ '^[A-Z]{2}(-[A-Z0-9]+)?$'),
  scheme text not null check (scheme in ('vat', 'oss', 'sales_tax')),
  number text check (number <> ''),
  valid_from date not null,
  valid_to date check (valid_to >= valid_from),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, jurisdiction, scheme, valid_from)
);
comment on table tax_registrations is
  'Tax registrations of a division. Without one, no tax is charged in the jurisdiction.';
comment on column tax_registrations.number is 'Null until known. No document prints a placeholder.';
grant select, insert, update on tax_registrations to app_rw;

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
comment on table holidays is 'Public holidays of a division, for due dates and reply times.';
grant select, insert, update, delete on holidays to app_rw;

create table local_tax_rates (
  id bigint generated always as identity primary key,
  state text not null check (state ~ '^[A-Z]{2}$'),
  county text not null check (county <> ''),
  level text not null check (level in ('county', 'city', 'district')),
  zip_from text not null check (zip_from ~ '^[0-9]{5}$'),
  zip_to text not null check (zip_to ~ '^[0-9]{5}$'),
  rate_ppm rate_ppm not null,
  valid_from date not null,
  valid_to date,
  source text not null check (source <> ''),
  is_seeded boolean not null default false,
  created_by_id bigint references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (zip_to >= zip_from),
  check (valid_to >= valid_from),
  -- Each state's two letters become a number, which a range holds without another extension.
  constraint local_tax_rates_once exclude using gist (
    int4range(ascii(state) * 256 + ascii(substr(state, 2)), ascii(state) * 256 + ascii(substr(state, 2)), '[]') with &&,
    int4range(case level when 'county' then 1 when 'city' then 2 else 3 end,
      case level when 'county' then 1 when 'city' then 2 else 3 end, '[]') with &&,
    int4range(zip_from::int, zip_to::int, '[]') with &&,
    daterange(valid_from, valid_to, '[]') with &&)
);
comment on table local_tax_rates is 'Local sales tax rates of the United States by range of ZIP codes.';
comment on column local_tax_rates.level is
  'City and district rates are charged in addition to the county. A ZIP code has one row per level and day.';
comment on column local_tax_rates.is_seeded is 'Shipped with the product and not confirmed by staff yet.';
create index local_tax_rates_lookup on local_tax_rates (state, zip_from, zip_to);
create index local_tax_rates_created_by on local_tax_rates (created_by_id) where created_by_id is not null;
grant select, insert, update, delete on local_tax_rates to app_rw;

create table local_tax_states (
  id bigint generated always as identity primary key,
  state text not null unique check (state ~ '^[A-Z]{2}$'),
  complete boolean not null default false,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
comment on table local_tax_states is
  'US states, and whether their local rates are complete. If not, an unknown ZIP code raises a question on the '
  'draft.';
grant select, update on local_tax_states to app_rw;

create table tax_exemption_certificates (
  id bigint generated always as identity primary key,
  customer_id bigint not null references customers (id),
  country country_code not null,
  state text,
  kind text not null check (kind in ('resale', 'school', 'nonprofit', 'diplomatic')),
  number text not null check (number <> ''),
  issued_on date,
  valid_from date not null,
  expires_on date,
  document_id bigint references files (id),
  status text not null default 'pending' check (status in ('pending', 'verified', 'refused', 'withdrawn')),
  verified_by_id bigint references users (id),
  verified_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (expires_on is null or expires_on >= valid_from),
  check ((status = 'verified') <= (verified_at is not null and verified_by_id is not null)),
  unique nulls not distinct (customer_id, country, state, number)
);
comment on table tax_exemption_certificates is
  'Exemption certificates of customers. A valid one overrides the rate; an expired one blocks the offer.';
create index tax_exemption_certificates_lookup
  on tax_exemption_certificates (customer_id, country, state, valid_from);
create index tax_exemption_certificates_document on tax_exemption_certificates (document_id);
grant select, insert, update on tax_exemption_certificates to app_rw;

-- A rate that an invoice was taxed by is ended, never rewritten; the reference above keeps it from being removed.
create function guard_local_tax_rate() returns trigger language plpgsql as $$
declare
  free text[] := array['valid_to', 'is_seeded', 'version', 'updated_at'];
begin
  if (to_jsonb(new) - free) <> (to_jsonb(old) - free)
    and exists (select 1 from invoice_tax_lines where local_tax_rate_id = old.id) then
    raise exception 'local tax rate % is in use: end it and enter another', old.id using errcode = '23514';
  end if;
  return new;
end $$;

create trigger guard_local_tax_rate before update on local_tax_rates
  for each row execute function guard_local_tax_rate();

call maintain_updated_at('tax_codes', 'tax_rates', 'taxability', 'tax_registrations', 'holidays', 'local_tax_rates',
  'local_tax_states', 'tax_exemption_certificates');
