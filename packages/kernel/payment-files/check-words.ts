/** Amount in words on a check, and its MICR line. American checks: dollars and hundredths. */
import { abs, formatMinor, MAX_MINOR } from '../money/money.ts';
import { abaHolds, plainNumber } from '../receivables/bank-numbers.ts';

const ONES = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve',
  'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const GROUPS = ['', ' thousand', ' million', ' billion'];

/** 1 to 999 in words. */
function hundreds(value: number): string {
  const rest = value % 100;
  const tens = rest < 20 ? ONES[rest] : `${TENS[Math.floor(rest / 10)]}${rest % 10 === 0 ? '' : `-${ONES[rest % 10]}`}`;
  const words = value >= 100 ? [`${ONES[Math.floor(value / 100)]} hundred`, tens] : [tens];
  return words.filter((word) => word !== '').join(' ');
}

/** 'One thousand two hundred thirty-four and 56/100'. Throws RangeError below zero and above the largest amount. */
export function amountInWords(minor: bigint): string {
  if (minor < 0n || minor > MAX_MINOR) throw new RangeError(`${minor} is no amount of a check`);
  const parts: string[] = [];
  let rest = minor / 100n;
  for (let group = 0; rest > 0n; group += 1, rest /= 1000n) {
    const value = Number(rest % 1000n);
    if (value > 0) parts.unshift(`${hundreds(value)}${GROUPS[group]}`);
  }
  const words = parts.length === 0 ? 'zero' : parts.join(' ');
  return `${words[0]?.toUpperCase()}${words.slice(1)} and ${String(minor % 100n).padStart(2, '0')}/100`;
}

/** '**1,234.56': nothing can be written before the figure. */
export function protectedAmount(minor: bigint): string {
  return `**${formatMinor(abs(minor))}`;
}

/** The words on as many lines as they need, each at most `width` characters, broken between words. */
export function wordsOnLines(words: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export interface MicrParts {
  routing: string;
  /** Digits and hyphens, as the bank prints them. */
  account: string;
  number: number;
}

/** Signs of Unicode, or the letters under which most E-13B fonts have them (A transit, C on-us, D dash). */
export type MicrSigns = 'unicode' | 'letters';
const SIGNS: Readonly<Record<MicrSigns, { transit: string; onUs: string; dash: string }>> = {
  unicode: { transit: '⑆', onUs: '⑈', dash: '⑉' }, letters: { transit: 'A', onUs: 'C', dash: 'D' },
};

export type MicrLine = { line: string; issue: null } | { line: null; issue: string };

/** '⑆121042882⑆ 4567890⑈ 001042': routing, account and number of the check (ANSI X9.100-160, personal size). */
export function micrLine({ routing, account, number }: MicrParts, signs: MicrSigns = 'unicode'): MicrLine {
  const { transit, onUs, dash } = SIGNS[signs];
  const bank = plainNumber(routing);
  if (!abaHolds(bank)) return { line: null, issue: `The routing number ${bank} is wrong.` };
  const own = account.replaceAll(' ', '');
  if (!/^[\d-]{4,17}$/.test(own)) {
    return { line: null, issue: 'A check shows an account number of 4 to 17 digits and hyphens.' };
  }
  if (!Number.isInteger(number) || number < 1 || number > 9_999_999_999) {
    return { line: null, issue: 'The number of a check is one of 1 to 9,999,999,999.' };
  }
  const check = String(number).padStart(6, '0');
  return { line: `${transit}${bank}${transit} ${own.replaceAll('-', dash)}${onUs} ${check}`, issue: null };
}
