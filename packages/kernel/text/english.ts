/**
 * American and British English. Texts are written in American English; `spell` turns them into the reader's. One table
 * holds every word that differs, so that no screen, mail or document keeps two versions of a sentence.
 *
 * A document or a mail is in the language of its record's division (`spellIn(documentLanguage(division))`), a screen in
 * that of the person who reads it (`spell`). What people typed (names, titles, notes) passes as a value and is never
 * changed: spell`Licenses of ${customer.name}`.
 */
// cspell:disable -- stems of words
import type { Language } from '../money/division.ts';

type Pair = readonly [american: RegExp, british: string];

/** In the verb 'to license' both write s. */
const BEFORE_VERB = '(?<!\\b(?:to|cannot|can|not|will|you|we|they|who|where they|house) )';

/** Stems of verbs in -ize, which British papers write with s. */
const IZE = ['organ', 'author', 'recogn', 'final', 'custom', 'summar', 'item', 'capital', 'minim', 'maxim', 'util',
  'categor', 'normal', 'synchron', 'personal', 'prior', 'apolog', 'emphas', 'standard', 'real', 'optim', 'character',
  'general', 'special', 'local', 'memor', 'random', 'amort'];

/** Longer phrases first: each finds what is left by those before it. */
const TABLE: readonly Pair[] = [
  [/\bZIP codes\b/, 'postcodes'], [/\bZIP code\b/, 'postcode'],
  [new RegExp(`${BEFORE_VERB}\\blicense(s?)\\b`), 'licence$1'],
  [/\bprogram(s?)\b/, 'programme$1'],
  [new RegExp(`\\b(re|un)?(${IZE.join('|')})iz(e|ed|es|er|ers|ing|ation|ations|ational)\\b`), '$1$2is$3'],
  [/\btheater(s?)\b/, 'theatre$1'],
  [/\bgross receipts\b/, 'takings'], [/\bnet receipts\b/, 'net takings'],
  [/\bcancel(ed|ing)\b/, 'cancell$1'], [/\b(un)?label(ed|ing)\b/, '$1labell$2'], [/\btotal(ed|ing)\b/, 'totall$1'],
  [/\btravel(ed|ing|er|ers)\b/, 'travell$1'],
  [/\bcatalog(s?|ed)\b/, 'catalogue$1'],
  [/\binstallment(s?)\b/, 'instalment$1'],
  [/\baging\b/, 'ageing'],
  [/\bfulfill(s|ment)?\b/, 'fulfil$1'],
  [/\binquir(y|ies)\b/, 'enquir$1'],
  [/\bcolor(s?)\b/, 'colour$1'], [/\bfavor(s|ed|ite|ites)?\b/, 'favour$1'], [/\bhonor(s|ed)?\b/, 'honour$1'],
  [/\bbehavior(s?)\b/, 'behaviour$1'], [/\bneighbor(s|ing)?\b/, 'neighbour$1'], [/\bcenter(s?)\b/, 'centre$1'],
  [/\bgray\b/, 'grey'], [/\backnowledgment(s?)\b/, 'acknowledgement$1'], [/\bdefense\b/, 'defence'],
  [/\b(paper|post-dated|by|return the|returned|mailing address for) check(s?)\b/, '$1 cheque$2'],
  [/\b(new|void|delete|delete this|create|print|choose a) check(s?)\b/, '$1 cheque$2'],
  [/\bno checks yet\b/, 'no cheques yet'], [/\bchecks and wires\b/, 'cheques and wires'],
  [/\bthe check for\b/, 'the cheque for'],
  [/\bcheck (number|numbers|or cash)\b/, 'cheque $1'], [/^check(s?)$/, 'cheque$1'],
].map(([american, british]) => [new RegExp((american as RegExp).source, 'gi'), british as string]);

const isUpper = (sign: string | undefined): boolean => sign !== undefined && sign !== sign.toLowerCase();

/** The British word as the American one begins: 'License' is 'Licence', 'ZIP code' at the head 'Postcode'. */
function inCaseOf(american: string, british: string, atHead: boolean): string {
  if (american.length > 1 && american === american.toUpperCase()) return british.toUpperCase();
  const capital = isUpper(american[0]) && (!american.startsWith('ZIP') || atHead);
  return (capital ? british.charAt(0).toUpperCase() : british.charAt(0).toLowerCase()) + british.slice(1);
}

/** The text as British readers spell it. */
export function inBritish(text: string): string {
  return TABLE.reduce((said, [american, british]) => said.replace(american, (found: string, ...rest: unknown[]) => {
    const at = rest.findLast((one): one is number => typeof one === 'number') ?? 0;
    const groups = rest.slice(0, rest.lastIndexOf(at)) as (string | undefined)[];
    const word = british.replace(/\$(\d)/g, (_, group: string) => groups[Number(group) - 1] ?? '');
    return inCaseOf(found, word, at === 0);
  }), text);
}

/** Lines of a text that goes over several lines of source are one. */
const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

export interface Speller {
  /** spell`License ${number} is on hold`: the values stay as they are. */
  (text: TemplateStringsArray, ...values: readonly (string | number | bigint)[]): string;
  /** Of a text that holds nothing a person typed, such as a label. */
  (text: string): string;
}

/** Spells texts for readers of one language. */
export function spellIn(language: Language | (() => Language)): Speller {
  const read = typeof language === 'function' ? language : () => language;
  return (text: TemplateStringsArray | string, ...values: readonly (string | number | bigint)[]): string => {
    const own = (part: string): string => read() === 'en-GB' ? inBritish(part) : part;
    if (typeof text === 'string') return own(text);
    return text.reduce((said, part, at) => `${said}${own(oneLine(part))}${at < values.length ? values[at] : ''}`, '');
  };
}

/** In a browser the language of the page, which the server sends with it (web.ts): fixed while the page is open. */
function languageOfPage(): Language {
  const { document } = globalThis as { document?: { documentElement: { lang: string } } };
  return document?.documentElement.lang === 'en-GB' ? 'en-GB' : 'en-US';
}

let source = languageOfPage;

/** The language of whoever reads what is made now: of the page, or of the request that is answered. */
export const readerLanguage = (): Language => source();

/** Set once by a server, which answers many readers (reader-language.ts). */
export function setReaderLanguage(read: () => Language): void {
  source = read;
}

/** Spells texts for whoever reads them on a screen. On a server it is called while a request is answered. */
export const spell: Speller = spellIn(readerLanguage);
