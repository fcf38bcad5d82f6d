/** Points of accounting.md 4.2, 0 to 100, each with its reason in words. */
import { toDayNumber } from '../calendar/calendar.ts';
import { abs, formatMinor } from '../money/money.ts';
import {
  distance, isInWindow, lineNames, partySimilarity, plainAccount, type IndexedItem, type LineNames,
} from './item-index.ts';
import type { LineToMatch, MatchSettings } from './open-item.ts';
import { isDiscounted, isWithinExchange, toleranceOf } from './open-item.ts';
import { lineReferences, namedReference, type LineReferences } from './references.ts';

export const POINTS = {
  amount_equal: 45, amount_near: 20, reference: 30, date_1: 10, date_3: 7, date_7: 3, name: 15, name_near: 8,
  account: 15, rule: 10,
} as const;
export const MAX_SCORE = 100;
const ALIKE = 0.85;
const SIMILAR = 0.6;

export type ReasonCode =
  | 'amount_equal' | 'amount_near' | 'amount_exchanged' | 'amount_discounted' | 'reference' | 'date' | 'name'
  | 'name_near' | 'account' | 'rule';

export interface Reason {
  code: ReasonCode;
  points: number;
  /** A sentence without a full stop: "3 days apart". */
  text: string;
  /** The noun in a summary: "invoice number". */
  noun: string;
}

/** A line with what is read from it once. */
export interface ReadLine {
  line: LineToMatch;
  day: number;
  names: LineNames;
  references: LineReferences;
}

export interface ScoreContext {
  settings: MatchSettings;
  /** The party that the first bank rule which fits the line names. */
  rulePartyKey: string | null;
}

export interface Score {
  score: number;
  /** Points before the cap, to order what reaches it. */
  points: number;
  reasons: Reason[];
  /** Days between the line and the item's nearer date; the largest of several. */
  days: number;
  isInWindow: boolean;
}

/** Totals of the lines and the items, in the currency of the bank account. */
export interface Sums {
  lines: bigint;
  items: bigint;
}

function amountReason(sums: Sums, items: readonly IndexedItem[], of: ReadLine, settings: MatchSettings): Reason | null {
  const [only] = items;
  const { line } = of;
  if (items.length === 1 && only!.item.currency !== line.currency) {
    const instructed = line.original?.currency === only!.item.currency
      && abs(line.original.amount_minor) === only!.item.open_minor;
    if (!instructed && !isWithinExchange(sums.lines, sums.items, settings)) return null;
    return { code: 'amount_exchanged', points: POINTS.amount_near, noun: 'amount',
      text: instructed ? `Amount agrees in ${only!.item.currency}` : 'Amount agrees at the rate of the day, nearly' };
  }
  if (sums.lines === sums.items) {
    return { code: 'amount_equal', points: POINTS.amount_equal, noun: 'amount',
      text: items.length === 1 ? 'Amount agrees' : `${items.length} documents add up to the amount` };
  }
  if (items.length === 1 && isDiscounted(only!.item, line, sums.lines)) {
    return { code: 'amount_discounted', points: POINTS.amount_equal, noun: 'amount',
      text: `Amount agrees less the discount of ${formatMinor(sums.items - sums.lines)}` };
  }
  const difference = abs(sums.lines - sums.items);
  if (difference > toleranceOf(sums.items, settings)) return null;
  return { code: 'amount_near', points: POINTS.amount_near, noun: 'amount',
    text: `Amount differs by ${formatMinor(difference)}` };
}

function referenceReason(lines: readonly ReadLine[], items: readonly IndexedItem[]): Reason | null {
  const named = lines.flatMap((line) =>
    items.map((entry) => namedReference(entry.item.references, line.references)));
  const [first] = named;
  if (!first || named.includes(null)) return null;
  const values = [...new Set(named.map((reference) => reference!.value))];
  const noun = values.length === 1 ? first.label : 'references';
  return { code: 'reference', points: POINTS.reference, noun,
    text: values.length === 1 ? `${capital(first.label)} ${first.value} is in the text`
      : `All ${values.length} references are in the text` };
}

