/** Similarity of names, to decide whether to ask if two are one. Pure. */
import { foldName, nameKey } from '#kernel/text/fold.ts';

export { nameKey };

/** As search_fold of the database: lower case, accents off, one space between words. */
export function searchFold(text: string): string {
  return text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** A title without its article: "House, The" and "The House" are one. */
export function titleKey(text: string): string {
  const bare = foldName(text.replace(/,\s*(the|a|an)\s*$/i, '')).replace(/^(the|a|an) /, '').replaceAll(' ', '');
  return bare || nameKey(text);
}

/** Every key that a title of this {@link titleKey} may have with an article. */
export function titleKeys(text: string): string[] {
  const bare = titleKey(text);
  return [bare, ...['the', 'a', 'an'].flatMap((article) => [`${article}${bare}`, `${bare}${article}`])];
}

/** The last word of a name: people who are one share it. The database has an index over the same words. */
export function lastWord(text: string): string {
  return foldName(text).replace(/^.* /, '');
}

/** Whether two people of one last word may be one: their given names shorten one another. */
export function shortenOneAnother(left: readonly string[], right: readonly string[]): boolean {
  if (left.length === 0 || right.length === 0) return false;
  const pairs = Math.min(left.length, right.length);
  for (let at = 0; at < pairs; at += 1) {
    const [x, y] = [left[at]!, right[at]!];
    if (!x.startsWith(y) && !y.startsWith(x)) return false;
  }
  // A lone initial says too little where the other name has more of them: "P. Barry" is not "Philip James Barry".
  return left[0]!.length > 1 || right[0]!.length > 1;
}

export function givenNames(text: string): string[] {
  return searchFold(text).replace(/[.,"'’()]/g, ' ').split(/\s+/).filter((word) => word !== '').slice(0, -1);
}

/** Pairs of neighbouring letters, the second "th" of a text told from its first. */
export function pairsOf(text: string): string[] {
  const seen = new Map<string, number>();
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => {
    const pair = text.slice(at, at + 2);
    const times = seen.get(pair) ?? 0;
    seen.set(pair, times + 1);
    return times === 0 ? pair : `${pair}${times}`;
  });
}

/** Share of letter pairs that two texts have in common, 0 to 1 (Dice). */
export function likeness(a: string, b: string): number {
  return likenessOf(new Set(pairsOf(a)), new Set(pairsOf(b))) ?? (a === b ? 1 : 0);
}

/** As {@link likeness}, of pairs that are known; null where neither text has any. */
export function likenessOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number | null {
  const total = left.size + right.size;
  if (total === 0) return null;
  let common = 0;
  for (const pair of left) if (right.has(pair)) common += 1;
  return (2 * common) / total;
}
