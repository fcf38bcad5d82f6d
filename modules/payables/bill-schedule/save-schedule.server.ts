/** Recurring bills are entered, changed, paused, resumed, skipped for a day and ended by people. */
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { dayWithin, positionOn, type RepeatUnit } from '#kernel/calendar/repetition.ts';
import type { WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { sql } from '#server/sql.ts';
import { readyLines, totalsOf } from '../bill/bill-lines.server.ts';
import { refuseTerms, vendorOf } from '../bill/save-bill.server.ts';
import type { BillScheduleChange, BillScheduleInput, ScheduleState } from './bill-schedule.contract.ts';

export interface BillSchedule {
  id: number; name: string; vendor_id: number; division: BillScheduleInput['division'];
  currency: BillScheduleInput['currency']; memo: string; discount_ppm: number; discount_days: number;
  every_count: number; every_unit: RepeatUnit; starts_on: string; ends_on: string | null; times: number | null;
  status: ScheduleState; position: number; made_count: number; next_on: string | null; last_on: string | null;
  failure: string | null; created_by_id: number | null; last_changed_by_id: number | null; version: number;
}

/** 404 where it is not there, 412 where another version was seen. */
export async function lockSchedule(ctx: WorkContext, id: number, version: number | null): Promise<BillSchedule> {
  await ctx.db.exec(sql`select 1 from bill_schedules where id = ${id} for update`);
  const row = await ctx.db.maybeOne<BillSchedule>(sql`
    select id, name, vendor_id, division, currency, memo, discount_ppm, discount_days, every_count, every_unit,
      starts_on, ends_on, times, status, position, made_count, next_on, last_on, failure, created_by_id,
      last_changed_by_id, version
    from bill_schedules where id = ${id}`);
  if (!row) throw refuse('not_found');
  if (version !== null && row.version !== version) throw stale(row);
  return row;
}

/** Refuses a schedule on saving for anything a bill of that day would be refused for. */
async function checkContents(ctx: WorkContext, of: Omit<BillScheduleInput, 'name' | 'memo'>): Promise<void> {
  const vendor = await vendorOf(ctx, of.vendor_id);
  if (!vendor.active) throw invalidField('vendor_id', 'This vendor is inactive');
  refuseTerms({ ...of, kind: 'bill' });
  const { net_minor, tax_minor } = totalsOf(await readyLines(ctx, { ...of, billed_on: of.starts_on },
    of.lines.map((line) => ({ ...line, goods_receipt_line_id: null }))));
  if (net_minor + tax_minor <= 0) throw invalidField('lines', 'The lines come to nothing. Enter an amount');
  if (of.ends_on !== null && of.times !== null) {
    throw invalidField('times', 'Enter either the last day or a number of times');
  }
  if (of.ends_on !== null && of.ends_on < of.starts_on) {
    throw invalidField('ends_on', 'The last day is before the first');
  }
}

async function insertLines(ctx: WorkContext, id: number, lines: BillScheduleInput['lines']): Promise<void> {
  for (const [k, line] of lines.entries()) {
    await ctx.db.exec(sql`
      insert into bill_schedule_lines (bill_schedule_id, sort, ledger_account_id, description, net_minor, tax_code_id,
        jurisdiction, rate_ppm, tax_minor, show_id, license_id, material_id, quantity)
      values (${id}, ${k + 1}, ${line.ledger_account_id}, ${line.description}, ${line.net_minor}, ${line.tax_code_id},
        ${line.jurisdiction}, ${line.rate_ppm}, ${line.tax_minor}, ${line.show_id}, ${line.license_id},
        ${line.material_id}, ${line.quantity})`);
  }
}

export async function enterSchedule(ctx: WorkContext, input: BillScheduleInput): Promise<number> {
  const today = await ctx.today(input.division);
  if (input.starts_on < today) throw invalidField('starts_on', `Enter ${dateInWords(today)} or a later day`);
  await checkContents(ctx, input);
  const actor = ctx.actor.actor_id;
  const { id } = await ctx.db.one<{ id: number }>(sql`
    insert into bill_schedules (name, vendor_id, division, currency, memo, discount_ppm, discount_days, every_count,
      every_unit, starts_on, ends_on, times, next_on, created_by_id, last_changed_by_id)
    values (${input.name}, ${input.vendor_id}, ${input.division}, ${input.currency}, ${input.memo},
      ${input.discount_ppm}, ${input.discount_days}, ${input.every_count}, ${input.every_unit}, ${input.starts_on},
      ${input.ends_on}, ${input.times}, ${input.starts_on}, ${actor}, ${actor}) returning id`);
  await insertLines(ctx, id, input.lines);
  await ctx.audit({ action: 'create', entity: 'bill_schedule', entity_id: id, after: input });
  return id;
}

/** The place of the next day after a change: where it was, or counted anew from another first day. */
async function placeOf(ctx: WorkContext, before: BillSchedule, change: BillScheduleChange): Promise<number> {
  const same = before.starts_on === change.starts_on && before.every_count === change.every_count
    && before.every_unit === change.every_unit;
  if (same) return before.position;
  if (before.last_on !== null && change.starts_on <= before.last_on) {
    throw invalidField('starts_on', `The bill of ${dateInWords(before.last_on)} is done. Enter a later day`);
  }
  const today = await ctx.today(before.division);
  if (change.starts_on < today && change.starts_on !== before.starts_on) {
    throw invalidField('starts_on', `Enter ${dateInWords(today)} or a later day`);
  }
  return 0;
}

/** For the drafts to come; what was made stays as it is. */
export async function changeSchedule(ctx: WorkContext, id: number, change: BillScheduleChange): Promise<void> {
  const before = await lockSchedule(ctx, id, change.version);
  refuseUnless(before, ['active', 'paused']);
  const { version: _version, lines, ...rest } = change;
  const position = await placeOf(ctx, before, change);
  await checkContents(ctx, { ...change, division: before.division });
  const next = dayWithin(change, position, { ...change, made: before.made_count });
  if (next === null) {
    throw invalidField(change.times === null ? 'ends_on' : 'times', 'No day is left. End the recurring bill instead');
  }
  await ctx.db.exec(sql`
    update bill_schedules set name = ${rest.name}, vendor_id = ${rest.vendor_id}, currency = ${rest.currency},
      memo = ${rest.memo}, discount_ppm = ${rest.discount_ppm}, discount_days = ${rest.discount_days},
      every_count = ${rest.every_count}, every_unit = ${rest.every_unit}, starts_on = ${rest.starts_on},
      ends_on = ${rest.ends_on}, times = ${rest.times}, position = ${position}, next_on = ${next}, failure = null,
      last_changed_by_id = ${ctx.actor.actor_id}, version = version + 1 where id = ${id}`);
  await ctx.db.exec(sql`delete from bill_schedule_lines where bill_schedule_id = ${id}`);
  await insertLines(ctx, id, lines);
  await ctx.audit({ action: 'update', entity: 'bill_schedule', entity_id: id, before, after: { ...rest, lines } });
}

const STATES: Readonly<Record<ScheduleState, string>> = { active: 'active', paused: 'paused', ended: 'over' };

function refuseUnless(schedule: BillSchedule, states: readonly ScheduleState[]): void {
  if (!states.includes(schedule.status)) {
    throw conflict('bill_schedule.status', `${schedule.name} is ${STATES[schedule.status]}.`);
  }
}

export async function pauseSchedule(ctx: WorkContext, id: number, version: number): Promise<void> {
  refuseUnless(await lockSchedule(ctx, id, version), ['active']);
  await ctx.db.exec(sql`
    update bill_schedules set status = 'paused', failure = null, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'pause', entity: 'bill_schedule', entity_id: id });
}

/** From today: days of the pause are left out. */
export async function resumeSchedule(ctx: WorkContext, id: number, version: number): Promise<void> {
  const schedule = await lockSchedule(ctx, id, version);
  refuseUnless(schedule, ['paused']);
  const position = positionOn(schedule, schedule.position, await ctx.today(schedule.division));
  const next = dayWithin(schedule, position, { ...schedule, made: schedule.made_count });
  if (next === null) {
    throw conflict('bill_schedule.over', `${schedule.name} has no day left. Change its last day first, or end it.`);
  }
  await ctx.db.exec(sql`
    update bill_schedules set status = 'active', position = ${position}, next_on = ${next}, version = version + 1
    where id = ${id}`);
  await ctx.audit({ action: 'resume', entity: 'bill_schedule', entity_id: id, after: { next_on: next } });
}

export async function endSchedule(ctx: WorkContext, id: number, version: number): Promise<void> {
  refuseUnless(await lockSchedule(ctx, id, version), ['active', 'paused']);
  await ctx.db.exec(sql`
    update bill_schedules set status = 'ended', next_on = null, failure = null, version = version + 1
    where id = ${id}`);
  await ctx.audit({ action: 'end', entity: 'bill_schedule', entity_id: id });
}

export async function skipDay(ctx: WorkContext, id: number, version: number): Promise<void> {
  const schedule = await lockSchedule(ctx, id, version);
  refuseUnless(schedule, ['active']);
  const on = schedule.next_on!;
  await finishDay(ctx, schedule, null);
  await ctx.audit({ action: 'skip', entity: 'bill_schedule', entity_id: id, after: { on } });
}

/** The next day is done, by its draft or skipped (null); the one after it is next, or the schedule is over. */
export async function finishDay(ctx: WorkContext, schedule: BillSchedule, billId: number | null): Promise<void> {
  await ctx.db.exec(sql`
    insert into bill_schedule_days (bill_schedule_id, due_on, bill_id, is_skipped)
    values (${schedule.id}, ${schedule.next_on}, ${billId}, ${billId === null})`);
  const made = schedule.made_count + (billId === null ? 0 : 1);
  const next = dayWithin(schedule, schedule.position + 1, { ...schedule, made });
  await ctx.db.exec(sql`
    update bill_schedules set position = position + 1, made_count = ${made}, last_on = next_on, next_on = ${next},
      status = ${next === null ? 'ended' : 'active'}, failure = null, version = version + 1 where id = ${schedule.id}`);
}
