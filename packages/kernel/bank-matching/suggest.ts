/**
 * Suggestions for one line: one document, several that add up to it, a part payment, a payment from which a bank on the
 * way took its fee. A suggestion proposes and reserves nothing. An automatic match needs 90 points, an amount that is
 * equal to the cent and no other candidate within 20 points (accounting.md 4.2).
 */
import { abs, divHalfAway, min, sum } from '../money/money.ts';
import {
  itemsInWindow, itemsNamed, itemsOfAmount, partiesOf, type IndexedItem, type ItemIndex, type Work,
} from './item-index.ts';
import {
  compareItems, DEFAULT_SETTINGS, directionOf, isDiscounted, isWithinExchange, itemKey, toleranceOf, type LineToMatch,
  type MatchSettings,
} from './open-item.ts';
import { namedReference } from './references.ts';
import { readLine, scoreOf, summaryOf, type ReadLine, type Score, type ScoreContext } from './score.ts';
import { decide } from './auto-match.ts';
import { findSubsets } from './subsets.ts';
import { MATCH_SHAPES, type MatchAnswer, type Suggestion } from './suggestion.ts';

export const SUGGEST_FROM = 60;
const MAX_LISTED = 10;
/** A fee larger than a tenth of the document is no fee. */
const FEE_SHARE = 10n;

/** A suggestion with what it is ordered by. */
interface Ranked extends Suggestion {
  points: number;
  days: number;
}

export interface SuggestOptions {
  settings?: MatchSettings;
  rule_party_key?: string | null;
}

function isFee(left: bigint, entry: IndexedItem, settings: MatchSettings): boolean {
  const withheld = entry.item.direction === 'in' ? entry.expected - left : left - entry.expected;
  if (withheld <= 0n) return false;
  return withheld <= toleranceOf(entry.expected, settings)
    || withheld <= min(settings.fee_limit_minor, entry.expected / FEE_SHARE);
}

type Settlement = Pick<Suggestion, 'shape' | 'items' | 'difference_minor' | 'left_minor'>;

function settleForeign(line: LineToMatch, left: bigint, entry: IndexedItem, settings: MatchSettings): Settlement {
  const { item, expected } = entry;
  const isInstructed = line.original?.currency === item.currency
    && abs(line.original.amount_minor) === item.open_minor;
  if (isInstructed || isWithinExchange(left, expected, settings)) {
    return { shape: 'exchange', items: [{ item, applied_minor: item.open_minor, line_minor: left }],
      difference_minor: left - expected, left_minor: 0n };
  }
  if (left > expected) {
    return { shape: 'rest', items: [{ item, applied_minor: item.open_minor, line_minor: expected }],
      difference_minor: 0n, left_minor: left - expected };
  }
  const applied = min(divHalfAway(item.open_minor * left, expected), item.open_minor);
  return { shape: 'part', items: [{ item, applied_minor: applied, line_minor: left }], difference_minor: 0n,
    left_minor: 0n };
}

/** Settles a line with one document. */
function settle(line: LineToMatch, left: bigint, entry: IndexedItem, settings: MatchSettings): Settlement {
  const { item, expected } = entry;
  if (item.currency !== line.currency) return settleForeign(line, left, entry, settings);
  const whole = { item, applied_minor: item.open_minor };
  if (left === expected) {
    return { shape: 'whole', items: [{ ...whole, line_minor: left }], difference_minor: 0n, left_minor: 0n };
  }
  if (isDiscounted(item, line, left)) {
    return { shape: 'discount', items: [{ item, applied_minor: left, line_minor: left }],
      difference_minor: expected - left, left_minor: 0n };
  }
  if (isFee(left, entry, settings)) {
    return { shape: 'fee', items: [{ ...whole, line_minor: min(left, expected) }],
      difference_minor: abs(expected - left), left_minor: 0n };
  }
  if (left < expected) {
    return { shape: 'part', items: [{ item, applied_minor: left, line_minor: left }], difference_minor: 0n,
      left_minor: 0n };
  }
  return { shape: 'rest', items: [{ ...whole, line_minor: expected }], difference_minor: 0n,
    left_minor: left - expected };
}

function ranked(settlement: Settlement, score: Score): Ranked {
  return { ...settlement, score: score.score, points: score.points, days: score.days, reasons: score.reasons,
    summary: summaryOf(score.reasons), in_window: score.isInWindow };
}

function compareRanked(a: Ranked, b: Ranked): number {
  const by = b.score - a.score || b.points - a.points || MATCH_SHAPES.indexOf(a.shape) - MATCH_SHAPES.indexOf(b.shape)
    || a.items.length - b.items.length || a.days - b.days;
  if (by !== 0) return by;
  for (const [at, one] of a.items.entries()) {
    const order = compareItems(one.item, b.items[at]!.item);
    if (order !== 0) return order;
  }
  return 0;
}

