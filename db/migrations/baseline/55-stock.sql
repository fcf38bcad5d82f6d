-- Stock as the sum of movements that are never changed, and the orders that ship it. Quantities of an order line are
-- whole pieces.

create table material_copies (
  id bigint generated always as identity primary key,
  material_id bigint not null references materials (id),
  warehouse_id bigint not null references warehouses (id),
  barcode text not null unique check (barcode ~ '^[A-Z0-9][A-Z0-9-]{3,47}$'),
  location text not null default 'arriving' check (location in
    ('arriving', 'on_hand', 'picked', 'on_hire', 'quarantine', 'damaged', 'gone')),
  condition text not null default 'good' check (condition in ('good', 'marked', 'damaged')),
  sales_order_line_id bigint,
  perusal_id bigint,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table material_copies is 'Copies with a barcode. Their location changes only through stock movements.';
comment on column material_copies.location is 'Arriving: in no balance yet. gone: sold, lost or discarded.';
create index material_copies_material on material_copies (material_id, barcode);
create index material_copies_place on material_copies (warehouse_id, material_id, location);
create index material_copies_order_line on material_copies (sales_order_line_id) where sales_order_line_id is not null;
create index material_copies_perusal on material_copies (perusal_id) where perusal_id is not null;
grant select, insert (barcode, material_id, warehouse_id), update (condition, perusal_id,
  sales_order_line_id) on material_copies to app_rw;

create table stock_balances (
  id bigint generated always as identity primary key,
  warehouse_id bigint not null references warehouses (id),
  material_id bigint references materials (id),
  sales_item_id bigint references sales_items (id),
  on_hand integer not null default 0 check (on_hand >= 0),
  reserved integer not null default 0 check (reserved >= 0),
  picked integer not null default 0 check (picked >= 0),
  on_hire integer not null default 0 check (on_hire >= 0),
  quarantine integer not null default 0 check (quarantine >= 0),
  damaged integer not null default 0 check (damaged >= 0),
  updated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  check (num_nonnulls(material_id, sales_item_id) = 1),
  constraint stock_balances_promised check (reserved <= on_hand),
  unique nulls not distinct (warehouse_id, material_id, sales_item_id)
);
comment on table stock_balances is
  'Stock by item, warehouse and condition. Written only by the trigger on stock_movements.';
comment on column stock_balances.reserved is 'Part of the stock on hand that is promised to orders and not picked yet.';
create index stock_balances_material on stock_balances (material_id, warehouse_id) where material_id is not null;
create index stock_balances_sales_item on stock_balances (sales_item_id, warehouse_id) where sales_item_id is not null;
grant select, update (updated_at) on stock_balances to app_rw;

create table stock_movements (
  id bigint generated always as identity primary key,
  batch_id uuid not null,
  kind text not null,
  warehouse_id bigint not null references warehouses (id),
  material_id bigint references materials (id),
  sales_item_id bigint references sales_items (id),
  material_copy_id bigint references material_copies (id),
  quantity integer not null check (quantity between 1 and 1000000),
  from_location text,
  to_location text,
  reserved_delta integer not null default 0,
  sales_order_line_id bigint,
  perusal_id bigint,
  reason text not null default '',
  actor_id bigint references users (id),
  occurred_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  check (num_nonnulls(material_id, sales_item_id) = 1),
  check (material_copy_id is null or (quantity = 1 and material_id is not null)),
  -- Every kind has its way; a way that is not listed cannot be walked.
  check (case kind
    when 'receipt' then from_location is null and to_location = 'on_hand' and reserved_delta = 0
    when 'reserve' then num_nonnulls(from_location, to_location) = 0 and reserved_delta = quantity
    when 'unreserve' then num_nonnulls(from_location, to_location) = 0 and reserved_delta = -quantity
    when 'pick' then from_location = 'on_hand' and to_location = 'picked' and reserved_delta = -quantity
    when 'unpick' then from_location = 'picked' and to_location = 'on_hand' and reserved_delta = quantity
    when 'ship' then from_location = 'picked' and coalesce(to_location, 'on_hire') = 'on_hire' and reserved_delta = 0
    when 'return' then from_location = 'on_hire' and to_location in ('on_hand', 'quarantine', 'damaged')
      and reserved_delta = 0
    when 'grade' then from_location in ('quarantine', 'damaged') and to_location in ('on_hand', 'damaged')
      and from_location <> to_location and reserved_delta = 0
    when 'quarantine' then from_location = 'on_hand' and to_location = 'quarantine' and reserved_delta = 0
    when 'write_off' then from_location in ('on_hand', 'quarantine', 'damaged', 'on_hire') and to_location is null
      and reserved_delta = 0
    when 'adjust' then (from_location is null) <> (to_location is null)
      and coalesce(from_location, to_location) = 'on_hand' and reserved_delta = 0
    when 'count' then (from_location is null) <> (to_location is null)
      and coalesce(from_location, to_location) = 'on_hand' and reserved_delta = 0
    when 'transfer' then (from_location is null) <> (to_location is null)
      and coalesce(from_location, to_location) = 'on_hand' and reserved_delta = 0
    else false end),
  check (kind not in ('adjust', 'write_off') or reason <> '')
);
comment on table stock_movements is 'Movements of stock. Append-only; the balances follow by trigger.';
comment on column stock_movements.batch_id is 'Movements of one act: a delivery, a transfer, a count.';
comment on column stock_movements.from_location is 'Null: from outside, for example a supplier.';
create index stock_movements_warehouse on stock_movements (warehouse_id, id desc);
create index stock_movements_material on stock_movements (material_id, id desc) where material_id is not null;
create index stock_movements_sales_item on stock_movements (sales_item_id, id desc) where sales_item_id is not null;
create index stock_movements_day on stock_movements (occurred_at desc, id desc);
create index stock_movements_batch on stock_movements (batch_id);
create index stock_movements_line on stock_movements (sales_order_line_id) where sales_order_line_id is not null;
create index stock_movements_copy on stock_movements (material_copy_id) where material_copy_id is not null;
create index stock_movements_actor on stock_movements (actor_id);
create index stock_movements_perusal on stock_movements (perusal_id) where perusal_id is not null;
grant select, insert on stock_movements to app_rw;

-- How far a movement changes one place of a balance.
create function stock_delta(m stock_movements, place text) returns integer
language sql immutable as $$
  select case when m.to_location = place then m.quantity else 0 end
    - case when m.from_location = place then m.quantity else 0 end
$$;

-- The only writer of balances and of where a copy is. Its owner may, app_rw may not: what no movement says cannot be.
create function apply_stock_movement() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  tracked boolean := false;
begin
  if new.material_id is not null then
    select serial_tracked into tracked from materials where id = new.material_id;
  end if;
  if tracked and new.material_copy_id is null and new.kind not in ('reserve', 'unreserve') then
    raise exception 'material % is tracked by copy: the movement names none', new.material_id
      using errcode = '23514', constraint = 'stock_copy_named';
  end if;
  insert into stock_balances (warehouse_id, material_id, sales_item_id)
    values (new.warehouse_id, new.material_id, new.sales_item_id)
    on conflict (warehouse_id, material_id, sales_item_id) do nothing;
  update stock_balances b set
    on_hand = b.on_hand + stock_delta(new, 'on_hand'), picked = b.picked + stock_delta(new, 'picked'),
    on_hire = b.on_hire + stock_delta(new, 'on_hire'), quarantine = b.quarantine + stock_delta(new, 'quarantine'),
    damaged = b.damaged + stock_delta(new, 'damaged'), reserved = b.reserved + new.reserved_delta,
    updated_at = now()
  where b.warehouse_id = new.warehouse_id and b.material_id is not distinct from new.material_id
    and b.sales_item_id is not distinct from new.sales_item_id;
  if new.material_copy_id is not null then
    update material_copies c set warehouse_id = new.warehouse_id, version = c.version + 1,
      location = coalesce(new.to_location, case new.kind when 'transfer' then 'arriving' else 'gone' end)
    where c.id = new.material_copy_id and c.material_id = new.material_id
      and case when new.from_location is null then c.location in ('arriving', 'gone')
        else c.location = new.from_location and c.warehouse_id = new.warehouse_id end;
    if not found then
      raise exception 'copy % is not where the movement takes it from', new.material_copy_id
        using errcode = '23514', constraint = 'stock_copy_place';
    end if;
  end if;
  return null;
end $$;

create trigger apply_stock_movement after insert on stock_movements
  for each row execute function apply_stock_movement();

create trigger mark_material_used after insert on stock_movements
  for each row when (new.material_id is not null) execute function mark_material_used();

create sequence sales_order_numbers start 1001;
grant usage on sequence sales_order_numbers to app_rw;

create table sales_orders (
  id bigint generated always as identity primary key,
  number text not null unique default 'SO-' || nextval('sales_order_numbers'),
  kind text not null check (kind in ('license', 'book_order', 'perusal', 'sales_item')),
  status text not null default 'draft' check (status in ('draft', 'released', 'picking', 'packed',
    'partially_shipped', 'shipped', 'delivered', 'on_hire', 'return_due', 'overdue', 'partially_returned', 'returned',
    'closed', 'cancelled')),
  customer_id bigint not null references customers (id),
  license_id bigint references licenses (id),
  division text not null references divisions (code),
  currency currency_code not null,
  warehouse_id bigint not null references warehouses (id),
  ship_to postal_address,
  ship_to_name text not null default '',
  email email_address,
  phone text,
  ship_on date,
  rush boolean not null default false,
  carrier text not null default '',
  tracking text[] not null default '{}',
  released_at timestamptz,
  shipped_on date,
  delivered_on date,
  return_due_on date,
  returned_on date,
  closed_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text not null default '',
  notes text not null default '',
  created_by_id bigint references users (id),
  quoted_net_minor minor_amount check (quoted_net_minor >= 0),
  quoted_tax_minor minor_amount check (quoted_tax_minor >= 0),
  from_portal boolean not null default false,
  search_text text not null generated always as (
  search_words(number, ship_to_name)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 'license') = (license_id is not null)),
  check (not from_portal or (quoted_net_minor is not null and quoted_tax_minor is not null))
);
comment on table sales_orders is 'Orders: materials for licenses, shop orders, perusals by mail.';
comment on column sales_orders.ship_on is 'Earliest shipping date, unless it is a rush order.';
comment on column sales_orders.quoted_net_minor is
  'Price shown to the customer in the shop. The invoice is calculated again from the same lines on shipment.';
