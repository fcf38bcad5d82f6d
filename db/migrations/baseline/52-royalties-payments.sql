-- Withholding tax and payments to royaltors. A statement, the agent's part of it and an advance are in one payment at
-- a time: from the draft of a batch until the payment is canceled or returned.

create table wht_rules (
  id bigint generated always as identity primary key,
  payer_division text not null references divisions (code),
  payee_country country_code,
  payee_kind text check (payee_kind in ('person', 'company', 'agent')),
  income_kind text not null default 'royalty' check (income_kind in ('royalty')),
  form text check (form in ('w9', 'w8ben', 'w8bene', 'treaty_direction', 'author_by_profession', 'none')),
  rate_ppm rate_ppm not null,
  priority integer not null default 0,
  description text not null check (description <> ''),
  valid_from date not null,
  valid_to date check (valid_to >= valid_from),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (payer_division, payee_country, payee_kind, income_kind, form, valid_from)
);
comment on table wht_rules is
  'Withholding tax rules by payer, payee and form, as of the payment date. Null matches everything.';
grant select, insert, update on wht_rules to app_rw;

create table royalty_payment_batches (
  id bigint generated always as identity primary key,
  number text not null unique,
  division text not null references divisions (code),
  currency currency_code not null,
  pay_on date not null,
  method text not null check (method in ('ach', 'wire', 'check', 'bacs', 'sepa')),
  status text not null default 'draft',
  payment_count integer not null default 0 check (payment_count >= 0),
  total_minor minor_amount not null default 0 check (total_minor >= 0),
  withheld_minor minor_amount not null default 0 check (withheld_minor >= 0),
  created_by_id bigint references users (id),
  approved_by_id bigint references users (id),
  approved_at timestamptz,
  posted_at timestamptz,
  file_id bigint references files (id),
  scheduled_by_id bigint references users (id),
  scheduled_at timestamptz,
  failure text,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (approved_by_id is null or approved_by_id <> created_by_id),
  check (status not in ('approved', 'posted') or approved_at is not null),
  check ((status = 'posted') = (posted_at is not null)),
  constraint royalty_payment_batches_status_check
  check (status in ('draft', 'approved', 'scheduled', 'posted', 'void')),
  check (status <> 'scheduled' or approved_at is not null
  and scheduled_at is not null)
);
comment on table royalty_payment_batches is 'Batches of payments to royaltors, approved by a second person.';
comment on column royalty_payment_batches.failure is 'Why the last attempt to post it failed, for people to read.';
create index royalty_payment_batches_latest on royalty_payment_batches (pay_on desc, id desc);
create index royalty_payment_batches_division on royalty_payment_batches (division, status, pay_on desc, id desc);
create index royalty_payment_batches_file on royalty_payment_batches (file_id) where file_id is not null;
create index royalty_payment_batches_number_start on royalty_payment_batches (lower(number) text_pattern_ops);
create index royalty_payment_batches_scheduled on royalty_payment_batches (pay_on, id) where status = 'scheduled';
create index royalty_payment_batches_scheduled_by on royalty_payment_batches (scheduled_by_id)
  where scheduled_by_id is not null;
grant select, insert, update on royalty_payment_batches to app_rw;

create table royalty_payment_statements (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id),
  royalty_statement_id bigint not null references royalty_statements (id),
  wht_rule_id bigint references wht_rules (id),
  gross_minor minor_amount not null check (gross_minor > 0),
  wht_base_minor minor_amount not null check (wht_base_minor >= 0),
  wht_minor minor_amount not null check (wht_minor >= 0),
  paid_minor minor_amount not null check (paid_minor >= 0),
  currency currency_code not null,
  created_at timestamptz not null default now(),
  unique (payment_id, royalty_statement_id),
  check (gross_minor = wht_minor + paid_minor)
);
comment on table royalty_payment_statements is
  'Statements settled by a payment, with gross, tax withheld and the rule applied.';
create index royalty_payment_statements_statement on royalty_payment_statements (royalty_statement_id);
create index royalty_payment_statements_rule on royalty_payment_statements (wht_rule_id);
grant select, insert on royalty_payment_statements to app_rw;

create table royalty_payment_conversions (
  id bigint generated always as identity primary key,
  payment_id bigint not null references payments (id),
  royalty_statement_id bigint references royalty_statements (id),
  royalty_advance_id bigint references royalty_advances (id),
  debt_currency currency_code not null,
  debt_minor minor_amount not null check (debt_minor > 0),
  debt_withheld_minor minor_amount not null check (debt_withheld_minor between 0 and debt_minor),
  currency currency_code not null,
  rate numeric(20, 10) not null check (rate > 0),
  rate_on date not null,
  paid_minor minor_amount not null check (paid_minor >= 0),
  withheld_minor minor_amount not null check (withheld_minor >= 0),
  paid_functional_minor minor_amount,
  withheld_functional_minor minor_amount,
  carried_functional_minor minor_amount,
  settled_at timestamptz,
  is_agent boolean not null default false,
  live boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (payment_id, royalty_statement_id, royalty_advance_id),
  check (num_nonnulls(royalty_statement_id, royalty_advance_id) = 1),
 
   check (num_nonnulls(settled_at, paid_functional_minor, withheld_functional_minor,
     carried_functional_minor) in (0, 4)),
  check (royalty_advance_id is null or not is_agent)
);
comment on table royalty_payment_conversions is
  'Amounts settled by a payment in its own currency: at the latest known rate until paid, then fixed at the rate '
  'of that day.';
