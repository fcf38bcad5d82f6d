/** The one record that a name of a file stands for; none and several leave the row out, to be told by an alias. */
import { fail } from '../read-cell.ts';

export function oneOf<T>(found: readonly T[], field: 'show' | 'royaltor', text: string): T {
  const shown = text.slice(0, 120);
  if (found.length === 1) return found[0]!;
  return found.length === 0 ? fail(`unknown_${field}`, `No ${field} is called "${shown}"`, field, text)
    : fail(`ambiguous_${field}`, `${found.length} ${field}s are called "${shown}": say which by an alias`, field, text);
}
