/** `npm run schema`: writes db/schema.sql and docs/domain/data-model.md from a freshly migrated database. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ensureTemplate, startCluster } from '#tests/support/cluster.ts';
import { readSchema } from './schema/catalogue.ts';
import { COLUMNS, readOwners, renderDataModel, renderSchema, TABLES, TYPES, type ColumnRow, type TableRow }
  from './schema/render.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const OWNERS = join(ROOT, 'db/migrations/owners.txt');
const MODEL = join(ROOT, 'docs/domain/data-model.md');

/** Text of each file by its path. */
export async function describeSchema(client: Pick<pg.Client, 'query'>): Promise<Map<string, string>> {
  const columns = (await client.query<ColumnRow>(COLUMNS)).rows;
  const tables = (await client.query<TableRow>(TABLES)).rows;
  const types = (await client.query<TableRow>(TYPES)).rows;
  const owners = readOwners(await readFile(OWNERS, 'utf8'));
  return new Map([
    [join(ROOT, 'db/schema.sql'), renderSchema(await readSchema(client))],
    [MODEL, renderDataModel(await readFile(MODEL, 'utf8'), tables, columns, types, owners)],
  ]);
}

async function writeSchema(): Promise<void> {
  const cluster = await startCluster();
  const name = `schema_${process.pid}`;
  const admin = new pg.Client({ connectionString: cluster.urlFor('postgres', cluster.superuser) });
  await admin.connect();
  try {
    // A copy: nobody can clone the template while somebody reads it.
    await admin.query(`create database ${name} template ${await ensureTemplate(cluster)} owner app_migrate`);
    const client = new pg.Client({ connectionString: cluster.urlFor(name, 'app_migrate') });
    await client.connect();
    for (const [file, text] of await describeSchema(client)) {
      await writeFile(file, text);
      console.log(file);
    }
    await client.end();
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
    await cluster.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeSchema();
