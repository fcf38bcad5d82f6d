/** Readiness takes a server out of the balance that could answer but keep nothing. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { createDb } from '#server/db.ts';
import { testApp } from '#tests/support/app.ts';
import { readiness } from './readiness.ts';

const test = testApp();
const data_dir = mkdtempSync(join(tmpdir(), 'gr-ready-'));
const opened: { close: () => Promise<void> }[] = [];
afterAll(() => Promise.all(opened.map((db) => db.close())));

it('is ready where the database takes writes and the disk has space', async () => {
  expect(await readiness({ db: test.database.db, data_dir })()).toEqual({ ready: true, reasons: [] });
  const answer = await test.app.inject('/health/ready');
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ready', ready: true, reasons: [] }]);
});

it('is not ready where the disk is full or its folder cannot be written', async () => {
  const { db } = test.database;
  expect(await readiness({ db, data_dir, freeBytes: async () => 1024 })()).toEqual(
    { ready: false, reasons: ['the disk is full'] });
  const file = join(data_dir, 'a-file');
  writeFileSync(file, '');
  expect(await readiness({ db, data_dir: join(file, 'below') })()).toEqual(
    { ready: false, reasons: ['the data folder cannot be written'] });
});

it('is not ready where the database is read only, and ready again where it is not', async () => {
  const name = new URL(test.database.superuser_url).pathname.slice(1);
  const admin = new pg.Client({ connectionString: test.database.superuser_url });
  await admin.connect();
  try {
    await admin.query(`alter database ${name} set default_transaction_read_only = on`);
    const db = createDb({ connectionString: test.database.app_url, max: 1 });
    opened.push(db);
    expect(await readiness({ db, data_dir: null })()).toEqual(
      { ready: false, reasons: ['the database is read only'] });
    await admin.query('begin; set transaction read write');
    await admin.query(`alter database ${name} reset default_transaction_read_only; commit`);
    const again = createDb({ connectionString: test.database.app_url, max: 1 });
    opened.push(again);
    expect((await readiness({ db: again, data_dir: null })()).ready).toBe(true);
  } finally {
    await admin.end();
  }
});

it('is not ready where the database cannot be reached', async () => {
  const db = createDb({ connectionString: 'postgres://app_rw@localhost:1/nowhere', max: 1 });
  opened.push(db);
  expect(await readiness({ db, data_dir: null })()).toEqual(
    { ready: false, reasons: ['the database cannot be reached'] });
});
