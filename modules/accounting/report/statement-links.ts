/** Links from each figure of a statement to the lines that add up to it. */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { StatementTable } from './statement-table.contract.ts';

type Row = StatementTable['rows'][number];
type Column = StatementTable['columns'][number];
export type Settings = Readonly<Record<string, string>>;

const LEDGER = '/admin/accounting/general-ledger';

/** Show or class of customer that a statement is limited to. */
const partsOf = ({ show_id, customer_class_id }: Settings) => ({ ...(show_id ? { show_id } : {}),
  ...(customer_class_id ? { customer_class_id } : {}) });

function ledgerHref(table: StatementTable, code: string, column: Column, settings: Settings): string {
  const isOpening = table.statement === 'trial_balance' && column.measure === 'opening';
  const ofDay = table.statement === 'balance_sheet' || isOpening
    || table.statement === 'trial_balance' && column.measure === 'closing';
  return `${LEDGER}?${new URLSearchParams({ account: code, division: column.division ?? table.division,
    ...(ofDay ? {} : { from: column.from }), as_of: isOpening ? addDays(column.from, -1) : column.to,
    ...(table.statement === 'profit_loss' ? { closing_entries: 'without' } : {}),
    ...partsOf(settings) })}`;
}

const PAGES: Readonly<Partial<Record<StatementTable['statement'], string>>> = {
  profit_loss: '/admin/finance/profit-loss', balance_sheet: '/admin/finance/balance-sheet',
  trial_balance: '/admin/accounting/trial-balance', cash_flows: '/admin/finance/cash-flows' };

/** Rows of the group's cash flows that are the rest of others. */
const RESTS: readonly string[] = ['rounding', 'indirect:unmatched', 'direct:unmatched'];

/** Sums of other lines than those above them. */
const UNEXPLAINED: readonly string[] = ['brought_forward', 'current_result', 'exchange', 'cash:opening',
  'cash:closing'];

/** The statement of one division, in its currency. */
const ownPage = (table: StatementTable, division: string, { from, to }: Column): string =>
  `${PAGES[table.statement]}?${new URLSearchParams({ division,
    ...(table.statement === 'cash_flows' ? { from, to } : { as_of: to }) })}`;

const flowHref = (row: Row, days: Record<'division' | 'from' | 'to', string>): string => (row.key === 'net_result'
  ? `/admin/finance/profit-loss?${new URLSearchParams(days)}`
  : `/admin/finance/cash-flows/transactions?${new URLSearchParams({ ...days, row: row.key })}`);

/** A statement of all divisions for the days of a column. */
const groupPage = (table: StatementTable, { from, to }: Column, more: Record<string, string> = {}): string =>
  `${PAGES[table.statement]}?${new URLSearchParams({ scope: 'group', division: table.division,
    ...(table.statement === 'profit_loss' || table.statement === 'cash_flows' ? { from, to } : { as_of: to }),
    ...more })}`;

/** Sums that no line above them explains, and what a translation difference is made of. */
const isExplainedByDivisions = (row: Row): boolean => row.kind === 'line' || UNEXPLAINED.includes(row.key);

/**
 * Of all divisions: the ledger of the one, both books of what is eliminated; of the group the divisions that add up to
 * the figure.
 */
function groupHref(table: StatementTable, row: Row, column: Column, settings: Settings): string | null {
  if (!isExplainedByDivisions(row)) return null;
  if (column.division === null && column.measure !== 'eliminations') {
    return groupPage(table, column, { figure: row.key });
  }
  if (row.key.startsWith('roll:')) return null;
  if (column.measure === 'eliminations') return `/admin/accounting/intercompany/balances?as_of=${column.to}`;
  const { from, to } = column;
  if (column.division !== null && table.statement === 'cash_flows' && row.kind === 'line') {
    return RESTS.includes(row.key) ? null : flowHref(row, { division: column.division, from, to });
  }
  if (column.division === null) return null;
  if (row.code !== null) return ledgerHref(table, row.code, column, settings);
  return row.kind === 'line' ? null : ownPage(table, column.division, column);
}

/**
 * Link of the result of a fiscal year in the balance sheet. The profit and loss leaves closing entries out, so once
 * there is one the trial balance explains what it left: income less expense by their movement. Null where nothing is
 * left.
 */
export function resultHref(of: { division: string; minor: number; from: string; to: string;
  has_closing_entry: boolean }): string | null {
  const { division, from, to } = of;
  if (of.minor === 0) return null;
  return of.has_closing_entry ? `${PAGES.trial_balance}?${new URLSearchParams({ division, from, as_of: to })}`
    : `${PAGES.profit_loss}?${new URLSearchParams({ division, from, to })}`;
}

/**
 * Figures that no line above them explains: the result of the fiscal year, that of the years before it by account, cash
 * at both ends, and exchange differences on cash.
 */
function sumHref(table: StatementTable, row: Row, column: Column): string | null {
  const { division, statement } = table;
  const { from, to, fiscal_year_from: year } = column;
  const at = (page: keyof typeof PAGES, query: Record<string, string>): string =>
    `${PAGES[page]}?${new URLSearchParams({ division, ...query })}`;
  if (statement === 'balance_sheet' && year !== null) {
    const minor = row.amounts[table.columns.indexOf(column)] ?? 0;
    if (row.key === 'current_result') return resultHref({ division, minor, from: year, to,
      has_closing_entry: column.has_closing_entry });
    if (row.key === 'brought_forward') return at('trial_balance', { as_of: addDays(year, -1) });
  }
  if (statement !== 'cash_flows') return null;
  if (row.key === 'exchange') return flowHref(row, { division, from, to });
  if (row.key === 'cash:opening') return at('balance_sheet', { as_of: addDays(from, -1) });
  return row.key === 'cash:closing' ? at('balance_sheet', { as_of: to }) : null;
}

/** Link of a figure; null for sums, whose parts are listed above them. */
export function figureHref(table: StatementTable, row: Row, column: Column, settings: Settings): string | null {
  if (table.scope === 'group') return groupHref(table, row, column, settings);
  const days = { division: table.division, from: column.from, to: column.to };
  if (row.part_id !== null) {
    const name = settings.by === 'show' ? 'show_id' : 'customer_class_id';
    return `/admin/finance/profit-loss?${new URLSearchParams({ ...days, [name]: String(row.part_id),
      ...(table.basis === 'cash' ? { basis: 'cash' } : {}) })}`;
  }
  if (row.kind === 'sum' || row.kind === 'result') return sumHref(table, row, column);
  if (row.kind !== 'line') return null;
  if (row.code !== null && table.basis === 'cash') {
    return `/admin/finance/profit-loss/payments?${new URLSearchParams({ ...days, account: row.code,
      ...partsOf(settings) })}`;
  }
  if (row.code !== null) return ledgerHref(table, row.code, column, settings);
  return flowHref(row, days);
}

const sectionOf = (row: Row): string => row.key.slice(0, row.key.lastIndexOf(':'));

/** Amount of a row of all divisions in the statement of one of them, in its currency; null where it has no such row. */
export function ownAmount(own: StatementTable, row: Row): number | null {
  const same = row.code === null ? own.rows.filter((one) => one.key === row.key && one.kind === row.kind)
    : own.rows.filter((one) => one.code === row.code);
  const found = same.find((one) => sectionOf(one) === sectionOf(row)) ?? same[0];
  const at = own.statement === 'trial_balance' ? own.columns.findIndex((one) => one.measure === 'closing') : 0;
  return found?.amounts[at] ?? null;
}
