/** The one record that a name of a file stands for; none and several leave the row out, to be told by an alias. */
import { fail } from '../read-cell.ts';

/** `field` is where it stands in the file, if that is not called after what it stands for. */
export function oneOf<T>(found: readonly T[], kind: 'show' | 'royaltor', text: string, field: string = kind): T {
  const shown = text.slice(0, 120);
  if (found.length === 1) return found[0]!;
  return found.length === 0 ? fail(`unknown_${kind}`, `No ${kind} is called "${shown}"`, field, text)
    : fail(`ambiguous_${kind}`, `${found.length} ${kind}s are called "${shown}": say which by an alias`, field, text);
}
