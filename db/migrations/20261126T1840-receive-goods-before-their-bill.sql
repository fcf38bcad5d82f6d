-- Goods that are received before their bill: their cost is owed from the receipt on (2010) until a bill takes it over.

create sequence goods_receipt_numbers;
grant usage on sequence goods_receipt_numbers to app_rw;

create or replace function next_number(series text, division text, on_date date) returns text
language plpgsql volatile as $$
declare
  prefix text := case series
    when 'application' then 'A' when 'quote' then 'Q' when 'license' then 'L' when 'proforma' then 'PF'
    when 'receipt' then 'R' when 'disbursement' then 'D' when 'statement' then 'S' when 'payment_batch' then 'B'
    when 'transfer' then 'T' when 'deposit_slip' then 'DS' when 'payment_run' then 'PR' when 'bill' then 'BL'
    when 'vendor_credit' then 'VC' when 'goods_receipt' then 'GR' end;
  n text;
begin
  if prefix is null then
    raise exception 'unknown number series: %', series using errcode = '22023';
  end if;
  n := nextval((series || '_numbers')::regclass);
  return format('%s-%s-%s-%s', prefix, division, to_char(on_date, 'YYYY'), lpad(n, greatest(6, length(n)), '0'));
end $$;

create table goods_receipts (
  id bigint generated always as identity primary key,
  number text not null unique,
  division text not null references divisions (code),
  currency currency_code not null,
  warehouse_id bigint not null references warehouses (id),
  vendor_id bigint not null references vendors (id),
  delivery_note text not null default '',
  received_on date not null,
  batch_id uuid not null unique,
  cost_minor minor_amount not null check (cost_minor >= 0),
  transaction_id bigint references transactions (id),
  created_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  check ((transaction_id is null) = (cost_minor = 0))
);
comment on table goods_receipts is 'Deliveries of vendors that a bill is expected for, at cost.';
comment on column goods_receipts.currency is 'Currency of the division of the warehouse.';
comment on column goods_receipts.batch_id is 'Stock movements of the delivery.';
comment on column goods_receipts.cost_minor is 'Posted on 2010; null transaction where the goods cost nothing.';
create index goods_receipts_vendor on goods_receipts (vendor_id, received_on);
create index goods_receipts_warehouse on goods_receipts (warehouse_id);
create index goods_receipts_division on goods_receipts (division, received_on desc, id desc);
create index goods_receipts_transaction on goods_receipts (transaction_id) where transaction_id is not null;
create index goods_receipts_creator on goods_receipts (created_by_id);
grant select, insert, update on goods_receipts to app_rw;

create table goods_receipt_lines (
  id bigint generated always as identity primary key,
  goods_receipt_id bigint not null references goods_receipts (id),
  sort integer not null,
  material_id bigint references materials (id),
  sales_item_id bigint references sales_items (id),
  quantity integer not null check (quantity between 1 and 100000),
  returned_quantity integer not null default 0 check (returned_quantity between 0 and quantity),
  unit_cost_minor minor_amount not null check (unit_cost_minor >= 0),
  created_at timestamptz not null default now(),
  unique (goods_receipt_id, sort),
  check (num_nonnulls(material_id, sales_item_id) = 1)
);
comment on table goods_receipt_lines is 'Items of goods receipts, with their cost each.';
comment on column goods_receipt_lines.returned_quantity is 'Sent back to the vendor: owed no more.';
create index goods_receipt_lines_material on goods_receipt_lines (material_id) where material_id is not null;
create index goods_receipt_lines_item on goods_receipt_lines (sales_item_id) where sales_item_id is not null;
grant select, insert, update on goods_receipt_lines to app_rw;

create table goods_returns (
  id bigint generated always as identity primary key,
  goods_receipt_line_id bigint not null references goods_receipt_lines (id),
  quantity integer not null check (quantity >= 1),
  returned_on date not null,
  reason text not null check (reason <> ''),
  batch_id uuid not null unique,
  transaction_id bigint references transactions (id),
  created_by_id bigint references users (id),
  created_at timestamptz not null default now()
);
comment on table goods_returns is 'Goods that went back to the vendor before they were billed.';
create index goods_returns_line on goods_returns (goods_receipt_line_id);
create index goods_returns_transaction on goods_returns (transaction_id) where transaction_id is not null;
create index goods_returns_creator on goods_returns (created_by_id);
grant select, insert, update on goods_returns to app_rw;

