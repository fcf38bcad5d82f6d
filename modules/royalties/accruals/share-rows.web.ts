/** The table of a sharing as the drawer shows it: shares in percent of exact weights, nothing rounded twice. */
import type { AccrualTraceAnswer } from './accrual.contract.ts';

export interface ShareRow { key: string; name: string; share: string; exact: string; paid_minor: number; own: boolean }

/**
 * 'weight of total' in percent with two decimals, half away from zero; '' where the line was not weighed (a mirror).
 * Weights are whole numbers as text, of any size.
 */
export function weightPercent(weight: string, total: string): string {
  if (!/^\d+$/.test(weight) || !/^[1-9]\d*$/.test(total)) return '';
  const hundredths = (BigInt(weight) * 20_000n / BigInt(total) + 1n) / 2n;
  return `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, '0')}%`;
}

/** The parties in their order, the house last; a house that got and held nothing is left out. */
export function shareRows(trace: Pick<AccrualTraceAnswer, 'allocation' | 'accrual'>): ShareRow[] {
  return trace.allocation.flatMap((party, at) => {
    const house = party.show_royaltor_id === null;
    if (house && party.paid_minor === 0 && party.weight === '0') return [];
    return [{ key: `${at}`, name: party.name, share: weightPercent(party.weight, party.weight_total),
      exact: party.exact_share, paid_minor: party.paid_minor,
      own: party.show_royaltor_id === trace.accrual.show_royaltor_id }];
  });
}

/** Why another term of the agreement was not used. */
export function lostWords(term: AccrualTraceAnswer['lost'][number]): string {
  if (term.reason) return term.reason;
  return term.of === 0 ? 'matches all, a fallback' : `matched ${term.matched} of ${term.of}`;
}
