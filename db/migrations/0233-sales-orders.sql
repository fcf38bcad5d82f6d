-- What is sent to a customer: materials of a licence, book orders, perusal copies, merchandise. The status of the
-- header follows domain.md 1.3; quantities of a line are whole pieces and add up whatever happens.

create sequence sales_order_numbers start 1001;
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
  -- Not before this day, unless it is a rush.
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
  search_text text not null generated always as (search_fold(number || ' ' || ship_to_name)) stored,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 'license') = (license_id is not null))
);
create index sales_orders_latest on sales_orders (updated_at desc, id desc);
create index sales_orders_status on sales_orders (status, id desc);
create index sales_orders_customer on sales_orders (customer_id, id desc);
create index sales_orders_license on sales_orders (license_id, id desc) where license_id is not null;
create index sales_orders_due on sales_orders (return_due_on, id)
  where status in ('shipped', 'delivered', 'on_hire', 'return_due', 'overdue', 'partially_returned');
create index sales_orders_warehouse on sales_orders (warehouse_id, id desc);
create index sales_orders_division on sales_orders (division);
create index sales_orders_search on sales_orders using gin (search_text gin_trgm_ops);

create table sales_order_lines (
  id bigint generated always as identity primary key,
  sales_order_id bigint not null references sales_orders (id),
  sort integer not null default 0,
  material_id bigint references materials (id),
  sales_item_id bigint references sales_items (id),
  description text not null check (description <> ''),
  -- Goes through the warehouse; files and services do not.
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
  -- Billed by this order at its shipment; what the licence bills already is 0 here.
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
create index sales_order_lines_order on sales_order_lines (sales_order_id, sort, id);
create index sales_order_lines_material on sales_order_lines (material_id) where material_id is not null;
create index sales_order_lines_sales_item on sales_order_lines (sales_item_id) where sales_item_id is not null;

create table sales_order_events (
  id bigint generated always as identity primary key,
  sales_order_id bigint not null references sales_orders (id),
  event text not null,
  from_status text not null,
  to_status text not null,
  note text not null default '',
  actor_id bigint references users (id),
  occurred_at timestamptz not null default now()
);
create index sales_order_events_order on sales_order_events (sales_order_id, id);
call make_append_only('sales_order_events');

create table sales_order_invoices (
  id bigint generated always as identity primary key,
  sales_order_id bigint not null references sales_orders (id),
  invoice_id bigint not null unique references invoices (id),
  reason text not null check (reason in ('shipment', 'missing')),
  created_at timestamptz not null default now()
);
create index sales_order_invoices_order on sales_order_invoices (sales_order_id);

alter table stock_movements add foreign key (sales_order_line_id) references sales_order_lines (id);
alter table material_copies add foreign key (sales_order_line_id) references sales_order_lines (id);

create trigger mark_material_used after insert on sales_order_lines
  for each row when (new.material_id is not null) execute function mark_material_used();
call maintain_updated_at('sales_orders', 'sales_order_lines');
grant select, insert, update on sales_orders, sales_order_lines to app_rw;
grant delete on sales_order_lines to app_rw;
grant select, insert on sales_order_events, sales_order_invoices to app_rw;
grant usage on sequence sales_order_numbers to app_rw;
