/**
 * Acceptance: the kernel computes the royalty, what is due is billed, the advance is recouped, all posted in the
 * caller's transaction (accounting.md 2.2, rows 3, 3b, 3r; 11 follows with the money). One report and thousands take
 * the same way. A report that takes the place of an estimate or of an accepted one posts the difference only.
 */
import { billedBasis } from '#kernel/pricing/promise-words.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { max } from '#kernel/money/money.ts';
import { BOX_OFFICE_MACHINE, type BoxOfficeStatus } from '#kernel/licensing/small-machines.ts';
import { decide } from '#kernel/licensing/machine.ts';
import { toJson } from '#kernel/pricing/trace.ts';
import { writeAuditMany } from '#server/audit.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { billReports, type Bill } from './bill-reports.server.ts';
import { unpayable, whatIsMissing, type ReportInvoice } from '#modules/receivables/receivables.public.server.ts';
import { dealsOf, settlementOf, type Deal } from './deal.server.ts';
import { awaitedVenues, historyOf } from './settled-before.server.ts';
import { settleReport, type SettledReport } from './settle-report.server.ts';
import type { SettledBefore } from './takings.ts';
import { loadReports, type LoadedReport } from './load-reports.server.ts';
import { storeWeeks } from './store-weeks.server.ts';

export interface AcceptInput {
  report_id: number;
  /** Accounting date; the division's today where absent. */
  on?: string;
}

/** Accepts one submitted report: 409 with the allowed events in any other state. */
export async function acceptReport(ctx: WorkContext, input: AcceptInput): Promise<void> {
  await acceptReports(ctx, [input.report_id], input.on === undefined ? {} : { on: input.on });
}

/** A report that stays submitted, and why. */
interface RefusedReport { report_id: number; reason: string }

/**
 * Accepts submitted reports in the order of licence, period and id; a few thousand per call is a good size. The
 * results are those of {@link acceptReport} one by one in that order; those whose invoice nobody could pay stay as they
 * are and are answered with the reason.
 */
export async function acceptReportsBulk(
  ctx: WorkContext, reports: readonly { report_id: number }[], options: { on?: string } = {},
): Promise<RefusedReport[]> {
  const blocked = await unpayableReports(ctx, reports.map((one) => one.report_id));
  const refused: RefusedReport[] = [];
  for (const report of blocked) refused.push({ report_id: report.id, reason: await whatIsMissing(ctx, report) });
  const left = new Set(refused.map((one) => one.report_id));
  await acceptReports(ctx, reports.map((one) => one.report_id).filter((id) => !left.has(id)), options);
  return refused;
}

/** Reports that would be billed in a currency that their division cannot be paid in. */
async function unpayableReports(ctx: WorkContext, ids: readonly number[]): Promise<LoadedReport[]> {
  const foreign = await unpayable(ctx, await loadReports(ctx.db, ids));
  if (foreign.length === 0) return [];
  return (await computeReports(ctx, foreign)).filter((one) => one.dueDelta > 0n).map((one) => one.report);
}

export interface Computed {
  report: LoadedReport;
  deal: Deal;
  settled: SettledReport;
  waits: boolean;
  /** Recouped and due in the end, and what of both is new. */
  recouped: bigint;
  earned: bigint;
  recoupedDelta: bigint;
  dueDelta: bigint;
  /** Reports whose minimum need not wait any longer: their week has it now. */
  complete: readonly number[];
}

async function acceptReports(ctx: WorkContext, ids: readonly number[], options: { on?: string }): Promise<void> {
  const reports = await loadReports(ctx.db, ids);
  if (reports.length !== new Set(ids).size) throw refuse('not_found');
  for (const report of reports) {
    refuseWrongState(report, 'accept');
    if (report.held) {
      throw conflict(BOX_OFFICE_MACHINE.conflict_code, 'This report is held. Resolve the hold before you accept it.',
        { allowed: ['query'] });
    }
    if (report.replaced_by_id !== null) {
      throw conflict(BOX_OFFICE_MACHINE.conflict_code, 'Another report is replacing this one.', { allowed: [] });
    }
  }
  const computed = await computeReports(ctx, reports);
  const invoices = await billReports(ctx, computed.map((one) => billOf(one)), options.on);
  await storeComputed(ctx, computed, 'accepted', invoices);
  await auditAll(ctx, computed, 'accept');
}

