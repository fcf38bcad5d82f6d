/**
 * `node tools/compare-schemas.ts <url> <url>`: every difference between the schemas and the rows of two databases.
 * For a change of the schema that must come out the same in two ways: a fresh start and an upgrade, an old set of
 * migrations and a new one. Exit code 1 where something differs.
 */
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { readRows, readSchema } from './schema/catalogue.ts';

/** Lines of `text` that `other` does not have. */
function without(text: string, other: string, mark: string): string {
  const known = new Set(other.split('\n'));
  return text.split('\n').filter((line) => !known.has(line)).map((line) => `    ${mark} ${line}\n`).join('');
}

/** Differences of two lists of texts by name, as lines. */
export function differences(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  const names = [...new Set([...one.keys(), ...other.keys()])].sort();
  return names.flatMap((name) => {
    const [a, b] = [one.get(name), other.get(name)];
    if (a === b) return [];
    if (a === undefined) return [`only in the second: ${name}\n    ${b}`];
    if (b === undefined) return [`only in the first: ${name}\n    ${a}`];
    return [`differs: ${name}\n${without(a, b, '<')}${without(b, a, '>')}`.trimEnd()];
  });
}

/** The schema and the rows of a database by name. Comments are left out unless asked for. */
export async function describeDatabase(url: string, comments = true): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const entries = (await readSchema(client)).filter(({ name }) => comments || !name.startsWith('comment '));
    const found = new Map(entries.map(({ name, statement }) => [name, statement]));
    for (const [table, rows] of await readRows(client)) found.set(`rows of ${table}`, rows.join('\n'));
    return found;
  } finally {
    await client.end();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [one, other] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  if (!one || !other) throw new Error('node tools/compare-schemas.ts <url> <url> [--no-comments]');
  const comments = !process.argv.includes('--no-comments');
  const [first, second] = [await describeDatabase(one, comments), await describeDatabase(other, comments)];
  const found = differences(first, second);
  console.log(found.join('\n'));
  console.log(`${first.size} and ${second.size} objects and tables with rows compared, ${found.length} differ.`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
