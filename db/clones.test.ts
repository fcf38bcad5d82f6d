/** Clones of the test cluster lie in memory: those of a run that was killed must not stay there. */
import pg from 'pg';
import { inject, it, expect } from 'vitest';
import { cloneName, dropAbandoned } from '#tests/support/memory.ts';

/** Above the highest process id of Linux. */
const NOBODY = 4_194_305;

it('a run drops the databases that a killed one left, and no others', async () => {
  const client = new pg.Client({ connectionString: inject('testDatabase').superuser_url });
  await client.connect();
  const names = [`${cloneName('clones')}0a`, `clones_p${NOBODY}_0b`, `clones_${NOBODY}_0c`];
  try {
    for (const name of names) await client.query(`create database ${name} template template0 strategy file_copy`);
    await dropAbandoned(client);
    const { rows } = await client.query<{ datname: string }>(
      "select datname from pg_database where datname like 'clones\\_%' order by datname");
    expect(rows.map((row) => row.datname)).toEqual([names[2], names[0]].toSorted());
  } finally {
    for (const name of names) await client.query(`drop database if exists ${name}`);
    await client.end();
  }
});