create index sales_orders_latest on sales_orders (updated_at desc, id desc);
create index sales_orders_status on sales_orders (status, id desc);
create index sales_orders_customer on sales_orders (customer_id, id desc);
create index sales_orders_license on sales_orders (license_id, id desc) where license_id is not null;
create index sales_orders_due on sales_orders (return_due_on, id)
  where status in ('shipped', 'delivered', 'on_hire', 'return_due', 'overdue', 'partially_returned');
create index sales_orders_warehouse on sales_orders (warehouse_id, id desc);
create index sales_orders_division on sales_orders (division);
create index sales_orders_number_start on sales_orders (lower(number) text_pattern_ops);
create index sales_orders_from_portal on sales_orders (customer_id, id desc) where from_portal;
create index sales_orders_search on sales_orders using gin (search_text gin_trgm_ops);
grant select, insert, update on sales_orders to app_rw;

create table sales_order_lines (
  id bigint generated always as identity primary key,
  sales_order_id bigint not null references sales_orders (id),
  sort integer not null default 0,
  material_id bigint references materials (id),
  sales_item_id bigint references sales_items (id),
  description text not null check (description <> ''),
  physical boolean not null,
  return_required boolean not null,
  item_class text not null,
  quantity integer not null check (quantity between 1 and 100000),
  qty_reserved integer not null default 0 check (qty_reserved >= 0),
  qty_picked integer not null default 0 check (qty_picked >= 0),
  qty_shipped integer not null default 0 check (qty_shipped >= 0),
  qty_cancelled integer not null default 0 check (qty_cancelled >= 0),
  qty_returned_good integer not null default 0 check (qty_returned_good >= 0),
  qty_returned_damaged integer not null default 0 check (qty_returned_damaged >= 0),
  qty_lost integer not null default 0 check (qty_lost >= 0),
  qty_invoiced integer not null default 0 check (qty_invoiced >= 0),
  unit_price_minor minor_amount not null default 0 check (unit_price_minor >= 0),
  shipping_minor minor_amount not null default 0 check (shipping_minor >= 0),
  replacement_minor minor_amount not null default 0 check (replacement_minor >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(material_id, sales_item_id) = 1),
  -- domain.md 1.3: ordered covers what is reserved, picked, shipped and cancelled ...
  constraint sales_order_lines_ordered check (quantity >= qty_reserved + qty_picked + qty_shipped + qty_cancelled),
  -- ... and nothing comes back that did not leave.
  constraint sales_order_lines_returned check (qty_shipped >= qty_returned_good + qty_returned_damaged + qty_lost),
  check (qty_invoiced <= qty_shipped),
  check (physical or qty_reserved + qty_picked = 0),
  check (return_required or qty_returned_good + qty_returned_damaged + qty_lost = 0)
);
comment on table sales_order_lines is 'Lines of an order.';
comment on column sales_order_lines.physical is 'Shipped from the warehouse; files and services are not.';
comment on column sales_order_lines.qty_invoiced is 'Quantity billed by this order; 0 if the license bills it.';
create index sales_order_lines_order on sales_order_lines (sales_order_id, sort, id);
create index sales_order_lines_material on sales_order_lines (material_id) where material_id is not null;
create index sales_order_lines_sales_item on sales_order_lines (sales_item_id) where sales_item_id is not null;
grant select, insert, update, delete on sales_order_lines to app_rw;

