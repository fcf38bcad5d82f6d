/**
 * Decimal text <-> scaled integers, without a floating-point step in between.
 *
 * Money is minor units (2 decimals), a percentage is parts per million (4 decimals of a percent), a plain number has
 * the decimals its field says. Grouping commas and a currency sign pasted with the amount are let through.
 */
import { formatMinor, MAX_MINOR, minorToDecimal, parseMinor } from '#kernel/money/money.ts';

/** '$1,234.50 ' -> '1234.50', '(12)' -> '-12'. */
export function plainDecimal(text: string): string {
  const bare = text.replace(/[\s,$€£]/g, '');
  const bracketed = /^\((.+)\)$/.exec(bare);
  return bracketed ? `-${bracketed[1]}` : bare;
}

/** Minor units of an amount text; null for an empty text, undefined for one that is no amount of the product. */
export function minorFromText(text: string, allowNegative: boolean): number | null | undefined {
  const plain = plainDecimal(text);
  if (plain === '') return null;
  const minor = parseMinor(plain.replace(/^(-?)\./, '$10.').replace(/\.$/, ''));
  if (minor === null || minor > MAX_MINOR || minor < -MAX_MINOR || (minor < 0n && !allowNegative)) return undefined;
  return Number(minor);
}

export function minorToText(minor: number | null): string {
  return minor === null ? '' : formatMinor(BigInt(minor));
}

export function minorToEdit(minor: number | null): string {
  return minor === null ? '' : minorToDecimal(BigInt(minor));
}

/** '8.875' with 4 decimals -> 88750. null for empty, undefined for a text that is no such number. */
export function scaledFromText(text: string, decimals: number): number | null | undefined {
  const plain = plainDecimal(text).replace(/%$/, '');
  if (plain === '') return null;
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(plain);
  const [, sign = '', whole = '', fraction = ''] = match ?? [];
  if (!match || whole + fraction === '' || fraction.length > decimals) return undefined;
  const scaled = Number(`${whole}${fraction.padEnd(decimals, '0')}`);
  if (!Number.isSafeInteger(scaled)) return undefined;
  return sign && scaled !== 0 ? -scaled : scaled;
}

/** 88750 with 4 decimals -> '8.875'; trailing zeros go, but never below `atLeast` decimals. */
export function scaledToText(scaled: number | null, decimals: number, atLeast = 0): string {
  if (scaled === null) return '';
  const digits = String(Math.abs(scaled)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  let fraction = digits.slice(digits.length - decimals);
  while (fraction.length > atLeast && fraction.endsWith('0')) fraction = fraction.slice(0, -1);
  return `${scaled < 0 ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}

/** A decimal text as a number (SPEC.md 5: "parsed as decimals"): null for empty, undefined for no number. */
export function numberFromText(text: string, decimals: number): number | null | undefined {
  const scaled = scaledFromText(text, decimals);
  return scaled === null || scaled === undefined ? scaled : Number(scaledToText(scaled, decimals));
}