/** The kernel's decision; a replaced report is history. */
export function refuseWrongState(report: { status: string }, event: 'accept' | 'query' | 'estimate' | 'submit',
  facts: Record<string, boolean> = { no_blocking_exception: true }): void {
  if (report.status === 'replaced') {
    throw conflict(BOX_OFFICE_MACHINE.conflict_code, 'This report was replaced by a later one.', { allowed: [] });
  }
  const decision = decide(BOX_OFFICE_MACHINE, report.status as BoxOfficeStatus, event, facts);
  if (decision.refused) {
    throw conflict(decision.refused.code, decision.refused.message, { allowed: decision.refused.allowed });
  }
}

/**
 * Locks the licences, then settles the reports one after the other: each sees what the ones before it took. The
 * minimum of a week waits while another venue of that week is expected.
 */
export async function computeReports(ctx: WorkContext, reports: readonly LoadedReport[]): Promise<Computed[]> {
  const deals = await dealsOf(ctx.db, reports.map((report) => report.license_id), true);
  const history = await historyOf(ctx.db, reports, deals);
  const awaited = await awaitedVenues(ctx, reports, deals);
  return reports.map((report) => {
    const deal = deals.get(report.license_id);
    if (!deal) throw refuse('not_found');
    const before = history.before(report).filter((one) =>
      one.report_id !== report.id && one.replaced_by_id !== report.id);
    const done = compute(deal, report, before, awaited(report));
    deal.advance_left_minor = max(0n, deal.advance_left_minor - done.recoupedDelta);
    history.add(report, {
      ...report.takings, percentage_minor: done.settled.percentage_minor, earned_minor: done.earned,
      recouped_minor: done.recouped, minimum_waits: done.waits, asked: report.minimum_waits, replaced_by_id: null,
      weeks: done.settled.weeks,
    });
    return done;
  });
}

function compute(
  deal: Deal, report: LoadedReport, before: readonly SettledBefore[], waiting: ReadonlySet<string>,
): Computed {
  const { prior, minimum_waits: asked } = report;
  // Amounts the earlier figures recouped are taken again first: an advance never grows back (2.4).
  const settled = settleReport({ ...deal, advance_left_minor: deal.advance_left_minor + prior.recouped },
    report.takings, before, asked, waiting);
  const recouped = max(prior.recouped, settled.recouped_minor);
  const earned = prior.recouped > 0n && settlementOf(deal) !== 'true_up'
    ? max(settled.earned_minor, recouped) : settled.earned_minor;
  const due = earned - recouped;
  const waits = asked || settled.minimum_waits;
  return { report, deal, settled, waits, recouped, earned, recoupedDelta: recouped - prior.recouped,
    dueDelta: due - prior.due, complete: waits ? [] : completed(settled, before) };
}

/** Reports whose minimum waited and is charged with this one, because it belongs to the same week. */
function completed(settled: SettledReport, before: readonly SettledBefore[]): number[] {
  const weeks = new Set(settled.weeks.map((week) => week.week_on));
  return before.filter((one) => one.minimum_waits && !one.asked && one.weeks.some((week) => weeks.has(week.week_on)))
    .map((one) => one.report_id);
}

