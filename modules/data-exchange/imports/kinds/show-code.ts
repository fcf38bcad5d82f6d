/** A show code from a title: its first telling words, with a number where the code is taken. Pure. */
import { foldName } from '#kernel/text/fold.ts';

const LONGEST = 20;

/** `next` remembers the number that each beginning has come to, so that many alike titles are numbered in one go. */
export function freeCode(title: string, taken: ReadonlySet<string>, next = new Map<string, number>()): string {
  const words = foldName(title).replace(/^(the|a|an) /, '').toUpperCase()
    .split(/[^A-Z0-9]+/).filter((word) => word !== '');
  let base = '';
  for (const word of words) {
    const longer = base === '' ? word : `${base}-${word}`;
    if (longer.length > LONGEST) break;
    base = longer;
  }
  base = base || (words[0] ?? 'SHOW').slice(0, LONGEST);
  let code = base;
  let n = next.get(base) ?? 2;
  for (; taken.has(code); n += 1) code = `${base}-${n}`;
  if (n > 2) next.set(base, n);
  return code;
}
