-- Roles, column types and functions that every other file uses, so that a rule about amounts, currencies, rates,
-- addresses, numbers or updated_at is written once. Amounts are integer minor units, rates are parts per million
-- (ppm).

-- Roles. The embedded server creates them as logins beforehand; on a server of your own they are created here if the
-- login may do so.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['app_migrate', 'app_rw', 'app_portal', 'app_counter'] loop
    if not exists (select 1 from pg_roles where rolname = wanted) then
      execute format('create role %I nosuperuser nobypassrls', wanted);
    end if;
  end loop;
  if not pg_has_role('app_counter', 'app_rw', 'usage') then
    grant app_rw to app_counter;
  end if;
exception when insufficient_privilege then
  raise exception 'A role is missing. As superuser: create role app_migrate login; create role app_rw login; '
    'create role app_portal login; create role app_counter login in role app_rw; '
    'grant app_rw, app_portal, app_counter to %; then start again.', current_user;
end $$;

create extension if not exists pg_trgm;
create extension if not exists pgcrypto;

revoke create on schema public from public;
grant usage on schema public to app_rw, app_portal, app_counter;
grant select on schema_migrations to app_rw, app_portal;

-- pg-boss keeps its tables in a schema of its own, which the application may create and change; app_rw has that right
-- nowhere else.
create schema pgboss;
grant usage, create on schema pgboss to app_rw;

create domain minor_amount as bigint
  check (value between -1000000000000 and 1000000000000);

create domain currency_code as text check (value in ('USD', 'EUR', 'GBP'));

-- A share or rate of at most 100 %; 10 % is 100000.
create domain rate_ppm as integer check (value between 0 and 1000000);

-- Decimal text in code, never a float: base currency units per one unit of the foreign currency.
create domain fx_rate as numeric(20, 10) check (value > 0);

create domain sha256_hex as text check (value ~ '^[0-9a-f]{64}$');

create domain country_code as text check (value ~ '^[A-Z]{2}$');

create domain email_address as text check (value ~ '^[^@\s]+@[^@\s]+$' and length(value) <= 320);

-- An address has six strings, of which premise is optional, and nothing else. Empty strings are checked by the form.
create function is_postal_address(a jsonb) returns boolean
language sql immutable parallel safe as $$
  select jsonb_typeof(a) = 'object'
    and a ?& array['country_code', 'thoroughfare', 'locality', 'administrative_area', 'postal_code']
    and a - array['country_code', 'thoroughfare', 'premise', 'locality', 'administrative_area', 'postal_code'] = '{}'
    and not jsonb_path_exists(a, '$.* ? (@.type() != "string")')
$$;

create domain postal_address as jsonb check (is_postal_address(value));

-- Divisions are rows (divisions.code); a set of them on one row is an array of these four codes without repeats.
create function is_division_set(codes text[]) returns boolean
language sql immutable parallel safe as $$
  select codes <@ array['US', 'EU', 'UK', 'PROD']
    and cardinality(codes) = (select count(distinct c) from unnest(codes) c)
$$;

create function ppm_sum(parts integer[]) returns bigint
language sql immutable parallel safe as $$ select coalesce(sum(p), 0) from unnest(parts) p $$;

-- Folds case, accents and spaces: "Cafe" finds "Café". The query uses the same function.
create function search_fold(t text) returns text
language sql immutable parallel safe strict as $$
  select btrim(regexp_replace(
    lower(regexp_replace(normalize(t, NFKD), '[\u0300-\u036f]', '', 'g')), '\s+', ' ', 'g'))
$$;

-- Numbers of documents whose series may gap (domain.md 6.2): Q-US-2026-000123. The gapless series (invoices, credit
-- notes, cheques, self-billing) belong to the ledger's number_series and are never taken from here.
create sequence application_numbers;
grant usage on sequence application_numbers to app_rw;

create sequence quote_numbers;
grant usage on sequence quote_numbers to app_rw;

create sequence license_numbers;
grant usage on sequence license_numbers to app_rw;

create sequence proforma_numbers;
grant usage on sequence proforma_numbers to app_rw;

