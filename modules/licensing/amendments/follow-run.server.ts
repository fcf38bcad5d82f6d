/** Materials follow a run that an amendment has moved: the days on which they leave, and on which they are due back. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { MATERIALS_LEAD_DAYS, movedShipOn, returnsDueOn } from '#kernel/licensing/clocks.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { downloadsOf } from '#modules/catalogue/catalogue.public.server.ts';
import { moveReturns, moveShipping, piecesLeft } from '#modules/stock/stock.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../licenses/license-record.server.ts';

/** Sentence for the customer; null where nothing that is still to leave leaves on another day. */
export async function followRun(ctx: WorkContext, before: License, after: License): Promise<string | null> {
  const { id, division } = before;
  if (before.last_performance_on !== null && after.last_performance_on !== null) {
    await moveReturns(ctx, id, { from: returnsDueOn(before.last_performance_on, division),
      to: returnsDueOn(after.last_performance_on, division) });
  }
  const ship_on = await movedShipDay(ctx, before, after);
  const days = await moveShipping(ctx, id, { opening: before.first_performance_on, ship_on: before.ship_on },
    { opening: after.first_performance_on, ship_on });
  const words = days.map((day) => dateFor(documentLanguage(division), day));
  return words.length === 0 ? null : `We now plan to ship your materials on ${words.join(' and ')}.`;
}

/** Once something has left the day stays: files that are open do not close again, and their rental has begun. */
async function movedShipDay(ctx: WorkContext, before: License, after: License): Promise<string | null> {
  const { id, division, ship_on } = before;
  const first = after.first_performance_on;
  if (ship_on === null || first === null || first === before.first_performance_on) return ship_on;
  const { sent } = await ctx.db.one<{ sent: boolean }>(sql`select ${piecesLeft(sql`${id}`)} as sent`);
  if (sent || (await downloadsOf(ctx, { license_id: id, sales_order_id: null })).length > 0) return ship_on;
  const moved = movedShipOn(ship_on, first, MATERIALS_LEAD_DAYS[division], await ctx.today(division));
  // The day to pay stays as the papers have it; a reason that is not true any more is not given.
  await ctx.db.exec(sql`
    update licenses set ship_on = ${moved},
      pay_by_ships_on = null, pay_by_reason = case when pay_by_reason in ('signed', 'soon') then pay_by_reason end
    where id = ${id}`);
  return moved;
}
