-- Where customers transfer to: one account of each division, in the currency of its books, as invoices and the portal
-- print it. No secret: whoever is billed reads it. A wrong digit sends a customer's money elsewhere, so the check
-- digits of an IBAN (ISO 13616, 97-10 of ISO 7064) hold in the database, whoever writes.
create function iban_holds(iban text) returns boolean language sql immutable strict parallel safe
  set search_path = pg_catalog as $$
  select case when iban !~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$' then false else (
    select string_agg(case when sign ~ '[0-9]' then sign else (ascii(sign) - 55)::text end, ''
      order by place)::numeric % 97 = 1
    from regexp_split_to_table(substr(iban, 5) || left(iban, 4), '') with ordinality as signs (sign, place)) end
$$;
revoke all on function iban_holds(text) from public;
grant execute on function iban_holds(text) to app_rw;

alter table divisions
  -- The holder of the account as the bank knows it; null: no account is set.
  add column payee text check (length(payee) between 1 and 70),
  add column payee_bank text check (length(payee_bank) between 1 and 120),
  add column payee_iban text check (iban_holds(payee_iban)),
  add column payee_bic text check (payee_bic ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  add column payee_account text check (payee_account ~ '^[A-Z0-9]{4,34}$'),
  -- ABA routing number in the United States, sort code in the United Kingdom.
  add column payee_routing text check (payee_routing ~ '^[0-9]{6,9}$'),
  add check ((payee is null) = (payee_iban is null and payee_account is null)),
  add check (payee is not null or num_nonnulls(payee_bank, payee_bic, payee_routing) = 0);
grant update (payee, payee_bank, payee_iban, payee_bic, payee_account, payee_routing) on divisions to app_rw;
