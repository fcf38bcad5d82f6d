/**
 * Cash flows of all divisions in the currency of the group (accounting.md 3.5, 3.11): each month at its average rate,
 * cash at the rates of its days, each account by itself as the balance sheet has it. Exchange differences on cash are
 * those in the books of a division and what the rates leave between its cash and its flows.
 *
 * Worked example (UK): GBP 1,000 in the bank at 1.25, 200 received at an average of 1.27, closing at 1.30.
 * 1,250 + 254 + 56 = 1,560; 56 = 1,000 x 0.05 + 200 x 0.03.
 */
import type { Division } from '../money/division.ts';
import { atRate } from '../money/exchange.ts';
import { abs, sum } from '../money/money.ts';
import { gather, type CashFlows, type FlowAccount, type FlowRow } from './cash-flows.ts';
import { DUE_FROM, DUE_TO } from './intercompany.ts';

export interface GroupFlow { key: string; title: string; minor: bigint }

export interface DivisionFlows {
  division: Division;
  months: readonly { rate: string; flows: CashFlows }[];
  /** Cash accounts, in the division's currency. */
  cash: readonly { opening: bigint; closing: bigint }[];
  /** Rates of the day before and of the last day. */
  opening: string;
  closing: string;
  /** Net result as the consolidated profit and loss has it, and the figures it is the sum of. */
  result: bigint;
  result_figures: number;
}

export interface TranslatedFlows {
  indirect: GroupFlow[];
  direct: GroupFlow[];
  investing: GroupFlow[];
  financing: GroupFlow[];
  exchange: bigint;
  opening: bigint;
  closing: bigint;
  /** Change of cash that the rates explain, and the figures that were rounded on the way. */
  explained: bigint;
  figures: number;
}

export const ROUNDING = 'rounding';
export const UNMATCHED_FLOWS = 'unmatched';
const PARTS = ['indirect', 'direct', 'investing', 'financing'] as const;

export const totalOf = (rows: readonly { minor: bigint }[]): bigint => sum(rows.map((row) => row.minor));

/** Operations, investing and financing. */
export const flowTotal = (of: Pick<TranslatedFlows, 'direct' | 'investing' | 'financing'>): bigint =>
  totalOf(of.direct) + totalOf(of.investing) + totalOf(of.financing);

/** One row for each key, in the order they come; what comes to nothing is left out. */
export function byKey(rows: readonly GroupFlow[]): GroupFlow[] {
  const titles = new Map(rows.map((row) => [row.key, row.title]));
  return gather(rows).map(({ key, minor }) => ({ key, title: titles.get(key)!, minor }));
}

/** Accounts by code: each division has its own, with ids of their own. */
function keyOf(row: FlowRow, accounts: ReadonlyMap<number, FlowAccount>): string {
  return row.account_id === null ? row.key : `${row.key.split(':')[0]!}:code:${accounts.get(row.account_id)!.code}`;
}

export function translateFlows(of: DivisionFlows, accounts: ReadonlyMap<number, FlowAccount>): TranslatedFlows {
  const rows = (part: (typeof PARTS)[number]): GroupFlow[] => byKey(of.months.flatMap(({ rate, flows }) =>
    flows[part].rows.map((row) => ({ key: keyOf(row, accounts), title: row.title, minor: atRate(row.minor, rate) }))));
  const [direct, investing, financing] = [rows('direct'), rows('investing'), rows('financing')];
  const result = { key: 'net_result', title: 'Net result', minor: of.result };
  const others = rows('indirect').filter((row) => row.key !== 'net_result');
  const rounding = totalOf(direct) - of.result - totalOf(others);
  const opening = sum(of.cash.map((one) => atRate(one.opening, of.opening)));
  const closing = sum(of.cash.map((one) => atRate(one.closing, of.closing)));
  const later = (minor: bigint, rate: string): bigint => atRate(minor, of.closing) - atRate(minor, rate);
  const explained = sum(of.cash.map((one) => later(one.opening, of.opening)))
    + sum(of.months.map(({ rate, flows }) => later(flowTotal({ direct: flows.direct.rows,
      investing: flows.investing.rows, financing: flows.financing.rows }), rate) + atRate(flows.exchange, of.closing)));
  return { indirect: byKey([result, ...others, { key: ROUNDING, title: 'Rounding', minor: rounding }]), direct,
    investing, financing, opening, closing, explained,
    exchange: closing - opening - flowTotal({ direct, investing, financing }),
    figures: of.result_figures + 3 * of.cash.length + of.months.reduce((count, { flows }) => count + 4
      + PARTS.reduce((rowCount, part) => rowCount + flows[part].rows.length, 0), 0) };
}

const isBetween = (row: GroupFlow): boolean => ['direct:divisions', `change:code:${DUE_FROM}`,
  `change:code:${DUE_TO}`].includes(row.key);

/**
 * Takes the flows between divisions off both readings of operations. One row keeps the rest: what rates leave, cash
 * that is on its way, and in the direct reading what one division paid outside the group for another.
 */
export function eliminateFlows(books: readonly TranslatedFlows[]): TranslatedFlows {
  const taken = (part: 'indirect' | 'direct'): GroupFlow[] => {
    const between = byKey(books.flatMap((one) => one[part].filter(isBetween)));
    return byKey([...between.map((row) => ({ ...row, minor: -row.minor })),
      { key: `${part}:${UNMATCHED_FLOWS}`, title: 'Unmatched flows between divisions', minor: totalOf(between) }]);
  };
  return { indirect: taken('indirect'), direct: taken('direct'), investing: [], financing: [], exchange: 0n,
    opening: 0n, closing: 0n, explained: 0n, figures: 0 };
}

export function sumFlows(books: readonly TranslatedFlows[]): TranslatedFlows {
  const rows = (part: (typeof PARTS)[number]): GroupFlow[] => byKey(books.flatMap((one) => one[part]));
  const add = (part: 'exchange' | 'opening' | 'closing' | 'explained'): bigint => sum(books.map((one) => one[part]));
  return { indirect: rows('indirect'), direct: rows('direct'), investing: rows('investing'),
    financing: rows('financing'), exchange: add('exchange'), opening: add('opening'), closing: add('closing'),
    explained: add('explained'), figures: books.reduce((total, one) => total + one.figures, 0) };
}

/** True where rates alone explain the exchange differences, and rounding is within half a minor unit a figure. */
export function areExplained(of: TranslatedFlows): boolean {
  const rounding = of.indirect.find((row) => row.key === ROUNDING)?.minor ?? 0n;
  return 2n * abs(of.exchange - of.explained) <= BigInt(of.figures) && 2n * abs(rounding) <= BigInt(of.figures);
}
