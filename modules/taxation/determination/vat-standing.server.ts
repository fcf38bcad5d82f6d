/**
 * What the VAT number of a customer proves (domain.md 2.12): a number counts with its check digit and while no register
 * has said that it does not know it. A register that did not answer takes nothing away.
 */
import type { TaxCustomer } from '#kernel/tax/determine.ts';
import { checkVatNumber } from '../tax-service/vat-number.server.ts';

export interface VatProfile {
  is_business: boolean;
  /** Other evidence of business that staff recorded. */
  business_evidence: string | null;
  vat_number: string | null;
  vat_register_answer: string | null;
}

/** A number without a country proves no country. A refused number makes a consumer of whoever has no other evidence. */
export function vatStanding(profile: VatProfile): Pick<TaxCustomer, 'is_business' | 'vat_country' | 'vat_problem'> {
  const { is_business, vat_number, vat_register_answer } = profile;
  if (!vat_number) return { is_business, vat_country: null, vat_problem: null };
  const check = checkVatNumber(vat_number);
  const isRefused = vat_register_answer === 'invalid';
  if (isRefused) {
    return { is_business: is_business && (profile.business_evidence ?? '').trim() !== '', vat_country: null,
      vat_problem: `${check.number} is not a valid VAT number, says its register. Ask the customer for the right `
        + 'one.' };
  }
  const prefix = /^([A-Z]{2})/.exec(check.number)?.[1];
  if (!prefix) return { is_business, vat_country: null, vat_problem: null };
  if (check.country_code !== null && !check.check_digit_valid) {
    return { is_business, vat_country: null, vat_problem:
      `${check.number} is mistyped: its ${check.format_valid ? 'check digit is wrong' : 'form is wrong'}.` };
  }
  return { is_business, vat_country: prefix === 'EL' ? 'GR' : prefix, vat_problem: null };
}
