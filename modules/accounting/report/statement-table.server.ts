/** Statements with comparatives, by month, and by show or class of customer: one table for the screen and its files. */
import { columnTitle, mergedLines, MOST_COLUMNS, statementColumns, type StatementColumn, type StatementLine }
  from '#kernel/ledger/statement-columns.ts';
import type { Division, Language } from '#kernel/money/division.ts';
import { invalidField } from '#kit/errors.ts';
import type { Queryable } from '#server/db.ts';
import { check, type Check } from './balances.server.ts';
import { cashNotes, cashProfitLines, cashResultsByPart } from './cash-profit.server.ts';
import { cashFlowReport } from './cash-flows.server.ts';
import { groupTable } from './group-table.server.ts';
import { hasParts, partNames, partTitle, resultsByPart, type PartName, type PartResult } from './line-parts.server.ts';
import { balanceLines, cashLines, profitLines } from './statement-lines.server.ts';
import { changed, isOfDay, joinedChecks, wireColumn, type Parts, type StatementQuery }
  from './statement-shape.server.ts';
import type { StatementName, StatementTable } from './statement-table.contract.ts';
import { balanceSheet, profitAndLoss } from './statements.server.ts';
import { trialBalance, type TrialBalance } from './trial-balance.server.ts';

export const STATEMENT_TITLES: Readonly<Record<StatementName, string>> = { profit_loss: 'Profit and loss',
  balance_sheet: 'Balance sheet', cash_flows: 'Cash flows', trial_balance: 'Trial balance' };

function refuseUnfit(of: StatementQuery): void {
  const parts = of.by !== 'none' || of.show_id !== undefined || of.customer_class_id !== undefined;
  if (of.scope === 'group' && (parts || of.basis === 'cash')) {
    throw invalidField('scope', 'All divisions are known on the accrual basis, not by show or class of customer');
  }
  if (parts && of.statement !== 'profit_loss') {
    throw invalidField('statement', 'Only the profit and loss is known by show and class of customer');
  }
  if (of.basis === 'cash' && of.statement !== 'profit_loss') {
    throw invalidField('basis', 'Only the profit and loss is known on the cash basis');
  }
  if (of.by !== 'none' && of.compare !== 'none') {
    throw invalidField('compare', 'Choose either a comparison or parts');
  }
}

interface Read { lines: StatementLine[]; checks: Check[]; fiscal_year_from?: string; has_closing_entry?: boolean }

async function readColumn(db: Queryable, of: StatementQuery, { from, to }: StatementColumn): Promise<Read> {
  const { division } = of;
  switch (of.statement) {
    case 'profit_loss': {
      const report = await profitAndLoss(db, { division, from, to, show_id: of.show_id,
        customer_class_id: of.customer_class_id });
      return { lines: profitLines(report), checks: report.checks };
    }
    case 'balance_sheet': {
      const report = await balanceSheet(db, { division, as_of: to });
      return { lines: balanceLines(report), checks: report.checks, fiscal_year_from: report.fiscal_year_from,
        has_closing_entry: report.has_closing_entry };
    }
    default: {
      const report = await cashFlowReport(db, { division, from, to });
      return { lines: cashLines(report), checks: report.checks.map((one) =>
        check(one.name, Number(one.expected), Number(one.actual))) };
    }
  }
}

async function plainTable(db: Queryable, of: StatementQuery, columns: StatementColumn[], language: Language):
Promise<Parts> {
  const read: Read[] = of.basis === 'cash'
    ? (await cashProfitLines(db, of, columns)).map((lines) => ({ lines, checks: [] })) : [];
  if (of.basis === 'accrual') for (const column of columns) read.push(await readColumn(db, of, column));
  const has_change = of.compare === 'previous_period' || of.compare === 'last_year';
  return { columns: columns.map((one, at) => ({ ...wireColumn(one, language, isOfDay(of.statement)),
    fiscal_year_from: read[at]?.fiscal_year_from ?? null,
    has_closing_entry: read[at]?.has_closing_entry ?? false })), has_change,
    checks: joinedChecks(read.map((one) => one.checks)),
    rows: mergedLines(read.map((one) => one.lines)).map(({ group: _group, amounts, ...row }) =>
      changed({ ...row, part_id: null, amounts: amounts.map(Number) }, has_change ? [0, 1] : null)) };
}

const MEASURES = ['opening', 'debit', 'credit', 'closing'] as const;
const MEASURE_WORDS = { opening: 'Opening', debit: 'Debit', credit: 'Credit', closing: 'Closing' } as const;

