/** Questions about a return: the percentage is computed and posted, every minimum waits (domain.md 1.4). */
import { formatMinor } from '#kernel/money/money.ts';
import { spell } from '#kernel/text/english.ts';
import { deductionsAt, type Deal } from './deal.server.ts';
import type { netTakings } from './settle-report.server.ts';
import type { Takings } from './takings.ts';
import type { QuestionKind, RaisedQuestion, SubmitInput } from './report-types.ts';

/** Questions that hold every minimum back; the others only flag. */
export const HOLDS_MINIMUM: readonly QuestionKind[] = ['no_performances', 'capacity_over_100', 'gross_over_potential'];

/** Questions that hold a report as a whole: nothing of it is computed until somebody answers. */
export const HOLD_KINDS: readonly QuestionKind[] = ['overlap', 'outside_run', 'in_future', 'gross_over_limit',
  'attendance_over_limit', 'no_running_costs'];

export function questionsOf(
  input: SubmitInput, deal: Deal, takings: Takings, net: ReturnType<typeof netTakings>,
): RaisedQuestion[] {
  const questions: RaisedQuestion[] = [];
  if (takings.performances_held === 0 && input.gross_minor > 0) {
    questions.push({ kind: 'no_performances',
      question: spell`Gross receipts of ${formatMinor(takings.gross_minor)} without a performance. How many were
        held?` });
  }
  const listed = new Set<string>(deductionsAt(deal, takings.license_venue_id).map((one) => one.type));
  const refused = net.items.filter((item) => item.amount_minor > 0n && !listed.has(item.type));
  if (refused.length > 0) {
    questions.push({ kind: 'deduction_not_allowed',
      question: `Not deducted, the deal does not list it: ${refused.map((item) => item.type.replaceAll('_', ' '))
        .join(', ')}.` });
  }
  const top = deal.top_price_minor;
  const above = (input.rows ?? []).flatMap((row) => row.price_bands ?? []).filter((band) => band.price_minor > top);
  if (top > 0 && above.length > 0) {
    questions.push({ kind: 'price_above_quoted',
      question: `Tickets at ${formatMinor(BigInt(Math.max(...above.map((band) => band.price_minor))))}, `
        + `quoted were at most ${formatMinor(BigInt(top))}.` });
  }
  return questions;
}
