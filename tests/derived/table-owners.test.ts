/** A table is written by the module that owns it (db/migrations/owners.txt). */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readOwners } from '../../tools/schema/render.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Writes to tables of other modules as they are today. Take one out once its owner offers the write; add none. */
const EXCEPTIONS = [
  'customers writes license_applications of licensing',
  'customers writes tasks of licensing',
  'receivables writes license_charges of licensing',
  'receivables writes license_instalments of licensing',
  'receivables writes licenses of licensing',
  'receivables writes tasks of licensing',
];

/** Tables of others that the statements in `text` write, for a file of `module`. */
function foreignWrites(module: string, text: string, owners: ReadonlyMap<string, string>): string[] {
  const writes = text.matchAll(/\b(?:insert into|update|delete from)\s+(?:only )?([a-z_]+)\b/g);
  return [...writes].flatMap(([, table = '']) => {
    const owner = owners.get(table);
    return owner === undefined || owner === module ? [] : [`${module} writes ${table} of ${owner}`];
  });
}

const owners = readOwners(readFileSync(`${root}db/migrations/owners.txt`, 'utf8'));

it('modules write no tables of other modules, but for exceptions that may only become fewer', () => {
  const files = globSync('modules/*/**/*.ts', { cwd: root })
    .filter((file) => !/\.test\.ts$|\/testing\//.test(file));
  const found = files.flatMap((file) =>
    foreignWrites(file.split('/')[1] ?? '', readFileSync(root + file, 'utf8'), owners));
  expect(files.length).toBeGreaterThan(500);
  expect([...new Set(found)].sort()).toEqual(EXCEPTIONS);
});

it('a write to a table of another module is found in every kind of statement', () => {
  expect(foreignWrites('stock', 'sql`insert into shows (title) select 1`; sql`update only\n stock_balances set x = 1`; '
    + 'sql`with gone as (delete from payments where id = 1) select 1`', owners))
    .toEqual(['stock writes shows of catalogue', 'stock writes payments of receivables']);
});
