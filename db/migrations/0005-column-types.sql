-- Column types and helpers that every later migration uses, so that a rule about amounts, currencies, rates,
-- addresses or searching is written once. Sources: shared README "Settled on purpose" (amounts are minor units of
-- at most 10^12, rates are ppm), SPEC 3 (Address), domain.md 6.2 (numbers that may gap), performance.md 4
-- (search_text).

create extension if not exists pg_trgm;

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

-- SPEC 3: six strings, premise optional, nothing else. Empty strings are the form's business (SPEC 5), not the
-- column's.
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

-- What people type finds what is written: lower case, accents folded ("Cafe" finds "Café"), one space between words.
-- The query side calls the same function, so both sides fold alike.
create function search_fold(t text) returns text
language sql immutable parallel safe strict as $$
  select btrim(regexp_replace(
    lower(regexp_replace(normalize(t, NFKD), '[\u0300-\u036f]', '', 'g')), '\s+', ' ', 'g'))
$$;

-- Numbers of documents whose series may gap (domain.md 6.2): Q-US-2026-000123. The gapless series (invoices, credit
-- notes, cheques, self-billing) belong to the ledger's number_series and are never taken from here.
create sequence application_numbers;
create sequence quote_numbers;
create sequence license_numbers;
create sequence proforma_numbers;
create sequence receipt_numbers;
create sequence disbursement_numbers;
create sequence statement_numbers;
create sequence payment_batch_numbers;

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

-- "Latest" lists sort by updated_at (SPEC 9), so no statement may forget it: one trigger per named table.
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

-- Append-only tables refuse change whoever asks, the owner included; only a superuser who disables the trigger
-- passes,
-- and the hash chain of the audit then shows it (reliability.md 1.7).
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

grant usage on sequence application_numbers, quote_numbers, license_numbers, proforma_numbers, receipt_numbers,
  disbursement_numbers, statement_numbers, payment_batch_numbers to app_rw;
