/** Executing a licence orders its materials; what stands in the way holds nothing up and is noted for staff. */
import { dateFor, type IsoDate } from '#kernel/calendar/calendar.ts';
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { spellIn } from '#kernel/text/english.ts';
import { fillDays, orderUnasked, type DraftedOrder } from '#modules/stock/stock.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { refreshChecklist } from '../checklist/refresh-checklist.server.ts';
import type { License } from '../licenses/license-record.server.ts';
import { writeLicenseEvent } from '../licenses/phase/license-event.server.ts';
import { NOT_ORDERED, setMissing, setProblem } from './set-missing.server.ts';

export interface Ordering {
  /** Sentence for the customer; null where nothing was ordered. */
  sentence: string | null;
  /** Fault that staff have to put right before it can be ordered; null where nothing is left to order. */
  problem: string | null;
}

const EVENTS = ['order_materials', NOT_ORDERED];

/**
 * Orders what is sent and is on no order yet, and writes it into the history of the licence; what was ordered before
 * gets its days. `missing`: why its set could not be attached, null where it was.
 */
export async function orderMaterials(ctx: WorkContext, license: License, missing: string | null): Promise<Ordering> {
  await fillDays(ctx, license.id);
  const language = documentLanguage(license.division);
  const { orders, problem: unordered } = await orderUnasked(ctx, license.id,
    spellIn(language)`Drafted when license ${numbersInWords(license)} was executed`);
  const day = (date: IsoDate): string => dateFor(language, date);
  const problem = missing ?? unordered;
  if (problem !== null) {
    await writeLicenseEvent(ctx, { license_id: license.id, event: NOT_ORDERED, reason: problem,
      ...missing === null ? {} : { details: { set: 'missing' } } });
  }
  if (orders.length === 0) return { sentence: null, problem };
  await writeLicenseEvent(ctx, { license_id: license.id, event: 'order_materials', reason: orderedWords(orders, day),
    details: { orders } });
  return { sentence: sentenceOf(orders, day), problem };
}

type Day = (date: IsoDate) => string;

/** 'SO-1001: 20 pieces, ships December 31, 2026. Due back by March 20, 2027.' */
function orderedWords(orders: readonly DraftedOrder[], day: Day): string {
  const each = orders.map(({ number, pieces, ship_on: ships }) =>
    `${number}: ${pieces} ${pieces === 1 ? 'piece' : 'pieces'}${ships === null ? '' : `, ships ${day(ships)}`}`);
  const back = backOf(orders);
  return [each.join('; '), ...back === null ? [] : [`Due back by ${day(back)}`]].map((part) => `${part}.`).join(' ');
}

function sentenceOf(orders: readonly DraftedOrder[], day: Day): string {
  const days = [...new Set(orders.flatMap((order) => order.ship_on ?? []))].map(day);
  const back = backOf(orders);
  return ['Your materials are ordered.',
    ...days.length === 0 ? [] : [`We plan to ship them on ${days.join(' and ')}.`],
    ...back === null ? [] : [`Return what is rented by ${day(back)}.`]].join(' ');
}

const backOf = (orders: readonly DraftedOrder[]): IsoDate | null =>
  orders.flatMap((order) => order.return_due_on ?? []).toSorted().at(-1) ?? null;

/** Why its materials could not be ordered, beside the item of the checklist and the task on Home. */
export async function noteOrdering(db: Queryable, licenseId: number, problem: string | null): Promise<void> {
  if (problem === null) return;
  await db.exec(sql`update license_checklist_items set note = ${problem}, version = version + 1
    where license_id = ${licenseId} and key = 'materials_ordered' and status = 'open'`);
}

/** Somebody has given the licence materials, or taken them off: the checklist follows. */
export async function followMaterials(ctx: WorkContext, licenseId: number): Promise<void> {
  const id = sql`${licenseId}`;
  await ctx.db.exec(sql`update license_checklist_items set note = '', version = version + 1
    where license_id = ${id} and key = 'materials_ordered' and status = 'open' and note = ${setProblem(id)}
      and not ${setMissing(id)}`);
  await refreshChecklist(ctx, licenseId);
}

/** Orders that executing has made, or why it could not, in words for staff; null where nothing is sent. */
export async function orderedAtExecution(db: Queryable, licenseId: number): Promise<string | null> {
  const row = await db.maybeOne<{ event: string; reason: string }>(sql`
    select event, reason from license_events where license_id = ${licenseId} and event = any (${EVENTS})
      and id > (select max(id) from license_events where license_id = ${licenseId} and event = 'execute')
    order by id desc limit 1`);
  return row && (row.event === 'order_materials' ? `Materials ordered. ${row.reason}`
    : `Materials not ordered: ${row.reason}`);
}
