import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Db } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { testDatabase } from '#tests/support/database.ts';
import { readOwners } from '../tools/schema/render.ts';

const folder = new URL('migrations/', import.meta.url);
const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.sql')).sort();
const owners = readOwners(await readFile(new URL('owners.txt', folder), 'utf8'));

/** The ledger and identity test their own tables. */
const TESTED_ELSEWHERE = new Set(['accounting', 'identity']);
const ours = new Set([...owners].filter(([, owner]) => !TESTED_ELSEWHERE.has(owner)).map(([table]) => table));
for (const table of ['currencies', 'divisions', 'table_access', 'schema_migrations']) ours.delete(table);

const database = testDatabase();

async function names(query: ReturnType<typeof sql>): Promise<string[]> {
  const rows = await database.owner.query<{ name: string; table_name: string }>(query);
  return rows.filter((row) => ours.has(row.table_name)).map((row) => row.name);
}

/** The error's message, or 'done' where the statement went through. */
async function attempt(db: Db, statement: ReturnType<typeof sql>): Promise<string> {
  try {
    await db.exec(statement);
    return 'done';
  } catch (error) {
    const cause = (error as Error).cause;
    return `${(error as Error).message} ${cause instanceof Error ? cause.message : ''}`;
  }
}

describe('every migration', () => {
  test('has a header comment that says why', async () => {
    const silent = [];
    for (const file of files) {
      if (!(await readFile(new URL(file, folder), 'utf8')).startsWith('--')) silent.push(file);
    }
    expect(silent).toEqual([]);
  });

  test('ran, on a server of at least PostgreSQL 15', async () => {
    const ran = await database.owner.query<{ name: string }>(sql`select name from schema_migrations`);
    const { v } = await database.owner.one<{ v: number }>(sql`select current_setting('server_version_num')::int as v`);
    expect(ran.map((row) => row.name).sort()).toEqual(files);
    expect(v).toBeGreaterThanOrEqual(150000);
  });

  test('is named by a place in the baseline, or by the time it was written', () => {
    expect(files.filter((file) => !/^(?:baseline\/\d\d-[a-z-]+|05\d\d-[a-z-]+|\d{8}T\d{4}-[a-z-]+|access)\.sql$/
      .test(file))).toEqual([]);
    const starts = files.map((file) => /^[^-]+/.exec(file)?.[0]);
    expect(starts.filter((start, index) => starts.indexOf(start) !== index)).toEqual([]);
  });
});

describe('every table', () => {
  test('has created_at', async () => {
    expect(await names(sql`
      select relname as name, relname as table_name from pg_class c
      where relkind = 'r' and relnamespace = 'public'::regnamespace and not exists (
        select 1 from pg_attribute where attrelid = c.oid and attname = 'created_at')`)).toEqual([]);
  });

  test('keeps its updated_at by trigger', async () => {
    expect(await names(sql`
      select relname as name, relname as table_name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'updated_at' and not exists (
        select 1 from pg_trigger where tgrelid = c.oid and tgname = 'touch_updated_at')`)).toEqual([]);
  });

  test('holds amounts of at most 10^12 minor units', async () => {
    expect(await names(sql`
      select relname || '.' || attname as name, relname as table_name
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where relkind = 'r' and relnamespace = 'public'::regnamespace and attname like '%\\_minor'
        and atttypid <> 'minor_amount'::regtype`)).toEqual([]);
    const check = sql`select 1000000000001::minor_amount`;
    expect(await attempt(database.owner, check)).toMatch(/minor_amount/);
  });

  // Divisions are four rows nobody deletes, and people are disabled, never deleted: no delete ever looks for the rows
  // that name them, so a key to them is indexed only where a list filters by it.
  test('indexes its foreign keys', async () => {
    expect(await names(sql`
      select conrelid::regclass || ': ' || pg_get_constraintdef(c.oid) as name, conrelid::regclass::text as table_name
      from pg_constraint c join pg_attribute a on a.attrelid = conrelid and a.attnum = conkey[1]
      where contype = 'f' and confrelid <> 'divisions'::regclass
        and not (confrelid = 'users'::regclass and (attname like '%\\_by\\_id' or attname = 'author_id'))
        and not exists (
          select 1 from pg_index i where indrelid = conrelid and indkey[0] = conkey[1]
            and (indpred is null or pg_get_expr(indpred, indrelid) = format('(%s IS NOT NULL)', attname)))`,
    )).toEqual([]);
  });

  test('can be read by the application', async () => {
    expect(await names(sql`
      select relname as name, relname as table_name from pg_class c where relkind = 'r'
        and relnamespace = 'public'::regnamespace and not has_table_privilege('app_rw', oid, 'select')`)).toEqual([]);
  });
});

describe('the application role', () => {
  test('cannot delete what must stay', async () => {
    const stays = ['transactions', 'journal_entries', 'audit_events', 'audit_hashes', 'payments',
      'payment_allocations', 'royalty_accruals', 'royalty_allocations', 'licenses',
      'license_versions', 'license_events', 'signatures', 'files', 'memos'];
    // Sent mail is not among them: it goes when the time that /system/settings gives it is over.
    for (const table of stays) {
      const { may } = await database.owner.one<{ may: boolean }>(
        sql`select has_table_privilege('app_rw', ${table}, 'delete') as may`);
      expect(`${table} ${may}`).toBe(`${table} false`);
    }
  });

  // A voided draft invoice and a return that is only expected may go; a guard keeps all others.
  test('can delete an invoice or a return only past its guard', async () => {
    expect(await names(sql`
      select distinct event_object_table as name, event_object_table as table_name
      from information_schema.triggers where event_manipulation = 'DELETE' and action_timing = 'BEFORE'
        and event_object_table in ('invoices', 'box_office_reports') order by 1`))
      .toEqual(['box_office_reports', 'invoices']);
  });

  test('cannot truncate anything', async () => {
    expect(await names(sql`
      select relname as name, relname as table_name from pg_class where relkind = 'r'
        and relnamespace = 'public'::regnamespace and has_table_privilege('app_rw', oid, 'truncate')`)).toEqual([]);
  });
});

test('even the owner cannot change, delete or truncate the audit', async () => {
  await database.db.exec(sql`insert into audit_events (action, entity) values ('create', 'license')`);
  for (const statement of [sql`update audit_events set action = 'x'`, sql`delete from audit_events`,
    sql`truncate audit_events cascade`]) {
    expect(await attempt(database.owner, statement)).toMatch(/append-only/);
  }
});

test('search folds case, accents and spaces', async () => {
  const { folded } = await database.db.one<{ folded: string }>(
    sql`select search_fold('  CAFÉ  Théâtre ') as folded`);
  expect(folded).toBe('cafe theatre');
});

test('an address has the five strings of the specification and at most a premise more', async () => {
  const address = { country_code: 'US', thoroughfare: '1 Main St', locality: 'Troy', administrative_area: 'NY',
    postal_code: '12180' };
  const valid = async (candidate: unknown): Promise<boolean> => (await database.db.one<{ ok: boolean }>(
    sql`select is_postal_address(${JSON.stringify(candidate)}::jsonb) as ok`)).ok;
  expect(await valid(address)).toBe(true);
  expect(await valid({ ...address, premise: 'Hall B' })).toBe(true);
  expect(await valid({ ...address, note: 'x' })).toBe(false);
  expect(await valid({ ...address, postal_code: 12180 })).toBe(false);
  expect(await valid({ country_code: 'US' })).toBe(false);
});
