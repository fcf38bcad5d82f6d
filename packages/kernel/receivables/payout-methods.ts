/** How a division pays out in a currency, and which payees each way reaches. */
import type { Division } from '../money/division.ts';
import type { Currency } from '../money/money.ts';
import { isSepaCountry } from './bank-numbers.ts';

export const PAYOUT_METHODS = ['ach', 'wire', 'check', 'bacs', 'sepa'] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

/**
 * What a bank account of the division in that currency can send, the usual way first: ACH and checks are drawn on banks
 * of the US, BACS on those of the UK, SEPA carries euros inside its countries. A wire goes everywhere.
 */
export function payoutMethods(division: Division, currency: Currency): readonly PayoutMethod[] {
  if (currency === 'USD' && (division === 'US' || division === 'PROD')) return ['ach', 'wire', 'check'];
  if (currency === 'GBP' && division === 'UK') return ['bacs', 'wire', 'check'];
  if (currency === 'EUR' && (division === 'EU' || division === 'UK')) return ['sepa', 'wire'];
  return ['wire'];
}

/** Whether a payee who lives in `country` (ISO 3166) can be paid that way. */
export function methodReaches(method: PayoutMethod, country: string): boolean {
  switch (method) {
    case 'ach': return country === 'US';
    case 'bacs': return country === 'GB';
    case 'sepa': return isSepaCountry(country);
    case 'wire': case 'check': return true;
  }
}
