/** Payout methods of a division in a currency, and the payees each method reaches. */
import type { Division } from '../money/division.ts';
import type { Currency } from '../money/money.ts';
import { isSepaCountry } from './bank-numbers.ts';

export const PAYOUT_METHODS = ['ach', 'wire', 'check', 'bacs', 'sepa'] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

/**
 * Methods a bank account of the division in that currency can send by, the usual one first: ACH and checks are drawn on
 * banks of the US, BACS on those of the UK, SEPA carries euros within its countries. A wire works everywhere.
 */
export function payoutMethods(division: Division, currency: Currency): readonly PayoutMethod[] {
  if (currency === 'USD' && (division === 'US' || division === 'PROD')) return ['ach', 'wire', 'check'];
  if (currency === 'GBP' && division === 'UK') return ['bacs', 'wire', 'check'];
  if (currency === 'EUR' && (division === 'EU' || division === 'UK')) return ['sepa', 'wire'];
  return ['wire'];
}

export interface PayingAccount { division: Division; currency: Currency }

/** Whether checks were agreed with the payee and the account has them. */
export const isPaidByCheck = (agreed: PayoutMethod | null, account: PayingAccount): boolean =>
  agreed === 'check' && payoutMethods(account.division, account.currency).includes('check');

/** Whether a payee who lives in `country` (ISO 3166) can be paid that way. */
export function methodReaches(method: PayoutMethod, country: string): boolean {
  switch (method) {
    case 'ach': return country === 'US';
    case 'bacs': return country === 'GB';
    case 'sepa': return isSepaCountry(country);
    case 'wire': case 'check': return true;
  }
}
