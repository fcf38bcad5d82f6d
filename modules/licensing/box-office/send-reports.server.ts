/** Several reports certified by one name: all of them are stored, or none. */
import { AppError, invalid, refuse } from '#kit/errors.ts';
import type { Ctx } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { isOpenReport, type ReportDetail } from './box-office.contract.ts';
import type { BatchReport } from './box-office-file.contract.ts';
import { changeReport } from './change-report.server.ts';
import type { FileReport } from './file-places.server.ts';
import { findReport } from './read-reports.server.ts';
import type { SubmitInput } from './report-types.ts';
import { submitReport } from './submit-report.server.ts';
import { tellOfReport } from './tell-of-report.server.ts';

export function submission(licenseId: number, report: BatchReport): SubmitInput {
  const { report_id: _, version: __, ...figures } = report;
  return { ...figures, license_id: licenseId, source: 'portal' };
}

/** The stored report that each one fills: the one it names, or the one that is expected for the same days. */
export function ownIdsOf(reports: readonly BatchReport[], stored: readonly FileReport[]): (number | null)[] {
  return reports.map((one) => one.report_id ?? stored.find((other) => other.status === 'expected'
    && other.scope === one.scope && other.period_from === one.period_from && other.period_to === one.period_to
    && other.license_venue_id === (one.license_venue_id ?? null)
    && other.performance_id === (one.performance_id ?? null))?.id ?? null);
}

/** Answers the reports as they are stored. Errors stand at `reports.<n>.<field>`. */
export async function sendReports(
  ctx: Ctx, licenseId: number, reports: readonly BatchReport[], certifiedName: string,
): Promise<ReportDetail[]> {
  const ids: number[] = [];
  for (const [n, report] of reports.entries()) {
    const input = { ...submission(licenseId, report), certified_name: certifiedName };
    ids.push(await atField(n, () => (report.report_id === null ? submitted(ctx, input)
      : filled(ctx, report, input))));
  }
  return Promise.all(ids.map((id) => findReport(ctx, licenseId, id)));
}

async function atField<T>(n: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 422 || !error.errors) throw error;
    throw invalid(Object.fromEntries(Object.entries(error.errors).map(([field, texts]) =>
      [`reports.${n}.${field}`, texts])));
  }
}

const submitted = async (ctx: Ctx, input: SubmitInput): Promise<number> =>
  (await submitReport(ctx, input)).report_id;

async function filled(ctx: Ctx, report: BatchReport, input: SubmitInput): Promise<number> {
  const id = report.report_id!;
  const current = await ctx.db.maybeOne<Pick<ReportDetail, 'status' | 'held'>>(sql`
    select status, held from box_office_reports where id = ${id} and license_id = ${input.license_id}`);
  if (!current) throw refuse('not_found');
  if (!isOpenReport(current)) {
    throw refuse('phase_conflict', 'We already have one of these reports. Reload the page.');
  }
  await changeReport(ctx, id, report.version ?? 0, input);
  const stored = await ctx.db.one<{ open_questions: number; held: boolean }>(sql`
    select open_questions, held from box_office_reports where id = ${id}`);
  await tellOfReport(ctx, input, stored);
  return id;
}
