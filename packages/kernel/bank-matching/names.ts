/**
 * Similarity of two names, from 0 to 1: by their words in any order, or by their trigrams as PostgreSQL counts them
 * (pg_trgm), whichever is greater. Legal forms are ignored, and banks cut long names.
 */
import { foldName } from '../text/fold.ts';

// cspell:ignore sarl
const SAYS_NOTHING = new Set(['the', 'and', 'of', 'inc', 'incorporated', 'llc', 'llp', 'ltd', 'limited', 'plc', 'corp',
  'corporation', 'co', 'company', 'gmbh', 'ag', 'ev', 'sarl', 'bv', 'nv', 'oy', 'ab', 'cic', 'mr', 'mrs', 'ms', 'dr']);
/** A cut name must be this long to be known by its beginning. */
const MIN_CUT = 12;
const LIKE_A_CUT_NAME = 0.9;

export interface FoldedName {
  tokens: readonly string[];
  /** The tokens without spaces, in their order. */
  key: string;
  trigrams: ReadonlySet<string>;
  length: number;
}

export function foldedName(text: string): FoldedName {
  const all = foldName(text.slice(0, 400)).split(' ').filter((token) => token !== '');
  const telling = all.filter((token) => !SAYS_NOTHING.has(token));
  const tokens = telling.length > 0 ? telling : all;
  const trigrams = new Set<string>();
  for (const token of tokens) {
    const padded = `  ${token} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) trigrams.add(padded.slice(at, at + 3));
  }
  return { tokens, key: tokens.join(''), trigrams, length: tokens.reduce((sum, token) => sum + token.length, 0) };
}

/** Share of the letters that stand in words of both. */
function tokenShare(a: FoldedName, b: FoldedName): number {
  if (a.length + b.length === 0) return 0;
  const left = new Map<string, number>();
  for (const token of b.tokens) left.set(token, (left.get(token) ?? 0) + 1);
  let shared = 0;
  for (const token of a.tokens) {
    const count = left.get(token) ?? 0;
    if (count === 0) continue;
    left.set(token, count - 1);
    shared += token.length;
  }
  return (2 * shared) / (a.length + b.length);
}

function trigramShare(a: FoldedName, b: FoldedName): number {
  let shared = 0;
  for (const trigram of a.trigrams) if (b.trigrams.has(trigram)) shared += 1;
  const all = a.trigrams.size + b.trigrams.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** Whether one is the other cut within a word. At the end of a word it may be another name. */
function isCut(a: FoldedName, b: FoldedName): boolean {
  const [short, long] = a.key.length <= b.key.length ? [a, b] : [b, a];
  const last = short.tokens.length - 1;
  const whole = long.tokens[last];
  return short.key.length >= MIN_CUT && long.key.startsWith(short.key) && whole !== undefined
    && whole.length > short.tokens[last]!.length && whole.startsWith(short.tokens[last]!);
}

/** 0 to 1; 0 where either has no words. */
export function nameSimilarity(a: FoldedName, b: FoldedName): number {
  if (a.key === '' || b.key === '') return 0;
  if (a.key === b.key) return 1;
  return Math.max(tokenShare(a, b), trigramShare(a, b), isCut(a, b) ? LIKE_A_CUT_NAME : 0);
}

/** Whether a longer text holds the whole name, word by word: banks without a field for the payer write it there. */
export function isNamedIn(name: FoldedName, text: FoldedName): boolean {
  if (name.length < 8 || name.tokens.length === 0) return false;
  return ` ${text.tokens.join(' ')} `.includes(` ${name.tokens.join(' ')} `);
}
