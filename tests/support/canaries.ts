/**
 * Canaries (reliability.md 2.3): every text in the database is marked with whose it is. `A` and `B` are two houses, `C`
 * is any other, `HOUSE` what only the licensing house may read. Whose a row is, the policies of access.sql say; what a
 * customer may read of it, the columns granted to the portal. A canary is `CANARY-A-licenses-title_on_license`.
 */
import pg from 'pg';
import type { TestDatabase } from './database.ts';

export type Owner = 'A' | 'B' | 'C' | 'HOUSE';
export interface Houses { A: number; B: number }

interface Table { name: string; key: string[]; class: string; shown: boolean; has_user: boolean }
interface Column { name: string; type: 'text' | 'jsonb'; granted: boolean }

/** A few tables are not whom they name, or hold what is read again before anything is answered. */
const LEFT_ALONE = new Set(['schema_migrations', 'table_access', 'audit_hashes', 'ledger_chain', 'rate_limits',
  'idempotency_keys', 'pgboss', 'house_settings', 'security_policy']);
/** Texts that a program reads: addresses of files, digests, codes. */
const FOR_PROGRAMS = [
  'key', 'hash', 'digest', 'token', 'sha256', 'ref', 'mime', 'content_type', 'kind', 'type', 'status', 'locale',
  'time_zone', 'currency', 'code', 'url', 'file_name', 'method', 'entity', 'action', 'event', 'state', 'format',
  'media_type', 'scope', 'cipher', 'iv', 'tag',
];
const forPrograms = (column: string): boolean =>
  FOR_PROGRAMS.some((word) => column === word || column.endsWith(`_${word}`));
/** Names in the catalog of items to read, buy and download, which customers are shown. */
const OFFERED = { tables: new Set(['materials', 'sales_items', 'material_files']),
  columns: new Set(['name', 'item_number', 'description']) };
/** Keys of JSON that hold words of people. */
const WORDS =
  /^(name|title|text|body|note|notes|reason|message|thoroughfare|premise|locality|organisation|description)$/;

interface Planted { columns: number; rows: number; refused: string[] }

/** Marks what is there. Triggers and foreign keys sleep meanwhile; a column whose constraint refuses stays as it is. */
export async function plantCanaries(database: TestDatabase, houses: Houses): Promise<Planted> {
  const client = new pg.Client({ connectionString: database.superuser_url });
  await client.connect();
  try {
    const work = new Planting(client, houses);
    const owned = new Map<Table, Map<Owner, string[]>>();
    // Determines the owners of the rows before anything changes: policies read columns as well.
    for (const table of await work.tables()) owned.set(table, await work.ownersOf(table));
    await client.query('set session_replication_role = replica');
    for (const [table, owners] of owned) await work.mark(table, owners);
    return work.planted;
  } finally {
    await client.end();
  }
}

class Planting {
  readonly planted: Planted = { columns: 0, rows: 0, refused: [] };
  readonly #client: pg.Client;
  readonly #houses: Houses;

  constructor(client: pg.Client, houses: Houses) {
    this.#client = client;
    this.#houses = houses;
  }

