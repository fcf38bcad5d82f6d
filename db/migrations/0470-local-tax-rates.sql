-- Local sales tax is found by ZIP code, never by the name of a city: Long Island City and Flushing are New York City,
-- and many towns share a name with one that taxes. Rates are rows of state, county, ZIP range and validity.

create table local_tax_rates (
  id bigint generated always as identity primary key,
  state text not null check (state ~ '^[A-Z]{2}$'),
  county text not null check (county <> ''),
  -- A city and a district (transit, stadium) are charged beside the county; each level has one row for a ZIP and day.
  level text not null check (level in ('county', 'city', 'district')),
  zip_from text not null check (zip_from ~ '^[0-9]{5}$'),
  zip_to text not null check (zip_to ~ '^[0-9]{5}$'),
  rate_ppm rate_ppm not null,
  valid_from date not null,
  valid_to date,
  source text not null check (source <> ''),
  -- Came with the product and was not confirmed by staff yet.
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
create index local_tax_rates_lookup on local_tax_rates (state, zip_from, zip_to);
create index local_tax_rates_created_by on local_tax_rates (created_by_id) where created_by_id is not null;

-- Whether the rows of a state name every place that taxes: where they do not, a draft asks about an unknown ZIP.
create table local_tax_states (
  id bigint generated always as identity primary key,
  state text not null unique check (state ~ '^[A-Z]{2}$'),
  complete boolean not null default false,
  version integer not null default 1,
  updated_at timestamptz not null default now()
);
call maintain_updated_at('local_tax_rates', 'local_tax_states');
grant select, insert, update, delete on local_tax_rates to app_rw;
grant select, update on local_tax_states to app_rw;

alter table invoice_tax_lines add column local_tax_rate_id bigint references local_tax_rates (id);
create index invoice_tax_lines_local on invoice_tax_lines (local_tax_rate_id) where local_tax_rate_id is not null;

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

insert into local_tax_states (state, complete)
select s, s in ('CT', 'DC', 'DE', 'IN', 'KY', 'MA', 'MD', 'ME', 'MI', 'MT', 'NH', 'NJ', 'OR', 'RI')
from unnest(string_to_array('AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND '
  || 'NE NH NJ NM NV NY OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY', ' ')) s order by s;

-- New York City is five counties: 4.5 % city and 0.375 % commuter district beside the state's 4 %, 8.875 % together.
insert into local_tax_rates (state, county, level, zip_from, zip_to, rate_ppm, valid_from, source, is_seeded)
select 'NY', z.county, r.level, z.zip_from, z.zip_to, r.rate_ppm, '2009-08-01',
  'NYS Publication 718, New York City; seeded, to be confirmed by an adviser', true
from (values
  ('New York', '10001', '10282'), ('Richmond', '10301', '10314'), ('Bronx', '10451', '10475'),
  ('Queens', '11004', '11005'), ('Queens', '11101', '11120'), ('Kings', '11201', '11256'),
  ('Queens', '11351', '11390'), ('Queens', '11405', '11499'), ('Queens', '11690', '11697')
) z (county, zip_from, zip_to), (values ('city', 45000), ('district', 3750)) r (level, rate_ppm)
order by z.zip_from, r.level;
insert into local_tax_rates (state, county, level, zip_from, zip_to, rate_ppm, valid_from, source, is_seeded) values
  ('NY', 'Albany', 'county', '12201', '12260', 40000, '2020-01-01',
    'NYS Publication 718, Albany County; seeded, to be confirmed by an adviser', true),
  ('NY', 'Tompkins', 'county', '14850', '14853', 40000, '2020-01-01',
    'NYS Publication 718, Tompkins County; seeded, to be confirmed by an adviser', true),
  ('CA', 'Los Angeles', 'district', '90001', '90089', 22500, '2020-01-01',
    'California DTFA, City of Los Angeles; seeded, to be confirmed by an adviser', true),
  ('CA', 'San Francisco', 'district', '94102', '94188', 13750, '2020-01-01',
    'California DTFA, San Francisco; seeded, to be confirmed by an adviser', true),
  ('CA', 'Alameda', 'district', '94601', '94621', 35000, '2025-04-01',
    'California DTFA, City of Oakland; seeded, to be confirmed by an adviser', true),
  ('TX', 'Harris', 'city', '77001', '77099', 20000, '2020-01-01',
    'Texas Comptroller, Houston; seeded, to be confirmed by an adviser', true),
  ('TX', 'Travis', 'city', '78701', '78799', 20000, '2020-01-01',
    'Texas Comptroller, Austin; seeded, to be confirmed by an adviser', true),
  ('IL', 'Cook', 'city', '60601', '60661', 40000, '2020-01-01',
    'Illinois Department of Revenue, Chicago; seeded, to be confirmed by an adviser', true),
  ('FL', 'Miami-Dade', 'county', '33101', '33199', 10000, '2020-01-01',
    'Florida Department of Revenue, DR-15DSS; seeded, to be confirmed by an adviser', true),
  ('PA', 'Philadelphia', 'city', '19101', '19196', 20000, '2020-01-01',
    'Pennsylvania Department of Revenue, Philadelphia; seeded, to be confirmed by an adviser', true),
  ('WA', 'King', 'city', '98101', '98199', 38500, '2020-01-01',
    'Washington DOR, Seattle; seeded, to be confirmed by an adviser', true),
  ('WA', 'Pierce', 'city', '98401', '98499', 38000, '2020-01-01',
    'Washington DOR, Tacoma; seeded, to be confirmed by an adviser', true);

-- Rates under the name of a city: those that nothing used go, the others end today and stay readable.
delete from tax_rates t using tax_codes c where c.id = t.tax_code_id and c.kind = 'sales_tax'
  and t.jurisdiction ~ '^US-[A-Z]{2}-' and t.created_by_id is null
  and not exists (select 1 from invoice_tax_lines l where l.tax_rate_id = t.id)
  and not exists (select 1 from license_charges l where l.tax_rate_id = t.id);
update tax_rates t set valid_to = greatest(t.valid_from, current_date), version = t.version + 1 from tax_codes c
  where c.id = t.tax_code_id and c.kind = 'sales_tax' and t.jurisdiction ~ '^US-[A-Z]{2}-'
    and (t.valid_to is null or t.valid_to > current_date);

-- Tables of imports: one template to start with.
alter table import_templates drop constraint import_templates_model_name_check;
alter table import_templates add constraint import_templates_model_name_check check (model_name in
  ('box_office_reports', 'shows', 'venues', 'materials', 'royaltors', 'agreements', 'stock_counts',
    'customers', 'local_tax_rates'));
with heads (field, column_name, sort) as (values
  ('state', 'State', 1), ('county', 'County', 2), ('level', 'Level', 3), ('zip_from', 'ZIP from', 4),
  ('zip_to', 'ZIP to', 5), ('rate_ppm', 'Rate', 6), ('valid_from', 'From', 7), ('valid_to', 'Until', 8),
  ('source', 'Source', 9)
), made as (
  insert into import_templates (name, model_name, delimiter, date_format, report_scope, date_is, currency)
  select 'Local tax rates', 'local_tax_rates', ',', 'YYYY-MM-DD', 'week', 'week_end', 'USD'
  where not exists (select 1 from import_templates t where lower(t.name) = 'local tax rates' and t.deleted_at is null)
  returning id)
insert into import_template_columns (import_template_id, field, column_name, sort)
select made.id, heads.field, heads.column_name, heads.sort from made, heads order by heads.sort;
