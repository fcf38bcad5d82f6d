/** Profit and loss, and balance sheet, by the chart's sections (accounting.md 3.3, 3.4). */
import type { Division } from '#kernel/money/division.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { hasParts, partMovements, type PartFilter } from './line-parts.server.ts';
import { accountMovements, check, hasClosingEntry, type AccountMovement, type Check } from './balances.server.ts';

export interface StatementRow {
  account_id: number;
  code: string;
  name: string;
  amount_minor: number;
}
export interface StatementSection {
  key: string;
  title: string;
  rows: StatementRow[];
  total_minor: number;
}

export interface ProfitAndLoss {
  /** revenue, cost_of_sales, operating, other: income and gains positive; costs positive in their own sections. */
  sections: StatementSection[];
  gross_profit_minor: number;
  operating_profit_minor: number;
  net_profit_minor: number;
  checks: Check[];
}

const PROFIT_SECTIONS = [
  ['revenue', 'Revenue', -1], ['cost_of_sales', 'Cost of sales', 1], ['operating', 'Operating expenses', 1],
  ['other', 'Exchange and other', -1],
] as const;
const isProfit = (row: AccountMovement): boolean => row.class === 'income' || row.class === 'expense';

/**
 * Result of the days from..to, functional currency. Closing entries do not count. Accounts without movement are left
 * out. Every account of income and expense stands somewhere: one below a header of its own section, or below the root,
 * has that section after the four, gains positive, and counts in the net profit. Of a show or a class of customer only
 * income and expense are known, so nothing is checked there.
 */
export async function profitAndLoss(
  db: Queryable, of: { division: Division; from: string; to: string } & PartFilter,
): Promise<ProfitAndLoss> {
  const all = hasParts(of) ? await partMovements(db, of) : await accountMovements(db, {
    division: of.division, from: of.from, as_of: of.to, without_year_end_close: true });
  const report = await profitOf(db, of.division, all.filter(isProfit));
  const balanceSheetMovement = all.filter((row) => !isProfit(row))
    .reduce((sum, row) => sum + row.debit_minor - row.credit_minor, 0);
  return { ...report, checks: hasParts(of) ? []
    : [check('result_equals_movement_of_balance_sheet', balanceSheetMovement, report.net_profit_minor)] };
}

/** The statement of such movements of income and expense. */
export async function profitOf(
  db: Queryable, division: Division, results: readonly AccountMovement[],
): Promise<Omit<ProfitAndLoss, 'checks'>> {
  return profitReport(results, await titlesOf(db, division));
}

/** The same by the titles of a chart. */
export function profitReport(results: readonly AccountMovement[], titles: readonly Titled[]):
Omit<ProfitAndLoss, 'checks'> {
  const moved = (sign: number) => (row: AccountMovement) => sign * (row.debit_minor - row.credit_minor);
  const known = PROFIT_SECTIONS.map(([key, title, sign]) => section(key, title,
    results.filter((row) => row.section === key), moved(sign)));
  const others = titles.filter((one) => ['income', 'expense'].includes(one.class)
    && PROFIT_SECTIONS.every(([key]) => key !== one.section));
  const rest = others.map((one) => section(`${one.class}:${one.section}`, one.name,
    results.filter((row) => row.class === one.class && row.section === one.section), moved(-1)))
    .filter((one) => one.rows.length > 0);
  const sections = [...known, ...rest];
  const total = (key: string): number => sections.find((s) => s.key === key)!.total_minor;
  const gross = total('revenue') - total('cost_of_sales');
  const operating = gross - total('operating');
  const net = operating + total('other') + rest.reduce((sum, one) => sum + one.total_minor, 0);
  return { sections, gross_profit_minor: gross, operating_profit_minor: operating, net_profit_minor: net };
}

/** Sign of a debit in the section: costs positive in their own, gains positive elsewhere. */
export const signOf = (section: string): 1 | -1 =>
  PROFIT_SECTIONS.find(([key]) => key === section)?.[2] ?? -1;

