/**
 * Time-driven steps of licenses (domain.md 1.1 edges 5, 10, 12-14): offers lapse, runs open and end, unpaid licenses
 * raise the alarm, settled ones close. Idempotent: every step reads the license again under its lock.
 */
import { addDays, dateFor } from '#kernel/calendar/calendar.ts';
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { spellIn } from '#kernel/text/english.ts';
import { releaseForPerformance, returnDeposits } from '#modules/receivables/receivables.public.server.ts';
import { runBatch } from '#server/batch.ts';
import type { WorkContext } from '#server/context.ts';
import type { Db, Queryable } from '#server/db.ts';
import { sql, type Sql } from '#server/sql.ts';
import { expireApplication, silentApplications } from '../../applications/move-application.server.ts';
import { refreshChecklist } from '../../checklist/refresh-checklist.server.ts';
import { billInstalments, billRest, billWaiting, voidBilling, WAITS_FOR_WAY } from '../billing/billing.server.ts';
import { closeLicense } from './close-license.server.ts';
import { returnsAndSettlement } from '../license-dates.server.ts';
import { factsOf } from './license-facts.server.ts';
import { lockLicense, type License } from '../license-record.server.ts';
import { SYSTEM } from './mover.server.ts';
import { askStaff, mailCustomer } from './notify.server.ts';
import { voidOfferDocuments } from '../quote/send-offer.server.ts';
import { moveLicense } from './transition.server.ts';

export interface ClockRun {
  expired: number;
  opened: number;
  ended: number;
  closed: number;
  performed: number;
  billed: number;
  alarms: number;
  applications_expired: number;
  /** Licences whose step was refused; the reason is logged and a person looks. */
  failed: number;
}

type Count = Exclude<keyof ClockRun, 'failed'>;
type Step = (ctx: WorkContext, license: License) => Promise<Partial<Record<Count, number>>>;

/**
 * Moves every licence whose day has come. `today` only narrows the search; what happens is decided by the clock of the
 * context and the day at the venue. On the pool each licence gets a transaction of its own; inside one, all share it.
 */
export async function runLicenseClocks(ctx: WorkContext, today: string): Promise<ClockRun> {
  const run: ClockRun = { expired: 0, opened: 0, ended: 0, closed: 0, performed: 0, billed: 0, alarms: 0,
    applications_expired: 0, failed: 0 };
  const now = ctx.now().toISOString();
  // The venue's day may be ahead of the division's by one.
  const soon = addDays(today, 1);
  const steps: [Sql, Step][] = [
    [sql`phase = 'sent' and offer_expires_at < ${now}`, expireOffer],
    [sql`phase = 'accepted' and (pay_by < ${soon} or first_performance_on <= ${soon})`, chaseUnpaid],
    [sql`exists (select 1 from tasks t where t.license_id = licenses.id and t.kind = ${WAITS_FOR_WAY}
      and t.status = 'open')`, async (own, license) => ({ billed: await billWaiting(own, license) })],
    [sql`not postponed and phase in ('licensed', 'in_production')
      and (ship_on <= ${soon} or first_performance_on <= ${soon})
      and exists (select 1 from license_instalments i where i.license_id = licenses.id and i.status = 'planned'
        and not i.is_deposit and i.amount_minor > 0 and i.due_event in ('shipment', 'opening'))`, billDue],
    [sql`not postponed and phase = 'licensed' and first_performance_on <= ${soon}`, openRun],
    [sql`not postponed and phase = 'in_production'`, playRun],
    [sql`phase = 'settlement' and exists (select 1 from license_instalments i where i.license_id = licenses.id
      and i.amount_minor > 0 and i.invoice_id is null)`, billSettlement],
    [sql`phase = 'settlement' and settlement_due_on < ${soon}`, tryClose],
  ];
  for (const [condition, step] of steps) await everyLicense(ctx, condition, step, run);
  const silent = await silentApplications(ctx, today);
  run.failed += await eachAlone(ctx, silent, async (own, { id }) => {
    await expireApplication(own, id, SYSTEM);
    run.applications_expired += 1;
  });
  return run;
}

async function everyLicense(ctx: WorkContext, condition: Sql, step: Step, run: ClockRun): Promise<void> {
  const due = await ctx.db.query<{ id: number }>(sql`
    select id from licenses where deleted_at is null and ${condition} order by id`);
  run.failed += await eachAlone(ctx, due, async (own, { id }) => {
    const done = await step(own, await lockLicense(own.db, id, null));
    for (const [key, count] of Object.entries(done)) run[key as Count] += count;
  });
}

