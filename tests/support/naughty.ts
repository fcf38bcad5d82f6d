/**
 * The Big List of Naughty Strings, which stays outside the repository. `npm test` takes one of each kind, told apart by
 * the kinds of characters in a text and by its length; `npm run test:full` takes all of them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FULL } from './full.ts';

const FILE = join(process.env.SHARED_DATA ?? '../shared/data', 'naughty/blns-open.json');
const MARKS = [/\p{Cc}/u, /\p{Cf}/u, /\p{Co}|\p{Cn}|\p{Cs}/u, /\p{Extended_Pictographic}/u, /\p{Script=Latin}/u,
  /[^\p{Script=Latin}\P{L}]/u, /\p{M}/u, /\p{N}/u, /\p{Z}/u, /[<>]/, /["'`]/, /[%$\\]/, /[{}()[\]]/, /[;|&]/, /\//];

/** Longer than the columns of short texts, longer than those of long ones. */
const lengthOf = ({ length }: string): string => length > 255 ? 'long' : length > 100 ? 'middle' : 'short';
const kindOf = (text: string): string => `${MARKS.map((mark) => mark.test(text) ? 1 : 0).join('')}, ${lengthOf(text)}`;

const oneOfEach = (texts: readonly string[]): string[] =>
  [...new Map(texts.toReversed().map((text) => [kindOf(text), text])).values()].toReversed();

/** Empty where the list is not here. */
export function naughtyTexts(): string[] {
  const all = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) as string[] : [];
  return FULL ? all : oneOfEach(all);
}
