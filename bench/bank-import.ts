/**
 * Import of one statement: an OFX file of LINES (100,000) lines, previewed and imported as the server does it, beside
 * COPY of the same lines into a table with the same indexes, in turn. Aims: 100,000 lines in less than a minute, and at
 * most ten times the file in memory. Settings: LINES, ROUNDS (3).
 */
// cspell:ignore OFXHEADER BANKMSGSRSV STMTTRNRS STMTRS CURDEF BANKACCTFROM ACCTID BANKTRANLIST STMTTRN DTPOSTED
// cspell:ignore TRNAMT FITID TRNTYPE
import { mkdtempSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { customerEvents } from '#apps/server/src/customer-events.ts';
import { moneyEvents } from '#apps/server/src/money-events.ts';
import { openItems } from '#apps/server/src/open-items.ts';
import { compareStatements } from '#modules/banking/statement/compare-lines.server.ts';
import { importStatement } from '#modules/banking/statement/import-statement.server.ts';
import { readStatements, type StatementAccount } from '#modules/banking/statement/read-statement.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { systemClock } from '#server/clock.ts';
import { workContext, type Ports } from '#server/context.ts';
import { diskFiles, sha256 } from '#server/files.ts';
import { closedHub } from '#server/live.ts';
import { outboxMailer } from '#server/mail.ts';
import { readSettings } from '#server/settings.ts';
import { Sql, sql } from '#server/sql.ts';
import { benchDatabase, type BenchDatabase } from './support/database.ts';
import { load, median, say, table } from './support/measure.ts';

const LINES = Number(process.env.LINES ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const TODAY = '2026-11-26';
const COLUMNS = `bank_account_id, bank_statement_id, position, state, booked_on, value_on, amount_minor, name, memo,
  reference, bank_reference, end_to_end_id, check_number, type, counterparty_account, balance_minor, original, details,
  line_key`;

function fileOf(round: number): Buffer {
  const lines = Array.from({ length: LINES }, (_, n) => {
    const day = new Date(Date.UTC(2026 - 2 * round, 0, 1 + (n * 730) / LINES)).toISOString().slice(0, 10)
      .replaceAll('-', '');
    return `<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>${day}<TRNAMT>${(n % 97_000) + 1}.${10 + (n % 90)}<FITID>${round}-${n}`
      + `<NAME>Players of town ${n % 5000}<MEMO>Payment of invoice INV-US-2025-${String(n).padStart(6, '0')}</STMTTRN>`;
  });
  return Buffer.from('OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><ACCTID>12345'
    + `</BANKACCTFROM><BANKTRANLIST>${lines.join('\n')}</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`);
}

function portsOf({ app }: BenchDatabase): Ports {
  return { db: app, limits: app, clock: systemClock, settings: readSettings({}, '/'),
    files: diskFiles(mkdtempSync(join(tmpdir(), 'bench-files-'))), mail: outboxMailer(), live: closedHub(),
    money: moneyEvents, customers: customerEvents, openItems, wake: () => {}, log: () => {} };
}

interface Took { seconds: number; cpu: number; peak: number }

/** Seconds and CPU seconds of client and server, and the most memory above what was in use before, in bytes. */
async function measured(database: BenchDatabase, work: () => Promise<unknown>): Promise<Took> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => { most = Math.max(most, process.memoryUsage().rss); }, 20);
  const [client, server, started] = [process.cpuUsage(), database.serverCpu(), performance.now()];
  await work();
  const own = process.cpuUsage(client);
  clearInterval(timer);
  most = Math.max(most, process.memoryUsage().rss);
  return { seconds: (performance.now() - started) / 1000, peak: most - before,
    cpu: (own.user + own.system) / 1e6 + database.serverCpu() - server };
}

async function accountOf(database: BenchDatabase): Promise<StatementAccount> {
  return database.root.one<StatementAccount>(sql`
    select id, division, currency, name, bank_account_last4, statement_mapping, statement_date_order
    from bank_accounts where division = 'US' and currency = 'USD' order by id limit 1`);
}

async function copyOf({ root }: BenchDatabase, statement: number, folder: string): Promise<() => Promise<void>> {
  const path = join(folder, `${statement}.copy`);
  await root.exec(new Sql([`copy (select ${COLUMNS} from bank_transactions where bank_statement_id = ${statement})
    to '${path}'`], []));
  await root.exec(new Sql(['drop table if exists copied'], []));
  await root.exec(new Sql(['create table copied (like bank_transactions including all)'], []));
  return async () => { await root.exec(new Sql([`copy copied (${COLUMNS}) from '${path}'`], [])); };
}

async function round(database: BenchDatabase, account: StatementAccount, n: number, folder: string) {
  const ports = portsOf(database);
  const content = fileOf(n);
  const preview = await measured(database, async () => {
    const read = await readStatements(content, account, {}, TODAY);
    if (read.refusal || read.format === null) throw new Error(read.refusal?.message ?? 'not read');
    await compareStatements(database.app, account, { format: read.format, statements: read.statements });
  });
  let statement = 0;
  const imported = await measured(database, () => database.app.tx(async (tx) => {
    const file = { field: 'file', filename: `${n}.ofx`, content_type: 'text/plain', content };
    const result = await importStatement(workContext(ports, tx, SYSTEM_ACTOR), account, file,
      { sha256: sha256(content) }, TODAY);
    if (result.new_count !== LINES) throw new Error(`${result.new_count} of ${LINES} lines imported`);
    statement = result.statement_ids[0]!;
  }));
  const copied = await measured(database, await copyOf(database, statement, folder));
  return { bytes: content.length, preview, imported, copied };
}

async function main(): Promise<void> {
  const database = await benchDatabase({ max: 2 });
  const folder = mkdtempSync(join(tmpdir(), 'bench-copy-'));
  chmodSync(folder, 0o777);
  try {
    const account = await accountOf(database);
    const rounds: Awaited<ReturnType<typeof round>>[] = [];
    for (let n = 1; n <= ROUNDS; n += 1) rounds.push(await round(database, account, n, folder));
    const of = (pick: (one: (typeof rounds)[number]) => number, digits = 1) => median(rounds.map(pick)).toFixed(digits);
    say(`One statement of ${LINES} lines, ${(rounds[0]!.bytes / 1e6).toFixed(1)} MB, PostgreSQL ${database.version}, `
      + `median of ${ROUNDS} rounds, load ${load()}`);
    say(table(['step', 'seconds', 'CPU seconds', 'lines/s', 'memory / file', 'time / COPY'], [
      ['preview', of((one) => one.preview.seconds), of((one) => one.preview.cpu),
        of((one) => LINES / one.preview.seconds, 0), of((one) => one.preview.peak / one.bytes), ''],
      ['import', of((one) => one.imported.seconds), of((one) => one.imported.cpu),
        of((one) => LINES / one.imported.seconds, 0), of((one) => one.imported.peak / one.bytes),
        of((one) => one.imported.seconds / one.copied.seconds)],
      ['COPY', of((one) => one.copied.seconds), of((one) => one.copied.cpu),
        of((one) => LINES / one.copied.seconds, 0), '', '1.0']]));
  } finally {
    await database.stop();
  }
}

await main();
