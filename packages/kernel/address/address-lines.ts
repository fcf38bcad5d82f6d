/**
 * An address in words, the town as its country writes it: 'Long Island City, NY 11106', 'Toronto ON M5V 2T6',
 * 'London' over 'SE1 9PX', '10115 Berlin' (addressing of the Universal Postal Union, standard S42).
 */

/** Parts as SPEC.md section 3 names them; whatever is empty or not known is left out. */
export interface WrittenAddress {
  readonly thoroughfare?: string | null | undefined;
  readonly premise?: string | null | undefined;
  readonly locality?: string | null | undefined;
  readonly administrative_area?: string | null | undefined;
  readonly postal_code?: string | null | undefined;
  readonly country_code?: string | null | undefined;
}

type Text = string | null | undefined;

const joined = (parts: readonly Text[], by: string): string =>
  parts.map((part) => part?.trim()).filter(Boolean).join(by);

/** Letters name a county, never its code (ISO 3166-2: 'D', 'LND'), and not the town twice. */
const isCounty = (town: Text, area: Text): boolean => !/^[A-Z]{1,3}$/.test(area?.trim() ?? '')
  && area?.trim() !== town?.trim();

/** The line of the town, or two where the code has one of its own. */
function townLines(address: WrittenAddress): string[] {
  const { locality: town, administrative_area: area, postal_code: code, country_code: country } = address;
  switch (country) {
    case 'US': return [joined([town, joined([area, code], ' ')], ', ')];
    case 'CA': case 'AU': return [joined([town, area, code], ' ')];
    case 'GB': case 'IE': return [joined([town, isCounty(town, area) ? area : ''], ', '), joined([code], '')];
    default: return [joined([joined([code, town], ' '), area], ', ')];
  }
}

/** Lines for a letter; the country, named in English, where it is not `home`, the country of who writes. */
export function addressLines(address: WrittenAddress | null | undefined, home?: string): string[] {
  if (!address) return [];
  const country = address.country_code && address.country_code !== home ? countryName(address.country_code) : '';
  return [address.thoroughfare, address.premise, ...townLines(address), country]
    .map((line) => line?.trim() ?? '').filter((line) => line !== '');
}

/** '31-05 Vernon Blvd, Long Island City, NY 11106'; the country where it is not the United States. */
export function addressLine(address: WrittenAddress | null | undefined): string {
  return addressLines(address, 'US').join(', ');
}

const COUNTRIES = new Intl.DisplayNames('en-US', { type: 'region' });

/** 'Germany' for 'DE'; a code that is none stands for itself. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? COUNTRIES.of(code) ?? code : code;
}

/** Countries whose names take an article in a sentence. */
const WITH_ARTICLE: ReadonlySet<string> = new Set(['AE', 'BS', 'CD', 'CF', 'CG', 'DO', 'FK', 'FO', 'GB', 'GM', 'IM',
  'KM', 'KY', 'MH', 'MP', 'MV', 'NL', 'PH', 'SB', 'SC', 'TC', 'US', 'VG', 'VI']);

/** As it stands in a sentence: 'the United Kingdom' for 'GB', 'Germany' for 'DE'. */
export function inCountry(code: string): string {
  return WITH_ARTICLE.has(code) ? `the ${countryName(code).replace(/^The /, '')}` : countryName(code);
}
