-- Stock: what lies where, as the sum of movements that are never changed. Sources: domain.md 1.3, 4, 7 and invariant I6
-- of 7.2 (balance = sum of movements, never below zero).

-- One row per copy with a barcode. Where it is, is written by its movements alone.
create table material_copies (
  id bigint generated always as identity primary key,
  material_id bigint not null references materials (id),
  warehouse_id bigint not null references warehouses (id),
  barcode text not null unique check (barcode ~ '^[A-Z0-9][A-Z0-9-]{3,47}$'),
  -- arriving: known, and in no balance yet (a receipt or a transfer under way); gone: sold, lost or thrown away.
  location text not null default 'arriving' check (location in
    ('arriving', 'on_hand', 'picked', 'on_hire', 'quarantine', 'damaged', 'gone')),
  condition text not null default 'good' check (condition in ('good', 'marked', 'damaged')),
  sales_order_line_id bigint,
  perusal_id bigint,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index material_copies_material on material_copies (material_id, barcode);
create index material_copies_place on material_copies (warehouse_id, material_id, location);

create table stock_balances (
  id bigint generated always as identity primary key,
  warehouse_id bigint not null references warehouses (id),
  material_id bigint references materials (id),
  sales_item_id bigint references sales_items (id),
  on_hand integer not null default 0 check (on_hand >= 0),
  -- Of what is on hand: promised to orders and not picked yet.
  reserved integer not null default 0 check (reserved >= 0),
  picked integer not null default 0 check (picked >= 0),
  on_hire integer not null default 0 check (on_hire >= 0),
  quarantine integer not null default 0 check (quarantine >= 0),
  damaged integer not null default 0 check (damaged >= 0),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(material_id, sales_item_id) = 1),
  constraint stock_balances_promised check (reserved <= on_hand),
  unique nulls not distinct (warehouse_id, material_id, sales_item_id)
);
create index stock_balances_material on stock_balances (material_id, warehouse_id) where material_id is not null;
create index stock_balances_sales_item on stock_balances (sales_item_id, warehouse_id) where sales_item_id is not null;

create table stock_movements (
  id bigint generated always as identity primary key,
  -- What one person did at once: a delivery note, a transfer, a count.
  batch_id uuid not null,
  kind text not null,
  warehouse_id bigint not null references warehouses (id),
  material_id bigint references materials (id),
  sales_item_id bigint references sales_items (id),
  material_copy_id bigint references material_copies (id),
  quantity integer not null check (quantity between 1 and 1000000),
  -- null: outside, a supplier, a buyer, the bin.
  from_location text,
  to_location text,
  reserved_delta integer not null default 0,
  sales_order_line_id bigint,
  perusal_id bigint,
  reason text not null default '',
  actor_id bigint references users (id),
  occurred_at timestamptz not null default now(),
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
create index stock_movements_warehouse on stock_movements (warehouse_id, id desc);
create index stock_movements_material on stock_movements (material_id, id desc) where material_id is not null;
create index stock_movements_sales_item on stock_movements (sales_item_id, id desc) where sales_item_id is not null;
create index stock_movements_day on stock_movements (occurred_at desc, id desc);
create index stock_movements_batch on stock_movements (batch_id);
create index stock_movements_line on stock_movements (sales_order_line_id) where sales_order_line_id is not null;
create index stock_movements_copy on stock_movements (material_copy_id) where material_copy_id is not null;
call make_append_only('stock_movements');

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

call maintain_updated_at('material_copies');
grant select on stock_balances, material_copies to app_rw;
-- One harmless column, so that app_rw may lock the rows that it reads.
grant update (updated_at) on stock_balances to app_rw;
grant insert (material_id, warehouse_id, barcode) on material_copies to app_rw;
grant update (condition, sales_order_line_id, perusal_id) on material_copies to app_rw;
grant select, insert on stock_movements to app_rw;
