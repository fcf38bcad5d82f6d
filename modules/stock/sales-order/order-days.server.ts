/**
 * Days of orders that follow those of their licence: on which they leave, on which they are due back. A day that
 * somebody has set stays.
 */
import { dateFor, type IsoDate } from '#kernel/calendar/calendar.ts';
import { returnsDueOn } from '#kernel/licensing/clocks.ts';
import { documentLanguage, type Division } from '#kernel/money/division.ts';
import { spellIn } from '#kernel/text/english.ts';
import { lineShipsOn } from '#kernel/materials/ship-dates.ts';
import type { ShipGroup } from '#kernel/materials/explode.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { noteOnOrder } from './order-history.server.ts';

/** First night of a licence and the day from which it ships. */
interface ShippingDays { opening: IsoDate | null; ship_on: IsoDate | null }

interface Unsent {
  id: number; status: string; division: Division; ship_on: IsoDate | null; return_due_on: IsoDate | null;
  lines: readonly { ship_group: ShipGroup; lead_days: number }[];
}

/** Orders of the licence of which nothing has left, locked, with the lines of the licence that they are made of. */
async function unsentOf(ctx: WorkContext, licenseId: number): Promise<Unsent[]> {
  const ids = (await ctx.db.query<{ id: number }>(sql`
    select id from sales_orders where license_id = ${licenseId}
      and status in ('draft', 'released', 'picking', 'packed') order by id for update`)).map(({ id }) => id);
  return ctx.db.query<Unsent>(sql`
    select o.id, o.status, o.division, o.ship_on, o.return_due_on,
      coalesce((select jsonb_agg(jsonb_build_object('ship_group', t.ship_group, 'lead_days', t.lead_days))
        from license_materials t where t.license_id = o.license_id and exists (select 1 from sales_order_lines l
          where l.sales_order_id = o.id and l.material_id = t.material_id)), '[]') as lines
    from sales_orders o where o.id = any (${ids}::bigint[]) order by o.id`);
}

/** With the licence, where nothing of the order stands on it. */
const WITH_THE_LICENCE = { ship_group: 'main', lead_days: 0 } as const;

/** An amendment has moved the run: what has not left leaves later or sooner. Answers the new days, the first first. */
export async function moveShipping(
  ctx: WorkContext, licenseId: number, before: ShippingDays, after: ShippingDays,
): Promise<IsoDate[]> {
  const days: IsoDate[] = [];
  for (const order of await unsentOf(ctx, licenseId)) {
    const line = [...order.lines, WITH_THE_LICENCE]
      .find((one) => lineShipsOn(one, before.opening, before.ship_on) === order.ship_on);
    const day = line && lineShipsOn(line, after.opening, after.ship_on);
    if (!day || order.ship_on === null || day === order.ship_on) continue;
    await setDays(ctx, order, { ship_on: day });
    const [now, was] = [day, order.ship_on].map((one) => dateFor(documentLanguage(order.division), one));
    await noteOnOrder(ctx, order, 'plan', `Ships ${now} instead of ${was}, because the run was moved`);
    days.push(day);
  }
  return [...new Set(days)].toSorted();
}

/** Days that an order drafted before its licence was valid does not have yet. */
export async function fillDays(ctx: WorkContext, licenseId: number): Promise<void> {
  const license = await ctx.db.one<{ first_performance_on: IsoDate | null; last_performance_on: IsoDate | null;
    ship_on: IsoDate | null; division: Division; number: string }>(sql`
    select first_performance_on, last_performance_on, ship_on, division, coalesce(license_number, number) as number
    from licenses where id = ${licenseId}`);
  const { first_performance_on: opening, last_performance_on: last, division } = license;
  const spell = spellIn(documentLanguage(division));
  for (const order of await unsentOf(ctx, licenseId)) {
    if (order.ship_on !== null && order.return_due_on !== null) continue;
    const lines = order.lines.length === 0 ? [WITH_THE_LICENCE] : order.lines;
    const leaves = lines.flatMap((line) => lineShipsOn(line, opening, license.ship_on) ?? []).toSorted();
    const ship_on = order.ship_on ?? leaves[0] ?? null;
    const return_due_on = order.return_due_on ?? (last === null ? null : returnsDueOn(last, division));
    if (ship_on === order.ship_on && return_due_on === order.return_due_on) continue;
    await setDays(ctx, order, { ship_on, return_due_on });
    await noteOnOrder(ctx, order, 'plan', spell`Days set when license ${license.number} was executed`);
  }
}

/** An amendment has moved the run: what is not back yet is due later or sooner. */
export async function moveReturns(ctx: WorkContext, licenseId: number, days: { from: string; to: string }):
Promise<void> {
  if (days.from === days.to) return;
  const moved = await ctx.db.query<{ id: number }>(sql`
    update sales_orders set return_due_on = ${days.to}, version = version + 1
    where license_id = ${licenseId} and return_due_on = ${days.from} and status in ('draft', 'released', 'picking',
      'packed', 'partially_shipped', 'shipped', 'delivered', 'on_hire') returning id`);
  for (const { id } of moved) {
    await ctx.audit({ action: 'update', entity: 'sales_order', entity_id: id, before: { return_due_on: days.from },
      after: { return_due_on: days.to } });
  }
}

async function setDays(
  ctx: WorkContext, order: Unsent, days: { ship_on: IsoDate | null; return_due_on?: IsoDate | null },
): Promise<void> {
  const after = { ship_on: days.ship_on, return_due_on: days.return_due_on ?? order.return_due_on };
  await ctx.db.exec(sql`
    update sales_orders set ship_on = ${after.ship_on}, return_due_on = ${after.return_due_on}, version = version + 1
    where id = ${order.id}`);
  await ctx.audit({ action: 'update', entity: 'sales_order', entity_id: order.id,
    before: { ship_on: order.ship_on, return_due_on: order.return_due_on }, after });
}