alter table bill_lines
  add column quantity integer check (quantity >= 1),
  add column goods_receipt_line_id bigint references goods_receipt_lines (id),
  add column cleared_quantity integer,
  add column cleared_minor minor_amount,
  add constraint bill_lines_receipt check (
    num_nonnulls(goods_receipt_line_id, cleared_quantity, cleared_minor) in (0, 3)
    and (goods_receipt_line_id is null or (quantity is not null and net_minor > 0
      and cleared_quantity between 1 and quantity and cleared_minor >= 0)));
comment on column bill_lines.quantity is 'Pieces of the item.';
comment on column bill_lines.cleared_quantity is
  'Pieces of the receipt that the line bills; fewer than quantity where more is billed than was received.';
comment on column bill_lines.cleared_minor is
  'Cost of these pieces, which the line takes off 2010. The rest is on 5100.';
create index bill_lines_receipt_line on bill_lines (goods_receipt_line_id) where goods_receipt_line_id is not null;

alter table bill_schedule_lines add column quantity integer check (quantity >= 1);

-- Pieces of a receipt that bills take, void and trashed ones left out, are never more than came and stayed.
create function goods_receipt_line_holds(p_id bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  l goods_receipt_lines;
  r goods_receipts;
  taken bigint;
begin
  select * into l from goods_receipt_lines where id = p_id for update;
  select * into r from goods_receipts where id = l.goods_receipt_id;
  select coalesce(sum(x.cleared_quantity), 0) into taken from bill_lines x join bills b on b.id = x.bill_id
    where x.goods_receipt_line_id = p_id and b.status <> 'void' and b.deleted_at is null;
  if taken > l.quantity - l.returned_quantity then
    raise exception 'goods receipt line %: % billed of %', p_id, taken, l.quantity - l.returned_quantity
      using errcode = '23514', constraint = 'goods_receipt_line_billed';
  end if;
  if exists (select 1 from bill_lines x join bills b on b.id = x.bill_id where x.goods_receipt_line_id = p_id
      and b.status <> 'void' and b.deleted_at is null and ((b.vendor_id, b.division, b.currency::text, b.kind)
        is distinct from (r.vendor_id, r.division, r.currency::text, 'bill')
        or x.cleared_minor <> x.cleared_quantity * l.unit_cost_minor)) then
    raise exception 'goods receipt line %: a bill of another vendor, division or currency', p_id
      using errcode = '23514', constraint = 'goods_receipt_line_bill';
  end if;
end $$;

create function tg_goods_receipt_lines() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'bill_lines' then
    perform goods_receipt_line_holds(new.goods_receipt_line_id);
  elsif tg_table_name = 'bills' then
    perform goods_receipt_line_holds(x.goods_receipt_line_id) from bill_lines x
      where x.bill_id = new.id and x.goods_receipt_line_id is not null;
  else
    if (new.goods_receipt_id, new.material_id, new.sales_item_id, new.quantity, new.unit_cost_minor)
        is distinct from (old.goods_receipt_id, old.material_id, old.sales_item_id, old.quantity, old.unit_cost_minor)
      or new.returned_quantity < old.returned_quantity then
      raise exception 'goods receipt line % stays as it was received', new.id using errcode = '23514';
    end if;
    perform goods_receipt_line_holds(new.id);
  end if;
  return null;
end $$;
revoke all on function goods_receipt_line_holds(bigint), tg_goods_receipt_lines() from public;
create constraint trigger bill_lines_goods after insert on bill_lines deferrable initially deferred
  for each row when (new.goods_receipt_line_id is not null) execute function tg_goods_receipt_lines();
create constraint trigger bills_goods after update of vendor_id, currency, status, deleted_at on bills
  deferrable initially deferred for each row execute function tg_goods_receipt_lines();
create trigger goods_receipt_lines_hold after update on goods_receipt_lines
  for each row execute function tg_goods_receipt_lines();

create or replace function ledger_document(p_type text, p_id bigint) returns table (kind text, id bigint, number text)
language sql stable as $$
  select case i.kind when 'credit_note' then 'credit_note' else 'invoice' end, i.id,
      coalesce(i.invoice_number, i.reference)
    from invoices i where p_type = 'invoice' and i.id = p_id
  union all
  select case p.kind when 'receipt' then 'receipt' when 'refund' then 'refund' when 'royalty' then 'royalty_payment'
      when 'royalty_advance' then 'royalty_payment' else 'payment' end,
      coalesce(p.royalty_payment_batch_id, p.id), p.number
    from payments p where p_type = 'payment' and p.id = p_id
  union all
  select 'royalty_statement', s.id, s.number from royalty_statements s
    where p_type = 'royalty_statement' and s.id = p_id
  union all
  select 'deposit', l.id, coalesce(l.license_number, l.number) from deposits d join licenses l on l.id = d.license_id
    where p_type = 'deposit' and d.id = p_id
  union all
  select case i.kind when 'credit_note' then 'credit_note' else 'invoice' end, i.id, i.invoice_number
    from invoice_items t join invoices i on i.id = t.invoice_id
    where p_type in ('invoice_item', 'credit_item') and t.id = p_id
  union all
  select 'invoice', i.id, i.invoice_number
    from release_schedule r join invoice_items t on t.id = r.invoice_item_id join invoices i on i.id = t.invoice_id
    where p_type = 'release_schedule' and r.id = p_id
  union all
  select 'receipt', p.id, p.number from payment_allocations a join payments p on p.id = a.payment_id
    where p_type = 'payment_allocation' and a.id = p_id
  union all
  (select 'receipt', p.id, p.number from payment_allocations a join payments p on p.id = a.payment_id
    where p_type = 'allocation' and a.ledger_allocation_id = p_id limit 1)
  union all
  select 'license', l.id, coalesce(l.license_number, l.number)
    from invoice_items t join invoices i on i.id = t.invoice_id join licenses l on l.id = i.license_id
    where p_type = 'license_close_item' and t.id = p_id
  union all
  select 'royaltor', r.id, r.name from show_royaltors g join royaltors r on r.id = g.royaltor_id
    where p_type = 'show_royaltor' and g.id = p_id
  union all
  select case b.kind when 'credit' then 'vendor_credit' else 'bill' end, b.id, b.number
    from bills b where p_type = 'bill' and b.id = p_id
  union all
  select 'bank_account', b.id, b.name from bank_accounts b where p_type = 'bank_account' and b.id = p_id
  union all
  select 'bank_transfer', t.id, t.number from bank_transfers t where p_type = 'bank_transfer' and t.id = p_id
  union all
  select 'deposit_slip', s.id, s.number from deposit_slips s where p_type = 'deposit_slip' and s.id = p_id
  union all
  select 'royaltor', r.id, r.name from royalty_advances a join show_royaltors g on g.id = a.show_royaltor_id
    join royaltors r on r.id = g.royaltor_id where p_type = 'royalty_advance' and a.id = p_id
  union all
  select 'royaltor', r.id, r.name from royalty_reserves v join show_royaltors g on g.id = v.show_royaltor_id
    join royaltors r on r.id = g.royaltor_id where p_type = 'royalty_reserve' and v.id = p_id
  union all
  select 'opening_set', s.id, s.division || ', ' || s.as_of from opening_sets s
    where p_type = 'opening_set' and s.id = p_id
  union all
  select 'revaluation', r.id, r.division || ' ' || r.revalued_on
    from revaluations r where p_type = 'revaluation' and r.id = p_id
  union all
  select 'goods_receipt', r.id, r.number from goods_receipts r where p_type = 'goods_receipt' and r.id = p_id
  union all
  select 'goods_receipt', r.id, r.number from goods_returns g join goods_receipt_lines l
      on l.id = g.goods_receipt_line_id join goods_receipts r on r.id = l.goods_receipt_id
    where p_type = 'goods_return' and g.id = p_id
$$;
