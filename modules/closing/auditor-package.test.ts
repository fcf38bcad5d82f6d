/** The auditor's package: what is in it ties to the books, and the same books give the same bytes. */
import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, it } from 'vitest';
import { parseMinor } from '#kernel/money/money.ts';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { archiveDirectory, packedBytes } from '#server/archive-directory.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';

const test = testApp();
const PATH = '/api/admin/staff/accounting/auditor_package';
let ann: SignedIn;

type Line = [account: string, minor: number, party?: number];
const post = (on: string, lines: Line[]) => test.database.db.tx((db) =>
  postJournal(db, { division: 'PROD', kind: 'bank_entry', transaction_at: on, description: 'Of; the =month',
    source: null, lines: lines.map(([account, minor, party]) => ({ account, currency: 'USD', amount: BigInt(minor),
      base: BigInt(minor), ...(party ? { party: { type: 'vendor' as const, id: party } } : {}) })) }));

beforeAll(async () => {
  ann = await test.signedIn('staff_admin');
  const { id } = await test.database.owner.one<{ id: number }>(sql`
    insert into vendors (name, divisions) values ('Printer & Sons', '{PROD}') returning id`);
  await post('2026-08-15', [['1000', 70_000], ['4000', -70_000]]);
  await post('2026-09-10', [['6200', 30_000], ['2000', -30_000, id]]);
  await post('2026-09-30', [['1000', 5_000], ['4000', -5_000]]);
  await post('2026-10-02', [['6200', 111], ['1000', -111]]);
});

interface Opened { bytes: Buffer; names: string[]; text: (name: string) => string; rows: (name: string) => string[][] }
async function open(query = 'division=PROD&period=202609'): Promise<Opened> {
  const { status, raw, headers } = await ann.get(`${PATH}?${query}`);
  expect([status, headers['content-type']]).toEqual([200, 'application/zip']);
  const entries = archiveDirectory(raw, 100)!;
  const text = (name: string) => inflateRawSync(packedBytes(raw, entries.find((one) => one.name === name)!)!)
    .toString('latin1');
  return { bytes: raw, names: entries.map((one) => one.name), text, rows: (name) =>
    parse(Buffer.from(text(name), 'latin1'), { bom: true }) as string[][] };
}
const sumOf = (rows: readonly string[][], column: number): bigint =>
  rows.reduce((total, row) => total + (parseMinor(row[column] ?? '') ?? 0n), 0n);

it('has every table as CSV and PDF, with a list of what is in it', async () => {
  const { names, rows, text } = await open();
  const tables = ['trial-balance', 'general-ledger', 'journal', 'open-receivables', 'open-payables',
    'open-deposits', 'reconciliations', 'reconciling-items', 'integrity'];
  expect(names).toEqual([...tables.map((name) => `${name}.csv`), ...tables.map((name) => `${name}.pdf`),
    'contents.csv']);
  const [, ...contents] = rows('contents.csv');
  expect(contents.map((row) => [row[0], row[3]])).toEqual(names.slice(0, -1).map((name) => [name,
    createHash('sha256').update(Buffer.from(text(name), 'latin1')).digest('hex')]));
  for (const name of tables) expect(text(`${name}.pdf`).slice(0, 5), name).toBe('%PDF-');
});

