/**
 * Cash flows of some days, indirect and direct (accounting.md 3.5 and its amendment in the shared README).
 *
 * Every posting says what it adds to every figure, so a figure is the sum of its postings. Direct: the cash that a
 * posting moved is spread over its lines on the other side, by amount. Indirect: the result and the changes of
 * balances, less what moved no cash: exchange differences that are not realized, bad debt and impairment stand in rows
 * of their own and are taken out of the balance they sit in. What a posting moves between the three activities without
 * cash is left out of all of them. Exchange differences on cash are what cash accounts gained or lost without an
 * amount.
 *
 * Worked example (accounting.md 6.2): EUR 1,000 sold at 1.10, 400 received at 1.12, revalued at 1.08 in January. Result
 * 1,080.00 + unrealized 28.00 - receivables 660.00 = 448.00 from operations, -16.00 on the euros held: cash 432.00.
 */
import type { Language } from '../money/division.ts';
import { abs, min, sum } from '../money/money.ts';
import { splitByWeight } from '../money/split.ts';
import { readerLanguage, spellIn } from '../text/english.ts';
import type { PartyType } from './journal.ts';

export type Activity = 'operating' | 'investing' | 'financing';

export interface FlowAccount {
  id: number;
  code: string;
  name: string;
  class: 'asset' | 'liability' | 'equity' | 'income' | 'expense';
  section: string;
  system_key: string | null;
  /** Null: nobody has said yet; the report then fails its check and names the account. */
  cash_flow_class: Activity | 'cash' | null;
}

export interface FlowLine {
  account: FlowAccount;
  party_type: PartyType | null;
  /** Zero on lines of exchange difference. */
  amount: bigint;
  base: bigint;
  /** Accounts behind the documents that the line settles, where they differ from the account itself. */
  settles?: readonly { account: FlowAccount; weight: bigint }[];
}

export interface FlowPosting {
  is_revaluation: boolean;
  lines: readonly FlowLine[];
}

/** Amount one posting adds to the figure of that key. */
export interface Contribution {
  key: string;
  minor: bigint;
}

const isProfit = ({ class: kind }: FlowAccount): boolean => kind === 'income' || kind === 'expense';
const isCash = ({ cash_flow_class: kind }: FlowAccount): boolean => kind === 'cash';
const totalOf = (lines: readonly FlowLine[]): bigint => sum(lines.map((line) => line.base));

/** Gained or lost on cash accounts without an amount. */
function exchangeOnCash({ lines }: FlowPosting): bigint {
  return totalOf(lines.filter((line) => isCash(line.account) && line.amount === 0n));
}

/** Whom money came from or went to. */
function categoryOf({ account, party_type }: Pick<FlowLine, 'account' | 'party_type'>): string {
  if (party_type === 'customer') return account.system_key === 'ap' ? 'refunds' : 'customers';
  const byParty: Partial<Record<PartyType, string>> = { royaltor: 'royaltors', vendor: 'vendors', staff: 'staff',
    tax_authority: 'taxes', division: 'divisions' };
  if (party_type !== null && byParty[party_type]) return byParty[party_type];
  if (account.system_key === 'bank_fees') return 'bank_fees';
  if (account.section === 'tax') return 'taxes';
  if (account.section === 'revenue') return 'customers';
  if (account.section === 'inventory' || account.section === 'cost_of_sales' || account.section === 'operating') {
    return 'vendors';
  }
  return 'other';
}

function keyOf(line: Pick<FlowLine, 'account' | 'party_type'>): string {
  const { cash_flow_class: activity, id } = line.account;
  if (activity === 'operating') return `direct:${categoryOf(line)}`;
  return activity === 'investing' || activity === 'financing' ? `${activity}:${id}` : `unclassified:${id}`;
}

const isOperating = (key: string): boolean => key.startsWith('direct:');

interface Part { key: string; weight: bigint }

function partsOf(line: FlowLine): Part[] {
  if (!line.settles || line.settles.length === 0) return [{ key: keyOf(line), weight: abs(line.base) }];
  const split = splitByWeight(abs(line.base), line.settles.map((one) => one.weight));
  return line.settles.map((one, at) => ({ weight: split[at]!,
    key: keyOf({ account: one.account, party_type: one.account.id === line.account.id ? line.party_type : null }) }));
}

/**
 * The cash of a posting by what it was for. Tax beside another purpose follows it: it is paid to, or by, that party.
 * Opening balances take all the cash they bring in.
 */
