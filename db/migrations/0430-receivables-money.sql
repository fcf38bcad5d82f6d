-- Money that customers have on account, wherever it came from: receipts, and what a credit note leaves over. What was
-- settled without cash (written off, forgiven, withheld) is a row of its own, so that it can be taken back.

-- A part of an item goes at the item's own rate, rounded once (accounting.md 2.2, event 19); the last part takes what
-- is left. An item whose base is not its amount at its rate (a carried one) is shared in proportion.
create or replace function ledger_item_base(i open_items, p_amount bigint) returns bigint language sql stable as $$
  select case when p_amount = abs(i.open_minor) then abs(i.open_base_minor)
    else least(case when round(abs(i.original_minor) * e.fx_rate) = abs(i.original_base_minor)
        then round(p_amount * e.fx_rate)
      else round(abs(i.original_base_minor)::numeric * p_amount / abs(i.original_minor)) end::bigint,
      abs(i.open_base_minor)) end
  from journal_entries e where e.id = i.journal_entry_id
$$;

-- What a credit note leaves over stands on account like a receipt: the same row, used by the same verbs.
do $$
declare
  c record;
begin
  for c in select conname from pg_constraint where conrelid = 'payments'::regclass and contype = 'c'
    and (conname = 'payments_kind_check'
      or pg_get_constraintdef(oid) like '%direction = ''in''%=%kind = ''receipt''%')
  loop
    execute format('alter table payments drop constraint %I', c.conname);
  end loop;
end $$;
alter table payments
  add column credit_note_id bigint unique references invoices (id),
  -- A check dated ahead: what it is to pay on its day. It is posted then, once.
  add column planned jsonb,
  add constraint payments_kind_check check (kind in ('receipt', 'credit', 'refund', 'vendor', 'royalty',
    'royalty_advance', 'tax', 'reimbursement')),
  add constraint payments_in check ((direction = 'in') = (kind in ('receipt', 'credit'))),
  add constraint payments_credit check ((kind = 'credit') = (credit_note_id is not null)
    and (kind <> 'credit' or party_type = 'customer')),
  add constraint payments_planned check (planned is null or (kind = 'receipt' and method = 'check'));
create index payments_waiting on payments (paid_on, id) where status = 'draft' and direction = 'in';
-- A likely duplicate is looked for by customer, amount and day, and by its reference.
create index payments_likely on payments (division, amount_minor, paid_on) where direction = 'in';

-- Compensation, as a bank's charge that is passed on, is no supply: it carries no tax and no box of a return.
insert into tax_codes (division, code, name, kind)
select code, 'NO_SUPPLY', 'No supply', 'outside_scope' from divisions on conflict (division, code) do nothing;

-- A bank's charge that is billed on: an invoice line of its own, outside the scope of tax, against the bank fees.
alter table invoice_items drop constraint invoice_items_kind_check,
  add constraint invoice_items_kind_check check (kind in ('royalty', 'minimum', 'advance', 'overage', 'rental',
    'extra_week', 'sale', 'digital', 'add_on', 'shipping', 'fee', 'bank_charge', 'deposit_deduction', 'discount'));
-- Old rows stay as they were printed.
alter table invoice_items add constraint invoice_items_quantity_times_unit
  check (quantity::bigint * unit_minor = net_minor) not valid;

-- What settled an invoice without cash, and how much of it was taken back.
create table invoice_write_offs (
  id bigint generated always as identity primary key,
  invoice_id bigint not null references invoices (id),
  kind text not null check (kind in ('bad_debt', 'small_difference', 'tax_withheld')),
  amount_minor minor_amount not null check (amount_minor > 0),
  taken_back_minor minor_amount not null default 0,
  -- The credit on receivables that settles the invoice; tax withheld and a small difference may share one.
  open_item_id bigint not null references open_items (id),
  transaction_id bigint not null references transactions (id),
  payment_id bigint references payments (id),
  reason text not null default '',
  written_off_on date not null,
  created_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (taken_back_minor between 0 and amount_minor)
);
create index invoice_write_offs_invoice on invoice_write_offs (invoice_id, id);
create index invoice_write_offs_item on invoice_write_offs (open_item_id);
create index invoice_write_offs_transaction on invoice_write_offs (transaction_id);
create index invoice_write_offs_payment on invoice_write_offs (payment_id) where payment_id is not null;
call maintain_updated_at('invoice_write_offs');
grant select, insert, update on invoice_write_offs to app_rw;

with settled as (
  select a.debit_item_id, v.id as invoice_id, a.amount_minor, a.allocated_at, a.allocated_by, c.id as item_id,
    t.id as transaction_id, t.kind, t.description, case when t.source_type = 'payment' then t.source_id end as payment,
    (select coalesce(sum(e.amount_minor), 0) from journal_entries e join ledger_accounts l on l.id = e.ledger_account_id
      where e.transaction_id = t.id and l.code = '1310') as withheld,
    row_number() over (partition by c.transaction_id, a.id order by c.id) as n,
    c.id = (select min(o.id) from open_items o join ledger_accounts l on l.id = o.ledger_account_id
      where o.transaction_id = t.id and l.code = '1100') as is_cash
  from allocations a join invoices v on v.open_item_id = a.debit_item_id join open_items c on c.id = a.credit_item_id
    join transactions t on t.id = c.transaction_id
  where v.written_off_minor > 0 and a.reverses_id is null
    and not exists (select 1 from allocations b where b.reverses_id = a.id)
), parts as (
  select *, 'bad_debt' as part, amount_minor as amount from settled where kind = 'write_off'
  union all
  select *, 'tax_withheld', least(withheld, amount_minor) from settled
  where kind = 'receipt' and payment is not null and not is_cash and withheld > 0
  union all
  select *, 'small_difference', amount_minor - least(withheld, amount_minor) from settled
  where kind = 'receipt' and payment is not null and not is_cash and amount_minor > withheld
)
insert into invoice_write_offs (invoice_id, kind, amount_minor, open_item_id, transaction_id, payment_id, reason,
  written_off_on, created_by_id)
