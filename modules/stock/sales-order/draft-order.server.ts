/** A sales order as a draft: whose, from where, which lines at what price. */
import { returnsDueOn } from '#kernel/licensing/clocks.ts';
import type { Division } from '#kernel/money/division.ts';
import { conflict, invalid, invalidField, type FieldErrors } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { SalesOrderInput } from './sales-order.contract.ts';
import { noteOnOrder } from './order-history.server.ts';
import { lockOrder } from './order-rows.server.ts';

interface Buyer { division: Division; currency: string; name: string; billing_address: object | null;
  email: string | null; phone: string | null; ship_on: string | null; return_due_on: string | null }
type Head = Partial<Omit<SalesOrderInput, 'lines' | 'customer_id' | 'license_id' | 'kind'>>;
/** Somebody was shown what shipping costs: that is charged, whatever the item says by now. */
type Lines = readonly (SalesOrderInput['lines'][number] & { shipping_minor?: number })[];

/** Nothing is reserved and nothing billed yet; `why` stands in its history. Answers its id. */
export async function draftOrder(
  ctx: WorkContext, input: Omit<SalesOrderInput, 'lines'> & { lines: Lines }, why = '',
): Promise<number> {
  if ((input.kind === 'license') !== (input.license_id !== null)) {
    throw invalidField('license_id', input.kind === 'license' ? spell`Choose the license`
      : spell`Only an order of a license`);
  }
  const buyer = await buyerOf(ctx, input);
  const warehouse = await warehouseOf(ctx, buyer.division, input.warehouse_id);
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into sales_orders (kind, customer_id, license_id, division, currency, warehouse_id, ship_to, ship_to_name,
      email, phone, ship_on, return_due_on, rush, notes, created_by_id)
    values (${input.kind}, ${input.customer_id}, ${input.license_id}, ${buyer.division}, ${buyer.currency},
      ${warehouse}, ${json(input.ship_to === undefined ? buyer.billing_address : input.ship_to)},
      ${input.ship_to_name ?? buyer.name}, ${buyer.email}, ${buyer.phone}, ${input.ship_on ?? buyer.ship_on},
      ${input.return_due_on ?? buyer.return_due_on}, ${input.rush ?? false}, ${input.notes ?? ''},
      ${ctx.actor.actor_id}) returning id`);
  await insertLines(ctx, { id, kind: input.kind, currency: buyer.currency }, input.lines);
  await noteOnOrder(ctx, { id, status: 'draft' }, 'create', why);
  await ctx.audit({ action: 'create', entity: 'sales_order', entity_id: id, after: input });
  return id;
}

/** Lines only while it is a draft; where it goes until it has left. */
export async function updateOrder(ctx: WorkContext, id: number, input: Head & { version: number;
  lines?: Lines | undefined }): Promise<void> {
  const { order } = await lockOrder(ctx.db, id, input.version);
  if (order.status !== 'draft' && (input.lines !== undefined || input.warehouse_id !== undefined)) {
    throw conflict('sales_order.released', 'Lines and warehouse are fixed once the order is released. Cancel it.');
  }
  if (!['draft', 'released', 'picking', 'packed'].includes(order.status)) {
    throw conflict('sales_order.shipped', 'This order has left; its address is what the carrier was told.');
  }
  const warehouse = input.warehouse_id === undefined ? order.warehouse_id
    : await warehouseOf(ctx, order.division, input.warehouse_id);
  const sets = [sql`warehouse_id = ${warehouse}`,
    input.ship_to !== undefined && sql`ship_to = ${json(input.ship_to)}`,
    input.ship_to_name !== undefined && sql`ship_to_name = ${input.ship_to_name}`,
    input.ship_on !== undefined && sql`ship_on = ${input.ship_on}`,
    input.return_due_on !== undefined && sql`return_due_on = ${input.return_due_on}`,
    input.rush !== undefined && sql`rush = ${input.rush}`, input.notes !== undefined && sql`notes = ${input.notes}`];
  for (const set of sets) if (set) await ctx.db.exec(sql`update sales_orders set ${set} where id = ${id}`);
  await ctx.db.exec(sql`update sales_orders set version = version + 1 where id = ${id}`);
  if (input.lines) {
    await ctx.db.exec(sql`delete from sales_order_lines where sales_order_id = ${id}`);
    await insertLines(ctx, order, input.lines);
  }
  await ctx.audit({ action: 'update', entity: 'sales_order', entity_id: id, before: order, after: input });
}

const json = (value: object | null | undefined): string | null => (value == null ? null : JSON.stringify(value));

/** Division, currency and days of the licence, else those of the customer. */
async function buyerOf(ctx: WorkContext, input: Pick<SalesOrderInput, 'customer_id' | 'license_id'>): Promise<Buyer> {
  const buyer = await ctx.db.maybeOne<Buyer & { customer_matches: boolean; last_on: string | null }>(sql`
    select coalesce(l.division, c.default_division) as division, coalesce(l.currency, c.default_currency) as currency,
      c.name, coalesce((select s.address from customer_shipping_addresses s where s.customer_id = c.id
        and s.is_default), c.billing_address) as billing_address, c.statement_email as email, c.phone, l.ship_on,
      l.return_due_on, l.last_performance_on as last_on, l.id is null or l.customer_id = c.id as customer_matches
    from customers c left join licenses l on l.id = ${input.license_id} and l.deleted_at is null
    where c.id = ${input.customer_id} and c.deleted_at is null`);
  if (!buyer) throw invalidField('customer_id', 'This customer does not exist');
  if (!buyer.customer_matches) throw invalidField('license_id', spell`This license belongs to another customer`);
  // Until the run has ended the licence has no date of its own: that of its contract counts.
  const promised = buyer.last_on === null ? null : returnsDueOn(buyer.last_on, buyer.division);
  return { ...buyer, return_due_on: buyer.return_due_on ?? promised };
}

async function warehouseOf(ctx: WorkContext, division: string, wanted: number | undefined): Promise<number> {
  const row = await ctx.db.maybeOne<{ id: number }>(wanted === undefined
    ? sql`select id from warehouses where deleted_at is null and active
        order by (division = ${division} and default_for_division) desc, division = ${division} desc,
          default_for_division desc, id limit 1`
    : sql`select id from warehouses where id = ${wanted} and deleted_at is null and active`);
  if (!row) {
    throw invalidField('warehouse_id', wanted === undefined ? 'There is no warehouse yet: add one first'
      : 'This warehouse does not exist or is closed');
  }
  return row.id;
}

interface Priced { material_id: number | null; sales_item_id: number | null; name: string; physical: boolean;
  return_required: boolean; item_class: string; price: number | null; shipping: number | null;
  replacement: number | null; active: boolean }

async function insertLines(ctx: WorkContext, order: { id: number; kind: string; currency: string }, lines: Lines) {
  const errors: FieldErrors = {};
  for (const [sort, line] of lines.entries()) {
    const item = await itemOf(ctx, line.code, order.currency);
    // Items hired with a license are billed with it: the order bills only lines that somebody prices here.
    const price = line.unit_price_minor ?? (order.kind === 'license' || item?.return_required ? 0 : item?.price);
    if (!item) errors[`lines.${sort}.code`] = [`Nothing has the item number ${line.code}`];
    else if (!item.active) errors[`lines.${sort}.code`] = [`${line.code} is not offered any more`];
    else if (price == null) {
      errors[`lines.${sort}.unit_price_minor`] = [`${line.code} has no price in ${order.currency}`];
    }
    if (!item || price == null) continue;
    await ctx.db.exec(sql`
      insert into sales_order_lines (sales_order_id, sort, material_id, sales_item_id, description, physical,
        return_required, item_class, quantity, unit_price_minor, shipping_minor, replacement_minor)
      values (${order.id}, ${sort}, ${item.material_id}, ${item.sales_item_id}, ${item.name}, ${item.physical},
        ${item.return_required}, ${item.item_class}, ${line.quantity}, ${price},
        ${line.shipping_minor ?? (price > 0 ? item.shipping ?? 0 : 0)}, ${item.replacement ?? 0})`);
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** By item number; hired and perusal copies come back. */
async function itemOf(ctx: WorkContext, code: string, currency: string): Promise<Priced | null> {
  return ctx.db.maybeOne<Priced>(sql`
    select m.id as material_id, null::bigint as sales_item_id, m.name, m.fulfilment = 'physical' and m.type <> 'service'
      as physical, m.type in ('rental', 'perusal') and m.fulfilment = 'physical' as return_required, m.item_class,
      case ${currency} when 'USD' then m.price_usd_minor when 'EUR' then m.price_eur_minor else m.price_gbp_minor end
        as price,
      case ${currency} when 'USD' then m.shipping_usd_minor when 'EUR' then m.shipping_eur_minor
        else m.shipping_gbp_minor end as shipping,
      case ${currency} when 'USD' then m.replacement_usd_minor when 'EUR' then m.replacement_eur_minor
        else m.replacement_gbp_minor end as replacement, m.active
    from materials m where m.item_number = ${code} and m.deleted_at is null
    union all
    select null, s.id, s.name, s.stocked, false, s.item_class,
      case ${currency} when 'USD' then s.price_usd_minor when 'EUR' then s.price_eur_minor else s.price_gbp_minor end,
      case ${currency} when 'USD' then s.shipping_usd_minor when 'EUR' then s.shipping_eur_minor
        else s.shipping_gbp_minor end, null, s.active
    from sales_items s where s.item_number = ${code} and s.deleted_at is null limit 1`);
}
