/** The trial balance of a division (accounting.md 3.1; issue 2 section 3). */
import type { Queryable } from '#server/db.ts';
import { accountMovements, check, type Check, type MovementQuery } from './balances.server.ts';

export interface TrialBalance {
  rows: {
    account_id: number; code: string; name: string; class: string;
    opening_minor: number; debit_minor: number; credit_minor: number; closing_minor: number;
  }[];
  totals: { opening_minor: number; debit_minor: number; credit_minor: number; closing_minor: number };
  checks: Check[];
}

/**
 * Every account of the chart, by code; signed minor units in the division's functional currency, debit positive.
 * Without `from` opening is 0 and debit and credit are the totals since the first posting; with it opening is the
 * balance of the day before.
 */
export async function trialBalance(
  db: Queryable, of: Pick<MovementQuery, 'division' | 'from' | 'as_of'>,
): Promise<TrialBalance> {
  const rows = (await accountMovements(db, of))
    .map(({ section: _section, system_key: _key, cash_flow_class: _flow, ...row }) => row);
  const total = (column: 'opening_minor' | 'debit_minor' | 'credit_minor' | 'closing_minor'): number =>
    rows.reduce((sum, row) => sum + row[column], 0);
  const totals = {
    opening_minor: total('opening_minor'), debit_minor: total('debit_minor'),
    credit_minor: total('credit_minor'), closing_minor: total('closing_minor'),
  };
  return {
    rows,
    totals,
    checks: [
      check('opening_is_zero', 0, totals.opening_minor),
      check('debits_equal_credits', totals.debit_minor, totals.credit_minor),
      check('closing_is_zero', 0, totals.closing_minor),
    ],
  };
}
