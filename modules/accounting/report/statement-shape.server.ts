/** Parts of the tables of statements: the query, the head of a column, changes, checks of several columns. */
import type * as z from 'zod';
import { changeOf, columnTitle, type StatementColumn } from '#kernel/ledger/statement-columns.ts';
import type { Language } from '#kernel/money/division.ts';
import type { Check } from './balances.server.ts';
import type { statementEndpoints, StatementName, StatementTable } from './statement-table.contract.ts';

export type StatementQuery = Omit<z.output<NonNullable<typeof statementEndpoints.read.query>>, 'from' | 'to'>
  & { from: string; to: string; currency: string };
type Column = StatementTable['columns'][number];
type Row = StatementTable['rows'][number];

export const isOfDay = (name: StatementName): boolean => name === 'balance_sheet';

/** Balances of a day alone, without the days before it. */
export const isBalance = (of: { statement: StatementName; scope: StatementQuery['scope'] }): boolean =>
  isOfDay(of.statement) || of.statement === 'trial_balance' && of.scope === 'group';

/** A check of several columns holds where it holds in each; else the first that fails is told. */
export function joinedChecks(columns: readonly (readonly Check[])[]): Check[] {
  const all = columns.flat();
  return [...new Set(all.map((one) => one.name))].map((name) => {
    const same = all.filter((one) => one.name === name);
    return same.find((one) => !one.ok) ?? same[0]!;
  });
}

export const wireColumn = (column: StatementColumn, language: Language, ofDay: boolean): Column => ({ key: column.key,
  title: columnTitle(language, column, ofDay), from: column.from, to: column.to, measure: 'amount',
  total: column.total, division: null, fiscal_year_from: null, has_closing_entry: false });

/** The last two of `amounts` where they are compared. */
export function changed(row: Omit<Row, 'change_minor' | 'change_permille'>, at: readonly [number, number] | null): Row {
  if (at === null || row.kind === 'group') return { ...row, change_minor: null, change_permille: null };
  const { minor, permille } = changeOf(BigInt(row.amounts[at[0]]!), BigInt(row.amounts[at[1]]!));
  return { ...row, change_minor: Number(minor), change_permille: permille === null ? null : Number(permille) };
}

export type Parts = Pick<StatementTable, 'columns' | 'rows' | 'checks' | 'has_change'>;