comment on column royalty_payment_conversions.rate is
  'Converts the currency of the debt into the currency of the payment.';
comment on column royalty_payment_conversions.paid_functional_minor is
  'Amounts in functional currency, known once paid: what was paid, withheld and the carrying amount of the debt. '
  'The difference is a realized exchange gain or loss.';
create index royalty_payment_conversions_statement on royalty_payment_conversions (royalty_statement_id)
  where royalty_statement_id is not null;
create index royalty_payment_conversions_advance on royalty_payment_conversions (royalty_advance_id)
  where royalty_advance_id is not null;
create unique index royalty_conversions_live_statement on royalty_payment_conversions (royalty_statement_id, is_agent)
  where live and royalty_statement_id is not null;
create unique index royalty_conversions_live_advance on royalty_payment_conversions (royalty_advance_id)
  where live and royalty_advance_id is not null;
grant select, insert, update on royalty_payment_conversions to app_rw;

create function guard_royalty_conversion() returns trigger
language plpgsql as $$
declare
  free text[] := array['live', 'updated_at'];
begin
  if old.settled_at is not null and (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'payment % was converted on its day: return it instead', old.payment_id using errcode = '23514';
  end if;
  return new;
end $$;

create trigger guard_royalty_conversion before update on royalty_payment_conversions
  for each row execute function guard_royalty_conversion();

create function follow_royalty_payment() returns trigger
language plpgsql as $$
begin
  update royalty_payment_conversions set live = new.status in ('draft', 'approved', 'posted', 'cleared')
  where payment_id = new.id and live <> (new.status in ('draft', 'approved', 'posted', 'cleared'));
  return null;
end $$;

create trigger follow_royalty_payment after update of status on payments for each row
  when (old.status is distinct from new.status and new.royalty_payment_batch_id is not null)
  execute function follow_royalty_payment();

-- A term counts with one share point or more: with none it would be shared to nobody. Terms that have none already
-- stay as they are and can be ended.
create function check_share_points() returns trigger
language plpgsql as $$
begin
  if new.share_points < 1 and (tg_op = 'INSERT' or new.share_points <> old.share_points) then
    raise exception 'a royalty term has at least one share point' using errcode = '23514',
      constraint = 'royalty_terms_share_points_one';
  end if;
  return new;
end $$;

create trigger check_share_points before insert or update of share_points on royalty_terms
  for each row execute function check_share_points();

call maintain_updated_at('wht_rules', 'royalty_payment_batches', 'royalty_payment_conversions');

call make_append_only('royalty_payment_statements');

-- Withholding to begin with (domain.md 3.5): the rules that staff would otherwise have to type before the first
-- payment. Every rate is a starting point that a tax adviser confirms before money is paid by it; treaty rates are
-- entered per country beside these. The more specific rule wins, a rule of the payee's own country before any.
insert into wht_rules (payer_division, payee_country, payee_kind, form, rate_ppm, description, valid_from)
select d.code, r.country, r.kind, r.form, r.rate, r.text || ' To be confirmed by a tax adviser.', date '1990-01-01'
from (values ('US'), ('PROD')) d (code), (values
  ('US', null, 'w9', 0, 'US payee with form W-9: nothing is withheld, reported on 1099-MISC.'),
  ('US', null, 'none', 240000, 'US payee without a tax number: backup withholding.'),
  (null, null, null, 300000, 'Payee abroad: statutory rate without a treaty; form 1042-S.'),
  ('GB', null, 'w8ben', 0, 'United Kingdom, form W-8BEN: treaty rate for copyright royalties.'),
  ('GB', null, 'w8bene', 0, 'United Kingdom, form W-8BEN-E: treaty rate for copyright royalties.'),
  ('IE', null, 'w8ben', 0, 'Ireland, form W-8BEN: treaty rate for copyright royalties.'),
  ('IE', null, 'w8bene', 0, 'Ireland, form W-8BEN-E: treaty rate for copyright royalties.')
) r (country, kind, form, rate, text);

insert into wht_rules (payer_division, payee_country, payee_kind, form, rate_ppm, description, valid_from)
select r.division, r.country, null, r.form, r.rate, r.text || ' To be confirmed by a tax adviser.', date '1990-01-01'
from (values
  ('UK', 'GB', null, 0, 'Payee in the United Kingdom: paid gross.'),
  ('UK', null, null, 200000, 'Owner of copyright abroad: basic rate.'),
  ('UK', null, 'treaty_direction', 0, 'Payee abroad with a treaty direction of HMRC.'),
  ('UK', null, 'author_by_profession', 0, 'Author by profession abroad: paid gross.'),
  ('EU', 'IE', null, 0, 'Payee in Ireland: paid gross.'),
  ('EU', null, null, 0, 'Copyright royalties to payees abroad: paid gross.')
) r (division, country, form, rate, text);
