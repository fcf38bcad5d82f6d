/**
 * Amounts as banks write them. Text becomes minor units exactly or is refused: decimals are never cut, trailing zeros
 * are exact and pass (accounting.md 4.1).
 */
import { MAX_MINOR } from '../money/money.ts';
import { BankFileRefused, refused, type DecimalMark } from './bank-file.ts';

/** ISO 4217 currencies with other than two decimals. */
const DECIMALS: Readonly<Record<string, number>> = {
  BIF: 0, CLP: 0, DJF: 0, GNF: 0, ISK: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, UGX: 0, UYI: 0, VND: 0, VUV: 0,
  XAF: 0, XOF: 0, XPF: 0, BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3, CLF: 4, UYW: 4,
  // Replaced by the euro without cents, or by a new unit.
  BEF: 0, ESP: 0, GRD: 0, ITL: 0, LUF: 0, PTE: 0, TRL: 0, ROL: 0, BYR: 0,
};

/** ISO 4217 currencies with two decimals, those in use and those that old statements still name. */
const TWO_DECIMALS = new Set((
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW '
  + 'CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR '
  + 'ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR '
  + 'MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP '
  + 'STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG '
  + 'ATS CHE CYP DEM EEK FIM FRF HRK IEP LTL LVL MTL NLG SIT SKK CUC SLL VEF ZWL MRO STD'
).split(' '));

/** Decimals of a currency, or null where ISO 4217 has no such code. */
export function decimalsOf(currency: string): number | null {
  return DECIMALS[currency] ?? (TWO_DECIMALS.has(currency) ? 2 : null);
}

/** The ISO code of a currency as written, null for an empty text. Refuses a code that ISO 4217 does not have. */
export function currencyCode(text: string | null | undefined, line: number | null = null): string | null {
  const code = (text ?? '').trim().toUpperCase();
  if (code === '') return null;
  if (decimalsOf(code) === null) {
    throw refused('unknown_currency', `“${short(code)}” is not a currency.`, { line });
  }
  return code;
}

/** Text of the file inside a sentence: never longer than a line. */
export function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** An amount longer than this is none; keeps every pattern below within a bound. */
const MAX_LENGTH = 64;

/** Minor units of plain digits and decimals ('1234', '56'). Refuses more decimals than the currency has. */
export function exactMinor(whole: string, fraction: string, currency: string | null, line: number | null): bigint {
  const decimals = currency === null ? 2 : decimalsOf(currency) ?? 2;
  const exact = fraction.replace(/0+$/, '');
  if (exact.length > decimals) {
    throw refused('amount_precision', `The amount ${short(`${whole}.${fraction}`)} has more decimals than `
      + `${currency ?? 'the currency'} has. It is not rounded.`, { line });
  }
  const minor = BigInt(`${whole === '' ? '0' : whole}${exact.padEnd(decimals, '0')}`);
  if (minor > MAX_MINOR) {
    throw refused('amount_too_large', `The amount ${short(whole)} is larger than an amount can be.`,
      { line });
  }
  return minor;
}

function unreadable(text: string, line: number | null): BankFileRefused {
  const shown = text.trim() === '' ? 'An amount is empty.' : `“${short(text.trim())}” is not an amount.`;
  return refused('amount_unreadable', shown, { line });
}

const PLAIN: Readonly<Record<'.' | ',' | 'either', RegExp>> = {
  '.': /^([+-]?)(\d*)(?:\.(\d*))?$/,
  ',': /^([+-]?)(\d*)(?:,(\d*))?$/,
  'either': /^([+-]?)(\d*)(?:[.,](\d*))?$/,
};

/** An amount of a format that has no grouping: OFX (point or comma), camt (point), MT940 (comma). */
export function plainAmount(
  text: string, mark: '.' | ',' | 'either', currency: string | null, line: number | null,
): bigint {
  const trimmed = text.trim();
  const match = trimmed.length > MAX_LENGTH ? null : PLAIN[mark].exec(trimmed);
  const [, sign = '', whole = '', fraction = ''] = match ?? [];
  if (!match || whole + fraction === '') throw unreadable(text, line);
  const minor = exactMinor(whole, fraction, currency, line);
  return sign === '-' ? -minor : minor;
}

