/**
 * The sales orders of a licence, drafted from its materials (domain.md 1.2 row 4, 4): what leaves on one day is one
 * order. What an order that is not cancelled names already is not ordered again, so that asking twice sends nothing
 * twice.
 */
import { lineShipsOn } from '#kernel/materials/ship-dates.ts';
import type { ShipGroup } from '#kernel/materials/explode.ts';
import { AppError, conflict, refuse } from '#kit/errors.ts';
import { documentLanguage, type Division } from '#kernel/money/division.ts';
import { spell, spellIn } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { draftOrder } from './draft-order.server.ts';

/** From the signature to the end of the run; a parcel leaves only once the licence is valid (release). */
const ORDERED_IN: readonly string[] = ['accepted', 'licensed', 'in_production'];

interface RequestedItem { material_id: number; item_number: string; quantity: number; ship_group: ShipGroup;
  lead_days: number }

/**
 * Ids of the drafts, the first to leave first; `why` stands in their history. 409 where nothing is left to order or the
 * licence is not signed.
 */
export async function orderLicense(ctx: WorkContext, licenseId: number, why?: string): Promise<number[]> {
  // Locked: two people who press at once order once.
  const license = await ctx.db.maybeOne<{ customer_id: number; phase: string; ship_on: string | null;
    first_performance_on: string | null; number: string; division: Division }>(sql`
    select customer_id, phase, ship_on, first_performance_on, coalesce(license_number, number) as number, division
    from licenses where id = ${licenseId} and deleted_at is null for update`);
  if (!license) throw refuse('not_found');
  if (!ORDERED_IN.includes(license.phase)) {
    throw conflict('sales_order.license_phase', 'Materials are ordered from the signature to the end of the run.');
  }
  const days = new Map<string | null, Map<string, number>>();
  for (const line of await wantedOf(ctx, licenseId)) {
    const day = lineShipsOn(line, license.first_performance_on, license.ship_on);
    const parcel = days.get(day) ?? days.set(day, new Map()).get(day)!;
    parcel.set(line.item_number, (parcel.get(line.item_number) ?? 0) + line.quantity);
  }
  if (days.size === 0) {
    throw conflict('sales_order.nothing_left', spell`Everything that is sent for this license is ordered already.`);
  }
  const inOrder = [...days].sort(([a], [b]) => (a ?? '9999').localeCompare(b ?? '9999'));
  const ids: number[] = [];
  const note = why ?? spellIn(documentLanguage(license.division))`Drafted from the materials of license ${
    license.number}`;
  for (const [day, parcel] of inOrder) {
    ids.push(await draftOrder(ctx, { kind: 'license', customer_id: license.customer_id, license_id: licenseId,
      ...(day === null ? {} : { ship_on: day }),
      lines: [...parcel].map(([code, quantity]) => ({ code, quantity })) }, note));
  }
  return ids;
}

/** An order that was drafted by itself: what is announced of it. */
export interface DraftedOrder {
  number: string;
  pieces: number;
  ship_on: string | null;
  /** Null where nothing of it is rented. */
  return_due_on: string | null;
}

interface Unasked {
  orders: readonly DraftedOrder[];
  /** Reason in words for staff; null where nothing is left to order. */
  problem: string | null;
}

/**
 * Orders what the licence sends, as {@link orderLicense} does, where nobody waits for the answer: nothing to order is
 * no refusal, and what is refused leaves nothing behind.
 */
export async function orderUnasked(ctx: WorkContext, licenseId: number, why: string): Promise<Unasked> {
  if ((await wantedOf(ctx, licenseId)).length === 0) return { orders: [], problem: null };
  await ctx.db.exec(sql`savepoint unasked_order`);
  const answer = await attempt(ctx, licenseId, why);
  await ctx.db.exec(answer.problem === null ? sql`release savepoint unasked_order`
    : sql`rollback to savepoint unasked_order`);
  return answer;
}

async function attempt(ctx: WorkContext, licenseId: number, why: string): Promise<Unasked> {
  try {
    const drafted = await draftedOf(ctx, await orderLicense(ctx, licenseId, why));
    return drafted.every((one) => one.addressed) ? { orders: drafted.map((one) => one.order), problem: null }
      : { orders: [], problem: 'The customer has no address to ship to. Add one, then order the materials.' };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { orders: [], problem: Object.values(error.errors ?? {})[0]?.[0] ?? error.message };
  }
}

async function draftedOf(ctx: WorkContext, ids: number[]): Promise<{ order: DraftedOrder; addressed: boolean }[]> {
  const rows = await ctx.db.query<DraftedOrder & { addressed: boolean }>(sql`
    select o.number, sum(l.quantity)::int as pieces, o.ship_on, o.ship_to is not null as addressed,
      case when bool_or(l.return_required) then o.return_due_on end as return_due_on
    from sales_orders o join sales_order_lines l on l.sales_order_id = o.id where o.id = any (${ids}::bigint[])
    group by o.id order by o.id`);
  return rows.map(({ addressed, ...order }) => ({ order, addressed }));
}

/** Lines of the licence that go through the warehouse, less what its orders name; the first lines are met first. */
async function wantedOf(ctx: WorkContext, licenseId: number): Promise<RequestedItem[]> {
  const lines = await ctx.db.query<RequestedItem>(sql`
    select t.material_id, m.item_number, t.quantity, t.ship_group, t.lead_days
    from license_materials t join materials m on m.id = t.material_id
    where t.license_id = ${licenseId} and t.fulfilment = 'physical' and t.type <> 'service' order by t.sort, t.id`);
  const ordered = await ctx.db.query<{ material_id: number; quantity: number }>(sql`
    select l.material_id, sum(l.quantity - l.qty_cancelled)::int as quantity from sales_orders o
      join sales_order_lines l on l.sales_order_id = o.id
    where o.license_id = ${licenseId} and o.status <> 'cancelled' and l.material_id is not null
    group by l.material_id`);
  const met = new Map(ordered.map((one) => [one.material_id, one.quantity]));
  return lines.flatMap((line) => {
    const already = Math.min(met.get(line.material_id) ?? 0, line.quantity);
    met.set(line.material_id, (met.get(line.material_id) ?? 0) - already);
    return already === line.quantity ? [] : [{ ...line, quantity: line.quantity - already }];
  });
}
