/** The payments that a bank's answer speaks of, in whichever run they were sent. */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { AnswerEntry } from './read-answer.server.ts';

/** A payment as a run sent it, under the id that the file of the run gave it. */
export interface Sent { run_id: number; payment_id: number; item_id: string; reference: string; exported_on: string;
  amount_minor: number; currency: string }

/** The latest first: a refund that came back may have been sent again by another run. */
async function sentUnder(ctx: WorkContext, ids: readonly string[]): Promise<Sent[]> {
  const names = (reference: Sql): Sql => sql`(${reference} = any (${ids}::text[])
    or (${reference} <> '' and replace(p.number, '-', '') = any (${ids}::text[])))`;
  return ctx.db.query<Sent>(sql`
    select n.id as run_id, s.payment_id, s.item_id, s.reference, s.amount_minor, n.currency,
      (n.exported_at at time zone 'utc')::date as exported_on
    from (select p.payment_run_id as run_id, p.id as payment_id, replace(p.number, '-', '') as item_id,
        p.bank_reference as reference, p.amount_minor
      from payments p where p.payment_run_id is not null and ${names(sql`p.bank_reference`)}
      union all select x.payment_run_id, p.id, replace(p.number, '-', ''), x.bank_reference, x.amount_minor
      from payment_run_exits x join payments p on p.id = x.payment_id
      where x.is_sent and (p.payment_run_id is distinct from x.payment_run_id or p.bank_reference = '')
        and ${names(sql`x.bank_reference`)}) s
      join payment_runs n on n.id = s.run_id and n.file_id is not null
    order by n.exported_at desc, n.id desc, s.payment_id`);
}

/** Payments by entry; null: none of ours, or one that cannot be told from another. */
export async function findSent(ctx: WorkContext, entries: readonly AnswerEntry[]): Promise<(Sent | null)[]> {
  const ids = [...new Set(entries.flatMap((one) => [one.trace.trim(), one.item_id.trim()]))].filter(Boolean);
  const sent = await sentUnder(ctx, ids);
  const byReference = Map.groupBy(sent, (one) => one.reference);
  const byItem = Map.groupBy(sent, (one) => one.item_id);
  return entries.map((entry) => {
    const fitting = (found: readonly Sent[] = []): Sent[] => found.filter((one) => fits(entry, one));
    const [trace, item] = [entry.trace.trim(), entry.item_id.trim()];
    const traced = trace === '' ? [] : fitting(byReference.get(trace));
    const both = traced.find((one) => one.item_id === item);
    // Trace numbers begin anew some day; alone they decide only where one payment has the number.
    return both ?? fitting(byItem.get(item))[0] ?? fitting(byReference.get(item))[0]
      ?? (new Set(traced.map((one) => one.payment_id)).size === 1 ? traced[0]! : null);
  });
}

/**
 * Ids of other houses may look like ours. An entry fits in currency and amount (a return may have lost a fee; one of
 * nothing is that of a prenote), and was not booked before the file was written: a second reading of an old return
 * leaves what was sent since.
 */
function fits({ verdict, amount_minor: minor, currency }: AnswerEntry, sent: Sent): boolean {
  if (currency !== null && currency !== sent.currency) return false;
  if (minor !== null && (verdict.outcome === 'settled' ? minor !== sent.amount_minor
    : minor === 0 || minor > sent.amount_minor)) return false;
  return verdict.on === null || dayBefore(sent.exported_on) <= verdict.on;
}

/** The export's day is that of UTC, the booking's that of the bank. */
const dayBefore = (day: string): string => addDays(day, -1);
