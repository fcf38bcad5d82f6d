/**
 * Drafts of recurring bills on their days. A day is made once: it is claimed in the transaction that makes its draft,
 * under the lock of its schedule, and its row is unique. A failure keeps the day and says why.
 */
import { AppError } from '#kit/errors.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { runEach } from '#server/batch.ts';
import { workContext, type Ports, type WorkContext } from '#server/context.ts';
import { divisionDay } from '#server/division-day.ts';
import { sql } from '#server/sql.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { enterBill } from '../bill/save-bill.server.ts';
import { finishDay, lockSchedule, type BillSchedule } from './save-schedule.server.ts';
import { scheduleLines } from './schedule-rows.server.ts';

/** Drafts of one schedule in one run: a server that stood still for a year catches up with its weeks. */
const MOST_AT_ONCE = 60;
const SCHEDULES = '/admin/accounting/recurring-bills';

/** `make-recurring-bills` of apps/server/src/jobs.ts. Answers how many drafts it made. */
export async function makeRecurringBills(ports: Ports): Promise<number> {
  const due = await ports.db.query<{ id: number }>(sql`
    select t.id from bill_schedules t where t.status = 'active'
      and t.next_on <= ${divisionDay(ports.clock.now(), sql`t.division`)} order by t.next_on, t.id`);
  const { done } = await runEach(ports, { job: 'make-recurring-bills', items: due,
    facts: ({ id }) => ({ bill_schedule: id }) }, async ({ id }) => {
    let made = 0;
    try {
      while (made < MOST_AT_ONCE && await ports.db.tx((tx) =>
        makeNext(workContext(ports, tx, SYSTEM_ACTOR), id))) made += 1;
    } catch (error) {
      await ports.db.tx((tx) => keepFailure(workContext(ports, tx, SYSTEM_ACTOR), id, error));
      throw error;
    }
    return made;
  });
  return done;
}

/** The draft of the next day; false where none is due any more. */
async function makeNext(ctx: WorkContext, id: number): Promise<boolean> {
  const schedule = await lockSchedule(ctx, id, null);
  const on = schedule.next_on;
  if (schedule.status !== 'active' || on === null || on > await ctx.today(schedule.division)) return false;
  const alike = await makeDraft(ctx, schedule, on);
  await tell(ctx, schedule, { title: `${schedule.name}: the bill of ${dateInWords(on)} is a draft`,
    body: alike.words, href: `/admin/accounting/bills/${alike.bill_id}`, key: `made/${on}` });
  return true;
}

/** One that looks like a bill that is here already is made all the same, and the notice says so. */
async function makeDraft(ctx: WorkContext, schedule: BillSchedule, on: string):
Promise<{ bill_id: number; words: string }> {
  const input = { kind: 'bill' as const, vendor_id: schedule.vendor_id, vendor_number: '',
    division: schedule.division, currency: schedule.currency, billed_on: on, discount_ppm: schedule.discount_ppm,
    discount_days: schedule.discount_days, over_received_confirmed: false, memo: schedule.memo,
    lines: await scheduleLines(ctx, schedule.id) };
  const by = { entered_by_id: schedule.created_by_id, last_changed_by_id: schedule.last_changed_by_id };
  let words = '';
  let bill_id: number;
  try {
    bill_id = await enterBill(ctx, { ...input, duplicate_confirmed: false }, null, by);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'bill.likely_duplicate') throw error;
    words = error.message;
    bill_id = await enterBill(ctx, { ...input, duplicate_confirmed: true }, null, by);
  }
  await finishDay(ctx, schedule, bill_id);
  await ctx.audit({ action: 'make_bill', entity: 'bill_schedule', entity_id: schedule.id, after: { on, bill_id } });
  return { bill_id, words };
}

/** In the words of a refusal, those at its fields included. */
function wordsOf(error: unknown): string {
  if (!(error instanceof AppError)) return 'Something went wrong. We try again every hour.';
  const fields = Object.values(error.errors ?? {}).flat();
  return fields.length > 0 ? fields.join('. ') : error.message;
}

async function keepFailure(ctx: WorkContext, id: number, error: unknown): Promise<void> {
  const schedule = await lockSchedule(ctx, id, null);
  if (schedule.status !== 'active' || schedule.next_on === null) return;
  const failure = wordsOf(error).slice(0, 1000);
  if (failure !== schedule.failure) {
    await ctx.db.exec(sql`update bill_schedules set failure = ${failure}, version = version + 1 where id = ${id}`);
  }
  await tell(ctx, schedule, { title: `${schedule.name}: the bill of ${dateInWords(schedule.next_on)} was not made`,
    body: failure, href: `${SCHEDULES}/${id}`, key: `failed/${schedule.next_on}/${failure}` });
}

/** Told once to who made the schedule and who changed it last. */
function tell(ctx: WorkContext, schedule: BillSchedule, notice: { title: string; body: string; href: string;
  key: string }): Promise<number> {
  return notifyStaff(ctx, { ...notice, kind: 'bill.recurring',
    to: [...new Set([schedule.created_by_id, schedule.last_changed_by_id])],
    key: `bill.recurring/${schedule.id}/${notice.key}`.slice(0, 200) });
}
