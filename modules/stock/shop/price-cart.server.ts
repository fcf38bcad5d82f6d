/** Cost of a cart: prices of the customer's currency, shipping once per line, tax by the rule that bills it. */
import { invalid, type FieldErrors } from '#kit/errors.ts';
import type { Address } from '#kit/field.ts';
import type { ItemClass } from '#kernel/money/priced-line.ts';
import { formatMinor, formatMoney } from '#kernel/money/money.ts';
import { determineTax, refuseUnpayable, type InvoiceLineInput }
  from '#modules/receivables/receivables.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { goodsLines } from '../sales-order/bill-order.server.ts';
import type { CartBody, ShopItem, ShopLine, ShopPrice } from './shop.contract.ts';

type Shelf = Omit<ShopItem, 'show_title'> & { item_class: ItemClass; tax_free: boolean };

/**
 * Printed materials offered in the portal and stocked merchandise, of shows that the customer may perform, with a price
 * in its currency. Odd and even ids keep two tables apart in one list.
 */
export function shelfOf(customerId: number): Sql {
  const price = (t: Sql, what: Sql): Sql => sql`case c.default_currency when 'USD' then ${t}.${what}_usd_minor
    when 'EUR' then ${t}.${what}_eur_minor else ${t}.${what}_gbp_minor end`;
  const taxFree = (t: Sql): Sql => sql`case when c.default_division in ('US', 'PROD') then not ${t}.tax
    else not ${t}.vat end`;
  return sql`(select * from (
      select m.id * 2 as id, 'm' || m.id as key, m.id as material_id, null::bigint as sales_item_id, m.item_number,
        m.name, m.description, m.show_id, m.item_class, ${price(sql`m`, sql`price`)} as price_minor,
        coalesce(${price(sql`m`, sql`shipping`)}, 0) as shipping_minor, m.search_text, c.default_currency as currency,
        c.divisions, ${taxFree(sql`m`)} as tax_free
      from materials m cross join customers c where c.id = ${customerId} and m.type = 'sale'
        and m.fulfilment = 'physical' and m.sellable_in_portal and m.active and m.deleted_at is null
      union all
      select s.id * 2 + 1, 's' || s.id, null, s.id, s.item_number, s.name, s.description, s.show_id, s.item_class,
        ${price(sql`s`, sql`price`)}, ${price(sql`s`, sql`shipping`)}, s.search_text, c.default_currency, c.divisions,
        ${taxFree(sql`s`)}
      from sales_items s cross join customers c where c.id = ${customerId} and s.stocked and s.active
        and s.deleted_at is null) shelf
    where price_minor > 0 and (show_id is null or exists (select 1 from shows h where h.id = shelf.show_id and h.active
      and h.deleted_at is null and h.divisions && shelf.divisions)))`;
}

/** 422 at the line of what is not offered any more, or costs something else than was seen. */
export async function priceCart(ctx: WorkContext, customerId: number, cart: CartBody):
Promise<{ price: ShopPrice; items: Shelf[] }> {
  const { lines } = cart;
  const keys = lines.map((line) =>
    (line.material_id === undefined ? `s${line.sales_item_id}` : `m${line.material_id}`));
  const found = await ctx.db.query<Shelf>(sql`
    select t.* from ${shelfOf(customerId)} t where t.key = any (${keys}::text[])`);
  const errors: FieldErrors = {};
  const items: Shelf[] = [];
  for (const [at, line] of lines.entries()) {
    const item = found.find((one) => one.key === keys[at]);
    if (!item) errors[`lines.${at}`] = ['This is not sold any more. Take it out of the cart.'];
    else if (keys.indexOf(keys[at]!) !== at) errors[`lines.${at}`] = [`${item.name} stands twice in the cart`];
    else if (line.price_minor !== undefined && line.price_minor !== item.price_minor) {
      errors[`lines.${at}.price_minor`] = [`${item.name} costs ${
        formatMoney(item.price_minor, item.currency)} now, not ${formatMinor(BigInt(line.price_minor))}`];
    } else items.push(item);
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { items, price: await withTax(ctx, customerId, items, cart) };
}

/** The lines of the coming invoice, goods and shipping of each line of the cart. */
export function cartLines(items: readonly Shelf[], lines: readonly ShopLine[]): InvoiceLineInput[] {
  return items.flatMap((item, at) => linesOf(item, lines[at]!.quantity));
}

const linesOf = (item: Shelf, quantity: number): InvoiceLineInput[] => goodsLines({ item_class: item.item_class,
  description: item.name, return_required: false, unit_price_minor: item.price_minor,
  shipping_minor: item.shipping_minor, tax_free: item.tax_free }, quantity, true);

interface Buyer { default_division: string; default_currency: ShopPrice['currency']; name: string;
  payment_terms_days: number; billing_address: Address | null }

async function placesOf(ctx: WorkContext, customerId: number, buyer: Buyer): Promise<ShopPrice['places']> {
  const rows = await ctx.db.query<{ label: string; attention: string; address: Address }>(sql`
    select label, coalesce(attention, '') as attention, address from customer_shipping_addresses
    where customer_id = ${customerId} order by is_default desc, id`);
  const kept = rows.map((row) => ({ label: row.label, name: row.attention || buyer.name, address: row.address }));
  return buyer.billing_address === null ? kept
    : [...kept, { label: 'Billing address', name: buyer.name, address: buyer.billing_address }];
}

/** The lines of the coming invoice (bill-order.server.ts), taxed as it will be, today, where it goes; 409 unpayable. */
async function withTax(ctx: WorkContext, customerId: number, items: readonly Shelf[], cart: CartBody):
Promise<ShopPrice> {
  const buyer = await ctx.db.one<Buyer>(sql`
    select default_division, default_currency, name, payment_terms_days, billing_address from customers
    where id = ${customerId}`);
  const places = await placesOf(ctx, customerId, buyer);
  const ship_to = cart.ship_to ?? places[0]?.address ?? null;
  const on = await ctx.today(buyer.default_division);
  const priced: ShopPrice['lines'] = [];
  for (const [at, item] of items.entries()) {
    const { quantity } = cart.lines[at]!;
    let tax = 0;
    for (const line of linesOf(item, quantity)) {
      const [taxed] = await determineTax(ctx, { division: buyer.default_division, customer_id: customerId, on,
        venue: null, ...(ship_to ? { ship_to } : {}), lines: [{ kind: line.kind as 'sale',
          item_class: line.item_class, carries: line.carries ?? null, net_minor: line.net_minor,
          tax_free: line.tax_free }] });
      tax += taxed?.tax_minor ?? 0;
    }
    priced.push({ key: item.key, name: item.name, quantity, price_minor: item.price_minor,
      shipping_minor: item.shipping_minor, net_minor: quantity * item.price_minor, tax_minor: tax });
  }
  const sum = (name: 'net_minor' | 'shipping_minor' | 'tax_minor') => priced.reduce((all, one) => all + one[name], 0);
  const total_minor = sum('net_minor') + sum('shipping_minor') + sum('tax_minor');
  await refuseUnpayable(ctx, [{ division: buyer.default_division, currency: buyer.default_currency,
    asks_minor: total_minor }], 'customer');
  return { currency: buyer.default_currency, lines: priced, goods_minor: sum('net_minor'),
    shipping_minor: sum('shipping_minor'), tax_minor: sum('tax_minor'), total_minor, places, ship_to,
    ship_to_name: cart.ship_to_name || (cart.ship_to === undefined && places[0]?.name) || buyer.name,
    // Nobody has promised to pay later: what is ordered is paid first (gaps G58).
    prepaid: buyer.payment_terms_days === 0 };
}