export interface BalanceSheet {
  as_of: string;
  fiscal_year_from: string;
  assets: StatementSection[];
  liabilities: StatementSection[];
  equity: StatementSection[];
  brought_forward_minor: number;
  current_result_minor: number;
  /** A closing entry of the fiscal year moved part of its result, or all of it, to retained earnings. */
  has_closing_entry: boolean;
  total_assets_minor: number;
  total_liabilities_minor: number;
  total_equity_minor: number;
  checks: Check[];
}

export interface Titled { section: string; class: string; name: string }

/** Sections of a division's chart in its order, each by the name of its first header below the root. */
export async function titlesOf(db: Queryable, division: Division): Promise<Titled[]> {
  return await db.query<Titled>(sql`
    select section, class, coalesce(min(name) filter (where parent_id is not null), min(name)) as name
    from ledger_headers where division = ${division} group by section, class
    order by array_position(array['asset', 'liability', 'equity', 'income', 'expense'], class),
      coalesce(min(sort) filter (where parent_id is not null), min(sort)), section`);
}

/**
 * Assets, liabilities and equity at a day; liabilities and equity positive, every account in the section of its header.
 * Retained earnings are computed: the result before `from` (the fiscal year of that day) is brought forward, the rest
 * is the current result.
 */
export async function balanceSheet(
  db: Queryable, of: { division: Division; as_of: string; from?: string | undefined },
): Promise<BalanceSheet> {
  const starts = of.from ?? await fiscalYearStart(db, of);
  const all = await accountMovements(db, { division: of.division, from: starts, as_of: of.as_of });
  return { ...sheetReport(all, await titlesOf(db, of.division), { as_of: of.as_of, starts }),
    has_closing_entry: await hasClosingEntry(db, { division: of.division, from: starts, as_of: of.as_of }) };
}

/** The statement of balances that are read; `starts` is the first day of the fiscal year. */
export function sheetReport(all: readonly AccountMovement[], names: readonly Titled[],
  of: { as_of: string; starts: string }): Omit<BalanceSheet, 'has_closing_entry'> {
  const sectionsOf = (kind: string, sign: number): StatementSection[] => names.filter((n) => n.class === kind)
    .map((n) =>
    section(n.section, n.name, all.filter((row) => row.class === kind && row.section === n.section),
      (row) => sign * row.closing_minor));
  const sum = (list: StatementSection[]): number => list.reduce((total, s) => total + s.total_minor, 0);
  const assets = sectionsOf('asset', 1);
  const liabilities = sectionsOf('liability', -1);
  const equity = sectionsOf('equity', -1);
  const brought = -all.filter(isProfit).reduce((total, row) => total + row.opening_minor, 0);
  const current = -all.filter(isProfit).reduce((total, row) => total + row.debit_minor - row.credit_minor, 0);
  const totalEquity = sum(equity) + brought + current;
  return {
    as_of: of.as_of, fiscal_year_from: of.starts, assets, liabilities, equity,
    brought_forward_minor: brought + 0, current_result_minor: current + 0,
    total_assets_minor: sum(assets), total_liabilities_minor: sum(liabilities), total_equity_minor: totalEquity,
    checks: [check('assets_equal_liabilities_and_equity', sum(assets), sum(liabilities) + totalEquity)],
  };
}

/** First day of the fiscal year that the day lies in. */
export async function fiscalYearStart(db: Queryable, of: { division: Division; as_of: string }): Promise<string> {
  const { starts } = await db.one<{ starts: string }>(sql`
    select (make_date(extract(year from ${of.as_of}::date)::int
        - case when extract(month from ${of.as_of}::date) < fiscal_year_start_month then 1 else 0 end,
      fiscal_year_start_month, 1)) as starts
    from divisions where code = ${of.division}`);
  return starts;
}

function section(
  key: string, title: string, rows: AccountMovement[], amount: (row: AccountMovement) => number,
): StatementSection {
  const shown = rows.map((row) => ({
    account_id: row.account_id, code: row.code, name: row.name, amount_minor: amount(row) + 0,
  })).filter((row) => row.amount_minor !== 0);
  return { key, title, rows: shown, total_minor: shown.reduce((total, row) => total + row.amount_minor, 0) };
}
