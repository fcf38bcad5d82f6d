/**
 * Every figure of a statement against what its link shows: the lines of the ledger, the transactions of the cash flows,
 * or the statement that it leads to. The lines are added up one by one, and each lies in the days of the column.
 */
import { expect } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { figureHref } from '#modules/accounting/report/statement-links.ts';
import type { StatementTable } from '#modules/accounting/report/statement-table.contract.ts';

const BOOKS = '/api/admin/staff/accounting';
const PATHS: Readonly<Record<string, string>> = { '/admin/accounting/general-ledger': 'general_ledger',
  '/admin/finance/cash-flows/transactions': 'reports/cash_flows/transactions',
  '/admin/finance/profit-loss': 'reports/profit_loss', '/admin/finance/balance-sheet': 'reports/balance_sheet',
  '/admin/accounting/trial-balance': 'trial_balance' };
type Column = StatementTable['columns'][number];
type Reader = (path: string) => Promise<Body>;
interface Line { on: string; minor: number; debit: number; credit: number }

const total = (lines: readonly { minor: number }[]): number => lines.reduce((sum, { minor }) => sum + minor, 0);

/** All pages of the lines behind a link. */
async function linesOf(read: Reader, path: string, search: string): Promise<Line[]> {
  const lines: Line[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const data = await read(`${BOOKS}/${path}${search}&page=${page}`);
    last = data.last_page;
    lines.push(...data.rows.map((row: Body) => ({ on: row.transaction_at, debit: row.debit_minor,
      credit: row.credit_minor, minor: path === 'general_ledger' ? row.base_amount_minor : row.amount_minor })));
  }
  return lines;
}

/** The days of a column that a link shows; a balance has those before its day as well. */
function daysOf(table: StatementTable, column: Column): { from: string; to: string } {
  if (column.measure === 'opening') return { from: '', to: addDays(column.from, -1) };
  const isBalance = table.statement === 'balance_sheet' || column.measure === 'closing';
  return { from: isBalance ? '' : column.from, to: column.to };
}

async function figureOf(read: Reader, table: StatementTable, column: Column, href: string): Promise<number> {
  const { pathname, search } = new URL(href, 'http://x');
  const path = PATHS[pathname]!;
  if (path === 'general_ledger' || path.startsWith('reports/cash_flows')) {
    const { from, to } = daysOf(table, column);
    const lines = await linesOf(read, path, search);
    expect(lines.filter(({ on }) => on < from || on > to), href).toEqual([]);
    const side = column.measure === 'debit' || column.measure === 'credit' ? column.measure : 'minor';
    return total(lines.map((line) => ({ minor: line[side] })));
  }
  const data = await read(`${BOOKS}/${path}${search}`);
  if (path === 'reports/profit_loss') return data.net_profit_minor;
  return path === 'trial_balance' ? total(data.rows.filter((row: Body) => ['income', 'expense'].includes(row.class))
    .map((row: Body) => ({ minor: row.closing_minor })))
    : data.assets.find((one: Body) => one.key === 'cash')?.total_minor ?? 0;
}

/** Follows the link of every figure; answers how many there were. Each line of a statement has one. */
export async function drill(read: Reader, table: StatementTable): Promise<number> {
  let followed = 0;
  for (const row of table.rows.filter((one) => one.kind !== 'group')) {
    for (const [at, column] of table.columns.entries()) {
      const href = figureHref(table, row, column, {});
      if (row.kind === 'line') expect(href, row.title).not.toBeNull();
      if (href === null) continue;
      const found = await figureOf(read, table, column, href);
      expect(Math.abs(found), `${table.title}: ${row.title}, ${column.title}: ${href}`)
        .toBe(Math.abs(row.amounts[at]!));
      followed += 1;
    }
  }
  return followed;
}

/** Sums and results come to what stands above them, section by section. */
export function addUp(table: StatementTable): void {
  for (const at of table.columns.keys()) {
    let open = 0;
    for (const row of table.rows) {
      if (row.kind === 'group') open = 0;
      if (row.kind === 'line') open += row.amounts[at]!;
      if (row.key.startsWith('sum:')) expect(row.amounts[at], `${table.title}: ${row.title}`).toBe(open);
    }
  }
}
