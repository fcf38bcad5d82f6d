/**
 * VAT numbers of the EU, the United Kingdom and Northern Ireland by format and check digit, each verdict by itself: a
 * number can have the right form and a wrong digit. Whether the number is registered only its register knows.
 */
import * as jsvat from 'jsvat-next';
import { EU_COUNTRIES } from '#kernel/tax/determine.ts';

export interface VatNumberCheck {
  /** Country of the prefix by its ISO code; null where the prefix is none that we can check. */
  country_code: string | null;
  /** Without blanks, points and hyphens, as it is printed. */
  number: string;
  format_valid: boolean;
  check_digit_valid: boolean;
}

const ISO_OF: Readonly<Record<string, string>> = { EL: 'GR', XI: 'GB' };
const countries = jsvat.countries.filter(({ codes: [iso = ''] }) => EU_COUNTRIES.has(iso) || iso === 'GB');

/** Belgium wrote nine digits before 2008; a zero in front makes them ten. */
function withZero(number: string): string {
  return /^BE\d{9}$/.test(number) ? `BE0${number.slice(2)}` : number;
}

export function checkVatNumber(text: string): VatNumberCheck {
  const number = text.toUpperCase().replaceAll(/[^0-9A-Z+*]/g, '');
  const prefix = number.slice(0, 2);
  const iso = ISO_OF[prefix] ?? prefix;
  const known = countries.some(({ codes }) => codes.includes(iso));
  if (!known) return { country_code: null, number, format_valid: false, check_digit_valid: false };
  // Northern Ireland's numbers are those of the United Kingdom under another prefix.
  const asked = withZero(prefix === 'XI' ? `GB${number.slice(2)}` : number);
  const answer = jsvat.checkVAT(asked, countries);
  return { country_code: iso, number, format_valid: answer.isValidFormat, check_digit_valid: answer.isValid };
}