interface Search {
  index: ItemIndex;
  read: ReadLine;
  left: bigint;
  context: ScoreContext;
  work: Work;
}

function signed(entry: IndexedItem, line: LineToMatch): bigint {
  return entry.item.direction === directionOf(line.amount_minor) ? entry.expected : -entry.expected;
}

/** Sets of a group that add up to the line; credits of a party reduce what it paid. */
function combine(search: Search, group: readonly IndexedItem[]): { found: Ranked[]; cutOff: boolean } {
  const { read, left, context, work } = search;
  const named = (entry: IndexedItem): number =>
    (namedReference(entry.item.references, read.references) === null ? 1 : 0);
  const likeliest = group.filter((entry) => entry.item.currency === read.line.currency)
    .map((entry) => ({ entry, order: [named(entry), Math.abs(read.day - entry.dueDay)] as const }))
    .sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1] || compareItems(a.entry.item, b.entry.item))
    .map((one) => one.entry);
  const answer = findSubsets(left, likeliest.map((entry) => signed(entry, read.line)));
  work.comparisons += answer.steps;
  const found = answer.sets.map((set) => {
    const items = set.map((at) => likeliest[at]!).sort((a, b) => compareItems(a.item, b.item));
    const score = scoreOf([read], items, { lines: left, items: sum(items.map((one) => signed(one, read.line))) },
      context);
    return ranked({ shape: 'combined', difference_minor: 0n, left_minor: 0n, items: items.map((entry) => ({
      item: entry.item, applied_minor: entry.item.open_minor, line_minor: signed(entry, read.line) })) }, score);
  });
  return { found, cutOff: answer.cutOff };
}

/** Documents that may be settled together: those the line names, those of one party, those of one pool. */
function combinations(search: Search, named: readonly IndexedItem[], groups: readonly (readonly IndexedItem[])[]):
{ found: Ranked[]; cutOff: boolean } {
  const { index, read, work } = search;
  const pools = [...index.pools.values()].slice(0, 3).map((pool) => itemsInWindow(pool, read.day, work).found);
  const found = new Map<string, Ranked>();
  let cutOff = false;
  for (const group of [named, ...groups, ...pools]) {
    const answer = combine(search, group);
    // Sets of a pool across parties have no name in common: none comes near an automatic match.
    cutOff ||= answer.cutOff && !pools.includes(group as IndexedItem[]);
    for (const one of answer.found) found.set(one.items.map((part) => itemKey(part.item)).join(' '), one);
  }
  return { found: [...found.values()], cutOff };
}

const asSuggestion = ({ points: _points, days: _days, ...suggestion }: Ranked): Suggestion => suggestion;

/** Suggestions for what is left of a line, and whether one of them may be matched without asking. */
export function suggestMatches(index: ItemIndex, line: LineToMatch, options: SuggestOptions = {}): MatchAnswer {
  if (line.bank_account_id !== index.bankAccountId || line.currency !== index.currency) {
    throw new RangeError(`The index is of bank account ${index.bankAccountId} in ${index.currency}`);
  }
  const work: Work = { comparisons: 0 };
  const context = { settings: options.settings ?? DEFAULT_SETTINGS, rulePartyKey: options.rule_party_key ?? null };
  const search: Search = { index, read: readLine(line), left: abs(line.left_minor), context, work };
  const { read, left } = search;
  if (left === 0n) return { suggestions: [], others: [], auto: decide(line, read, [], false), comparisons: 0 };
  const direction = directionOf(line.amount_minor);
  const named = itemsNamed(index, read.references, work);
  const parties = partiesOf(index, read.names, context.rulePartyKey, work);
  const groups = parties.found.map((party) => itemsInWindow(party.items, read.day, work));
  const equal = itemsOfAmount(index, { direction, amount: left, day: read.day }, work);
  const singles = new Set([...named.found, ...groups.flatMap((group) => group.found), ...equal.found]);
  const found = [...singles].filter((entry) => entry.item.direction === direction).map((entry) => {
    work.comparisons += 1;
    return ranked(settle(line, left, entry, context.settings),
      scoreOf([read], [entry], { lines: left, items: entry.expected }, context));
  });
  const isSure = found.some((one) => ['amount_equal', 'reference'].every((code) =>
    one.reasons.some((reason) => reason.code === code)));
  const several = isSure ? { found: [], cutOff: false }
    : combinations(search, named.found, groups.map((group) => group.found));
  const all = [...found, ...several.found].sort(compareRanked);
  const isCutOff = named.cutOff || parties.cutOff || several.cutOff
    || (equal.cutOff && groups.some((group) => group.cutOff));
  return {
    suggestions: all.filter((one) => one.score >= SUGGEST_FROM).slice(0, MAX_LISTED).map(asSuggestion),
    others: all.filter((one) => one.score < SUGGEST_FROM).slice(0, MAX_LISTED).map(asSuggestion),
    auto: decide(line, read, all, isCutOff), comparisons: work.comparisons,
  };
}
