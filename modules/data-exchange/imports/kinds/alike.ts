/** How alike names are, for asking whether two are one. Pure. */

/** As the database folds names (search_fold): lower case, accents off, one space between words. */
export function searchFold(text: string): string {
  return text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Letters and digits alone: "H.B. Barnum" and "H. B. Barnum" are one name. */
export function nameKey(text: string): string {
  return searchFold(text).replaceAll('&', 'and').replace(/[^\p{L}\p{N}]/gu, '');
}

/** A title without its article, letters and digits alone. */
export function titleKey(text: string): string {
  const bare = searchFold(text).replace(/^(the|a|an) /, '').replace(/, (the|a|an)$/, '');
  return nameKey(bare) || nameKey(text);
}

/** The last word of a name: people who are one share it. The database has an index over the same words. */
export function lastWord(text: string): string {
  return searchFold(text).replace(/^.*\s/, '');
}

/** Two names that may be one person: the same last word, and given names that shorten one another. */
export function maybeOnePerson(a: string, b: string): boolean {
  if (lastWord(a) !== lastWord(b) || nameKey(a) === nameKey(b)) return false;
  const [left, right] = [givenNames(a), givenNames(b)];
  if (left.length === 0 || right.length === 0) return false;
  const pairs = Math.min(left.length, right.length);
  for (let at = 0; at < pairs; at += 1) {
    const [x, y] = [left[at]!, right[at]!];
    if (!x.startsWith(y) && !y.startsWith(x)) return false;
  }
  // A lone initial says too little where the other name has more of them: "P. Barry" is not "Philip James Barry".
  return left[0]!.length > 1 || right[0]!.length > 1;
}

function givenNames(text: string): string[] {
  return searchFold(text).replace(/[.,"'’()]/g, ' ').split(/\s+/).filter((word) => word !== '').slice(0, -1);
}

/** Share of letter pairs that two texts have in common, 0 to 1 (Dice). */
export function likeness(a: string, b: string): number {
  const [left, right] = [pairsOf(a), pairsOf(b)];
  const total = left.length + right.length;
  if (total === 0) return a === b ? 1 : 0;
  const rest = new Map<string, number>();
  for (const pair of left) rest.set(pair, (rest.get(pair) ?? 0) + 1);
  let common = 0;
  for (const pair of right) {
    const times = rest.get(pair) ?? 0;
    if (times === 0) continue;
    rest.set(pair, times - 1);
    common += 1;
  }
  return (2 * common) / total;
}

function pairsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
}
