/** A statement as one sum: opening balance and what became due, what is added and taken, what is paid or carried. */
import type { StatementDetail } from './statement.contract.ts';

export interface SumPart { label: string; sign: '+' | '−' | '=' | null; minor: number }

type Figures = Pick<StatementDetail, 'opening_minor' | 'earnings_minor' | 'reserves_taken_minor'
  | 'reserves_released_minor' | 'adjustments_minor' | 'recouped_minor' | 'top_up_minor' | 'vat_minor' | 'agent_minor'
  | 'expected_wht_minor' | 'payable_minor'>;

/**
 * Parts with their signs; those of zero are left out except opening and what became due. The last is the result: the
 * payment with tax as expected at the calculation, or the balance that is carried where nothing is paid. Minor units.
 */
export function statementSum(row: Figures): SumPart[] {
  const paid = row.payable_minor > 0;
  const part = (label: string, minor: number): SumPart[] => (minor === 0 ? []
    : [{ label, sign: minor < 0 ? '−' : '+', minor: Math.abs(minor) }]);
  const parts: SumPart[] = [
    { label: 'Opening balance', sign: null, minor: row.opening_minor },
    { label: 'Became due', sign: '+', minor: row.earnings_minor },
    ...part('Reserve taken', -row.reserves_taken_minor), ...part('Reserve released', row.reserves_released_minor),
    ...part('Corrections', row.adjustments_minor), ...part('Advance recouped', -row.recouped_minor),
    ...part('Minimum top-up', row.top_up_minor),
    ...(paid ? [...part('VAT', row.vat_minor), ...part('Tax withheld', -row.expected_wht_minor),
      ...part('Agent', -row.agent_minor)] : []),
  ];
  const total = parts.reduce((all, one) => all + (one.sign === '−' ? -one.minor : one.minor), 0);
  return [...parts, paid ? { label: 'Payment', sign: '=', minor: row.payable_minor }
    : { label: 'Carried', sign: '=', minor: total }];
}
