/** A show code from a title: its first telling words, with a number where the code is taken. Pure. */
import { searchFold } from './alike.ts';

const LONGEST = 20;

export function freeCode(title: string, taken: ReadonlySet<string>): string {
  const words = searchFold(title).replace(/^(the|a|an) /, '').replace(/['’.]/g, '').toUpperCase()
    .split(/[^A-Z0-9]+/).filter((word) => word !== '');
  let base = '';
  for (const word of words) {
    const longer = base === '' ? word : `${base}-${word}`;
    if (longer.length > LONGEST) break;
    base = longer;
  }
  base = base || (words[0] ?? 'SHOW').slice(0, LONGEST);
  let code = base;
  for (let n = 2; taken.has(code); n += 1) code = `${base}-${n}`;
  return code;
}