/** The days asked for with their movement; of the others the closing balance. */
async function trialTable(db: Queryable, of: StatementQuery, columns: StatementColumn[], language: Language):
Promise<Parts> {
  const spans = columns.filter((one) => !one.total);
  const reports: TrialBalance[] = [];
  for (const { from, to } of spans) reports.push(await trialBalance(db, { division: of.division, from, as_of: to }));
  const first = of.compare === 'months' ? [] : MEASURES;
  const cells = [...first.map((measure) => ({ report: 0, measure })), ...spans.slice(first.length > 0 ? 1 : 0)
    .map((_, index) => ({ report: index + (first.length > 0 ? 1 : 0), measure: 'closing' as const }))];
  const has_change = of.compare === 'previous_period' || of.compare === 'last_year';
  const at = has_change ? [3, 4] as const : null;
  const codes = new Map(reports.flatMap((report) => report.rows.map((row) => [row.code, row] as const)));
  const found = reports.map((report) => new Map(report.rows.map((row) => [row.code, row])));
  const rows = [...codes.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1)).map((row) => ({ row,
    amounts: cells.map((cell) => found[cell.report]!.get(row.code)?.[`${cell.measure}_minor`] ?? 0) }))
    .filter(({ amounts }) => amounts.some((minor) => minor !== 0));
  return { has_change, checks: joinedChecks(reports.map((report) => report.checks)),
    columns: cells.map((cell, index) => ({ ...wireColumn(spans[cell.report]!, language, true), key: `c${index}`,
      measure: cell.measure, title: cell.report === 0 && first.length > 0 ? MEASURE_WORDS[cell.measure]
        : columnTitle(language, spans[cell.report]!, true) })),
    rows: [...rows.map(({ row, amounts }) => changed({ kind: 'line', key: `account:${row.account_id}`,
      title: row.name, code: row.code, part_id: null, amounts }, at)),
    changed({ kind: 'result', key: 'total', title: 'Total', code: null, part_id: null, amounts: cells.map((cell) =>
      reports[cell.report]!.totals[`${cell.measure}_minor`]) }, at)] };
}

const PART_COLUMNS = [['revenue', 'Revenue'], ['cost_of_sales', 'Cost of sales'], ['gross', 'Gross profit'],
  ['operating', 'Operating expenses'], ['other', 'Exchange and other'], ['net', 'Net profit']] as const;

/** Revenue to net profit of one show or class; costs positive in their own columns. */
function measuresOf(results: readonly PartResult[]): number[] {
  const of = (key: string): number => results.filter((one) => one.section === key)
    .reduce((sum, one) => sum + one.minor, 0);
  const [revenue, cost, operating] = [of('revenue'), -of('cost_of_sales'), -of('operating')];
  const net = results.reduce((sum, one) => sum + one.minor, 0);
  const gross = revenue - cost;
  return [revenue, cost, gross, operating, net - gross + operating, net].map((minor) => minor + 0);
}

async function partTable(db: Queryable, of: StatementQuery, by: PartName): Promise<Parts> {
  const { results, net_profit_minor: whole } = of.basis === 'cash' ? await cashResultsByPart(db, of, by)
    : { results: await resultsByPart(db, of, by), ...await profitAndLoss(db, of) };
  const ids = [...new Set(results.map((one) => one.part_id))];
  const names = await partNames(db, by, ids);
  const rows = ids.map((id) => changed({ kind: 'line', key: `${by}:${id}`, title: names.get(id) ?? `${id}`, code: null,
    part_id: id, amounts: measuresOf(results.filter((one) => one.part_id === id)) }, null))
    .toSorted((a, b) => b.amounts[0]! - a.amounts[0]! || (a.title < b.title ? -1 : 1));
  const total = measuresOf(results);
  return { has_change: false, columns: PART_COLUMNS.map(([key, title]) => ({ key, title, from: of.from, to: of.to,
    measure: key, total: false, division: null, fiscal_year_from: null, has_closing_entry: false })),
  checks: [check('parts_equal_net_profit', whole, total.at(-1)!)],
  rows: [...rows, changed({ kind: 'result', key: 'total', title: 'Total', code: null, part_id: null, amounts: total },
    null)] };
}

/** Two years of months at most, and a year that has a year before it. */
function columnsOf(of: StatementQuery): StatementColumn[] {
  const columns = statementColumns(of, { compare: of.compare, periods: of.periods,
    ofDay: isOfDay(of.statement) || of.statement === 'trial_balance' && of.compare === 'months' });
  if (columns.filter((one) => !one.total).length > MOST_COLUMNS) {
    throw invalidField('from', `Choose at most ${MOST_COLUMNS} months`);
  }
  if (columns.slice(1).some((one) => one.from < '1900-01-01')) {
    throw invalidField('from', 'Choose days whose comparison is after 1899');
  }
  return columns;
}

export async function statementTable(db: Queryable, of: StatementQuery, language: Language): Promise<StatementTable> {
  refuseUnfit(of);
  const columns = columnsOf(of);
  const parts = of.scope === 'group' ? await groupTable(db, of, columns, language)
    : of.statement === 'trial_balance' ? await trialTable(db, of, columns, language)
    : of.by === 'none' ? await plainTable(db, of, columns, language) : await partTable(db, of, of.by);
  const cash = of.basis === 'cash';
  const title = STATEMENT_TITLES[of.statement];
  return { statement: of.statement, scope: of.scope, division: of.division as Division,
    title: of.scope === 'group' ? `Consolidated ${title.toLowerCase()}` : `${title}${cash ? ', cash basis' : ''}`,
    currency: of.currency, from: of.from, to: of.to, basis: of.basis, part: await partTitle(db, of), ...parts,
    notes: cash ? cashNotes(of.by !== 'none' || hasParts(of), language) : [] };
}
