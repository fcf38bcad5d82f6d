/**
 * Lines of two bank accounts that are the halves of one transfer: opposite amounts in one currency, at most four days
 * apart (accounting.md 4.2). A pair is a proposal: a line may be in several, and none keeps it from another.
 */
import { diffDays, toDayNumber } from '../calendar/calendar.ts';
import { TRANSFER_DAYS, type LineToMatch } from './open-item.ts';
import { plainAccount } from './item-index.ts';
import { lineReferences } from './references.ts';
import { MAX_SCORE, POINTS, summaryOf, type Reason } from './score.ts';

/** Most lines that one line is compared with. */
const MAX_COMPARED = 20;

export interface TransferPair {
  /** The line with money out, and the one with money in. */
  out: LineToMatch;
  in: LineToMatch;
  score: number;
  reasons: Reason[];
  summary: string;
  days: number;
}

function pairReasons(
  out: LineToMatch, into: LineToMatch, numbers: ReadonlyMap<number, string>, days: number,
): Reason[] {
  const reasons: Reason[] = [{ code: 'amount_equal', points: POINTS.amount_equal, noun: 'amount',
    text: 'Amounts are opposite and equal' }];
  const shared = lineReferences(into);
  if ([...lineReferences(out).keys].some((key) => key.startsWith('own:T-') && shared.keys.has(key))
    || (out.end_to_end_id !== null && out.end_to_end_id !== '' && out.end_to_end_id === into.end_to_end_id)) {
    reasons.push({ code: 'reference', points: POINTS.reference, noun: 'reference', text: 'Both carry one reference' });
  }
  const isOwn = (from: LineToMatch, to: LineToMatch): boolean => {
    const number = plainAccount(numbers.get(to.bank_account_id) ?? null);
    return number !== '' && plainAccount(from.counterparty_account) === number;
  };
  if (isOwn(out, into) || isOwn(into, out)) {
    reasons.push({ code: 'account', points: POINTS.account, noun: 'bank account',
      text: 'The other account is our own' });
  }
  const points = days <= 1 ? POINTS.date_1 : days <= 3 ? POINTS.date_3 : POINTS.date_7;
  reasons.push({ code: 'date', points, noun: 'date',
    text: days === 0 ? 'same day' : `${days} ${days === 1 ? 'day' : 'days'} apart` });
  return reasons;
}

/**
 * Pairs among unmatched lines of one division, the best first. `numbers`: the IBAN or account number of each bank
 * account. Lines that are matched in part make no pair.
 */
export function pairTransfers(lines: readonly LineToMatch[], numbers: ReadonlyMap<number, string>): TransferPair[] {
  const whole = lines.filter((line) => line.left_minor !== 0n && line.left_minor === line.amount_minor)
    .sort((a, b) => toDayNumber(a.booked_on) - toDayNumber(b.booked_on) || a.id - b.id);
  const arrived = new Map<string, LineToMatch[]>();
  for (const line of whole.filter((one) => one.amount_minor > 0n)) {
    const key = `${line.currency} ${line.amount_minor}`;
    const list = arrived.get(key);
    if (list) list.push(line);
    else arrived.set(key, [line]);
  }
  return whole.filter((line) => line.amount_minor < 0n).flatMap((out) => {
    const list = arrived.get(`${out.currency} ${-out.amount_minor}`) ?? [];
    return halves(out, list).map((into) => {
      const days = Math.abs(diffDays(out.booked_on, into.booked_on));
      const reasons = pairReasons(out, into, numbers, days);
      const score = Math.min(MAX_SCORE, reasons.reduce((all, reason) => all + reason.points, 0));
      return { out, in: into, score, reasons, summary: summaryOf(reasons), days };
    });
  }).sort((a, b) => b.score - a.score || a.days - b.days || a.out.id - b.out.id || a.in.id - b.in.id);
}

/** Lines of other accounts within four days, found in a list in the order of days. */
function halves(out: LineToMatch, list: readonly LineToMatch[]): LineToMatch[] {
  const day = toDayNumber(out.booked_on);
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (toDayNumber(list[middle]!.booked_on) < day - TRANSFER_DAYS) low = middle + 1;
    else high = middle;
  }
  const found: LineToMatch[] = [];
  for (let at = low; at < list.length && at < low + MAX_COMPARED; at += 1) {
    const into = list[at]!;
    if (toDayNumber(into.booked_on) > day + TRANSFER_DAYS) break;
    if (into.bank_account_id !== out.bank_account_id) found.push(into);
  }
  return found;
}
