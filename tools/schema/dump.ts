// cspell:ignore attgenerated sequencename schemaname setval
/**
 * Rows of a whole database as one compressed file, without its schema: the migrations that it names make that. Kept for
 * each release in db/releases, to test that the next release can upgrade it.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';

type Client = Pick<pg.Client, 'query'>;

export interface Dump {
  migrations: ReadonlyMap<string, string>;
  /** Last value by sequence. */
  sequences: Readonly<Record<string, string>>;
  /** Rows of a table as a JSON array; as text, since amounts may be larger than a number of JavaScript. */
  tables: ReadonlyMap<string, string>;
}

/** Tables whose rows an upgrade does not need: they expire, or are written by migrations. */
const LEFT_OUT = ['schema_migrations', 'table_access', 'sessions', 'idempotency_keys', 'rate_limits',
  'client_errors'];

export async function readDump(client: Client): Promise<Dump> {
  const { rows: ran } = await client.query<{ name: string; checksum: string }>(
    `select name, checksum from schema_migrations where name <> 'access.sql' order by name`);
  const { rows: sequences } = await client.query<{ name: string; value: string }>(
    `select sequencename as name, last_value::text as value from pg_sequences
      where schemaname = 'public' and last_value is not null order by 1`);
  const tables = new Map<string, string>();
  for (const name of await tableNames(client)) {
    const { rows: [row] } = await client.query<{ rows: string | null }>(
      `select jsonb_agg(to_jsonb(t))::text as rows from ${name} t`);
    if (row?.rows) tables.set(name, row.rows);
  }
  return { migrations: new Map(ran.map(({ name, checksum }) => [name, checksum])),
    sequences: Object.fromEntries(sequences.map(({ name, value }) => [name, value])), tables };
}

async function tableNames(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`select relname as name from pg_class where relkind = 'r'
    and relnamespace = 'public'::regnamespace and relname <> all ($1) order by 1`, [LEFT_OUT]);
  return rows.map(({ name }) => name);
}

export function packDump({ migrations, sequences, tables }: Dump): Buffer {
  return gzipSync([JSON.stringify({ migrations: [...migrations], sequences }),
    ...[...tables].map(([name, rows]) => `${name}\t${rows}`)].join('\n'), { level: 9 });
}

export function unpackDump(file: Buffer): Dump {
  const [head = '', ...lines] = gunzipSync(file).toString('utf8').split('\n');
  const { migrations, sequences } = JSON.parse(head) as
    { migrations: [string, string][]; sequences: Record<string, string> };
  return { migrations: new Map(migrations), sequences, tables: new Map(lines.map((line) => {
    const tab = line.indexOf('\t');
    return [line.slice(0, tab), line.slice(tab + 1)];
  })) };
}

/** Replaces all rows of a database that has the schema of the dump. `client` is a superuser: no trigger may run. */
export async function loadDump(client: Client, { migrations, sequences, tables }: Dump): Promise<void> {
  await client.query('begin; set local session_replication_role = replica');
  await client.query(`truncate ${(await tableNames(client)).join(', ')} cascade`);
  for (const [name, rows] of tables) {
    const { rows: [table] } = await client.query<{ columns: string }>(`
      select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`, [name]);
    await client.query(`insert into ${name} (${table!.columns}) overriding system value
      select ${table!.columns} from jsonb_populate_recordset(null::${name}, $1)`, [rows]);
  }
  for (const [name, value] of Object.entries(sequences)) await client.query('select setval($1, $2)', [name, value]);
  await client.query('delete from schema_migrations');
  for (const [name, checksum] of migrations) {
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
  }
  await client.query('commit');
}
