import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '#tests/support/database.ts';
import { migrate } from './migrate.ts';
import { readReplaced } from './migrate-baseline.ts';

const MIGRATIONS = fileURLToPath(new URL('../../db/migrations', import.meta.url));
const database = testDatabase();
let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: database.owner_url });
  await client.connect();
});
afterAll(() => client.end());

async function rowsOf<T>(text: string): Promise<T[]> {
  return (await client.query(text)).rows as T[];
}

/** Writes the rows of a database that ran `names` of the replaced migrations and no baseline. */
async function ranBefore(names: ReadonlyMap<string, string>): Promise<void> {
  await client.query(`delete from schema_migrations where name <> 'access.sql'`);
  for (const [name, checksum] of names) {
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
  }
}

describe('a database from before the baseline', () => {
  const baseline = async (): Promise<string[]> => (await readdir(join(MIGRATIONS, 'baseline')))
    .filter((file) => file.endsWith('.sql')).sort().map((file) => `baseline/${file}`);
  const replaced = async (): Promise<Map<string, string>> =>
    new Map((await readReplaced(join(MIGRATIONS, 'baseline')))?.checksums);
  const others = async (): Promise<string[]> => (await readdir(MIGRATIONS)).filter((file) => /^\d.*\.sql$/.test(file));

  it('is marked as being on the baseline where it ran exactly the replaced files, and the audit says so', async () => {
    const list = await replaced();
    await ranBefore(list);
    for (const file of await others()) {
      // Migrations after the baseline are in this database too.
      await client.query(`insert into schema_migrations (name, checksum) values ($1, encode(sha256($2), 'hex'))`,
        [file, await readFile(join(MIGRATIONS, file))]);
    }
    expect(await migrate(database.owner_url, MIGRATIONS)).toMatchObject({ adopted: true, applied: [] });
    const names = (await rowsOf<{ name: string }>('select name from schema_migrations')).map(({ name }) => name);
    expect(names.sort()).toEqual([...await baseline(), ...await others(), 'access.sql'].sort());
    expect(await rowsOf('select entity, before, after from audit_events where action = $$adopt_baseline$$')).toEqual([
      { entity: 'schema', before: { migrations: list.size, last: [...list.keys()].at(-1) },
        after: { migrations: (await baseline()).length } }]);
    expect(await migrate(database.owner_url, MIGRATIONS)).toMatchObject({ adopted: false, applied: [] });
  });

  it('is refused where files are missing, with the release to start', async () => {
    const list = await replaced();
    const last = [...list.keys()].at(-1)!;
    list.delete(last);
    await ranBefore(list);
    await expect(migrate(database.owner_url, MIGRATIONS)).rejects.toThrow(`This database is older than release ${
      (await readReplaced(join(MIGRATIONS, 'baseline')))?.release}: 1 of ${list.size + 1} migrations are missing, the `
      + `first is ${last}. Start release`);
    expect(await rowsOf(`select name from schema_migrations where name like 'baseline/%'`)).toEqual([]);
  });

  it('is refused where a file was another', async () => {
    const list = await replaced();
    const first = [...list.keys()][0]!;
    await ranBefore(list.set(first, 'changed'));
    await expect(migrate(database.owner_url, MIGRATIONS)).rejects.toThrow(
      `This database cannot be upgraded: it ran ${first}, which no release had in this form. Restore a backup`);
  });
});

describe('later migrations', () => {
  let folder = '';
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  const run = async (): Promise<string[]> => (await migrate(database.owner_url, folder)).applied;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gr-migrations-'));
    await mkdir(join(folder, 'baseline'));
    await write('baseline/01-first.sql', '-- First.\ncreate table migrated (step text);');
    await client.query('drop table if exists migrated; delete from schema_migrations');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('run after the baseline, numbers before times, access.sql last', async () => {
    await write('20261126T0915-third.sql', `insert into migrated values ('third')`);
    await write('0520-second.sql', `insert into migrated values ('second')`);
    await write('access.sql', `insert into migrated values ('access')`);
    expect(await run()).toEqual(['baseline/01-first.sql', '0520-second.sql', '20261126T0915-third.sql', 'access.sql']);
    expect((await rowsOf<{ step: string }>('select step from migrated')).map(({ step }) => step))
      .toEqual(['second', 'third', 'access']);
    expect(await run()).toEqual([]);
  });

  it('are refused where an earlier one arrives after a later one ran', async () => {
    await write('20261127T1000-later.sql', 'select 1');
    await run();
    await write('20261126T0915-earlier.sql', 'select 1');
    await expect(run()).rejects.toThrow('migration 20261126T0915-earlier.sql is older than 20261127T1000-later.sql, '
      + 'which this database ran already. Rename it with the present time');
  });

  it('are refused where a newer release ran one that is not here', async () => {
    await write('20261127T1000-later.sql', 'select 1');
    await run();
    await rm(join(folder, '20261127T1000-later.sql'));
    await expect(run()).rejects.toThrow('used by a newer release: it ran 20261127T1000-later.sql');
  });

  it('run outside a transaction where their first line says so', async () => {
    await write('20261126T0915-index.sql', '-- no-transaction\n-- Finds a step.\ndrop index if exists migrated_step;\n'
      + 'create index concurrently migrated_step on migrated (step);\n');
    expect(await run()).toContain('20261126T0915-index.sql');
    expect(await rowsOf(`select indexname from pg_indexes where tablename = 'migrated'`))
      .toEqual([{ indexname: 'migrated_step' }]);
    await write('20261126T0916-index.sql', 'create index concurrently migrated_other on migrated (step);\n');
    await expect(run()).rejects.toThrow('cannot run inside a transaction block');
  });

  it('are refused where they changed after they ran', async () => {
    await run();
    await write('baseline/01-first.sql', '-- First.\ncreate table migrated (steps text);');
    await expect(run()).rejects.toThrow('migration baseline/01-first.sql changed after it was applied');
  });
});
