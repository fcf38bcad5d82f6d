/** Days on which a rail does not settle although no rule of its own says so. */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import { holidaysOf } from '#modules/taxation/taxation.public.server.ts';
import type { WorkContext } from '#server/context.ts';

/** A value date may be read again after its day; no file is handed in more than this many days before it. */
const BACK_DAYS = 31;

/**
 * For BACS the holidays that are entered for the division UK: a bank holiday that is proclaimed once has no rule in
 * `rail-days.ts`. None for the other rails: the Federal Reserve and TARGET proclaim no days, and are open on public
 * holidays that the divisions keep (the Friday before a Fourth of July on a Saturday, St Patrick's Day).
 */
export function extraHolidays(ctx: Pick<WorkContext, 'db'>, method: PayoutMethod, on: string): Promise<string[]> {
  return method === 'bacs' ? holidaysOf(ctx, 'UK', addDays(on, -BACK_DAYS)) : Promise.resolve([]);
}
