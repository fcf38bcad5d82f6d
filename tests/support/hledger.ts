/**
 * The journal of a division as hledger reads it: profit and loss, balance sheet and the change of every cash account
 * agree with the statements of the product, month by month.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { endOfMonth } from '#kernel/calendar/calendar.ts';
import { sql } from '#server/sql.ts';
import type { TestApp } from './app.ts';

const BASE = '/api/admin/staff/accounting';
const READ = ['bal', '-B', '--flat', '--no-total', '-M', '-O', 'csv'];
const isThere = (): boolean => { try { execFileSync('hledger', ['--version']); return true; } catch { return false; } };
export const HLEDGER = isThere();

type Amounts = Record<string, number>;
/** Minor units by month and code, debits positive; what is zero is left out. */
async function hledger(file: string, ...args: string[]): Promise<Map<string, Amounts>> {
  const { stdout } = await promisify(execFile)('hledger', ['-f', file, ...READ, ...args], { maxBuffer: 2 ** 28 });
  const [head = [], ...rows] = stdout.trim().split('\n').map((line) => line.slice(1, -1).split('","'));
  const months = new Map<string, Amounts>();
  head.slice(1).forEach((title, at) => {
    const amounts = rows.map((row): [string, number] => [row[0]!.split(':')[1]!.split(' ')[0]!,
      Math.round(Number.parseFloat(row[at + 1]!) * 100)]);
    months.set(title.slice(0, 7), Object.fromEntries(amounts.filter(([, minor]) => minor !== 0)));
  });
  return months;
}

interface Section { key: string; rows: { code: string; amount_minor: number }[] }
/** `sign` turns the statement's amounts back into debits. */
const debits = (sections: readonly Section[], sign: (key: string) => number): Amounts => Object.fromEntries(
  sections.flatMap(({ key, rows }) => rows.map((row) => [row.code, sign(key) * row.amount_minor])));
const sum = (amounts: Amounts): number => Object.values(amounts).reduce((total, minor) => total + minor, 0);

async function compare(test: TestApp, division: string, firstDays: readonly string[], file: string): Promise<number> {
  const staff = await test.signedIn('staff_admin');
  const get = async (path: string, query: Record<string, string>) => {
    const { status, body } = await staff.get(`${BASE}/${path}?${new URLSearchParams(query)}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data;
  };
  await writeFile(file, (await staff.get(`${BASE}/journal_export?division=${division}`)).raw);
  const changes = await hledger(file);
  const results = await hledger(file, '^income', '^expense', 'not:desc:^year_end_close');
  const ends = await hledger(file, '-H', '^asset', '^liability', '^equity');
  const earned = await hledger(file, '-H', '^income', '^expense');
  const cash = (await test.database.db.query<{ code: string }>(sql`
    select code from ledger_accounts where division = ${division} and is_cash`)).map((row) => row.code);
  for (const from of firstDays) {
    const month = from.slice(0, 7);
    const to = endOfMonth(from);
    const profit = await get('reports/profit_loss', { division, from, to });
    expect([month, debits(profit.sections, (key) => (['cost_of_sales', 'operating'].includes(key) ? 1 : -1))])
      .toEqual([month, results.get(month) ?? {}]);
    const sheet = await get('reports/balance_sheet', { division, as_of: to });
    expect([month, { ...debits(sheet.assets, () => 1), ...debits([...sheet.liabilities, ...sheet.equity], () => -1) }])
      .toEqual([month, ends.get(month) ?? {}]);
    expect([month, sheet.brought_forward_minor + sheet.current_result_minor])
      .toEqual([month, 0 - sum(earned.get(month) ?? {})]);
    const trial = await get('trial_balance', { division, from, as_of: to });
    const moved = (all: Amounts): Amounts => Object.fromEntries(cash.map((code) => [code, all[code] ?? 0]));
    const own = moved(Object.fromEntries(trial.rows.map((row: { code: string; debit_minor: number;
      credit_minor: number }) => [row.code, row.debit_minor - row.credit_minor])));
    expect([month, own]).toEqual([month, moved(changes.get(month) ?? {})]);
    const flows = await get('reports/cash_flows', { division, from, to });
    expect([month, flows.closing_minor - flows.opening_minor]).toEqual([month, sum(own)]);
  }
  return firstDays.length;
}

/** Compares months by their first days; answers how many. */
export async function compareWithHledger(test: TestApp, division: string, firstDays: readonly string[]):
Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'hledger-'));
  try { return await compare(test, division, firstDays, join(folder, `${division}.journal`)); } finally {
    await rm(folder, { recursive: true });
  }
}
