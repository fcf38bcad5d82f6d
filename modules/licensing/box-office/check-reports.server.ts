/** Questions that reports would raise if they were sent now, each beside those before it on the page. Read-only. */
import { refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import type { RaisedQuestion, SubmitInput } from './report-types.ts';
import { dealsOf } from './deal.server.ts';
import { ReturnJudge } from './judge-returns.server.ts';
import { applyJudgement, problemsOf, readyReport } from './submit-report.server.ts';

export interface ReportOutlook {
  questions: (RaisedQuestion & { held: boolean })[];
  /** Why it cannot be sent at all, by field. */
  problems: Record<string, string[]>;
}

/** `ownIds`: the stored report that each one fills; null for a report of its own. */
export async function reportOutlook(
  ctx: WorkContext, licenseId: number, inputs: readonly SubmitInput[], ownIds: readonly (number | null)[],
): Promise<ReportOutlook[]> {
  const deal = (await dealsOf(ctx.db, [licenseId], false)).get(licenseId);
  if (!deal) throw refuse('not_found');
  const judge = new ReturnJudge(ctx);
  await judge.learn(ctx.db, [deal]);
  return inputs.map((input, n) => {
    const problems = problemsOf(input, deal);
    const report = readyReport(input, deal);
    applyJudgement(report, judge.judge(report, ownIds[n] ?? null));
    if (report.holds.length === 0) judge.remember(report);
    return { problems, questions: [...report.holds.map((one) => ({ ...one, held: true })),
      ...report.questions.map((one) => ({ ...one, held: false }))] };
  });
}

