/**
 * Returns come in by hand, from the portal and by import; all take this way. An expected row of the same period is
 * filled; a return that overlaps others is stored and held until somebody says that it replaces them or is added
 * (domain.md 1.4). Questions are raised here; nothing is computed or posted before acceptance.
 */
import { conflict, invalid, refuse, type FieldErrors } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { dropCovered } from './expect-reports.server.ts';
import { ReturnJudge, wordsOf, type Judgement } from './judge-returns.server.ts';
import { tellOfReport } from './tell-of-report.server.ts';
import { dealsOf, type Deal } from './deal.server.ts';
import { questionsOf } from './report-questions.server.ts';
import type { ReadyReport, SubmitInput } from './report-types.ts';
import { netTakings } from './settle-report.server.ts';
import type { Takings } from './takings.ts';
import { fillReports, insertReports, markReplaced, writeParts } from './store-report.server.ts';

export interface Submitted {
  report_id: number;
  open_questions: number;
  /** It computes nothing until somebody answers. */
  held: boolean;
}

/** One return, by hand. Throws 422 with texts at their fields. */
export async function submitReport(ctx: WorkContext, input: SubmitInput): Promise<Submitted> {
  const [made] = await submitReports(ctx, [input], (errors) => errors);
  await ctx.audit({ action: input.draft ? 'draft' : 'submit', entity: 'box_office_report', entity_id: made!.report_id,
    after: { license_id: input.license_id, gross_minor: input.gross_minor, period_to: input.period_to } });
  if (!input.draft) await tellOfReport(ctx, input, made!);
  return made!;
}

/**
 * Many returns in a few statements (imports); all or none. Errors stand at `reports.<n>.<field>`. A few thousand per
 * call is a good size.
 */
export async function submitReports(
  ctx: WorkContext, inputs: readonly SubmitInput[],
  naming: (errors: FieldErrors, n: number) => FieldErrors = (errors, n) => Object.fromEntries(
    Object.entries(errors).map(([field, texts]) => [`reports.${n}.${field}`, texts])),
): Promise<Submitted[]> {
  if (inputs.length === 0) return [];
  const deals = await dealsOf(ctx.db, inputs.map((input) => input.license_id), true);
  const ready = inputs.map((input, n): ReadyReport => {
    const deal = deals.get(input.license_id);
    if (!deal) throw refuse('not_found');
    const errors = problemsOf(input, deal);
    if (Object.keys(errors).length > 0) throw invalid(naming(errors, n));
    return readyReport(input, deal);
  });
  await refuseForeignPerformances(ctx, ready, naming);
  await refuseWrongReplacement(ctx, ready);
  const filled = placesOf(ready, await openRows(ctx, ready));
  await judgeAll(ctx, ready, filled);
  const fresh = ready.filter((_, n) => filled[n] === null);
  const madeIds = await insertReports(ctx, fresh);
  const reused = ready.flatMap((report, n) => (filled[n] === null ? [] : [{ report, id: filled[n]! }]));
  await fillReports(ctx, reused);
  let next = 0;
  const ids = ready.map((_, n) => filled[n] ?? madeIds[next++]!);
  const stored = ready.map((report, n) => ({ report, id: ids[n]! }));
  await writeParts(ctx, stored);
  await markReplaced(ctx.db, stored);
  await dropCovered(ctx, [...deals.keys()]);
  return stored.map(({ report, id }) => ({ report_id: id, held: report.holds.length > 0,
    open_questions: report.questions.length + report.holds.length }));
}

/** Each return is judged beside what is stored and beside those before it in the call. */
async function judgeAll(ctx: WorkContext, ready: readonly ReadyReport[], filled: readonly (number | null)[]):
Promise<void> {
  const judge = new ReturnJudge(ctx);
  await judge.learn(ctx.db, ready.map((report) => report.deal));
  ready.forEach((report, n) => {
    const judged = judge.judge(report, filled[n] ?? null);
    if (report.input.draft) {
      if (judged.holds.some((hold) => hold.kind === 'overlap')) throw reported(report);
      return;
    }
    applyJudgement(report, judged);
    if (report.holds.length === 0 && !report.added) judge.remember(report);
  });
}

function reported({ input, deal }: ReadyReport): Error {
  return conflict('box_office_report.exists', `There is a report for ${wordsOf(deal.division, input)} already.`,
    { report_id: null, status: 'submitted' });
}

