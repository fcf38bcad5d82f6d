/** What was typed, as patterns for the indexes. No I/O. */

import { containing, startingWith } from '#server/sql.ts';

/** Bytes after every text that begins with the same letters. */
const LAST = '\u{10FFFF}';
/** More words narrow nothing that these do not. */
const MOST_WORDS = 6;

export interface SearchText {
  /** Lower case, one space between words. */
  text: string;
  /** The range of texts that begin with it: [from, to). */
  from: string;
  to: string;
  /** One pattern for each word; a word of one or two letters is found at the beginning of a word alone. */
  words: { anywhere: string | null; start: string; after: string }[];
}

const longestRun = (word: string): number =>
  Math.max(0, ...(word.match(/[\p{L}\p{N}]+/gu) ?? []).map((run) => Array.from(run).length));

/**
 * A trigram index knows no text without three letters in a row: such words are looked for at the beginning of a word,
 * where the space before it counts, and what holds no letter at all narrows nothing.
 */
export function searchText(typed: string): SearchText {
  const text = typed.toLowerCase().replace(/\s+/g, ' ').trim();
  const words = text.split(' ').filter((word) => longestRun(word) > 0).slice(0, MOST_WORDS);
  return {
    text, from: text, to: text + LAST,
    words: words.map((word) => ({
      anywhere: longestRun(word) >= 3 ? containing(word) : null,
      start: startingWith(word), after: `% ${startingWith(word)}`,
    })),
  };
}
