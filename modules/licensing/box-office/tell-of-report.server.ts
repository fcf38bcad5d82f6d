/** A return that came in by hand is told to the representative; its questions, and that it is held, to both sides. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { notifyAsker, notifyCustomer, notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { numbersOf } from '../licenses/license-numbers.server.ts';
import type { ReportDetail } from './box-office.contract.ts';
import type { SubmitInput } from './report-types.ts';

interface License { id: number; customer_id: number; division: string; number: string; title: string;
  license_rep_id: number | null }

function licenseOf(ctx: WorkContext, id: number): Promise<License> {
  return ctx.db.one<License>(sql`
    select id, customer_id, division, ${numbersOf(sql`licenses`)} as number, title_on_license as title,
      license_rep_id
    from licenses where id = ${id}`);
}

export async function tellOfReport(
  ctx: WorkContext, input: SubmitInput, { open_questions: questions, held }: { open_questions: number; held: boolean },
): Promise<void> {
  const license = await licenseOf(ctx, input.license_id);
  const sum = `${formatMoney(input.gross_minor, input.currency)} to ${dateFor(
    documentLanguage(license.division), input.period_to)}`;
  await notifyStaff(ctx, { kind: questions > 0 ? 'report.question' : 'report.received',
    title: held ? `A return of ${license.title} is held until you answer`
      : questions > 0 ? `The return of ${license.title} raises a question` : `A return of ${license.title} came in`,
    body: `${license.number}: ${sum}`, to: [license.license_rep_id],
    href: `/admin/customers/${license.customer_id}/productions/${license.id}/box-office` });
  if (questions === 0) return;
  await notifyCustomer(ctx, license.customer_id, { kind: 'report.asked',
    title: held ? `We do not count a return of ${license.title} yet`
      : `We have a question about the return of ${license.title}`, body: sum,
    href: `/customer/${license.customer_id}/productions/${license.id}/box-office` });
}

/** Staff who entered a report read what a colleague decided; a customer reads it by other ways. */
export async function tellSubmitter(
  ctx: WorkContext, reportId: number, decision: string, note = '',
): Promise<void> {
  const row = await ctx.db.one<{ source: string; submitted_by_id: number | null; title: string }>(sql`
    select b.source, b.submitted_by_id, l.title_on_license as title
    from box_office_reports b join licenses l on l.id = b.license_id where b.id = ${reportId}`);
  if (row.source === 'portal') return;
  await notifyAsker(ctx, row.submitted_by_id, { title: `Box-office report ${decision}: ${row.title}`, body: note,
    href: `/admin/sales-and-royalties/box-office/${reportId}` });
}

/** The customer said why a held return counts: the representative, who was told that it is held, reads the reason. */
export async function tellOfAnswer(
  ctx: WorkContext, report: Pick<ReportDetail, 'license_id' | 'period_to'>,
  { answer, note }: { answer: 'replace' | 'add'; note: string },
): Promise<void> {
  const license = await licenseOf(ctx, report.license_id);
  const day = dateFor(documentLanguage(license.division), report.period_to);
  await notifyStaff(ctx, { kind: 'report.received', to: [license.license_rep_id],
    title: `The customer answered: the held report for ${license.title} `
      + (answer === 'replace' ? 'replaces the other one' : 'counts'),
    body: [`${license.number}: to ${day}`, note].filter(Boolean).join('. '),
    href: `/admin/customers/${license.customer_id}/productions/${license.id}/box-office` });
}