/** Applies a judgment to the report: its holds, its questions, the reports it replaces. */
export function applyJudgement(report: ReadyReport, judged: Judgement): void {
  const { input } = report;
  report.holds = judged.holds;
  report.questions = [...questionsOf(input, report.deal, report.takings, report.net), ...judged.questions];
  const others = judged.overlaps.filter((one) => one.status !== 'estimated' && one.id !== input.replaces_report_id);
  report.added = input.add === true && others.length > 0;
  const estimates = judged.holds.some((hold) => hold.kind === 'overlap') ? []
    : judged.overlaps.flatMap((one) => (one.status === 'estimated' && one.id !== null ? [one.id] : []));
  report.replaces = [...new Set([...(input.replaces_report_id == null ? [] : [input.replaces_report_id]),
    ...estimates])];
}

/** Contents of a report, for the kernel; performances default to those of the grid, one for a single performance. */
export function takingsOf(input: SubmitInput, reportId = 0): Takings {
  const held = input.performances_held ?? (input.rows && input.rows.length > 0 ? input.rows.length
    : input.scope === 'performance' ? 1 : 0);
  return {
    report_id: reportId, license_venue_id: input.license_venue_id ?? null, scope: input.scope,
    period_from: input.period_from, period_to: input.period_to, gross_minor: BigInt(input.gross_minor),
    tax_included: input.tax_included ?? false, performances_held: held,
    paid_admissions: input.paid_admissions ?? (input.rows && input.rows.length > 0
      ? input.rows.reduce((all, row) => all + (row.seats_sold ?? 0), 0) : null),
    deductions: (input.deductions ?? []).map((one) => ({ type: one.type, amount_minor: BigInt(one.amount_minor) })),
    rows: (input.rows ?? []).map((row) => ({ local_date: input.period_from, gross_minor: BigInt(row.gross_minor) })),
    covered: [],
  };
}

export function readyReport(input: SubmitInput, deal: Deal): ReadyReport {
  const takings = takingsOf(input);
  const net = netTakings(deal, takings);
  return { input, deal, takings, net, questions: questionsOf(input, deal, takings, net), holds: [], added: false,
    replaces: [], due_on: null, part: 1 };
}

/** Errors at the fields of one return. */
export function problemsOf(input: SubmitInput, deal: Deal): FieldErrors {
  const errors: FieldErrors = {};
  const wrong = (field: string, text: string): void => { errors[field] = [...(errors[field] ?? []), text]; };
  if (['draft', 'sent', 'expired', 'declined', 'cancelled'].includes(deal.phase)) {
    wrong('license_id', spell`The license has not been issued: there is nothing to report yet`);
  }
  if (input.period_to < input.period_from) wrong('period_to', 'The period ends before it begins');
  if (input.currency !== deal.currency) wrong('currency', spell`The license is in ${deal.currency}`);
  if (input.license_venue_id != null && !deal.ticket_tax_ppm.has(input.license_venue_id)) {
    wrong('license_venue_id', spell`This venue does not belong to the license`);
  }
  if (input.scope === 'performance' && input.performance_id == null && input.source !== 'import') {
    wrong('performance_id', 'Choose the performance');
  }
  if (input.add && !input.add_reason?.trim()) wrong('add_reason', 'Enter why both reports count');
  const rows = input.rows ?? [];
  if (rows.length > 0 && rows.reduce((all, row) => all + row.gross_minor, 0) !== input.gross_minor) {
    wrong('gross_minor', spell`The gross receipts of the performances don’t add up to the gross`);
  }
  if (new Set(rows.map((row) => row.performance_id)).size !== rows.length) {
    wrong('rows', 'A performance is listed twice');
  }
  const byPerformance = deal.guarantee_scope === 'performance' && deal.min_per_performance_minor > 0n;
  if (byPerformance && input.scope === 'run' && rows.length === 0 && (input.performances_held ?? 0) > 1) {
    wrong('rows', spell`The minimum of this deal is per performance: enter the gross receipts of every performance`);
  }
  return errors;
}

interface Named { id: number; license_id: number; license_venue_id: number; local_date: string }

