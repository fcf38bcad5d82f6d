/** Index patterns made from the typed text. No I/O. */

import { foldName } from '#kernel/text/fold.ts';
import { containing, plainNumber, startingWith } from '#server/sql.ts';

/** Bytes after every text that begins with the same letters. */
const LAST = '\u{10FFFF}';
/** More words narrow nothing that these do not. */
const MOST_WORDS = 6;

export interface SearchText {
  /** Lower case, one space between words. */
  text: string;
  /** The range of numbers that begin with it, in lower case: [from, to). */
  number: { from: string; to: string };
  /** The range of folded names that begin with it. */
  name: { from: string; to: string };
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
  const text = plainNumber(typed).toLowerCase().replace(/\s+/g, ' ').trim();
  const name = foldName(typed);
  // "C-77" is one word of two halves beside each other; "H. M. S." and "617 555" fold across their spaces.
  const pieces = typed.split(/\s+/).map(foldName).filter((piece) => piece !== '');
  const words = (pieces.join(' ') === name ? pieces : name.split(' '))
    .filter((word) => longestRun(word) > 0).slice(0, MOST_WORDS);
  return {
    text, number: { from: text, to: text + LAST }, name: { from: name, to: name + LAST },
    words: words.map((word) => ({
      anywhere: longestRun(word) >= 3 ? containing(word) : null,
      start: startingWith(word), after: `% ${startingWith(word)}`,
    })),
  };
}