create sequence receipt_numbers;
grant usage on sequence receipt_numbers to app_rw;

create sequence disbursement_numbers;
grant usage on sequence disbursement_numbers to app_rw;

create sequence statement_numbers;
grant usage on sequence statement_numbers to app_rw;

create sequence payment_batch_numbers;
grant usage on sequence payment_batch_numbers to app_rw;

create function next_number(series text, division text, on_date date) returns text
language plpgsql volatile as $$
declare
  prefix text := case series
    when 'application' then 'A' when 'quote' then 'Q' when 'license' then 'L' when 'proforma' then 'PF'
    when 'receipt' then 'R' when 'disbursement' then 'D' when 'statement' then 'S' when 'payment_batch' then 'B' end;
  n text;
begin
  if prefix is null then
    raise exception 'unknown number series: %', series using errcode = '22023';
  end if;
  n := nextval((series || '_numbers')::regclass);
  return format('%s-%s-%s-%s', prefix, division, to_char(on_date, 'YYYY'), lpad(n, greatest(6, length(n)), '0'));
end $$;

create function touch_updated_at() returns trigger
language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;

-- One trigger per table keeps updated_at, so that no statement can forget it: lists of recent records sort by it.
create procedure maintain_updated_at(variadic tables text[])
language plpgsql as $$
declare
  t text;
begin
  foreach t in array tables loop
    execute format('create trigger touch_updated_at before update on %I
      for each row execute function touch_updated_at()', t);
  end loop;
end $$;

-- Append-only tables refuse changes from everyone, the owner included. Only a superuser who disables the trigger gets
-- past it, and the hash chain of the audit shows that.
create function refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception '% is append-only: % refused', tg_table_name, lower(tg_op) using errcode = '42501';
end $$;

create procedure make_append_only(variadic tables text[])
language plpgsql as $$
declare
  t text;
begin
  foreach t in array tables loop
    execute format('create trigger append_only before update or delete on %I
      for each row execute function refuse_change()', t);
    execute format('create trigger append_only_truncate before truncate
      on %I for each statement execute function refuse_change()', t);
  end loop;
end $$;

create function refuse_row(p_table text, p_rule text) returns boolean language plpgsql immutable as $$
begin
  raise exception 'new row for relation "%" violates check constraint "%"', p_table, p_rule
    using errcode = 'check_violation', schema = 'public', table = p_table, constraint = p_rule;
end $$;

-- The audit row of every posting and of every other change: a domain's rule is kept ready as well, and says the same.
create domain filled_text as text check (value <> '');

-- Check digits of an IBAN (ISO 13616, mod 97-10 of ISO 7064). A wrong digit would send a customer's money elsewhere,
-- so the database checks whoever writes.
create function iban_holds(iban text) returns boolean language sql immutable strict parallel safe
  set search_path = pg_catalog as $$
  select case when iban !~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$' then false else (
    select string_agg(case when sign ~ '[0-9]' then sign else (ascii(sign) - 55)::text end, ''
      order by place)::numeric % 97 = 1
    from regexp_split_to_table(substr(iban, 5) || left(iban, 4), '') with ordinality as signs (sign, place)) end
$$;

comment on table schema_migrations is 'Migrations that ran, with the checksum of each file.';
comment on domain minor_amount is 'Amount in minor units of its currency (cents, pence), at most 10^12.';
comment on domain currency_code is 'Currency of ISO 4217 that the product works in.';
comment on domain rate_ppm is 'Share or rate in parts per million, at most 100%: 10% is 100000.';
comment on domain fx_rate is 'Exchange rate: functional currency units per one unit of the foreign currency.';
comment on domain sha256_hex is 'SHA-256 in hexadecimal.';
comment on domain country_code is 'Country of ISO 3166-1 alpha-2.';
comment on domain email_address is 'Email address, at most 320 characters.';
comment on domain postal_address is 'Address of six strings, as country_code, thoroughfare
  and postal_code; premise is optional.';
comment on domain filled_text is 'Text that is not empty.';

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function iban_holds(text) from public;
grant execute on function iban_holds(text) to app_rw;