export async function refuseForeignPerformances(
  ctx: WorkContext, ready: readonly ReadyReport[], naming: (errors: FieldErrors, n: number) => FieldErrors,
): Promise<void> {
  const named = ready.flatMap(({ input }, n) => [...(input.performance_id == null ? [] : [input.performance_id]),
    ...(input.rows ?? []).map((row) => row.performance_id)].map((id) => ({ n, id, license_id: input.license_id })));
  if (named.length === 0) return;
  const known = await ctx.db.query<Named>(sql`
    select id, license_id, license_venue_id, local_date from performances
    where id = any(${named.map((one) => one.id)}::bigint[])`);
  const byId = new Map(known.map((row) => [row.id, row]));
  for (const { n, id, license_id } of named) {
    if (byId.get(id)?.license_id === license_id) continue;
    throw invalid(naming({ rows: [spell`A performance does not belong to this license`] }, n));
  }
  ready.forEach(({ input }, n) => {
    const outside = (input.rows ?? []).some((row) => {
      const { local_date: day, license_venue_id: venue } = byId.get(row.performance_id)!;
      return day < input.period_from || day > input.period_to
        || (input.license_venue_id != null && input.license_venue_id !== venue)
        || (input.performance_id != null && input.performance_id !== row.performance_id);
    });
    if (outside) throw invalid(naming({ rows: ['A performance is outside the period or at another venue'] }, n));
  });
  for (const report of ready) {
    const rows = (report.input.rows ?? []).map((row) => ({
      local_date: byId.get(row.performance_id)!.local_date, gross_minor: BigInt(row.gross_minor) }));
    report.takings = { ...report.takings, rows };
  }
}

interface OpenRow { id: number; fillable: boolean; last_part: number; status: string }

/** Rows of the same licence, venue, scope and period that are not replaced, by the number of the return. */
async function openRows(ctx: WorkContext, ready: readonly ReadyReport[]): Promise<Map<number, OpenRow>> {
  const of = <T>(pick: (report: ReadyReport) => T): T[] => ready.map(pick);
  const rows = await ctx.db.query<{ n: number; id: number; status: string; drafted: boolean; part: number }>(sql`
    select u.n, b.id, b.status, b.part, b.submitted_at is null as drafted
    from unnest(${of((r) => r.input.license_id)}::bigint[], ${of((r) => r.input.license_venue_id ?? null)}::bigint[],
      ${of((r) => r.input.scope)}::text[], ${of((r) => r.input.period_from)}::date[],
      ${of((r) => r.input.period_to)}::date[], ${of((r) => r.input.performance_id ?? null)}::bigint[])
      with ordinality u (license_id, venue_id, scope, period_from, period_to, performance_id, n)
    join box_office_reports b on b.license_id = u.license_id and b.scope = u.scope and b.period_from = u.period_from
      and b.period_to = u.period_to and b.license_venue_id is not distinct from u.venue_id
      and b.performance_id is not distinct from u.performance_id and b.status <> 'replaced'
    order by u.n, b.part for update of b`);
  const found = new Map<number, OpenRow>();
  for (const row of rows) {
    found.set(row.n - 1, { id: row.id, status: row.status, last_part: row.part,
      fillable: row.status === 'expected' || row.status === 'estimated' });
  }
  return found;
}

/** The row that a return fills, or null for a new one; a second return for a period has the next part. */
function placesOf(ready: readonly ReadyReport[], open: ReadonlyMap<number, OpenRow>): (number | null)[] {
  const taken = new Map<string, OpenRow>();
  return ready.map((report, n) => {
    const { input } = report;
    const key = [input.license_id, input.license_venue_id, input.scope, input.period_from, input.period_to,
      input.performance_id].join('|');
    const same = taken.get(key) ?? open.get(n);
    if (same?.fillable) {
      report.part = same.last_part;
      taken.set(key, { ...same, fillable: false });
      return same.id;
    }
    report.part = (same?.last_part ?? 0) + 1;
    taken.set(key, { id: same?.id ?? 0, status: same?.status ?? 'submitted', last_part: report.part, fillable: false });
    return null;
  });
}

async function refuseWrongReplacement(ctx: WorkContext, ready: readonly ReadyReport[]): Promise<void> {
  for (const { input } of ready) {
    if (input.replaces_report_id == null) continue;
    const old = await ctx.db.maybeOne<{ status: string; license_id: number; replaced_by_id: number | null }>(sql`
      select status, license_id, replaced_by_id from box_office_reports where id = ${input.replaces_report_id}`);
    if (old?.license_id !== input.license_id) throw refuse('not_found');
    if (old.status !== 'accepted') {
      throw conflict('box_office_report.status_conflict',
        'Only an accepted report is replaced; change this one instead.',
        { allowed: [] });
    }
    if (old.replaced_by_id !== null) {
      throw conflict('box_office_report.status_conflict', 'This report is already being replaced.',
        { allowed: [], report_id: old.replaced_by_id });
    }
  }
}