export function attributeCash(posting: FlowPosting): Contribution[] {
  const cash = totalOf(posting.lines.filter((line) => isCash(line.account) && line.amount !== 0n));
  if (cash === 0n) return [];
  const against = posting.lines.filter((line) => !isCash(line.account) && line.base !== 0n
    && line.base > 0n !== cash > 0n);
  const opening = against.filter((line) => line.account.system_key === 'opening');
  const all = (opening.length > 0 ? opening : against).flatMap(partsOf).filter((part) => part.weight > 0n);
  const others = all.filter((part) => isOperating(part.key) && part.key !== 'direct:taxes');
  const parts = others.length > 0 ? all.filter((part) => part.key !== 'direct:taxes') : all;
  if (parts.length === 0) return [{ key: 'direct:other', minor: cash }];
  const split = splitByWeight(cash, parts.map((part) => part.weight));
  return parts.map(({ key }, at) => ({ key, minor: split[at]! }));
}

type Adjustment = 'unrealized_exchange' | 'bad_debt' | 'impairment';
/** Of what stands on an account of the balance sheet, what moved no cash. */
interface TakenOut { key: Adjustment; account: FlowAccount; minor: bigint }

/** An amount over the lines of the other sign on the balance sheet, as far as they reach. */
function against(lines: readonly FlowLine[], key: Adjustment, amount: bigint): TakenOut[] {
  const other = lines.filter((line) => !isProfit(line.account) && line.base !== 0n && line.base > 0n !== amount > 0n);
  const reach = min(abs(amount), sum(other.map((line) => abs(line.base))));
  const split = splitByWeight(amount > 0n ? -reach : reach, other.map((line) => abs(line.base)));
  return other.map(({ account }, at) => ({ key, account, minor: split[at]! }));
}

function takenOutOf(posting: FlowPosting): TakenOut[] {
  const { lines } = posting;
  if (posting.is_revaluation) {
    return lines.filter((line) => line.amount === 0n && !isCash(line.account) && !isProfit(line.account))
      .map((line) => ({ key: 'unrealized_exchange', account: line.account, minor: line.base }));
  }
  if (lines.some((line) => isCash(line.account))) return [];
  const onKey = (key: string) => lines.filter((line) => line.account.system_key === key);
  const bad = totalOf(onKey('bad_debt'));
  if (bad !== 0n) return against(lines, 'bad_debt', bad);
  const allowance = onKey('royaltor_advances_allowance');
  const impaired = totalOf(allowance);
  const cost = totalOf(lines.filter((line) => isProfit(line.account)));
  if (impaired === 0n || cost === 0n || impaired > 0n === cost > 0n) return [];
  const minor = min(abs(impaired), abs(cost));
  return [{ key: 'impairment', account: allowance[0]!.account, minor: impaired > 0n ? minor : -minor }];
}

/** Everything of a posting that balances alone do not tell: its cash, and what has moved none. */
export function flowsOf(posting: FlowPosting): Contribution[] {
  const exchange = exchangeOnCash(posting);
  const flows = attributeCash(posting);
  const out = takenOutOf(posting);
  const naive = -totalOf(posting.lines.filter(({ account }) => isProfit(account)
    || account.cash_flow_class === 'operating'));
  const operating = sum(flows.filter((flow) => isOperating(flow.key)).map((flow) => flow.minor));
  return gather([
    ...flows, { key: 'exchange', minor: exchange }, { key: 'unrealized_exchange', minor: -exchange },
    { key: 'without_cash', minor: operating - (naive - exchange) },
    // A loan or a machine has no change among the operating balances: it is left out of what moved without cash.
    ...out.flatMap(({ key, account, minor }) => [{ key, minor: -minor },
      { key: account.cash_flow_class === 'operating' ? `change:${account.id}` : 'without_cash', minor }]),
  ]);
}

/** Amounts a posting adds to the result and to the balance changes, before exclusions. */
export function movementsOf({ lines }: FlowPosting): Contribution[] {
  return gather(lines.flatMap(({ account, base }) => isProfit(account) ? [{ key: 'net_result', minor: -base }]
    : account.cash_flow_class === 'operating' ? [{ key: `change:${account.id}`, minor: -base }] : []));
}

/** Sums by key; what comes to nothing is left out. */
export function gather(list: readonly Contribution[]): Contribution[] {
  const sums = new Map<string, bigint>();
  for (const { key, minor } of list) sums.set(key, (sums.get(key) ?? 0n) + minor);
  return [...sums].filter(([, minor]) => minor !== 0n).map(([key, minor]) => ({ key, minor }));
}

