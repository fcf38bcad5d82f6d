/** The lines of each statement in their order, with keys that are the same in every column. */
import type { CashFlows, FlowSection } from '#kernel/ledger/cash-flows.ts';
import type { StatementLine } from '#kernel/ledger/statement-columns.ts';
import type { BalanceSheet, ProfitAndLoss, StatementSection } from './statements.server.ts';

const total = (kind: 'sum' | 'result', key: string, title: string, minor: number | bigint): StatementLine =>
  ({ kind, key, group: '', title, code: null, minor: BigInt(minor) });
const group = (key: string, title: string): StatementLine =>
  ({ kind: 'group', key: `group:${key}`, group: key, title, code: null, minor: 0n });

function sectionLines(section: StatementSection): StatementLine[] {
  if (section.rows.length === 0) return [];
  return [group(section.key, section.title),
    ...section.rows.map((row): StatementLine => ({ kind: 'line', key: `${section.key}:${row.account_id}`,
      group: section.key, title: row.name, code: row.code, minor: BigInt(row.amount_minor) })),
    { ...total('sum', `sum:${section.key}`, `Total ${section.title.toLowerCase()}`, section.total_minor),
      group: section.key }];
}

const FOUR: readonly string[] = ['revenue', 'cost_of_sales', 'operating', 'other'];

export function profitLines(report: ProfitAndLoss): StatementLine[] {
  const part = (key: string) => sectionLines(report.sections.find((one) => one.key === key)!);
  return [...part('revenue'), ...part('cost_of_sales'),
    total('sum', 'gross', 'Gross profit', report.gross_profit_minor), ...part('operating'),
    total('sum', 'operating_profit', 'Operating profit', report.operating_profit_minor), ...part('other'),
    ...report.sections.filter((one) => !FOUR.includes(one.key)).flatMap(sectionLines),
    total('result', 'net', 'Net profit', report.net_profit_minor)];
}

/** Taxes and balances between divisions are among the assets and among the liabilities: each section by itself. */
const creditLines = (part: 'liability' | 'equity', sections: readonly StatementSection[]): StatementLine[] =>
  sections.flatMap((one) => sectionLines({ ...one, key: `${part}:${one.key}` }));

export function balanceLines(report: Omit<BalanceSheet, 'has_closing_entry'>): StatementLine[] {
  return [...report.assets.flatMap(sectionLines), total('result', 'assets', 'Assets', report.total_assets_minor),
    ...creditLines('liability', report.liabilities),
    total('sum', 'liabilities', 'Liabilities', report.total_liabilities_minor),
    ...creditLines('equity', report.equity),
    total('sum', 'brought_forward', 'Retained earnings', report.brought_forward_minor),
    total('sum', 'current_result', 'Net income, year to date', report.current_result_minor),
    total('sum', 'equity', 'Equity', report.total_equity_minor),
    total('result', 'liabilities_equity', 'Liabilities and equity',
      report.total_liabilities_minor + report.total_equity_minor)];
}

/** Titles of balances name the accounts whose change they are. */
function flowLines(key: string, title: string, section: FlowSection): StatementLine[] {
  if (section.rows.length === 0) return [];
  return [group(key, title), ...section.rows.map((row): StatementLine => ({ kind: 'line', key: row.key, group: key,
    title: row.title, code: null, minor: row.minor }))];
}

/** As the indirect statement; below it what the operations took in and paid, by payer and payee. */
export function cashLines(report: CashFlows): StatementLine[] {
  const change = (row: { key: string }): boolean => row.key.startsWith('change:');
  const only = (keep: (row: { key: string }) => boolean): FlowSection =>
    ({ ...report.indirect, rows: report.indirect.rows.filter(keep) });
  const activity = (key: string, name: string, section: FlowSection): StatementLine[] => (section.rows.length === 0 ? []
    : [...flowLines(key, name, section), total('sum', `cash:${key}`, `Cash from ${key}`, section.total)]);
  return [...flowLines('operations', 'Operations', only((row) => !change(row))),
    ...flowLines('changes', 'Changes in balances', only(change)),
    total('sum', 'cash:operations', 'Cash from operations', report.indirect.total),
    ...activity('investing', 'Investing', report.investing), ...activity('financing', 'Financing', report.financing),
    total('sum', 'exchange', 'Exchange differences on cash', report.exchange),
    total('sum', 'cash:change', 'Change in cash', report.closing - report.opening),
    total('sum', 'cash:opening', 'Cash at the beginning', report.opening),
    total('result', 'cash:closing', 'Cash at the end', report.closing),
    ...flowLines('direct', 'Cash from operations by payer and payee', report.direct),
    total('sum', 'cash:direct', 'Cash from operations, direct', report.direct.total)];
}