create table sales_order_events (
  id bigint generated always as identity primary key,
  sales_order_id bigint not null references sales_orders (id),
  event text not null,
  from_status text not null,
  to_status text not null,
  note text not null default '',
  actor_id bigint references users (id),
  occurred_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
comment on table sales_order_events is 'History of an order. Append-only.';
create index sales_order_events_order on sales_order_events (sales_order_id, id);
create index sales_order_events_actor on sales_order_events (actor_id);
grant select, insert on sales_order_events to app_rw;

create table sales_order_invoices (
  id bigint generated always as identity primary key,
  sales_order_id bigint not null references sales_orders (id),
  invoice_id bigint not null unique references invoices (id),
  reason text not null,
  created_at timestamptz not null default now(),
  constraint sales_order_invoices_reason_check
  check (reason in ('shipment', 'missing', 'prepaid'))
);
comment on table sales_order_invoices is 'Invoices of an order, with the reason for each.';
create index sales_order_invoices_order on sales_order_invoices (sales_order_id);
-- One pro forma at a time answers for an order.
create unique index sales_order_invoices_prepaid on sales_order_invoices (sales_order_id) where reason = 'prepaid';
grant select, insert on sales_order_invoices to app_rw;

create trigger mark_material_used after insert on sales_order_lines
  for each row when (new.material_id is not null) execute function mark_material_used();

call maintain_updated_at('material_copies', 'stock_balances', 'sales_orders', 'sales_order_lines');

call make_append_only('stock_movements', 'sales_order_events');

-- Functions are open to everyone by default; these are for the roles named here.
revoke all on function apply_stock_movement() from public;