/** Figures, trace and state of the reports in one statement; a replaced report steps back. */
export async function storeComputed(
  ctx: WorkContext, list: readonly Computed[], status: 'accepted' | 'estimated',
  invoices: ReadonlyMap<number, ReportInvoice>,
): Promise<void> {
  if (list.length === 0) return;
  const of = <T>(pick: (one: Computed) => T): T[] => list.map(pick);
  const now = ctx.now().toISOString();
  await ctx.db.exec(sql`
    update box_office_reports set status = 'replaced', version = version + 1
    where replaced_by_id = any(${list.filter((one) => one.report.replaces_report_id !== null)
      .map((one) => one.report.id)}::bigint[]) and status <> 'replaced'`);
  await ctx.db.exec(sql`
    update box_office_reports b set status = ${status}, estimated = ${status === 'estimated'}, decided_at = ${now},
      decided_by_id = ${ctx.actor.actor_id}, computed_at = ${now}, rate_ppm = u.rate, vat_minor = u.vat,
      net_minor = u.net, percentage_minor = u.percentage, minimum_minor = u.minimum, earned_minor = u.earned,
      recouped_minor = u.recouped, due_minor = u.due, minimum_pending = u.waits, trace = u.trace,
      invoice_id = coalesce(b.invoice_id, u.invoice_id), transaction_id = coalesce(b.transaction_id, u.transaction_id),
      version = b.version + 1
    from unnest(${of((c) => c.report.id)}::bigint[], ${of((c) => Number(c.deal.rate_ppm))}::int[],
      ${of((c) => Number(c.settled.vat_minor))}::bigint[], ${of((c) => Number(c.settled.net_minor))}::bigint[],
      ${of((c) => Number(c.settled.percentage_minor))}::bigint[],
      ${of((c) => Number(c.settled.minimum_minor))}::bigint[], ${of((c) => Number(c.earned))}::bigint[],
      ${of((c) => Number(c.recouped))}::bigint[],
      ${of((c) => Number(c.report.replaces_report_id === null ? c.earned - c.recouped : c.dueDelta))}::bigint[],
      ${of((c) => c.waits)}::boolean[], ${of((c) => JSON.stringify(toJson(c.settled.trace)))}::jsonb[],
      ${of((c) => invoices.get(c.report.id)?.invoice_id ?? null)}::bigint[],
      ${of((c) => invoices.get(c.report.id)?.transaction_id ?? null)}::bigint[])
      u (id, rate, vat, net, percentage, minimum, earned, recouped, due, waits, trace, invoice_id, transaction_id)
    where b.id = u.id`);
  await storeWeeks(ctx.db, list.map((one) => ({ report_id: one.report.id, license_id: one.report.license_id,
    weeks: one.settled.weeks })));
  const complete = list.flatMap((one) => one.complete);
  if (complete.length > 0) {
    await ctx.db.exec(sql`update box_office_reports set minimum_pending = false, version = version + 1
      where id = any(${complete}::bigint[]) and minimum_pending`);
  }
}

/** Amount billed or credited for a report, and the part of the advance it uses up. */
export function billOf(one: Computed): Bill {
  const { report, deal, settled } = one;
  return { report, deal, due_minor: one.dueDelta, recouped_minor: one.recoupedDelta,
    ...settlementOf(deal) === 'true_up' ? {} : { basis: billedBasis({ gross_minor: report.takings.gross_minor,
      base_minor: settled.net_minor, rate_ppm: deal.rate_ppm, stepped: deal.gross_tiers.length > 0,
      percentage_minor: settled.percentage_minor, minimum_minor: settled.minimum_minor,
      recouped_minor: one.recoupedDelta, corrects: report.replaces_report_id !== null }) } };
}

export async function auditAll(ctx: WorkContext, list: readonly Computed[], action: string): Promise<void> {
  if (list.length === 1) {
    const { report, earned, recouped, dueDelta } = list[0]!;
    await ctx.audit({ action, entity: 'box_office_report', entity_id: report.id, after: {
      earned_minor: Number(earned), recouped_minor: Number(recouped), billed_minor: Number(dueDelta) } });
    return;
  }
  await writeAuditMany(ctx.db, ctx.actor, list.map(({ report, earned }) => ({ action, entity: 'box_office_report',
    entity_id: report.id, after: { earned_minor: Number(earned) } })));
}