/** Each in its own transaction where there is none yet, else all in the one there is. Answers how many failed. */
async function eachAlone(
  ctx: WorkContext, rows: readonly { id: number }[], work: (own: WorkContext, row: { id: number }) => Promise<void>,
): Promise<number> {
  if (isPool(ctx.db)) {
    const { failed } = await runBatch({ ...ctx.ports, db: ctx.db }, { job: 'license-clocks', items: rows,
      facts: ({ id }) => ({ id }) }, work);
    return failed;
  }
  for (const row of rows) await work(ctx, row);
  return 0;
}

const isPool = (db: Queryable): db is Db => 'tx' in db;

async function expireOffer(ctx: WorkContext, license: License): ReturnType<Step> {
  if (license.phase !== 'sent') return {};
  const facts = await factsOf(ctx, license);
  if (facts.offer_expired !== true) return {};
  const expired = await moveLicense(ctx, { license, event: 'expire', by: SYSTEM });
  await voidOfferDocuments(ctx, license.id, 'superseded');
  await mailCustomer(ctx, expired, { template: 'quote.expired', subject: `Our offer for ${
    license.title_on_license} has expired`, lines: [`The offer ${license.number} has expired. If you would still like `
    + 'to perform the show, ask us for a new one.'] });
  await refreshChecklist(ctx, license.id);
  return { expired: 1 };
}

/** Nothing paid and time left: it lapses. Partly paid: a task. First performance reached: the alarm, never silence. */
async function chaseUnpaid(ctx: WorkContext, license: License): ReturnType<Step> {
  if (license.phase !== 'accepted') return {};
  const facts = await factsOf(ctx, license);
  if (facts.first_performance_reached === true) return unlicensedPerformance(ctx, license);
  if (facts.pay_by_passed !== true) return {};
  if (waitsForStaff(license, facts)) {
    await askStaff(ctx, license, { kind: 'pay_by_passed', due_on: license.pay_by, priority: 1,
      title: `${license.number} can be issued, the day to do so by has passed` });
    return { alarms: 1 };
  }
  if (facts.nothing_paid === true) {
    const lapsed = await moveLicense(ctx, { license, event: 'expire', by: SYSTEM });
    await voidBilling(ctx, license.id, 'Not paid in time');
    await mailCustomer(ctx, lapsed, { template: 'quote.expired',
      subject: `Your dates for ${license.title_on_license} are free again`,
      lines: [`The offer ${license.number} was signed, but nothing was paid by ${
        dateFor(documentLanguage(license.division), license.pay_by!)}, so it `
        + 'has expired. If you would still like to perform the show, ask us for a new one.'] });
    await refreshChecklist(ctx, license.id);
    return { expired: 1 };
  }
  await askStaff(ctx, license, { kind: 'pay_by_passed', due_on: license.pay_by, priority: 1,
    title: `${license.number} is only partly paid, the day to pay by has passed` });
  return { alarms: 1 };
}

/** The customer has done all that the contract asks for: without money before issue it does not lapse. */
const waitsForStaff = (license: License, facts: Awaited<ReturnType<typeof factsOf>>): boolean =>
  license.execution_policy === 'signature_only'
  || (license.execution_policy === 'purchase_order' && facts.purchase_order_on_file === true);

async function unlicensedPerformance(ctx: WorkContext, license: License): ReturnType<Step> {
  await askStaff(ctx, license, { kind: 'unlicensed_performance', priority: 1, due_on: license.first_performance_on,
    title: `${license.number}: the first performance is reached and the license is not valid` });
  if (license.on_hold) return { alarms: 0 };
  await ctx.db.exec(sql`
    update licenses set on_hold = true, hold_reason = 'First performance reached without a valid licence',
      version = version + 1 where id = ${license.id}`);
  const spell = spellIn(documentLanguage(license.division));
  await mailCustomer(ctx, license, { template: 'license.unlicensed_performance',
    subject: spell`Your license for ${license.title_on_license} is not valid yet`,
    lines: [spell`The first performance is planned for ${
      dateFor(documentLanguage(license.division), license.first_performance_on!)}, and the license `
      + `${license.number} is not valid: its payment has not arrived.`, 'Please call us before you perform.'] });
  return { alarms: 1 };
}

