-- Year-end forms: 1099-NEC, 1099-MISC and 1042-S of the US divisions, royalties paid in the UK and the EU. Thresholds
-- and layouts are data of a tax year; what is prepared is stored as it is then, and a change after filing is a
-- correction.

-- The number under which a payer files information returns.
alter table tax_registrations drop constraint tax_registrations_scheme_check;
alter table tax_registrations add constraint tax_registrations_scheme_check
  check (scheme in ('vat', 'oss', 'sales_tax', 'ein'));

create table year_end_thresholds (
  id bigint generated always as identity primary key,
  form text not null check (form in ('1099_nec', '1099_misc', '1042_s', 'royalties')),
  box text not null check (box ~ '^[0-9a-z]{1,8}$'),
  from_year integer not null check (from_year between 1990 and 2200),
  threshold_minor minor_amount not null check (threshold_minor >= 0),
  source text not null default '' check (length(source) <= 300),
  created_by_id bigint references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (form, box, from_year)
);
create index year_end_thresholds_creator on year_end_thresholds (created_by_id) where created_by_id is not null;
create trigger touch_updated_at before update on year_end_thresholds for each row execute function touch_updated_at();
comment on table year_end_thresholds is
  'Amounts from which a box of a year-end form is reported, from a tax year on. No row: every amount is.';
comment on column year_end_thresholds.threshold_minor is 'Minor units of the division''s own currency.';

create table year_end_layouts (
  id bigint generated always as identity primary key,
  form text not null check (form in ('1099_nec', '1099_misc', '1042_s', 'royalties')),
  tax_year integer not null check (tax_year between 1990 and 2200),
  revision integer not null check (revision >= 1),
  columns jsonb not null check (jsonb_typeof(columns) = 'array' and jsonb_array_length(columns) > 0),
  confirmed_by_id bigint references users (id),
  confirmed_at timestamptz,
  created_by_id bigint references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (form, tax_year, revision),
  check ((confirmed_by_id is null) = (confirmed_at is null))
);
create index year_end_layouts_confirmed_by on year_end_layouts (confirmed_by_id) where confirmed_by_id is not null;
create index year_end_layouts_creator on year_end_layouts (created_by_id) where created_by_id is not null;
create trigger touch_updated_at before update on year_end_layouts for each row execute function touch_updated_at();
comment on table year_end_layouts is
  'Columns of the CSV of a form in a tax year. Unverified until a person has compared them with the published form; a
  change is a new revision.';
comment on column year_end_layouts.columns is 'In their order: key, which says what stands in it, and head.';

create function tg_year_end_layouts_guard() returns trigger language plpgsql as $$
begin
  if new.columns is distinct from old.columns or new.form <> old.form or new.tax_year <> old.tax_year
    or new.revision <> old.revision or old.confirmed_at is not null
  then
    raise exception 'layout % never changes: a change is a new revision', old.id using errcode = '23514';
  end if;
  return new;
end $$;
create trigger year_end_layouts_guard before update on year_end_layouts for each row
  execute function tg_year_end_layouts_guard();
comment on function tg_year_end_layouts_guard() is 'A layout is confirmed once and never changes.';

create table year_end_filings (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  tax_year integer not null check (tax_year between 1990 and 2200),
  form text not null check (form in ('1099_nec', '1099_misc', '1042_s', 'royalties')),
  sequence integer not null check (sequence >= 0),
  status text not null default 'prepared' check (status in ('prepared', 'filed')),
  layout_id bigint not null references year_end_layouts (id),
  content_sha256 sha256_hex not null,
  prepared_by_id bigint not null references users (id),
  prepared_at timestamptz not null,
  filed_by_id bigint references users (id) check (filed_by_id <> prepared_by_id),
  filed_at timestamptz,
  receipt text not null default '' check (length(receipt) <= 100),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, tax_year, form, sequence),
  check ((status = 'filed') = (filed_by_id is not null) and (status = 'filed') = (filed_at is not null))
);
create unique index year_end_filings_waiting on year_end_filings (division, tax_year, form)
  where status = 'prepared';
create index year_end_filings_layout on year_end_filings (layout_id);
create index year_end_filings_preparer on year_end_filings (prepared_by_id);
create index year_end_filings_filer on year_end_filings (filed_by_id) where filed_by_id is not null;
create trigger touch_updated_at before update on year_end_filings for each row execute function touch_updated_at();
comment on table year_end_filings is
  'Year-end forms of one kind that went out together: prepared by one person, marked filed by another, never changed
  afterwards. Sequence 0 is the first filing of a year, later ones hold corrections and late forms.';
comment on column year_end_filings.content_sha256 is
  'Hash of the forms: marking them filed refuses where the payments say something else by then.';