select invoice_id, part, amount, item_id, transaction_id, payment, '', allocated_at, allocated_by
from parts where amount > 0 order by transaction_id, part;

-- What an invoice shows as written off is what stands of these rows, at the end of every transaction.
create function check_written_off() returns trigger language plpgsql security definer
set search_path = public, pg_temp as $$
declare
  v_invoice bigint := case tg_table_name when 'invoices' then (to_jsonb(new) ->> 'id')::bigint
    else (to_jsonb(new) ->> 'invoice_id')::bigint end;
begin
  if exists (select 1 from invoices v where v.id = v_invoice and v.written_off_minor <> (
      select coalesce(sum(w.amount_minor - w.taken_back_minor), 0) from invoice_write_offs w
      where w.invoice_id = v.id)) then
    raise exception 'invoice %: what is written off does not agree with its rows', v_invoice using errcode = '23514';
  end if;
  return null;
end $$;
revoke execute on function check_written_off() from public;
create constraint trigger invoices_written_off after update of written_off_minor on invoices
  deferrable initially deferred for each row when (old.written_off_minor <> new.written_off_minor)
  execute function check_written_off();
create constraint trigger invoice_write_offs_agree after insert or update on invoice_write_offs
  deferrable initially deferred for each row execute function check_written_off();

-- Credits that credit notes left on the account before they could be used.
insert into payments (number, direction, kind, status, party_type, party_id, license_id, division, ledger_account_id,
  currency, amount_minor, applied_minor, method, paid_on, functional_rate, functional_rate_on, transaction_id,
  posted_at, credit_note_id)
select n.invoice_number, 'in', 'credit', 'posted', 'customer', n.customer_id, n.license_id, n.division,
  o.ledger_account_id, n.currency, -o.open_minor, 0, 'set_off', n.issued_on, n.functional_rate, n.functional_rate_on,
  n.transaction_id, n.updated_at, n.id
from invoices n join open_items o on o.transaction_id = n.transaction_id and o.open_minor < 0
  join ledger_accounts l on l.id = o.ledger_account_id and l.code = '1100'
where n.kind = 'credit_note' and n.invoice_number is not null;
update invoices n set paid_minor = p.amount_minor from payments p where p.credit_note_id = n.id;

-- Charges that were billed on before they were invoices: each gets its document now, over the item that it opened.
do $$
declare
  c record;
  v_number text;
  v_invoice bigint;
  v_year int;
begin
  for c in
    select o.id as item_id, o.transaction_id, o.party_id, o.division, o.currency, o.original_minor, o.open_minor,
      o.opened_on, o.due_date, p.id as payment_id, p.number, p.license_id, p.functional_rate, p.functional_rate_on,
      k.name, k.legal_name, k.billing_address, k.vat_number, d.home_country, d.fiscal_year_start_month as start,
      x.id as tax_code_id, x.legal_text
    from open_items o join ledger_accounts l on l.id = o.ledger_account_id and l.code = '1100'
      join transactions t on t.id = o.transaction_id and t.source_type = 'payment' and t.source_event = 'returned_fee'
      join payments p on p.id = t.source_id join customers k on k.id = o.party_id
      join divisions d on d.code = o.division
      join tax_codes x on x.division = o.division and x.code = 'NO_SUPPLY'
    where o.original_minor > 0 and o.open_minor = o.original_minor order by o.id
  loop
    v_year := extract(year from c.opened_on)::int
      + case when c.start > 1 and extract(month from c.opened_on) >= c.start then 1 else 0 end;
    v_number := (ledger_take_number(c.division, 'invoice', v_year::text, 'INV-' || c.division || '-' || v_year || '-'))
      .number;
    insert into invoices (kind, status, invoice_number, customer_id, license_id, division, currency, billing_name,
      billing_address, customer_vat_number, issued_on, tax_point_on, due_on, net_minor, total_minor, functional_rate,
      functional_rate_on, transaction_id, open_item_id)
    values ('invoice', 'issued', v_number, c.party_id, c.license_id, c.division, c.currency,
      coalesce(c.legal_name, c.name), c.billing_address, c.vat_number, c.opened_on, c.opened_on,
      greatest(c.due_date, c.opened_on), c.original_minor, c.original_minor, c.functional_rate, c.functional_rate_on,
      c.transaction_id, c.item_id)
    returning id into v_invoice;
    insert into invoice_items (invoice_id, kind, description, quantity, unit_minor, net_minor, tax_code_id,
      total_minor, income_type, item_class, release_rule, account_code)
    values (v_invoice, 'bank_charge', 'Bank charge, receipt ' || c.number, 1, c.original_minor, c.original_minor,
      c.tax_code_id, c.original_minor, 'fee', 'fee', 'at_once', '6100');
  end loop;
end $$;
