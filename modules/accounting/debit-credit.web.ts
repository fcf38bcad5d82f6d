/**
 * The debit and credit columns of every list of ledger lines; a side without an amount stays empty. Heads name the
 * currency where an account may be kept in another one than its division's books.
 */
import type { Column } from '#web/data/column.ts';

interface Sides { debit_minor: number; credit_minor: number }

const side = <Row extends Sides>(id: 'credit' | 'debit', header: string): Column<Row> => ({
  id, header, kind: 'money', cell: (row) => (row[`${id}_minor`] === 0 ? null : BigInt(row[`${id}_minor`])),
});

export const debitCredit = <Row extends Sides>(currency?: string): readonly Column<Row>[] => [
  side<Row>('debit', currency ? `Debit, ${currency}` : 'Debit'),
  side<Row>('credit', currency ? `Credit, ${currency}` : 'Credit'),
];
