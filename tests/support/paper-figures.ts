/** Figures and days as the reader of a paper writes them, made by Intl and not by the product. */
import type { Division } from '#kernel/money/division.ts';

const languageOf = (division: Division): 'en-US' | 'en-GB' =>
  (division === 'US' || division === 'PROD' ? 'en-US' : 'en-GB');
const TWO = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 });

/** '1,234.50', below zero '(1,234.50)'. Minor units, as numbers or as the driver reads bigint. */
export function figure(minor: number | string): string {
  const text = TWO.format(Math.abs(Number(minor)) / 100);
  return Number(minor) < 0 ? `(${text})` : text;
}

/** '-1,234.50' below zero: how advice of payments and prepaid rows write it. */
export const signed = (minor: number | string): string => `${Number(minor) < 0 ? '-' : ''}${
  figure(Math.abs(Number(minor)))}`;

export const priced = (minor: number | string, currency: string): string => `${currency} ${figure(minor)}`;

/** 'November 5, 2026' in US and PROD, '5 November 2026' in UK and EU. */
export function dayOn(division: Division, day: string): string {
  return new Intl.DateTimeFormat(languageOf(division), { dateStyle: 'long', timeZone: 'UTC' })
    .format(new Date(`${day}T00:00:00Z`));
}

/** '12.5%' of 125_000 ppm. */
export const share = (ppm: number): string => `${Number((ppm / 10_000).toFixed(4))}%`;

// cspell:disable -- both spellings
const BRITISH = /\b(licences?|programmes?|cheques?|organi[s]ations?|cancelled|instalments?|catalogues?|colours?)\b/i;
const AMERICAN = new RegExp(['\\b(programs?|organizations?|canceled|installments?|catalogs?|colors?)\\b',
  '\\b(this|the|a|performance|valid|separate|stage) license\\b', '\\b(by|method) check\\b|\\bcheck (number|\\d)']
  .join('|'), 'i');
// cspell:enable
const MONTHS = '(January|February|March|April|May|June|July|August|September|October|November|December)';
const AMERICAN_DAY = new RegExp(`\\b${MONTHS} \\d{1,2}, \\d{4}`);
const BRITISH_DAY = new RegExp(`\\b\\d{1,2} ${MONTHS} \\d{4}`);

/** Words, days and keys that no paper of the division holds; empty where it reads well. */
export function wrongWords(text: string, division: Division): string[] {
  const american = languageOf(division) === 'en-US';
  // The certificate of signature gives the instant in UTC beside the time of the house.
  const said = text.replaceAll(/\(\d{4}-\d{2}-\d{2} [\d:]+ UTC\)/g, '');
  const checks: [string, RegExp][] = [
    ['the other English', american ? BRITISH : AMERICAN], ['a day of the other English', american ? BRITISH_DAY
      : AMERICAN_DAY],
    ['a day in digits', /\b\d{4}-\d{2}-\d{2}\b/], ['a key of the code', /(?<![\w@/.-])[a-z]+_[a-z]+(?![\w@])/],
    ['nothing put into words', /\b(undefined|null|NaN)\b|\[object/],
    ['an amount without two places', /\b(USD|EUR|GBP) \(?[\d,]+(?!\.\d{2})(?![\d,.])(?! per occurrence)/],
    ['a total although a percentage follows', /\bin all\b.*plus [\d.]+%/],
  ];
  return checks.flatMap(([name, pattern]) => {
    const found = pattern.exec(said);
    return found ? [`${name}: …${said.slice(Math.max(0, found.index - 40), found.index + 60)}…`] : [];
  });
}

/** `says` that are not in the text; cells of a table may break a number or a name over two lines. */
export function missingFrom(text: string, says: readonly string[]): string[] {
  const squeezed = text.replaceAll(/\s/g, '');
  return says.filter((one) => !squeezed.includes(one.replaceAll(/\s/g, '')));
}
