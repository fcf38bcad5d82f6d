/**
 * References in the text of a bank. Banks drop hyphens, put blanks or slashes in their place, cut a number where a line
 * ends and leave out leading zeros. A reference counts only as a whole: 14 is not found in 1814.
 */
import type { ItemReference, LineToMatch } from './open-item.ts';

/** Series of the product's own documents: INV-US-2026-000033, R-UK-2026-000007. */
const SERIES = 'INV|PF|PR|CN|JE|DS|BL|VC|R|D|S|B|T|Q|L|A';
const DIVISIONS = 'US|EU|UK|PROD';
const GAP = '[^A-Z0-9]{0,2}';
const OWN_NUMBER = new RegExp(
  `(?<![A-Z0-9])(${SERIES})${GAP}(${DIVISIONS})${GAP}(20[0-9]{2})${GAP}([0-9]{1,9})(?![0-9])`, 'g');
/** Glued to the words around it only a prefix of several letters is certain. */
const GLUED_NUMBER = new RegExp(`(INV|PF|PR|CN|JE)(${DIVISIONS})(20[0-9]{2})([0-9]{6,9})(?![0-9])`, 'g');
const CHECK_IN_TEXT =
  /(?<![A-Z])(?:CHECK|CHEQUE|CHQ|CHK)(?:\s{0,2}(?:NO|NUMBER|NR))?[^A-Z0-9]{0,3}([0-9]{1,12})(?![0-9])/g;

/** Most tokens of a text that are looked at, and most that one reference may be spread over. */
const MAX_TOKENS = 120;
const MAX_SPREAD = 6;
/** Shorter references meet by chance. */
const MIN_LENGTH = 4;
const MIN_DIGITS = 5;

function upper(text: string): string {
  return text.normalize('NFKC').toUpperCase();
}

function squeezed(text: string): string {
  return upper(text).replace(/[^\p{L}\p{N}]+/gu, '');
}

function ownKey(match: RegExpExecArray | RegExpMatchArray): string {
  return `${match[1]}-${match[2]}-${match[3]}-${Number(match[4])}`;
}

function withoutZeros(digits: string): string {
  return digits.replace(/^0+(?=.)/, '');
}

/** Whether a reference can be looked for in free text: long enough, with a digit, of five digits if of digits alone. */
function isDistinct(key: string): boolean {
  if (key.length < MIN_LENGTH || !/[0-9]/.test(key)) return false;
  return !/^[0-9]+$/.test(key) || key.length >= MIN_DIGITS;
}

/** The keys under which an item's reference is found; none where it is too short to mean anything. */
export function referenceKeys(reference: Pick<ItemReference, 'type' | 'value'>): string[] {
  const key = squeezed(reference.value);
  if (reference.type === 'check') {
    return /^[0-9]+$/.test(key) ? [`check:${withoutZeros(key)}`] : [];
  }
  if (!isDistinct(key)) return [];
  const own = [...upper(reference.value).matchAll(OWN_NUMBER)];
  return [`text:${key}`, ...own.map((match) => `own:${ownKey(match)}`)];
}

/** Whole tokens, and runs of tokens that the bank may have parted. */
function textKeys(text: string, keys: Set<string>): void {
  const tokens = (upper(text).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MAX_TOKENS);
  for (let start = 0; start < tokens.length; start += 1) {
    let joined = '';
    for (let end = start; end < Math.min(tokens.length, start + MAX_SPREAD); end += 1) {
      joined += tokens[end]!;
      if (isDistinct(joined)) keys.add(`text:${joined}`);
    }
  }
}

function ownNumbers(text: string): string[] {
  const written = upper(text);
  return [...written.matchAll(OWN_NUMBER), ...written.matchAll(GLUED_NUMBER)].map((match) => ownKey(match));
}

export interface LineReferences {
  keys: ReadonlySet<string>;
  /** Numbers of the product's own documents in the text, as "INV-US-2026-33". */
  own: readonly string[];
}

/** Every key that the line answers to. */
export function lineReferences(line: LineToMatch): LineReferences {
  const keys = new Set<string>();
  const fields = [line.name, line.memo, line.reference, line.end_to_end_id ?? ''];
  const own = new Set<string>();
  for (const field of fields) {
    textKeys(field, keys);
    for (const number of ownNumbers(field)) own.add(number);
    for (const match of upper(field).matchAll(CHECK_IN_TEXT)) keys.add(`check:${withoutZeros(match[1]!)}`);
  }
  for (const number of own) keys.add(`own:${number}`);
  const check = squeezed(line.check_number ?? '');
  if (/^[0-9]+$/.test(check)) keys.add(`check:${withoutZeros(check)}`);
  return { keys, own: [...own] };
}

/** The first reference of an item that the line names. */
export function namedReference(references: readonly ItemReference[], line: LineReferences): ItemReference | null {
  return references.find((reference) => referenceKeys(reference).some((key) => line.keys.has(key))) ?? null;
}

/**
 * A number of our own documents in the text that none of these items has, of a series that they have numbers of: the
 * line is probably of another document.
 */
export function otherNumber(references: readonly ItemReference[], line: LineReferences): string | null {
  const named = references.flatMap((reference) => referenceKeys(reference)).filter((key) => key.startsWith('own:'));
  const series = new Set(named.map((key) => key.slice(4).split('-')[0]));
  return line.own.find((number) => !named.includes(`own:${number}`) && series.has(number.split('-')[0])) ?? null;
}
