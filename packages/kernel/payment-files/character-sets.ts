/**
 * Texts in the characters of a rail. Letters with marks become plain ones (Würth is Wuerth), Greek and Cyrillic are
 * spelled in Latin letters, signs that the rail has not become the nearest one or a blank. Scripts without an alphabet
 * that one table could spell are refused: the payee needs a name in Latin letters.
 *
 * SEPA: the basic Latin set of EPC217-08. NACHA: printable ASCII. BACS: capitals, digits, and . & / - with the blank.
 */
import type { ChangeKind, Rail } from './payment-batch.ts';

export interface RailText {
  text: string;
  kinds: ChangeKind[];
  /** The first character that no table can spell; null where all are spelled. */
  unspelled: string | null;
}

const ALLOWED: Readonly<Record<Rail, RegExp>> = {
  nacha: /[\x20-\x7e]/,
  sepa: /[A-Za-z0-9/\-?:().,'+ ]/,
  bacs: /[A-Z0-9.&/\- ]/,
};

/** Letters that Unicode does not take apart, and umlauts as German writes them without dots. */
const LETTERS: Readonly<Record<string, string>> = {
  ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', ẞ: 'SS', æ: 'ae', ø: 'oe', œ: 'oe', å: 'a', þ: 'th', ð: 'd', đ: 'd', ł: 'l',
  ħ: 'h', ı: 'i', ŧ: 't', ŋ: 'n', ĸ: 'k', ƒ: 'f', ŀ: 'l', ə: 'e',
};

// cspell:disable
/** Greek by ELOT 743; Russian, Ukrainian, Bulgarian, Serbian and Macedonian letters as passports spell them. */
const SCRIPTS: Readonly<Record<string, string>> = {
  α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n', ξ: 'x',
  ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o',
  а: 'a', б: 'b', в: 'v', г: 'g', ґ: 'g', д: 'd', е: 'e', ё: 'e', є: 'ie', ж: 'zh', з: 'z', и: 'i', і: 'i', ї: 'i',
  й: 'i', к: 'k', л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ў: 'u', ф: 'f', х: 'kh',
  ц: 'ts', ч: 'ch', ш: 'sh', щ: 'shch', ъ: 'ie', ы: 'y', ь: '', э: 'e', ю: 'iu', я: 'ia', ђ: 'dj', ѓ: 'g', ј: 'j',
  љ: 'lj', њ: 'nj', ћ: 'c', ќ: 'k', џ: 'dz', ѕ: 'dz',
};
// cspell:enable

const SIGNS: Readonly<Record<string, string>> = {
  '‘': '\'', '’': '\'', '‚': '\'', '`': '\'', '´': '\'', '“': '"', '”': '"', '„': '"', '«': '"', '»': '"', '–': '-',
  '—': '-', '‐': '-', '‑': '-', '−': '-', '…': '...', '№': 'No', '€': 'EUR', '£': 'GBP', '×': 'x', '·': '.', '•': '.',
  '\u00a0': ' ', '\u202f': ' ', '\u2009': ' ', '\t': ' ', '\n': ' ', '\r': ' ',
};

/** Replacements for characters that the rail does not support. */
const RAIL_SIGNS: Readonly<Record<Rail, Readonly<Record<string, string>>>> = {
  nacha: {},
  sepa: { '&': '+', '_': '-', '"': '\'', '@': '(at)', ';': ',', '!': '.', '[': '(', ']': ')', '{': '(', '}': ')',
    '\\': '/', '|': '/', '~': '-', '=': '-', '*': '.', '#': '.', '%': '.' },
  bacs: { '\'': '', '"': '', '_': '-', '(': '', ')': '', '+': '&', ',': ' ', ':': ' ', '\\': '/', '@': '-' },
};

/** A text in the characters of a rail; nothing is cut. */
export function railText(rail: Rail, text: string): RailText {
  const kinds = new Set<ChangeKind>();
  let unspelled: string | null = null;
  let plain = '';
  const signs = Array.from(greekPairs(text.normalize('NFC')));
  signs.forEach((sign, index) => {
    // MÜLLER is MUELLER, Müller is Mueller.
    const isCapitals = isCapital(signs[index + 1]) || (isCapital(signs[index - 1]) && !isSmall(signs[index + 1]));
    const spelled = spell(rail, sign, isCapitals, kinds);
    if (spelled === null) unspelled ??= sign;
    else plain += spelled;
  });
  const trimmed = plain.replace(/ {2,}/g, ' ').trim();
  return { text: trimmed, kinds: [...kinds], unspelled };
}

/** Upsilon after a vowel: f before a voiceless letter or at the end, else v; after omicron u. */
function greekPairs(text: string): string {
  return text.replace(/(?<=[αεηάέήΑΕΗ])[υύΥΎ](?=[θκξπσςτφχψΘΚΞΠΣΤΦΧΨ]|$|[^\p{L}])/gu, (sign) => as('f', sign))
    .replace(/(?<=[αεηάέήΑΕΗ])[υύΥΎ]/gu, (sign) => as('v', sign))
    .replace(/(?<=[οόΟ])[υύΥΎ]/gu, (sign) => as('u', sign));
}

function as(letter: string, sign: string): string {
  return isCapital(sign) ? letter.toUpperCase() : letter;
}

function isCapital(sign = ''): boolean {
  return sign !== sign.toLowerCase();
}

function isSmall(sign = ''): boolean {
  return sign !== sign.toUpperCase();
}

function spell(rail: Rail, sign: string, isCapitals: boolean, kinds: Set<ChangeKind>): string | null {
  const cased = rail === 'bacs' ? sign.toUpperCase() : sign;
  // 'ß' is two capitals; what is one character stays one.
  if (cased.length === sign.length && ALLOWED[rail].test(cased)) return cased;
  const found = lettersFor(sign, isCapitals);
  if (found) {
    kinds.add(found.kind);
    return fitted(rail, found.text);
  }
  if (/\p{L}|\p{N}/u.test(sign)) return null;
  kinds.add('symbols');
  if (/\p{M}|\p{Cf}/u.test(sign)) return '';
  return fitted(rail, SIGNS[sign] ?? sign);
}

/** Every character in the rail's own set: by its table, else a blank. */
function fitted(rail: Rail, text: string): string {
  let out = '';
  for (const one of rail === 'bacs' ? text.toUpperCase() : text) {
    out += ALLOWED[rail].test(one) ? one : RAIL_SIGNS[rail][one] ?? ' ';
  }
  return out;
}

function lettersFor(sign: string, isCapitals: boolean): { text: string; kind: 'letters' | 'script' } | null {
  const lower = sign.toLowerCase();
  const cased = (spelled: string): string => {
    if (sign === lower) return spelled;
    return isCapitals ? spelled.toUpperCase() : `${(spelled[0] ?? '').toUpperCase()}${spelled.slice(1)}`;
  };
  const mapped = LETTERS[sign] ?? LETTERS[lower];
  if (mapped !== undefined) return { text: cased(mapped), kind: 'letters' };
  const bare = lower.normalize('NFKD').replace(/\p{M}/gu, '');
  const script = SCRIPTS[lower] ?? SCRIPTS[bare];
  if (script !== undefined) return { text: cased(script), kind: 'script' };
  const plain = sign.normalize('NFKD').replace(/\p{M}/gu, '').replace('⁄', '/');
  return plain !== sign && /^[A-Za-z0-9/]+$/.test(plain) ? { text: plain, kind: 'letters' } : null;
}
