/** Questions reports would raise if they came in now, in words: an import shows them before anything is stored. */
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { dealsOf } from './deal.server.ts';
import { ReturnJudge } from './judge-returns.server.ts';
import type { SubmitInput } from './report-types.ts';
import { applyJudgement, readyReport } from './submit-report.server.ts';

/** For one file, call after call: later returns know the earlier ones. null for a return that simply counts. */
export function returnOutlook(
  ctx: Pick<WorkContext, 'today'>,
): (db: Queryable, inputs: readonly SubmitInput[]) => Promise<(string | null)[]> {
  const judge = new ReturnJudge(ctx);
  return async (db, inputs) => {
    const deals = await dealsOf(db, inputs.map((input) => input.license_id), false);
    await judge.learn(db, [...deals.values()]);
    return inputs.map((input) => {
      const deal = deals.get(input.license_id);
      if (!deal) return null;
      const report = readyReport(input, deal);
      applyJudgement(report, judge.judge(report, null));
      if (report.holds.length === 0 && !report.added) judge.remember(report);
      const asked = [...report.holds, ...report.questions].map((one) => one.question).join(' ');
      if (asked === '') return null;
      return report.holds.length > 0 ? `Held: ${asked}` : asked;
    });
  };
}
