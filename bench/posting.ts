/**
 * Posting through the product's own function against the limit: one CTE statement that inserts the same header and
 * lines with the same keys, foreign keys and indexes, without check, trigger, balance, item or audit ("bare"); and
 * against BEGIN, two inserts, COMMIT on the same tables ("begin").
 * One hot receivable, four lines, 5,000 customers (performance.md 5). Balances are folded beside the postings on a
 * connection of their own, and a round of postings is over when the queue is empty: the figures include the folding.
 * Settings: ROUNDS (5), SECONDS (3), CLIENTS ("1,16").
 */
import { setTimeout } from 'node:timers/promises';
import { foldBalances, postJournal } from '#modules/accounting/accounting.public.server.ts';
import type { JournalDraft } from '#kernel/ledger/journal.ts';
import type { Queryable } from '#server/db.ts';
import { Sql, sql, type Sql as Statement } from '#server/sql.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';
import { drive, load, median, say, table, type Round } from './support/measure.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = Number(process.env.SECONDS ?? 3);
const CLIENTS = (process.env.CLIENTS ?? '1,16').split(',').map(Number);

const LINES = [
  ['1100', 128_400, 'customer'], ['2100', -100_000, 'customer'], ['4000', -26_000, null],
    ['2310', -2_400, 'tax_authority'],
] as const;
let next = 0;
const day = (): string => `2026-01-${String(1 + Math.floor(Math.random() * 28)).padStart(2, '0')}`;
const customer = (): number => 1 + Math.floor(Math.random() * 5_000);

function draft(): JournalDraft {
  const id = customer();
  return {
    division: 'US', kind: 'invoice', transaction_at: day(), description: 'Invoice',
    source: { type: 'bench', id: next += 1, event: 'issued', attempt: 1 },
    lines: LINES.map(([account, amount, type]) => ({
      account, currency: 'USD', amount: BigInt(amount), base: BigInt(amount),
      ...(type ? { party: { type, id: type === 'customer' ? id : 1 } } : {}),
    })),
  };
}

/** The same tables once more with every column, key and index and nothing else. */
async function makeBare(root: Queryable): Promise<Map<string, number>> {
  const run = (text: string) => root.query<Record<string, string>>(new Sql([text], []));
  const keys = await run(`select conrelid::regclass::text as tbl, pg_get_constraintdef(oid) as def from pg_constraint
    where contype = 'f' and conrelid in ('public.transactions'::regclass, 'public.journal_entries'::regclass)`);
  await run('create schema bare');
  for (const name of ['transactions', 'journal_entries']) {
    await run(`create table bare.${name} (like public.${name} including all excluding constraints)`);
  }
  for (const key of keys) {
    await run(`alter table bare.${key.tbl} add ${key.def!.replace('REFERENCES transactions',
      'REFERENCES bare.transactions')}`);
  }
  await run('grant usage on schema bare to app_rw');
  await run('grant select, insert on all tables in schema bare to app_rw');
  await run(`insert into users (email, first_name, last_name, role) values ('bench@x.test', 'B', 'B', 'staff_admin')`);
  const accounts = await root.query<{ code: string; id: number
    }>(sql`select code, id from ledger_accounts where division = 'US'`);
  return new Map(accounts.map((row) => [row.code, row.id]));
}

function header(on: string, source: number): Statement {
  return sql`insert into bare.transactions (division, kind, status, transaction_at, period, direction, currency,
      total_minor, source_type, source_id, source_event, description, posted_at, posted_by)
    values ('US', 'invoice', 'posted', ${on}::date, 202601, 'neutral', 'USD', 128400, 'bench', ${source}, 'issued',
      'Invoice', now(), 1) returning id`;
}

function lines(from: Statement, on: string, ids: Map<string, number>): Statement {
  const who = customer();
  return sql`insert into bare.journal_entries (transaction_id, line_no, division, transaction_at, period,
      ledger_account_id, currency, amount_minor, base_amount_minor, party_type, party_id)
    select h.id, l.n, 'US', ${on}::date, 202601, l.account, 'USD', l.amount, l.amount, l.type, l.party
    from ${from} h, unnest(${LINES.map(([code]) => ids.get(code))}::bigint[],
      ${LINES.map(([, amount]) => amount)}::bigint[],
      ${LINES.map(([, , type]) => type)}::text[],
        ${LINES.map(([, , type]) => (type === 'customer' ? who : type ? 1 : null))}::bigint[])
      with ordinality l (account, amount, type, party, n)`;
}

