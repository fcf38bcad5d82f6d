/**
 * One fold of names for every place where what somebody typed meets what is written: accents, letters such as ß and ø,
 * ligatures, apostrophes, quotes, dashes, H.M.S. and HMS, & and "and", phone numbers and postal codes with or without
 * spaces. The function `fold_name` of the database (db/migrations/baseline/02-kernel-text.sql) does the same, character
 * by character; a test holds the two together.
 */

/** Word separators, dots aside: punctuation, symbols, spaces, control characters, as ranges both sides spell alike. */
const PARTING = '\\u0001-\\u002d\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00a9\\u00ab-\\u00b4\\u00b6-\\u00b9'
  + '\\u00bb-\\u00bf\\u00d7\\u00f7\\u05be\\u05c0\\u05c3\\u05c6\\u060c\\u061b\\u061f\\u066a-\\u066d\\u06d4'
  + '\\u0964\\u0965\\u2000-\\u206f\\u20a0-\\u20bf\\u2190-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3006'
  + '\\u3008-\\u3020\\u3030\\ufe30-\\ufe6f\\ufeff\\ufffd';
/** Accents, points and vowel signs that writers leave out. */
const MARKS = '\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0640\\u064b-\\u065f\\u0670'
  + '\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f';
// cspell:disable-next-line
const APOSTROPHES = /['`´‘’‚‛′‵ʹʻʼʽˈˊˋ׳]/gu;
/** Soft hyphens and what directs or joins characters without being seen. */
const UNSEEN = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th',
  ħ: 'h', ı: 'i', ŧ: 't', ŋ: 'n', ƒ: 'f', ς: 'σ' };

const marks = new RegExp(`[${MARKS}]`, 'gu');
const letters = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');
const parting = new RegExp(`[${PARTING}]`, 'gu');
/** The dot after a letter that stands alone, where another such letter follows: h.m.s., j. b. */
const INITIALS = /(?<![^ .])([^0-9 .])\.(?:(?=[^0-9 .][ .]|[^0-9 .]$)| +(?=[^0-9 .]\.))/gu;
/** WC2B 4DF, K1A 0B1, 1012 AB: each half as it stands alone. */
const POSTAL_CODES = [/(?<![^ ])([a-z]{1,2}[0-9][a-z0-9]?) ([0-9][a-z]{2})(?![^ ])/gu,
  /(?<![^ ])([a-z][0-9][a-z]) ([0-9][a-z][0-9])(?![^ ])/gu, /(?<![^ ])([0-9]{4}) ([a-z]{2})(?![^ ])/gu];

/** The fold of a name; of a text without letters and digits what it holds, in lower case. */
export function foldName(text: string): string {
  const plain = text.replace(/´/gu, '\'').normalize('NFKD').toLowerCase().replace(UNSEEN, '').replace(marks, '')
    .replace(letters, (letter) => LETTERS[letter]!);
  const words = plain.replace(APOSTROPHES, '').replace(/&/gu, ' and ').replace(parting, ' ').replace(INITIALS, '$1')
    .replace(/[. ]+/gu, ' ').replace(/^ | $/gu, '');
  // oxlint-disable-next-line no-control-regex -- blanks of every kind, as the database has them
  if (words === '') return plain.replace(/[\u0001-\u0020\u00a0\u2000-\u200a\u3000]+/gu, ' ').replace(/^ | $/gu, '');
  return POSTAL_CODES.reduce((folded, code) => folded.replace(code, '$1$2'),
    words.replace(/(?<=[0-9]) (?=[0-9])/gu, ''));
}

/** The fold without its spaces: what two spellings of one name share ("Spider-Man", "Spiderman"). */
export function nameKey(text: string): string {
  return foldName(text).replaceAll(' ', '');
}