comment on column year_end_filings.receipt is 'What the tax authority answered.';

create table year_end_forms (
  id bigint generated always as identity primary key,
  filing_id bigint not null references year_end_filings (id),
  kind text not null check (kind in ('original', 'correction')),
  corrects_id bigint unique references year_end_forms (id),
  recipient text not null check (recipient ~ '^(royaltor|vendor):[0-9]+$'),
  members text[] not null check (cardinality(members) >= 1),
  name text not null check (name <> ''),
  account text not null,
  address postal_address,
  country country_code,
  tax_form text not null,
  tin_encrypted bytea,
  tin_key_id text,
  tin_last4 text,
  rate_ppm rate_ppm,
  boxes jsonb not null check (jsonb_typeof(boxes) = 'object'),
  payment_count integer not null check (payment_count >= 0),
  created_at timestamptz not null default now(),
  check (num_nonnulls(tin_encrypted, tin_key_id, tin_last4) in (0, 3)),
  check ((kind = 'correction') = (corrects_id is not null)),
  unique nulls not distinct (filing_id, recipient, rate_ppm, kind, corrects_id)
);
comment on table year_end_forms is
  'One form of a recipient as it was prepared: name, address, tax id and amounts of then.';
comment on column year_end_forms.recipient is 'Whose name it carries: royaltor:12 or vendor:7.';
comment on column year_end_forms.members is 'All payees that share the tax id.';
comment on column year_end_forms.account is 'Number of the royaltor or vendor.';
comment on column year_end_forms.tin_encrypted is
  'AES-256-GCM ciphertext under the key named by tin_key_id. Screens and the recipient''s copy show the last four
  digits only.';
comment on column year_end_forms.rate_ppm is 'Of a 1042-S, which is one for each rate; null elsewhere.';
comment on column year_end_forms.boxes is 'Minor units of the division''s own currency by box.';

create table year_end_form_payments (
  id bigint generated always as identity primary key,
  form_id bigint not null references year_end_forms (id),
  payment_id bigint not null references payments (id),
  box text not null,
  amount_minor minor_amount not null,
  withheld_minor minor_amount not null,
  created_at timestamptz not null default now(),
  unique (form_id, payment_id, box)
);
create index year_end_form_payments_payment on year_end_form_payments (payment_id);
comment on table year_end_form_payments is 'Payments behind the boxes of a form; they sum to it.';

create function tg_year_end_forms_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or exists (select 1 from year_end_filings f join year_end_forms o on o.filing_id = f.id
    where f.status = 'filed' and o.id = case tg_table_name when 'year_end_forms' then (to_jsonb(old) ->> 'id')::bigint
      else (to_jsonb(old) ->> 'form_id')::bigint end)
  then
    raise exception 'year-end forms never change; filed ones stay' using errcode = '23514';
  end if;
  return old;
end $$;
create trigger year_end_forms_guard before update or delete on year_end_forms for each row
  execute function tg_year_end_forms_guard();
create trigger year_end_form_payments_guard before update or delete on year_end_form_payments for each row
  execute function tg_year_end_forms_guard();
comment on function tg_year_end_forms_guard() is 'Forms are withdrawn with their filing before it is filed, or stay.';

create function tg_year_end_filings_guard() returns trigger language plpgsql as $$
begin
  if old.status = 'filed' then
    raise exception 'year-end filing % is filed and never changes', old.id using errcode = '23514';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger year_end_filings_guard before update or delete on year_end_filings for each row
  execute function tg_year_end_filings_guard();
comment on function tg_year_end_filings_guard() is 'A filing that was marked filed never changes.';

create function tg_year_end_form_sum() returns trigger language plpgsql as $$
declare
  held minor_amount; income minor_amount; paid minor_amount; taken minor_amount;
begin
  if not exists (select 1 from year_end_forms where id = new.id) then return null; end if;
  select coalesce(sum(value::bigint) filter (where key in ('4', '7a', 'withheld')), 0),
    coalesce(sum(value::bigint) filter (where key not in ('4', '7a', 'withheld')), 0)
    into held, income from jsonb_each_text(new.boxes);
  select coalesce(sum(amount_minor), 0), coalesce(sum(withheld_minor), 0) into paid, taken
    from year_end_form_payments where form_id = new.id;
  if held <> taken or income <> paid then
    raise exception 'form %: boxes of % and % do not sum to payments of % and %', new.id, income, held, paid, taken
      using errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger year_end_form_sum after insert on year_end_forms deferrable initially deferred
  for each row execute function tg_year_end_form_sum();
comment on function tg_year_end_form_sum() is 'The boxes of a form are the sums of its payments.';

