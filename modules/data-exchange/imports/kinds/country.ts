/** Countries as lists name them: by code, English name or a common short form. Pure. */
import { foldHead } from '../import-field.contract.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const NAMES = new Intl.DisplayNames('en-US', { type: 'region', fallback: 'none' });
/** Codes that have a name and are no country: unions, and codes for private use. */
const NO_COUNTRY = ['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'];
/** Without withdrawn codes, which a locale replaces by their successors (BU by MM, UK by GB). */
const CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter((code) =>
  NAMES.of(code) !== undefined && !NO_COUNTRY.includes(code) && new Intl.Locale(`und-${code}`).region === code);

const SHORT_FORMS: Readonly<Record<string, string>> = {
  uk: 'GB', 'u k': 'GB', 'great britain': 'GB', britain: 'GB', england: 'GB', scotland: 'GB', wales: 'GB',
  'northern ireland': 'GB', usa: 'US', 'u s': 'US', 'u s a': 'US', america: 'US', 'united states of america': 'US',
  'republic of ireland': 'IE', eire: 'IE', holland: 'NL', 'the netherlands': 'NL', 'czech republic': 'CZ',
  turkey: 'TR', 'south korea': 'KR', 'hong kong': 'HK',
};
const BY_NAME = new Map(CODES.map((code) => [foldHead(NAMES.of(code)!), code]));

/** The code of ISO 3166-1 in two capital letters; null where the text names no country. */
export function countryCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (CODES.includes(code)) return code;
  const name = foldHead(text);
  return SHORT_FORMS[name] ?? BY_NAME.get(name) ?? null;
}
