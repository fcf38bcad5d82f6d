/**
 * Several lines for one document: an invoice paid in parts on one account within days. The line at hand is always one
 * of them, and each of them names the document or its party.
 */
import { abs, sum } from '../money/money.ts';
import { itemsInWindow, itemsNamed, partiesOf, type IndexedItem, type ItemIndex, type Work } from './item-index.ts';
import {
  compareItems, DEFAULT_SETTINGS, directionOf, WINDOW_DAYS, type LineToMatch, type OpenItem,
} from './open-item.ts';
import { readLine, scoreOf, summaryOf, type ReadLine, type Reason, type ScoreContext } from './score.ts';
import { MAX_CANDIDATES, MAX_DEPTH, findSubsets } from './subsets.ts';
import type { SuggestOptions } from './suggest.ts';

/** Most documents for which lines are combined. */
const MAX_ITEMS = 3;
const NAMING = ['reference', 'name', 'name_near', 'account'];

export interface LineGroup {
  item: OpenItem;
  /** Ids of the lines, ascending; together they are what the item has open. */
  lines: number[];
  score: number;
  reasons: Reason[];
  summary: string;
}

function isOf(read: ReadLine, entry: IndexedItem, context: ScoreContext): boolean {
  const sums = { lines: abs(read.line.left_minor), items: entry.expected };
  return scoreOf([read], [entry], sums, context).reasons.some((reason) => NAMING.includes(reason.code));
}

function groupsOf(
  anchor: ReadLine, entry: IndexedItem, others: readonly ReadLine[], context: ScoreContext,
): LineGroup[] {
  const likely = others.filter((read) => isOf(read, entry, context)).slice(0, MAX_CANDIDATES);
  const missing = entry.expected - abs(anchor.line.left_minor);
  const answer = findSubsets(missing, likely.map((read) => abs(read.line.left_minor)), 1, MAX_DEPTH - 1);
  return answer.sets.map((set) => {
    const lines: [ReadLine, ...ReadLine[]] = [anchor, ...set.map((at) => likely[at]!)];
    const sums = { lines: sum(lines.map((read) => abs(read.line.left_minor))), items: entry.expected };
    const { score, reasons } = scoreOf(lines, [entry], sums, context);
    const worded = reasons.map((reason) => (reason.code === 'amount_equal'
      ? { ...reason, text: `${lines.length} lines add up to the amount` } : reason));
    return { item: entry.item, lines: lines.map((read) => read.line.id).sort((a, b) => a - b), score, reasons: worded,
      summary: summaryOf(worded) };
  });
}

/**
 * Groups of the line and others that pay one document to the cent, the best first. `others` are unmatched lines; those
 * of other accounts, of the other direction or more than ten days away are left out.
 */
export function suggestLineGroups(
  index: ItemIndex, line: LineToMatch, others: readonly LineToMatch[], options: SuggestOptions = {},
): LineGroup[] {
  const work: Work = { comparisons: 0 };
  const context = { settings: options.settings ?? DEFAULT_SETTINGS, rulePartyKey: options.rule_party_key ?? null };
  const anchor = readLine(line);
  const direction = directionOf(line.amount_minor);
  const near = others.filter((one) => one.id !== line.id && one.bank_account_id === line.bank_account_id
    && one.left_minor !== 0n && directionOf(one.amount_minor) === direction).map((one) => readLine(one))
    .filter((one) => Math.abs(one.day - anchor.day) <= WINDOW_DAYS)
    .sort((a, b) => Math.abs(a.day - anchor.day) - Math.abs(b.day - anchor.day) || a.line.id - b.line.id);
  const parties = partiesOf(index, anchor.names, context.rulePartyKey, work).found;
  const candidates = new Set([...itemsNamed(index, anchor.references, work).found,
    ...parties.flatMap((party) => itemsInWindow(party.items, anchor.day, work).found)]);
  const items = [...candidates].filter((entry) => entry.item.direction === direction
    && entry.item.currency === line.currency && entry.expected > abs(line.left_minor)).slice(0, MAX_ITEMS);
  return items.flatMap((entry) => groupsOf(anchor, entry, near, context))
    .sort((a, b) => b.score - a.score || a.lines.length - b.lines.length || compareItems(a.item, b.item)
      || (a.lines.join() < b.lines.join() ? -1 : 1));
}