it('its figures tie to each other: ledger and journal to the trial balance, open items to their account', async () => {
  const { rows } = await open();
  const trial = rows('trial-balance.csv').slice(1, -1);
  expect(trial.map((row) => [row[0], ...row.slice(3)])).toEqual([
    ['1000', '700.00', '50.00', '0.00', '750.00'], ['2000', '0.00', '0.00', '300.00', '-300.00'],
    ['4000', '-700.00', '0.00', '50.00', '-750.00'], ['6200', '0.00', '300.00', '0.00', '300.00']]);
  const ledger = rows('general-ledger.csv').slice(1);
  for (const [code, , , , debit, credit, closing] of trial) {
    const lines = ledger.filter((row) => row[0] === code);
    expect([sumOf(lines, 11), sumOf(lines, 12), lines.at(-1)![13]], code)
      .toEqual([parseMinor(debit!), parseMinor(credit!), closing]);
  }
  const journal = rows('journal.csv').slice(1);
  expect([journal.length, sumOf(journal, 12), sumOf(journal, 13)]).toEqual([4, 35_000n, 35_000n]);
  expect(rows('open-payables.csv').slice(1).map((row) => [row[0], row[6], row[7]])).toEqual([
    ['Printer & Sons', '-300.00', '-300.00'], ['Total', '', '-300.00'],
    ['Control account without revaluation', '', '-300.00']]);
  expect(rows('integrity.csv').slice(1).filter((row) => row[1] !== 'passed')).toEqual([]);
});

it('names what stands between the bank and the ledger, to their last unit', async () => {
  const { id } = await test.database.db.one<{ id: number }>(sql`
    select b.id from bank_accounts b join ledger_accounts a on a.id = b.ledger_account_id
    where b.division = 'PROD' and a.code = '1000' order by b.id limit 1`);
  const report = { proof: { ledger_minor: 75_000, difference_minor: 0 }, timing: [],
    outstanding: [{ posted_on: '2026-09-28', text: 'Check 2044', amount_minor: -60_000 },
      { posted_on: '2026-09-30', text: 'Deposit 7', amount_minor: 5_000 }],
    unmatched: [{ booked_on: '2026-09-29', text: 'Fee', amount_minor: -1_500 }] };
  await test.database.owner.exec(sql`alter table bank_reconciliations disable trigger user`);
  const { id: made } = await test.database.owner.one<{ id: number }>(sql`
    insert into bank_reconciliations (bank_account_id, to_on, opening_minor, closing_minor, status, finished_by_id,
      finished_at, created_by_id, report)
    values (${id}, '2026-09-30', 0, 128500, 'finished', ${ann.user_id}, now(), ${ann.user_id},
      ${JSON.stringify(report)}::jsonb) returning id`);
  const rows = (await open()).rows('reconciling-items.csv').slice(1);
  await test.database.owner.exec(sql`delete from bank_reconciliations where id = ${made}`);
  await test.database.owner.exec(sql`alter table bank_reconciliations enable trigger user`);
  expect(rows.map((row) => row.slice(3))).toEqual([
    ['Closing balance of the bank', '2026-09-30', '', '1285.00'],
    ['Outstanding payment', '2026-09-28', 'Check 2044', '-600.00'],
    ['Deposit in transit', '2026-09-30', 'Deposit 7', '50.00'],
    ['Bank line without an entry', '2026-09-29', 'Fee', '15.00'],
    ['Balance of the ledger', '2026-09-30', '', '750.00'], ['Difference', '2026-09-30', '', '0.00']]);
  // Closing and items come to the ledger.
  expect(sumOf(rows.slice(0, -2), 6)).toBe(parseMinor(rows.at(-2)![6]!));
});

it('the same books give the same bytes, later postings others; who took it is kept', async () => {
  const first = await open();
  test.clock.set('2026-11-20T15:12:00Z');
  expect((await open()).bytes.equals(first.bytes)).toBe(true);
  await post('2026-09-12', [['6200', 1], ['1000', -1]]);
  expect((await open()).bytes.equals(first.bytes)).toBe(false);
  const kept = await test.database.owner.query<{ actor_id: number }>(sql`
    select actor_id from audit_events where action = 'download' and entity = 'period' order by id`);
  expect(kept.length).toBeGreaterThan(2);
  expect(kept.every((row) => row.actor_id === ann.user_id)).toBe(true);
});

it('needs the permission of the reports, and a month that is there', async () => {
  const bob = await test.signedIn('staff_user', { permissions: ['ledger_account.list', 'transaction.list'] });
  expect([(await bob.get(`${PATH}?period=202609`)).status, (await ann.get(`${PATH}?period=199001`)).status])
    .toEqual([403, 404]);
});