interface SheetAmount {
  negative: boolean;
  digits: string;
}

/** Takes sign, parentheses and currency off: '(33.52)', '-110.7 €', 'USD 12.00-', '+ $73.01'. */
function bare(text: string): SheetAmount | null {
  // A spreadsheet marks a number that is kept as text with an apostrophe.
  let rest = text.trim().replace(/^'/, '').replace(/[\u2212\u2012\u2013]/g, '-').replace(/[\s\u00a0\u202f\u2009]+/g,
    ' ');
  let negative = false;
  const wrapped = /^\((.*)\)$/.exec(rest);
  if (wrapped) [negative, rest] = [true, wrapped[1] ?? ''];
  let signs = 0;
  for (let round = 0; round < 4; round += 1) {
    rest = rest.replace(/^(?:\p{Sc}|[A-Z]{1,3}\$?|[a-z]{3}(?= ?\d))/u, '').replace(/ ?(?:\p{Sc}|[A-Za-z]{3})$/u, '')
      .trim();
    const sign = /^[+-]|[+-]$/.exec(rest)?.[0];
    if (sign === undefined) continue;
    signs += 1;
    if (sign === '-') negative = !negative;
    rest = (rest.startsWith(sign) ? rest.slice(1) : rest.slice(0, -1)).trim();
  }
  return signs > 1 || (wrapped && signs > 0) ? null : { negative, digits: rest };
}

/** Whole and decimals where the digits say themselves which mark is which; 'ambiguous' where '1,010' could be both. */
function splitDigits(digits: string, mark: DecimalMark | null): [string, string] | 'ambiguous' | null {
  const text = digits.replace(/['’ ]/g, (sign) => (sign === ' ' ? ' ' : "'"));
  if (!/^[\d., ']*\d[\d., ']*$/.test(text)) return null;
  const decimal = mark ?? seenMark(text);
  if (decimal === 'ambiguous') return decimal;
  const at = decimal === null ? -1 : text.lastIndexOf(decimal);
  const whole = at < 0 ? text : text.slice(0, at);
  const fraction = at < 0 ? '' : text.slice(at + 1);
  if (!/^\d*$/.test(fraction)) return null;
  if (/^\d*$/.test(whole)) return [whole, fraction];
  const group = /[., ']/.exec(whole)?.[0] ?? '';
  if (group === decimal) return null;
  const parts = whole.split(group);
  const grouped = parts.every((part, index) => (index === 0 ? /^\d{1,3}$/ : index === parts.length - 1 ? /^\d{3}$/
    : /^\d{2,3}$/).test(part));
  return grouped ? [parts.join(''), fraction] : null;
}

function seenMark(text: string): DecimalMark | 'ambiguous' | null {
  const point = text.lastIndexOf('.');
  const comma = text.lastIndexOf(',');
  if (point < 0 && comma < 0) return null;
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ',';
  const mark: DecimalMark = point >= 0 ? '.' : ',';
  if (text.indexOf(mark) !== text.lastIndexOf(mark)) return mark === '.' ? ',' : '.';
  return text.length - text.lastIndexOf(mark) === 4 && /^\d{1,3}[.,]/.test(text) ? 'ambiguous' : mark;
}

/**
 * An amount of a sheet or QIF: grouped or not, with sign, parentheses or currency. Without a known decimal mark an
 * amount like '1,010' is asked about, never guessed. null for an empty cell.
 */
export function sheetAmount(
  text: string, mark: DecimalMark | null, currency: string | null, line: number | null,
): bigint | null {
  if (text.trim() === '') return null;
  const amount = text.length > MAX_LENGTH ? null : bare(text);
  const split = amount && splitDigits(amount.digits, mark);
  if (split === 'ambiguous') {
    throw refused('decimal_mark_required',
      `“${short(text.trim())}” can be read in two ways: the file does not say which sign separates the decimals.`,
      { line });
  }
  if (!amount || !split) throw unreadable(text, line);
  const minor = exactMinor(split[0], split[1], currency, line);
  return amount.negative ? -minor : minor;
}