  async tables(): Promise<Table[]> {
    const { rows } = await this.#client.query<Table>(`
      select c.relname as name, a.class,
        (select array_agg(quote_ident(t.attname)) from pg_index i join pg_attribute t
          on t.attrelid = c.oid and t.attnum = any (i.indkey) where i.indrelid = c.oid and i.indisprimary) as key,
        exists (select 1 from pg_policy where polrelid = c.oid and polname = 'portal') as shown,
        exists (select 1 from pg_attribute t where t.attrelid = c.oid and t.attname = 'user_id') as has_user
      from pg_class c join table_access a on a.table_name = c.relname
      where c.relnamespace = 'public'::regnamespace order by 1`);
    return rows.filter((table) => table.key !== null && !LEFT_ALONE.has(table.name) && table.class !== 'reference');
  }

  /** The keys of the rows of each owner, as text. */
  async ownersOf(table: Table): Promise<Map<Owner, string[]>> {
    const all = await this.#keys(table, null, null);
    const { A, B } = this.#houses;
    if (table.class === 'tenant') {
      const own = { A: await this.#keys(table, 'app_counter', A), B: await this.#keys(table, 'app_counter', B) };
      return this.#split(all, own.A, own.B, 'C');
    }
    if (table.name === 'users' || (table.has_user && table.class !== 'tenant')) return this.#byPerson(table, all);
    if (table.class === 'house') return new Map([['HOUSE', all]]);
    const seen = { A: await this.#keys(table, 'app_portal', A), B: await this.#keys(table, 'app_portal', B) };
    const both = new Set(seen.B.filter((key) => seen.A.includes(key)));
    return this.#split(all.filter((key) => !both.has(key)), seen.A.filter((key) => !both.has(key)),
      seen.B.filter((key) => !both.has(key)), 'C');
  }

  #split(all: string[], a: string[], b: string[], rest: Owner): Map<Owner, string[]> {
    const known = new Set([...a, ...b]);
    return new Map<Owner, string[]>([['A', a], ['B', b], [rest, all.filter((key) => !known.has(key))]]);
  }

  async #byPerson(table: Table, all: string[]): Promise<Map<Owner, string[]>> {
    const person = table.name === 'users' ? 'id' : 'user_id';
    const of = async (condition: string): Promise<string[]> => (await this.#client.query<{ key: string }>(
      `select ${keyOf(table)} as key from ${table.name} t where ${condition}`)).rows.map((row) => row.key);
    const member = (house: number): string =>
      `t.${person} in (select user_id from customer_users where customer_id = ${house})`;
    const a = await of(member(this.#houses.A));
    const b = await of(member(this.#houses.B));
    const staff = await of(`exists (select 1 from users u where u.id = t.${person} and u.role <> 'customer')`);
    const owners = this.#split(all.filter((key) => !staff.includes(key)), a, b, 'C');
    return owners.set('HOUSE', staff);
  }

  async #keys(table: Table, role: string | null, customer: number | null): Promise<string[]> {
    await this.#client.query('begin');
    try {
      if (role !== null) {
        await this.#client.query(`set local role ${role}`);
        await this.#client.query(`select set_config('app.customer_id', $1, true)`, [String(customer)]);
      }
      const { rows } = await this.#client.query<{ key: string }>(
        `select ${keyOf(table)} as key from ${table.name} t`);
      return rows.map((row) => row.key);
    } finally {
      await this.#client.query('rollback');
    }
  }

  async #columns(table: Table): Promise<Column[]> {
    const { rows } = await this.#client.query<Column>(`
      select t.attname as name, format_type(t.atttypid, null) as type,
        has_column_privilege('app_portal', t.attrelid, t.attnum, 'select') as granted
      from pg_attribute t where t.attrelid = $1::regclass and t.attnum > 0 and not t.attisdropped
        and t.attgenerated = '' and format_type(t.atttypid, null) in ('text', 'jsonb')
        and not exists (select 1 from pg_constraint k where k.conrelid = t.attrelid and k.contype in ('p', 'f')
          and t.attnum = any (k.conkey))`, [table.name]);
    return rows.filter(({ name }) => !forPrograms(name));
  }

  async mark(table: Table, owners: Map<Owner, string[]>): Promise<void> {
    for (const column of await this.#columns(table)) {
      for (const [owner, keys] of owners) {
        if (keys.length === 0) continue;
        const whose = ownerOfColumn(table, column, owner);
        if (whose !== null) await this.#markColumn(table, column, whose, keys);
      }
    }
  }

  async #markColumn(table: Table, column: Column, owner: Owner, keys: string[]): Promise<void> {
    const canary = `CANARY-${owner}-${table.name}-${column.name}`;
    const name = `"${column.name}"`;
    const where = `where ${keyOf(table)} = any ($1) and ${name} is not null`;
    const values = column.type === 'jsonb' ? [`pg_temp.mark_words(${name}, '${canary}')`]
      : [`'${canary} ' || ${name}`, `'${canary} ' || ${keyOf(table)}`,
        `lower('${canary}-' || ${keyOf(table)} || '@canary.example')`];
    if (column.type === 'jsonb') await this.#client.query(MARK_WORDS);
    for (const value of values) {
      try {
        const { rowCount } = await this.#client.query(`update ${table.name} t set ${name} = ${value} ${where}`, [keys]);
        this.planted.columns += 1;
        this.planted.rows += rowCount ?? 0;
        return;
      } catch { /* the constraint of this column asks for something else */ }
    }
    this.planted.refused.push(`${table.name}.${column.name}`);
  }
}

/** Null: everybody may read it. */
function ownerOfColumn(table: Table, column: Column, owner: Owner): Owner | null {
  if (table.name === 'users') {
    const isName = column.name === 'first_name' || column.name === 'last_name';
    return owner === 'HOUSE' && isName ? null : owner;
  }
  if (OFFERED.tables.has(table.name) && OFFERED.columns.has(column.name)) return null;
  if (table.class === 'house' || owner === 'HOUSE') return table.has_user ? owner : 'HOUSE';
  return table.class === 'tenant' && !(table.shown && column.granted) ? 'HOUSE' : owner;
}

const keyOf = (table: Table): string => table.key.map((column) => `t.${column}::text`).join(` || '/' || `);

/** Words inside JSON: values of the keys that people write. */
const MARK_WORDS = `create or replace function pg_temp.mark_words(value jsonb, canary text) returns jsonb
  language plpgsql as $$
begin
  if jsonb_typeof(value) = 'array' then
    return (select coalesce(jsonb_agg(pg_temp.mark_words(one, canary)), '[]') from jsonb_array_elements(value) one);
  elsif jsonb_typeof(value) = 'object' then
    return (select coalesce(jsonb_object_agg(key, case when jsonb_typeof(inner_value) = 'string'
      and key ~ '${WORDS.source}' then to_jsonb(canary || ' ' || (inner_value #>> '{}'))
      else pg_temp.mark_words(inner_value, canary) end), '{}') from jsonb_each(value) as each(key, inner_value));
  end if;
  return value;
end $$`;

/** Owners of the canaries in an answer that are not among `allowed`, with the column each sat in. */
export function canariesIn(text: string, allowed: readonly Owner[]): string[] {
  const found = new Set<string>();
  for (const [canary, owner] of text.matchAll(/CANARY-(A|B|C|HOUSE)-[a-z_0-9]+-[a-z_0-9]+/gi)) {
    if (!allowed.includes(owner!.toUpperCase() as Owner)) found.add(canary);
  }
  return [...found];
}