export interface FlowRow {
  key: string;
  title: string;
  account_id: number | null;
  minor: bigint;
}
export interface FlowSection { rows: FlowRow[]; total: bigint }

export interface CashFlows {
  /** Result, adjustments, then accounts by code. */
  indirect: FlowSection;
  direct: FlowSection;
  investing: FlowSection;
  financing: FlowSection;
  exchange: bigint;
  opening: bigint;
  closing: bigint;
  /** Accounts with a movement that nobody gave a class. */
  unclassified: FlowAccount[];
  checks: { name: string; expected: bigint; actual: bigint }[];
}

export interface AccountBalance { account: FlowAccount; opening: bigint; change: bigint }

const adjustments = (language: Language): [string, string][] => [
  ['unrealized_exchange', spellIn(language)`Unrealized exchange differences`], ['bad_debt', 'Bad debt'],
  ['impairment', 'Impairment of advances'], ['without_cash', 'Investing and financing without cash'],
];
const categories = (): [string, string][] => [
  ['direct:customers', 'Received from customers'], ['direct:refunds', 'Refunded to customers'],
  ['direct:royaltors', 'Paid to royaltors'], ['direct:vendors', 'Paid to vendors'], ['direct:staff', 'Paid to staff'],
  ['direct:taxes', 'Taxes'], ['direct:bank_fees', 'Bank fees'], ['direct:divisions', 'Between divisions'],
  ['direct:other', 'Other'],
];
const RESULT: readonly [string, string] = ['net_result', 'Net result'];

/** Title of a row that is not an account; undefined for an account or an unknown key. */
export function flowTitle(key: string, language: Language): string | undefined {
  const exchange: [string, string] = ['exchange', 'Exchange differences on cash'];
  return [RESULT, ...adjustments(language), ...categories(), exchange].find(([name]) => name === key)?.[1];
}

/**
 * The statement: balances give the result and the changes, `flows` what the postings say (flowsOf, gathered). Closing
 * entries are in neither. Titles are in the language of the books.
 */
export function cashFlows(balances: readonly AccountBalance[], flows: readonly Contribution[],
  language: Language = readerLanguage()): CashFlows {
  const figures = new Map(gather(flows).map(({ key, minor }) => [key, minor]));
  const of = (key: string): bigint => figures.get(key) ?? 0n;
  const section = (rows: FlowRow[]): FlowSection => {
    const shown = rows.filter((row) => row.minor !== 0n);
    return { rows: shown, total: sum(shown.map((row) => row.minor)) };
  };
  const named = ([key, title]: readonly [string, string]): FlowRow =>
    ({ key, title, account_id: null, minor: of(key) });
  const byAccount = (activity: string) => section(balances.map(({ account }) => ({ key: `${activity}:${account.id}`,
    title: account.name, account_id: account.id, minor: of(`${activity}:${account.id}`) })));
  const changes = balances.filter(({ account }) => !isProfit(account) && account.cash_flow_class === 'operating')
    .map(({ account, change }) => ({ key: `change:${account.id}`, title: account.name, account_id: account.id,
      minor: of(`change:${account.id}`) - change }));
  const result = -sum(balances.filter(({ account }) => isProfit(account)).map((one) => one.change));
  const cash = balances.filter(({ account }) => isCash(account));
  const opening = sum(cash.map((one) => one.opening));
  const change = sum(cash.map((one) => one.change));
  const unclassified = balances.filter((one) => one.account.cash_flow_class === null && one.change !== 0n)
    .map((one) => one.account);
  const [indirect, direct] = [section([{ key: RESULT[0], title: RESULT[1], account_id: null, minor: result },
    ...adjustments(language).map(named), ...changes]), section(categories().map(named))];
  const [investing, financing, exchange] = [byAccount('investing'), byAccount('financing'), of('exchange')];
  const rest = investing.total + financing.total + exchange;
  return {
    indirect, direct, investing, financing, exchange, opening, closing: opening + change, unclassified,
    checks: [
      { name: 'indirect_equals_change_of_cash', expected: change, actual: indirect.total + rest },
      { name: 'direct_equals_change_of_cash', expected: change, actual: direct.total + rest },
      { name: 'operating_cash_agrees', expected: indirect.total, actual: direct.total },
      { name: 'accounts_without_cash_flow_class', expected: 0n, actual: BigInt(unclassified.length) },
    ],
  };
}
