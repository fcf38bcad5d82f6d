/** Cash flows of all divisions in USD: each division beside the others, eliminations, and the group. */
import { addDays, addMonths, endOfMonth, startOfMonth, type IsoDate } from '#kernel/calendar/calendar.ts';
import { areExplained, eliminateFlows, flowTotal, sumFlows, totalOf, translateFlows, type GroupFlow,
  type TranslatedFlows } from '#kernel/ledger/group-cash-flows.ts';
import { FUNCTIONAL_CURRENCY } from '#kernel/ledger/journal.ts';
import type { StatementLine } from '#kernel/ledger/statement-columns.ts';
import { atRate } from '#kernel/money/exchange.ts';
import { DIVISIONS, type Division } from '#kernel/money/division.ts';
import type { Queryable } from '#server/db.ts';
import { accountMovements, check, type Check } from './balances.server.ts';
import { cashFlowReport, flowAccounts } from './cash-flows.server.ts';
import { translatedResults } from './group-books.server.ts';
import { GROUP_CURRENCY, GroupRates, monthThrough } from './group-rates.server.ts';

interface Days { from: IsoDate; to: IsoDate }

/** The months of the days, the first and the last as far as they are among them. */
function monthsOf({ from, to }: Days): Days[] {
  const months: Days[] = [];
  for (let starts = startOfMonth(from); starts <= to; starts = addMonths(starts, 1)) {
    const ends = endOfMonth(starts);
    months.push({ from: starts < from ? from : starts, to: ends > to ? to : ends });
  }
  return months;
}

async function flowsOf(db: Queryable, rates: GroupRates, division: Division, of: Days & {
  result: bigint; result_figures: number }): Promise<TranslatedFlows> {
  const currency = FUNCTIONAL_CURRENCY[division];
  const accounts = await flowAccounts(db, division);
  const moved = await accountMovements(db, { division, from: of.from, as_of: of.to });
  const cash = moved.filter((row) => accounts.get(row.account_id)?.cash_flow_class === 'cash').map((row) => ({
    opening: BigInt(row.opening_minor), closing: BigInt(row.closing_minor) }));
  const spans = currency === GROUP_CURRENCY ? [{ from: of.from, to: of.to }] : monthsOf(of);
  const read: { span: Days; flows: Awaited<ReturnType<typeof cashFlowReport>> }[] = [];
  for (const span of spans) {
    const flows = await cashFlowReport(db, { division, ...span, applied_to: of.to }, 'en-US');
    if (flows.opening !== flows.closing || flows.direct.rows.length + flows.indirect.rows.length
      + flows.investing.rows.length + flows.financing.rows.length > 0) read.push({ span, flows });
  }
  const average = await rates.ofMonths(currency, read.map(({ span }) =>
    monthThrough(span.from, endOfMonth(span.from), of.to)));
  const isHeld = (day: 'opening' | 'closing') => cash.some((one) => one[day] !== 0n);
  return translateFlows({ division, cash, result: of.result, result_figures: of.result_figures,
    months: read.map(({ span, flows }) => ({ flows, rate: average.get(startOfMonth(span.from))! })),
    opening: isHeld('opening') ? await rates.onDay(currency, addDays(of.from, -1)) : '1',
    closing: read.length > 0 || isHeld('closing') ? await rates.onDay(currency, of.to) : '1' }, accounts);
}

const total = (kind: 'sum' | 'result', key: string, title: string, minor: bigint): StatementLine =>
  ({ kind, key, group: '', title, code: null, minor });

function part(key: string, title: string, rows: readonly GroupFlow[]): StatementLine[] {
  if (rows.length === 0) return [];
  return [{ kind: 'group', key: `group:${key}`, group: key, title, code: null, minor: 0n },
    ...rows.map((row): StatementLine => ({ kind: 'line', key: row.key, group: key, title: row.title, code: null,
      minor: row.minor }))];
}

const LAST_PARTS = ['rounding', 'indirect:unmatched'];

/** As the statement of one division has them; below it the direct reading. */
function linesOf(of: TranslatedFlows): StatementLine[] {
  const only = (keep: (key: string) => boolean) => of.indirect.filter((row) => keep(row.key));
  const isChange = (key: string): boolean => key.startsWith('change:');
  const activity = (key: 'investing' | 'financing', name: string): StatementLine[] => (of[key].length === 0 ? []
    : [...part(key, name, of[key]), total('sum', `cash:${key}`, `Cash from ${key}`, totalOf(of[key]))]);
  return [...part('operations', 'Operations', only((key) => !isChange(key) && !LAST_PARTS.includes(key))),
    ...part('changes', 'Changes in balances', only(isChange)),
    ...part('differences', 'Differences', only((key) => LAST_PARTS.includes(key))),
    total('sum', 'cash:operations', 'Cash from operations', totalOf(of.indirect)),
    ...activity('investing', 'Investing'), ...activity('financing', 'Financing'),
    total('sum', 'exchange', 'Exchange differences on cash', of.exchange),
    total('sum', 'cash:change', 'Change in cash', of.closing - of.opening),
    total('sum', 'cash:opening', 'Cash at the beginning', of.opening),
    total('result', 'cash:closing', 'Cash at the end', of.closing),
    ...part('direct', 'Cash from operations by payer and payee', of.direct),
    total('sum', 'cash:direct', 'Cash from operations, direct', totalOf(of.direct))];
}

function checksOf(books: readonly TranslatedFlows[], group: TranslatedFlows): Check[] {
  const expected = Number(group.closing - group.opening);
  return [check('indirect_equals_change_of_cash', expected, Number(totalOf(group.indirect) + totalOf(group.investing)
    + totalOf(group.financing) + group.exchange)),
  check('direct_equals_change_of_cash', expected, Number(flowTotal(group) + group.exchange)),
  check('exchange_on_cash_explained', 0, books.filter((one) => !areExplained(one)).length)];
}

/** Lines of each division, of what is eliminated, and of the group. 409 where a rate is missing. */
export async function groupCashFlows(db: Queryable, days: Days): Promise<{ divisions: { division: Division;
  lines: StatementLine[] }[]; eliminations: StatementLine[]; group: StatementLine[]; checks: Check[] }> {
  const rates = new GroupRates(db);
  const results = await translatedResults(db, rates, days);
  const books: TranslatedFlows[] = [];
  for (const division of DIVISIONS) {
    const amounts = results.find((one) => one.division === division)!.amounts;
    books.push(await flowsOf(db, rates, division, { ...days, result_figures: amounts.length,
      result: -totalOf(amounts.map((row) => ({ minor: atRate(row.minor, row.rate) }))) }));
  }
  rates.refuseMissing();
  const taken = eliminateFlows(books);
  const group = sumFlows([...books, taken]);
  return { divisions: DIVISIONS.map((division, at) => ({ division, lines: linesOf(books[at]!) })),
    eliminations: linesOf(taken), group: linesOf(group), checks: checksOf(books, group) };
}
