/**
 * People named in a text (U25). Stored as `@[id]`, so that a mention survives another name; shown as `@Ada Marsh`.
 * A field writes names and remembers whom it offered: `storedMentions` turns them into ids when it is sent.
 */
export interface Mention { id: number; name: string }

const STORED = /@\[(\d{1,15})\]/g;

/** Ids of the people that a stored text names, each once, in its order. */
export function mentionedIds(stored: string): number[] {
  return [...new Set(Array.from(stored.matchAll(STORED), (found) => Number(found[1])))];
}

const isPartOfWord = (letter: string | undefined): boolean => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);

/** '@Ada Marsh, look' with Ada Marsh (7) becomes '@[7], look'. Longer names first; a word that goes on is no name. */
export function storedMentions(text: string, people: readonly Mention[]): string {
  const longestFirst = [...people].sort((one, other) => other.name.length - one.name.length);
  let stored = '';
  let at = 0;
  while (at < text.length) {
    const named = text[at] === '@' && !isPartOfWord(text[at - 1]) && longestFirst.find(({ name }) =>
      text.startsWith(name, at + 1) && !isPartOfWord(text[at + 1 + name.length]));
    stored += named ? `@[${named.id}]` : text[at];
    at += named ? named.name.length + 1 : 1;
  }
  return stored;
}

/** Mention being written: the position of its `@` and the text after it up to the caret. */
export function mentionAt(text: string, caret: number): { start: number; query: string } | null {
  const found = /(?:^|[\s(["'])@([^\s@[][^@\n[]{0,39})?$/u.exec(text.slice(0, caret));
  if (!found) return null;
  const query = found[1] ?? '';
  return { start: caret - query.length - 1, query };
}
