-- Royalties in a currency that is not the division's own: beside every amount what it is carried at in the division's
-- currency, from the accrual over the statement to the payment, so that 2200, 2205, 2210, 1140 and 1150 tie to the
-- ledger in both (accounting.md 2.1, 2.2 events 11 to 14c; domain.md 3.2, 3.5 steps 6 and 12).

-- Of a cost, a due amount or a release; null on a sharing of which nothing has moved.
alter table royalty_accruals add column functional_minor minor_amount;
alter table royalty_accruals disable trigger user;
update royalty_accruals a set functional_minor = case when a.currency = d.functional_currency then a.amount_minor
  else round(a.amount_minor * coalesce(i.functional_rate, 1)) end
from divisions d, royalty_allocations l
  left join invoice_items t on t.id = l.invoice_item_id left join invoices i on i.id = t.invoice_id
where d.code = a.division and l.id = a.royalty_allocation_id
  and (a.cost_on is not null or a.due_on is not null or l.role = 'release');
alter table royalty_accruals enable trigger user;
alter table royalty_accruals add check (functional_minor is not null or cost_on is null and due_on is null);

-- What the statement's own part of 2200 is carried at, and its agent's: 0 once it is paid or went into the next one.
alter table royalty_statements add column carried_minor minor_amount not null default 0;
alter table royalty_statements add column agent_carried_minor minor_amount not null default 0;
alter table royalty_statements disable trigger user;
update royalty_statements set carried_minor = closing_minor where issued_at is not null;
alter table royalty_statements enable trigger user;

alter table royalty_advances add column paid_functional_minor minor_amount not null default 0;
alter table royalty_advances add column recouped_functional_minor minor_amount not null default 0;
alter table royalty_reserves add column taken_functional_minor minor_amount not null default 0;
alter table royalty_reserves add column released_functional_minor minor_amount not null default 0;
update royalty_advances set paid_functional_minor = amount_minor, recouped_functional_minor = recouped_minor
  where status = 'paid';
update royalty_reserves set taken_functional_minor = taken_minor, released_functional_minor = released_minor;

-- What a payment settles, in the currency it is paid in: at the last known rate until it is paid, then at that of the
-- day, and fixed. `rate` turns the debt's currency into the payment's.
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
  -- In the division's own currency, known with the payment: what was paid, what was withheld, what the debt was
  -- carried at; the difference was realised on 7000.
  paid_functional_minor minor_amount,
  withheld_functional_minor minor_amount,
  carried_functional_minor minor_amount,
  settled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique nulls not distinct (payment_id, royalty_statement_id, royalty_advance_id),
  check (num_nonnulls(royalty_statement_id, royalty_advance_id) = 1),
  check (num_nonnulls(settled_at, paid_functional_minor, withheld_functional_minor, carried_functional_minor) in (0, 4))
);
create index royalty_payment_conversions_statement on royalty_payment_conversions (royalty_statement_id)
  where royalty_statement_id is not null;
create index royalty_payment_conversions_advance on royalty_payment_conversions (royalty_advance_id)
  where royalty_advance_id is not null;
create function guard_royalty_conversion() returns trigger
language plpgsql as $$
begin
  if old.settled_at is not null then
    raise exception 'payment % was converted on its day: return it instead', old.payment_id using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard_royalty_conversion before update on royalty_payment_conversions
  for each row execute function guard_royalty_conversion();
insert into royalty_payment_conversions (payment_id, royalty_statement_id, debt_currency, debt_minor,
  debt_withheld_minor, currency, rate, rate_on,
  paid_minor, withheld_minor, paid_functional_minor, withheld_functional_minor, carried_functional_minor, settled_at)
select x.payment_id, x.royalty_statement_id, x.currency, x.gross_minor, x.wht_minor, x.currency, 1, p.paid_on,
  x.paid_minor, x.wht_minor,
  case when p.posted_at is not null then x.paid_minor end, case when p.posted_at is not null then x.wht_minor end,
  case when p.posted_at is not null then x.gross_minor end, p.posted_at
from royalty_payment_statements x join payments p on p.id = x.payment_id;
insert into royalty_payment_conversions (payment_id, royalty_advance_id, debt_currency, debt_minor,
  debt_withheld_minor, currency, rate, rate_on,
  paid_minor, withheld_minor, paid_functional_minor, withheld_functional_minor, carried_functional_minor, settled_at)
select p.id, a.id, a.currency, a.amount_minor, a.amount_minor - p.amount_minor, a.currency, 1, p.paid_on,
  p.amount_minor, a.amount_minor - p.amount_minor,
  case when p.posted_at is not null then p.amount_minor end,
  case when p.posted_at is not null then a.amount_minor - p.amount_minor end,
  case when p.posted_at is not null then a.amount_minor end, p.posted_at
from royalty_advances a join payments p on p.id = a.payment_id;
call maintain_updated_at('royalty_payment_conversions');
grant select, insert, update on royalty_payment_conversions to app_rw;