const VARIANTS = ['bare', 'begin', 'posting'] as const;
type Variant = (typeof VARIANTS)[number];

function variants(database: BenchDatabase, ids: Map<string, number>): Record<Variant, () => Promise<unknown>> {
  return {
    bare: () => {
      const on = day();
      return database.app.exec(sql`with h as (${header(on, next += 1)}) ${lines(sql`h`, on, ids)}`);
    },
    begin: () => database.app.tx(async (tx) => {
      const on = day();
      const { id } = await tx.one<{ id: number }>(header(on, next += 1));
      await tx.exec(lines(sql`(select ${id}::bigint as id)`, on, ids));
    }),
    posting: () => postJournal(database.app, draft(), 1),
  };
}

/**
 * Folds as the job does, but every 200 ms instead of every minute, and once more after the last posting: without the
 * pause then, which would count as time of the postings although nobody works in it.
 */
async function folding(database: BenchDatabase, posted: Promise<unknown>): Promise<void> {
  let over = false;
  const end = posted.then(() => { over = true; });
  while (!over) {
    await Promise.race([setTimeout(200), end]);
    await foldBalances(database.app);
  }
}

async function measure(database: BenchDatabase, work: Record<Variant, () => Promise<unknown>>, clients: number) {
  const rounds: Record<Variant, Round[]> = { bare: [], begin: [], posting: [] };
  const beside = (variant: Variant) => (variant === 'posting'
    ? (posted: Promise<unknown>) => folding(database, posted) : undefined);
  for (const variant of VARIANTS) await drive(database, clients, 1, work[variant], beside(variant));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const variant of VARIANTS) {
      rounds[variant].push(await drive(database, clients, SECONDS, work[variant], beside(variant)));
    }
  }
  const of = (variant: Variant, key: keyof Round): number => median(rounds[variant].map((r) => r[key]));
  const ratio = (to: Variant): string =>
    median(rounds.posting.map((r, i) => r.per_second / rounds[to][i]!.per_second)).toFixed(2);
  const cpu = (variant: Variant): number => of(variant, 'server_cpu_ms') + of(variant, 'client_cpu_ms');
  return VARIANTS.map((variant) => [clients, variant, of(variant, 'per_second').toFixed(0),
    of(variant, 'server_cpu_ms').toFixed(2), of(variant, 'client_cpu_ms').toFixed(2),
    variant === 'posting' ? `${ratio('bare')} of bare, ${ratio('begin')} of begin` : '',
    variant === 'posting' ? `${(cpu('bare') / cpu('posting')).toFixed(2)} of bare, ${(cpu('begin') / cpu('posting'))
      .toFixed(2)} of begin` : '']);
}

const database = await benchDatabase({ max: Math.max(...CLIENTS) + 1 });
try {
  const ids = await makeBare(database.root);
  const work = variants(database, ids);
  say(`PostgreSQL ${database.version}, Node ${process.version}, load before ${load()}; `
    + `${ROUNDS} rounds of ${SECONDS} s, in turn`);
  const rows = [];
  for (const clients of CLIENTS) rows.push(...await measure(database, work, clients));
  say(table(['clients', 'variant', 'postings/s', 'server CPU ms', 'client CPU ms', 'ratio of throughput',
    'ratio of CPU'], rows));
  const [wrong] = await database.root.query<{ drift: number; party: number; unbalanced: number; posted: number }>(sql`
    select (select count(*) from balance_drift) as drift, (select count(*) from party_drift) as party,
      (select count(*) from (select 1 from posted_entries group by transaction_id having sum(base_amount_minor) <> 0)
        x) as unbalanced,
      (select count(*) from transactions) as posted`);
  say(`load after ${load()}; ${wrong!.posted} posted, ${wrong!.unbalanced} unbalanced, `
    + `${wrong!.drift} balances and ${wrong!.party} party balances off`);
  if (wrong!.drift + wrong!.party + wrong!.unbalanced > 0) process.exitCode = 1;
} finally {
  await database.stop();
}