grant select, insert, update on year_end_thresholds, year_end_layouts to app_rw;
grant select, insert, update, delete on year_end_filings to app_rw;
grant select, insert, delete on year_end_forms, year_end_form_payments to app_rw;

insert into year_end_thresholds (form, box, from_year, threshold_minor, source)
values ('1099_nec', '1', 1990, 60000, 'IRS, Instructions for Forms 1099-MISC and 1099-NEC; confirm for the year'),
  ('1099_nec', '1', 2026, 200000, 'Public Law 119-21, section 70433; from 2027 adjusted for inflation'),
  ('1099_misc', '1', 1990, 60000, 'IRS, Instructions for Forms 1099-MISC and 1099-NEC; confirm for the year'),
  ('1099_misc', '1', 2026, 200000, 'Public Law 119-21, section 70433; from 2027 adjusted for inflation'),
  ('1099_misc', '2', 1990, 1000, 'IRS, Instructions for Forms 1099-MISC and 1099-NEC; confirm for the year'),
  ('1099_misc', '3', 1990, 60000, 'IRS, Instructions for Forms 1099-MISC and 1099-NEC; confirm for the year'),
  ('1099_misc', '3', 2026, 200000, 'Public Law 119-21, section 70433; from 2027 adjusted for inflation'),
  ('1099_misc', '10', 1990, 60000, 'IRS, Instructions for Forms 1099-MISC and 1099-NEC; confirm for 2026');

-- Heads as the boxes are named on the forms; nobody has compared them with the year's own form yet.
insert into year_end_layouts (form, tax_year, revision, columns)
select l.form, y.tax_year, 1, (select jsonb_agg(jsonb_build_object('key', c[1], 'head', c[2]) order by n)
  from (select string_to_array(line, '|') as c, n
    from regexp_split_to_table(l.columns, '\s*;\s*') with ordinality as t (line, n)) s)
from generate_series(2024, 2026) as y (tax_year), (values
  ('1099_nec', $$tax_year|Calendar year;corrected|CORRECTED;payer_name|PAYER'S name;
    payer_street|PAYER'S street address;
    payer_town|PAYER'S city, state, country, ZIP;payer_tin|PAYER'S TIN;recipient_tin|RECIPIENT'S TIN;
    recipient_name|RECIPIENT'S name;recipient_street|Street address (including apt. no.);
    recipient_town|City or town, state or province, country, and ZIP or foreign postal code;account|Account number;
    box_1|1 Nonemployee compensation;box_4|4 Federal income tax withheld$$),
  ('1099_misc', $$tax_year|Calendar year;corrected|CORRECTED;payer_name|PAYER'S name;
    payer_street|PAYER'S street address;
    payer_town|PAYER'S city, state, country, ZIP;payer_tin|PAYER'S TIN;recipient_tin|RECIPIENT'S TIN;
    recipient_name|RECIPIENT'S name;recipient_street|Street address (including apt. no.);
    recipient_town|City or town, state or province, country, and ZIP or foreign postal code;account|Account number;
    box_1|1 Rents;box_2|2 Royalties;box_3|3 Other income;box_4|4 Federal income tax withheld;
    box_10|10 Gross proceeds paid to an attorney$$),
  ('1042_s', $$tax_year|Calendar year;form_identifier|UNIQUE FORM IDENTIFIER;corrected|AMENDED;
    amendment|AMENDMENT NO.;income_code|1 Income code;box_2|2 Gross income;chapter|3 Chapter indicator;
    exemption_code|3a Exemption code;tax_rate|3b Tax rate;box_7a|7a Federal tax withheld;
    box_10|10 Total withholding credit;payer_tin|12a Withholding agent's EIN;payer_name|12d Withholding agent's name;
    payer_street|12h Address (number and street);
    payer_town|12i City or town, state or province, country, ZIP or foreign postal code;
    recipient_name|13a Recipient's name;recipient_country|13b Recipient's country code;
    recipient_street|13c Address (number and street);
    recipient_town|13d City or town, state or province, country, ZIP or foreign postal code;
    recipient_us_tin|13e Recipient's U.S. TIN, if any;
    recipient_foreign_tin|13i Recipient's foreign tax identification number, if any;
    account|13k Recipient's account number$$),
  ('royalties', $$tax_year|Year;corrected|Correction;account|Number;recipient_name|Royaltor;
    recipient_street|Street;recipient_town|Town;recipient_country|Country of residence;resident|Resident;
    recipient_tin|Tax number;payments|Payments;currency|Currency;box_gross|Gross;box_withheld|Tax withheld;
    paid|Paid$$)) as l (form, columns);
