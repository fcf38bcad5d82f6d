/** Every kept season is upgraded from the schema of its release to that of today, and its books are whole. */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { linkAudit, verifyAudit } from '#modules/system/system.public.server.ts';
import { migrate } from '#server/migrate.ts';
import { readReplaced } from '#server/migrate-baseline.ts';
import { testDatabase } from '#tests/support/database.ts';
import { differences } from '../tools/compare-schemas.ts';
import { readSchema } from '../tools/schema/catalogue.ts';
import { loadDump, unpackDump, type Dump } from '../tools/schema/dump.ts';

const MIGRATIONS = fileURLToPath(new URL('migrations/', import.meta.url));
const RELEASES = fileURLToPath(new URL('releases/', import.meta.url));
const releases = (await readdir(RELEASES)).filter((file) => file.endsWith('.jsonl.gz')).sort();

/** Files that make the schema of a dump. A dump from before the baseline has the schema of the baseline. */
async function filesOf({ migrations }: Dump): Promise<string[]> {
  const replaced = await readReplaced(join(MIGRATIONS, 'baseline'));
  const all = (await readdir(MIGRATIONS, { recursive: true })).filter((file) => file.endsWith('.sql'));
  const isBefore = [...migrations.keys()].some((name) => replaced?.checksums.has(name));
  return all.filter((file) => migrations.has(file) || (isBefore && file.startsWith('baseline/')));
}

/** Empties the database and runs the migrations of the dump, and no others. */
async function makeSchema(client: pg.Client, ownerUrl: string, dump: Dump): Promise<void> {
  const { rows } = await client.query<{ extname: string }>(
    `select extname from pg_extension where extname <> 'plpgsql'`);
  await client.query(`drop schema pgboss cascade; drop schema public cascade;
    create schema public authorization app_migrate; grant usage on schema public to public`);
  for (const { extname } of rows) await client.query(`create extension if not exists ${extname}`);
  const folder = await mkdtemp(join(tmpdir(), 'gr-release-'));
  for (const file of await filesOf(dump)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await copyFile(join(MIGRATIONS, file), join(folder, file));
  }
  await migrate(ownerUrl, folder);
  await rm(folder, { recursive: true });
}

/** Savings in two currencies on one account, as the ledger allowed before bank accounts had one each. */
async function postSavings(client: pg.Client): Promise<void> {
  for (const [currency, amount, base] of [['USD', 70_000, 70_000], ['EUR', 50_000, 55_000], ['GBP', 10_000, 12_500]]) {
    await client.query(`select ledger_post('US', 'journal', '2026-11-20', 'Savings', null, null, null, null, 1, null,
      array['1002', '3100'], array[$1, $1]::text[], array[$2::bigint, -$2::bigint], array[$3::bigint, -$3::bigint])`,
      [currency, amount, base]);
  }
}

/** Each cash account in use has its bank account; of savings, every other currency moved to one of its own. */
async function expectBankAccounts(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`
    select a.code, b.currency, (select sum(l.debit_minor - l.credit_minor)::int from ledger_balances l
        where l.ledger_account_id = a.id and l.currency = b.currency) as balance,
      (select count(*)::int from (select currency from ledger_balances l where l.ledger_account_id = a.id
        and l.currency <> b.currency group by currency having sum(l.debit_minor - l.credit_minor) <> 0) o) as others
    from bank_accounts b join ledger_accounts a on a.id = b.ledger_account_id
    where b.division = 'US' and a.code > '1001' order by a.code`);
  expect(rows).toEqual([{ code: '1002', currency: 'USD', balance: 70_000, others: 0 },
    { code: '1003', currency: 'EUR', balance: 50_000, others: 0 },
    { code: '1004', currency: 'GBP', balance: 10_000, others: 0 }]);
  const { rows: [kept] } = await client.query<{ n: number; moved: number }>(`
    select (select count(*) from payments p join ledger_accounts a on a.id = p.ledger_account_id
        where a.code in ('1000', '1001') and not exists (select 1 from bank_accounts b
          where b.ledger_account_id = a.id))::int as n,
      (select count(*) from transactions where kind = 'transfer' and description like '%account of its own'
        and transaction_at = current_date)::int as moved`);
  expect(kept).toEqual({ n: 0, moved: 2 });
}

describe('a season of every release', () => {
  const database = testDatabase();
  const fresh = testDatabase();
  const clients: pg.Client[] = [];
  const connect = async (connectionString: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString });
    clients.push(client);
    await client.connect();
    return client;
  };
  const schemaOf = async (client: pg.Client): Promise<Map<string, string>> =>
    new Map((await readSchema(client)).map(({ name, statement }) => [name, statement]));
  afterAll(async () => { for (const client of clients) await client.end(); });

  it.each(releases)('%s gets the schema of a new database, and every invariant holds', async (file) => {
    const client = await connect(database.superuser_url);
    const dump = unpackDump(await readFile(join(RELEASES, basename(file))));
    await makeSchema(client, database.owner_url, dump);
    await loadDump(client, dump);
    await postSavings(client);
    await migrate(database.owner_url, MIGRATIONS);
    expect(differences(await schemaOf(client), await schemaOf(await connect(fresh.owner_url)))).toEqual([]);
    const { rows: [counted] } = await client.query<{ posted: number }>(
      `select count(*)::int as posted from transactions where status = 'posted'`);
    expect(counted!.posted).toBeGreaterThan(500);
    expect((await ledgerIntegrity(database.db)).filter((one) => !one.ok)).toEqual([]);
    await expectBankAccounts(client);
    await linkAudit(database.db, true);
    expect((await verifyAudit(database.db)).breaks).toEqual([]);
  }, 300_000);

  it('are kept for every release but the one under way', () => {
    expect(releases.length).toBeGreaterThan(0);
  });
});
