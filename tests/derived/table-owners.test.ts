/** A table is written by the module that owns it and read by those it is offered to (db/migrations). */
import { expect, it } from 'vitest';
import {
  foreignReads, foreignWrites, loadOwners, loadReaders, readReaders, tableUse, unofferedReads,
} from '../../tools/table-owners.ts';

const owners = loadOwners();

it('modules write no tables of other modules, and read those that are offered to them', () => {
  const use = tableUse(owners);
  expect(use.files).toBeGreaterThan(500);
  expect(use.readers.size).toBeGreaterThan(100);
  expect(use.writes).toEqual([]);
  expect(unofferedReads(use.readers, loadReaders(), owners)).toEqual([]);
});

it('finds a write to a table of another module in every kind of statement', () => {
  expect(foreignWrites('stock', 'sql`insert into shows (title) select 1`; sql`update only\n stock_balances set x = 1`; '
    + 'sql`with gone as (delete from payments where id = 1) select 1`', owners))
    .toEqual(['stock writes payments of receivables', 'stock writes shows of catalogue']);
});

it('finds a write by the ready handlers, and one to a table whose name is computed', () => {
  expect(foreignWrites('stock', "const venues = crud(venue, {\n  table: 'venues', search: 'search_text',", owners))
    .toEqual(['stock writes venues of operations']);
  expect(foreignWrites('stock', "const TABLES = { show: 'show_aliases', own: 'stock_balances' };\n"
    + "const PATH = 'customers';\nsql`insert into ${name(TABLES[kind])} (alias) values (${alias})`", owners))
    .toEqual(['stock writes show_aliases of catalogue']);
});

it('finds a read behind from and join, in a list, in a nested template and in a fragment', () => {
  const read = (text: string): string[] => foreignReads('stock', text, owners);
  expect(read('sql`select 1 from shows s join licenses l on true`')).toEqual(['licenses', 'shows']);
  expect(read('sql`select 1 from stock_balances b, venues v, lateral (select 1) x`')).toEqual(['venues']);
  expect(read('sql`select 1 ${mine ? sql`from customers` : sql``} order by 1`')).toEqual(['customers']);
  expect(read('const base = sql`invoices i`;')).toEqual(['invoices']);
  expect(read('// money from customers\nconst text = `from payments`;')).toEqual([]);
});

it('refuses a reader that is not offered the table, and an offer that nobody takes', () => {
  const use = new Map([['shows', ['licensing', 'stock']]]);
  expect(unofferedReads(use, readReaders('# why\nshows: licensing, search\n'), owners)).toEqual([
    'stock reads shows, which catalogue does not offer it',
    'search no longer reads shows: take it out of readers.txt']);
});
