/** Whether a line may be matched without asking, and the reason in words where it may not (accounting.md 4.2). */
import { itemKey, type LineToMatch } from './open-item.ts';
import { otherNumber } from './references.ts';
import type { ReadLine } from './score.ts';
import type { AutoDecision, AutoRefusalCode, MatchAnswer, Suggestion } from './suggestion.ts';

export const AUTO_FROM = 90;
export const AUTO_LEAD = 20;

function refuse(code: AutoRefusalCode, message: string): AutoDecision {
  return { match: null, refusal: { code, message } };
}

function labels(suggestion: Suggestion): string {
  const [first] = suggestion.items;
  const rest = suggestion.items.length - 1;
  return rest === 0 ? first!.item.label : `${first!.item.label} and ${rest} more`;
}

/** `ranked`: all candidates, the best first. `isCutOff`: there may be candidates that were not compared. */
export function decide(
  line: LineToMatch, read: ReadLine, ranked: readonly Suggestion[], isCutOff: boolean,
): AutoDecision {
  const [best, second] = ranked;
  if (line.left_minor === 0n) return refuse('nothing_left', 'The line is matched already.');
  if (line.left_minor !== line.amount_minor) return refuse('part_matched', 'Part of the line is matched already.');
  if (!best) return refuse('no_candidate', 'No open document fits the line.');
  if (best.score < AUTO_FROM) {
    return refuse('score_low', `The best suggestion has ${best.score} points; ${AUTO_FROM} are needed.`);
  }
  if (!best.reasons.some((reason) => reason.code === 'amount_equal')) {
    return refuse('amount_differs', `The amount of ${labels(best)} does not agree to the cent.`);
  }
  if (!best.in_window) return refuse('outside_window', `The dates of ${labels(best)} are too far from the line.`);
  const other = otherNumber(best.items.flatMap((one) => one.item.references), read.references);
  if (other !== null) return refuse('other_number', `The text also names ${other}.`);
  if (second && second.score > best.score - AUTO_LEAD) {
    return refuse('runner_up', `${labels(second)} fits nearly as well (${second.score} against ${best.score} points).`);
  }
  if (isCutOff) return refuse('too_many', 'There are more open documents than could be compared.');
  return { match: best, refusal: null };
}

/**
 * Decisions for lines that are matched in one run: a document that two lines would take is matched to neither. The keys
 * are ids of lines; the order of the answers has no influence.
 */
export function decideTogether(answers: ReadonlyMap<number, MatchAnswer>): Map<number, AutoDecision> {
  const takers = new Map<string, number>();
  for (const { auto } of answers.values()) {
    for (const one of auto.match?.items ?? []) takers.set(itemKey(one.item), (takers.get(itemKey(one.item)) ?? 0) + 1);
  }
  return new Map([...answers].map(([line, { auto }]) => {
    const shared = auto.match?.items.find((one) => takers.get(itemKey(one.item))! > 1);
    return [line, shared ? refuse('item_shared', `Another line fits ${shared.item.label} as well.`) : auto];
  }));
}
