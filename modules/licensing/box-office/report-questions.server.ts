/** Questions about a return: the percentage is computed and posted, every minimum waits (domain.md 1.4). */
import { formatMinor } from '#kernel/money/money.ts';
import type { Deal } from './deal.server.ts';
import type { netTakings } from './settle-report.server.ts';
import type { Takings } from './takings.ts';
import type { QuestionKind, RaisedQuestion, SubmitInput } from './report-types.ts';

/** Questions that hold every minimum back; the others only flag. */
export const HOLDS_MINIMUM: readonly QuestionKind[] = ['no_performances', 'capacity_over_100'];

const WHOLE_PPM = 1_000_000;

export function questionsOf(
  input: SubmitInput, deal: Deal, takings: Takings, net: ReturnType<typeof netTakings>,
): RaisedQuestion[] {
  const questions: RaisedQuestion[] = [];
  if (takings.performances_held === 0 && input.gross_minor > 0) {
    questions.push({ kind: 'no_performances',
      question: `Takings of ${formatMinor(takings.gross_minor)} without a performance. How many were held?` });
  }
  const capacity = input.capacity_available ?? null;
  const over = capacity !== null && takings.paid_admissions !== null && takings.paid_admissions > capacity;
  if (over || (input.capacity_ppm ?? 0) > WHOLE_PPM) {
    questions.push({ kind: 'capacity_over_100',
      question: over ? `${takings.paid_admissions} paid seats, but only ${capacity} were offered. Is that right?`
        : `${(input.capacity_ppm ?? 0) / 10_000}% of capacity. Is that right?` });
  }
  const listed = new Set<string>(deal.deductions.map((one) => one.type));
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
