/** Version of the product, as package.json has it. */
import { readFileSync } from 'node:fs';

let known: string | undefined;

export function productVersion(): string {
  const file = new URL('../../../package.json', import.meta.url);
  known ??= (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  return known;
}