function dateReason(days: number): Reason | null {
  const points = days <= 1 ? POINTS.date_1 : days <= 3 ? POINTS.date_3 : days <= 7 ? POINTS.date_7 : 0;
  if (points === 0) return null;
  return { code: 'date', points, noun: 'date', text: days === 0 ? 'Same day' : days === 1 ? '1 day apart'
    : `${days} days apart` };
}

function nameReason(lines: readonly ReadLine[], items: readonly IndexedItem[]): Reason | null {
  const parties = [...new Set(items.map((entry) => entry.party))];
  const least = Math.min(...lines.flatMap((line) => parties.map((party) => partySimilarity(party, line.names))));
  if (least >= ALIKE) return { code: 'name', points: POINTS.name, noun: 'name', text: 'Name agrees' };
  if (least < SIMILAR) return null;
  return { code: 'name_near', points: POINTS.name_near, noun: 'name', text: 'Name is similar' };
}

function accountReason(lines: readonly ReadLine[], items: readonly IndexedItem[]): Reason | null {
  const isKnown = lines.every(({ line }) => items.every((entry) =>
    entry.party?.accounts.has(plainAccount(line.counterparty_account)) ?? false));
  if (!isKnown) return null;
  return { code: 'account', points: POINTS.account, noun: 'bank account', text: 'Bank account is known' };
}

function ruleReason(items: readonly IndexedItem[], context: ScoreContext): Reason | null {
  const isHit = context.rulePartyKey !== null && items.every((entry) => entry.party?.key === context.rulePartyKey);
  return isHit ? { code: 'rule', points: POINTS.rule, noun: 'bank rule', text: 'A bank rule names the party' } : null;
}

/** Points of lines against items; of several, each reason counts only where it holds for all of them. */
export function scoreOf(
  lines: readonly [ReadLine, ...ReadLine[]], items: readonly IndexedItem[], sums: Sums, context: ScoreContext,
): Score {
  const days = Math.max(...lines.flatMap((line) => items.map((entry) => distance(entry, line.day))));
  const reasons = [
    amountReason(sums, items, lines[0], context.settings), referenceReason(lines, items), nameReason(lines, items),
    accountReason(lines, items), ruleReason(items, context), dateReason(days),
  ].filter((reason) => reason !== null);
  const points = reasons.reduce((all, reason) => all + reason.points, 0);
  return { score: Math.min(MAX_SCORE, points), points, reasons, days,
    isInWindow: lines.every((line) => items.every((entry) => isInWindow(entry, line.day))) };
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function joined(nouns: readonly string[]): string {
  return nouns.length < 2 ? nouns.join('') : `${nouns.slice(0, -1).join(', ')} and ${nouns.at(-1)}`;
}

/** "Amount and invoice number agree; 2 days apart". */
export function summaryOf(reasons: readonly Reason[]): string {
  const agreeing = reasons.filter((one) =>
    ['amount_equal', 'amount_discounted', 'amount_exchanged', 'reference', 'name', 'account'].includes(one.code))
    .map((one) => one.noun);
  const verb = agreeing.length > 1 || agreeing[0] === 'references' ? 'agree' : 'agrees';
  const others = reasons.filter((one) => ['amount_near', 'name_near', 'rule', 'date'].includes(one.code))
    .map((one) => one.text);
  const first = agreeing.length > 0 ? [capital(`${joined(agreeing)} ${verb}`)] : [];
  const parts = [...first, ...others];
  return parts.map((part, at) => (at === 0 ? part : part.slice(0, 1).toLowerCase() + part.slice(1))).join('; ');
}

export function readLine(line: LineToMatch): ReadLine {
  return { line, day: toDayNumber(line.booked_on), names: lineNames(line), references: lineReferences(line) };
}