/** Hire before shipment, and what is due at the opening, is invoiced on its day (domain.md 1). */
async function billDue(ctx: WorkContext, license: License): ReturnType<Step> {
  const facts = await factsOf(ctx, license);
  const today = await ctx.today(license.division);
  const events = [...license.ship_on !== null && license.ship_on <= today ? ['shipment'] : [],
    ...facts.first_performance_reached === true ? ['opening'] : []];
  return { billed: events.length === 0 ? 0 : await billInstalments(ctx, license, events) };
}

async function billSettlement(ctx: WorkContext, license: License): ReturnType<Step> {
  return license.phase === 'settlement' ? { billed: await billRest(ctx, license) } : {};
}

async function openRun(ctx: WorkContext, license: License): ReturnType<Step> {
  if (license.phase !== 'licensed') return {};
  const facts = await factsOf(ctx, license);
  if (facts.first_performance_reached !== true) return {};
  const opened = await moveLicense(ctx, { license, event: 'open', by: SYSTEM,
    set: [sql`in_production_at = ${ctx.now().toISOString()}`] });
  if (opened.balance_minor > 0) {
    await askStaff(ctx, opened, { kind: 'unpaid_balance', priority: 1, due_on: license.first_performance_on,
      title: `${numbersInWords(license)} opens with an unpaid balance` });
  }
  return { opened: 1 };
}

/** Yesterday's performances were held: their income is earned. After the last one the run has ended. */
async function playRun(ctx: WorkContext, license: License): ReturnType<Step> {
  if (license.phase !== 'in_production') return {};
  const held = await ctx.db.query<{ id: number; local_date: string }>(sql`
    update performances p set status = 'performed', version = p.version + 1
    from license_venues v where v.id = p.license_venue_id and p.license_id = ${license.id} and p.status = 'planned'
      and p.local_date < (${ctx.now().toISOString()}::timestamptz at time zone v.time_zone)::date
    returning p.id, p.local_date`);
  held.sort((a, b) => (a.local_date < b.local_date ? -1 : 1));
  for (const row of held) await releaseForPerformance(ctx, { performance_id: row.id, on: row.local_date });
  const facts = await factsOf(ctx, license);
  if (facts.last_performance_passed !== true) return { performed: held.length };
  const last = license.last_performance_on!;
  await moveLicense(ctx, { license, event: 'close_run', by: SYSTEM,
    set: [sql`settlement_at = ${ctx.now().toISOString()}`, ...await returnsAndSettlement(ctx, license, last)] });
  await refreshChecklist(ctx, license.id);
  return { performed: held.length, ended: 1 };
}

async function giveDepositBack(ctx: WorkContext, license: License): Promise<void> {
  const returned = await returnDeposits(ctx, { license_id: license.id, on: await ctx.today(license.division) });
  if (returned.length === 0) return;
  const sums = returned.map((one) => formatMoney(one.amount_minor, one.currency)).join(' and ');
  await mailCustomer(ctx, license, { template: 'deposit.settled', subject: `Your deposit for ${
    license.title_on_license}`, lines: [`${numbersInWords(license)} is settled, and nothing is open. `
    + `We will refund your deposit of ${sums} as soon as the payment is approved.`],
  link: { label: 'See your payments', tab: 'invoices' } });
}

/**
 * 35 business days after the last performance: closes by itself when everything is in, else somebody looks. With
 * nothing left to claim the deposit goes back; the refund waits for a person's approval.
 */
async function tryClose(ctx: WorkContext, license: License): ReturnType<Step> {
  if (license.phase !== 'settlement') return {};
  const facts = await factsOf(ctx, license);
  const ready = ['box_office_complete', 'streams_reported', 'returns_closed', 'balance_zero', 'no_dispute']
    .every((name) => facts[name] === true);
  if (ready) {
    if (facts.deposit_settled !== true) await giveDepositBack(ctx, license);
    await closeLicense(ctx, { license_id: license.id, version: null }, SYSTEM);
    return { closed: 1 };
  }
  await askStaff(ctx, license, { kind: 'settlement_due', due_on: license.settlement_due_on, priority: 2,
    title: `${numbersInWords(license)} cannot be settled yet: something is missing` });
  return { alarms: 1 };
}
