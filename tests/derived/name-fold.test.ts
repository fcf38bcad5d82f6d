/** The fold of names in the database and in the program: the same answer to every text. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { foldName } from '#kernel/text/fold.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';

const database = testDatabase();
const DATA = process.env.SHARED_DATA ?? '../shared/data';
const read = <T>(file: string): T[] =>
  existsSync(join(DATA, file)) ? JSON.parse(readFileSync(join(DATA, file), 'utf8')) as T[] : [];

/** Numbers that repeat with every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Characters that names are made of, and those that make trouble. */
// cspell:disable-next-line
const ALPHABET = Array.from('abcDEFxyzßÆØŁđþœıİΣςσéåñ019 ..\'’‘´`&-–—/“”"()!?#+,;:·…½™ﬁ㎏ſ'
  + '\u00a0\u00ad\u200b\u202e\u0301\u05d0\u0623漢字')
  .concat('h.m.s. ', 'WC2B 4DF', 'j. b. ', '1012 AB', ' & ', '617 555');

function random(count: number): string[] {
  const next = seeded(7);
  return Array.from({ length: count }, () => Array.from({ length: Math.floor(next() * 14) },
    () => ALPHABET[Math.floor(next() * ALPHABET.length)]).join(''));
}

async function same(texts: readonly string[]): Promise<void> {
  const whole = texts.filter((text) => !text.includes('\u0000') && text.isWellFormed());
  const rows = await database.db.query<{ t: string; fold: string }>(sql`
    select t, fold_name(t) as fold from unnest(${whole}::text[]) t`);
  expect(rows).toHaveLength(whole.length);
  expect(rows.filter(({ t, fold }) => foldName(t) !== fold).map(({ t, fold }) => [t, fold, foldName(t)])).toEqual([]);
}

it('answers alike for each character of the first plane', async () => {
  const characters = Array.from({ length: 0xffff }, (_, at) => String.fromCodePoint(at + 1));
  // Capitals that are younger than the database's table of characters cannot agree.
  const settled = characters.slice(0, 0x3fff).filter((one) => !/[\u1c89\u1c90-\u1cbf\u2c2f]/.test(one));
  await same(settled.map((one) => `a${one}b`));
});

it('answers alike for random texts and for the names of real catalogues', async () => {
  await same(random(20_000));
  await same(read<string>('naughty/blns-open.json'));
  await same(read<{ name: string }>('customers/universities.json').map(({ name }) => name));
  await same(read<{ title: string }>('catalogue/catalogue_1975plus_with_writers.json').map(({ title }) => title));
});
