/**
 * Story 8, closing November: Maria works the close checklist of the British house: three bank accounts are reconciled
 * from CAMT, BAI2 and CSV, rent and electricity are accrued, hire is released, foreign balances revalued, the VAT
 * return filed and the sales tax of New York prepared. Statements lead to their lines, hledger agrees with them, the
 * auditor's package ties to them, and the closed month takes nothing without two people.
 */
import { inflateRawSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { parseMinor } from '#kernel/money/money.ts';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { figureHref } from '#modules/accounting/report/statement-links.ts';
import type { StatementTable } from '#modules/accounting/report/statement-table.contract.ts';
import { makeRecurringBills } from '#modules/payables/payables.public.server.ts';
import { releaseIncomeDue } from '#modules/receivables/receivables.public.server.ts';
import { archiveDirectory, packedBytes } from '#server/archive-directory.ts';
import { sha256 } from '#server/files.ts';
import { testApp } from '#tests/support/app.ts';
import { BankFixtures } from '#tests/support/bank-lines.ts';
import { addUp, drill } from '#tests/support/drill.ts';
import { compareWithHledger, HLEDGER } from '#tests/support/hledger.ts';
import { enter, makeNovember, sell, type BankCurrency, type November } from '#tests/support/november.ts';
import { bai2File, camtFile, closingOf, csvFile, type StatementInput } from '#tests/support/statement-files.ts';
import { API, booked } from '#tests/support/story.ts';

const test = testApp();
const BOOKS = `${API}/accounting`;
const [FIRST, LAST] = ['2026-11-01', '2026-11-30'];
const NOVEMBER = `division=UK&period=202611`;
let world: November;
beforeAll(async () => { world = await makeNovember(test); }, 120_000);
const read = async (path: string): Promise<Body> => (await world.stage.staff.get(path)).data;

/** Remaining work of the close checklist, by item. */
async function left(): Promise<Record<string, string>> {
  const { items } = await read(`${BOOKS}/close_checklist?${NOVEMBER}`);
  return Object.fromEntries(items.filter((one: Body) => !['done', 'none'].includes(one.state))
    .map((one: Body) => [one.key, one.detail]));
}

/** The house closes November alone: what the former books closed holds nothing here. */
const EARLIER = { earlier: expect.stringMatching(new RegExp('^Still open: .* October 2026\\. Closing November 2026 '
  + 'does not close earlier months, and a posting in them changes its opening balances$')) as string };

interface BankFile { name: string; write: (of: StatementInput) => Buffer; statement: StatementInput }
const FILES: Record<BankCurrency, BankFile> = {
  GBP: { name: 'camt053.xml', write: camtFile, statement: { account: '12345678', currency: 'GBP', from: FIRST, to: LAST,
    opening_minor: 62_000, lines: [{ on: '2026-11-12', minor: 120_000, text: 'Leeds Players' },
      { on: '2026-11-27', minor: -1_250, text: 'Account fee' }] } },
  USD: { name: 'november.bai', write: bai2File, statement: { account: '445566', currency: 'USD', from: FIRST, to: LAST,
    opening_minor: 0, lines: [{ on: '2026-11-18', minor: 40_000, text: 'HARBOR STAGE' },
      { on: '2026-11-20', minor: -1_500, text: 'WIRE FEE' }] } },
  EUR: { name: 'november.csv', write: csvFile, statement: { account: '778899', currency: 'EUR', from: FIRST, to: LAST,
    opening_minor: 0, lines: [{ on: '2026-11-10', minor: 30_000, text: 'Leeds Players' },
      { on: '2026-11-27', minor: -500, text: 'Account fee' }] } },
};
/** Previews the file of an account, answers its question about columns, and imports it. */
async function load(currency: BankCurrency): Promise<void> {
  const { name, write, statement } = FILES[currency];
  const content = write(statement);
  const file = (more: Record<string, string>) => ({ file: { field: 'file', name, type: 'application/octet-stream',
    content, fields: { bank_account_id: String(world.banks[currency]), ...more } } });
  const preview = async (more: Record<string, string>): Promise<Body> =>
    (await world.stage.staff.post(`${BOOKS}/bank_statements/preview`, undefined, file(more))).data;
  let seen = await preview({});
  let answer: Record<string, string> = {};
  if (seen.refusal?.code === 'mapping_required') {
    const { mapping } = seen.sheet;
    expect([mapping.date_order, mapping.decimal_mark, mapping.columns.balance]).toEqual(['dmy', ',', 'Balance']);
    answer = { mapping: JSON.stringify({ ...mapping, columns: { ...mapping.columns, memo: ['Text'] } }) };
    seen = await preview(answer);
  }
  expect([seen.refusal, seen.statements.flatMap((one: Body) => one.flags)]).toEqual([null, []]);
  expect(seen.statements.at(-1).closing_minor).toBe(closingOf(statement));
  const { data } = await world.stage.staff.post(`${BOOKS}/bank_statements`, undefined,
    file({ ...answer, sha256: sha256(content) }));
  expect(data.new_count).toBe(statement.lines.length);
}

/** Accepts the best candidate of every line that nothing was matched with at import. */
async function matchAll(account: number): Promise<void> {
  const bank = await BankFixtures.make(test);
  for (const { id } of await read(`${BOOKS}/bank_matching/lines?bank_account_id=${account}&matched=false`)) {
    const { suggestions, others } = await bank.candidates(id);
    await bank.matched(BankFixtures.body([...suggestions, ...others][0]));
  }
}

/** Finished with its report, which is at 0.00; on paper, every entry up to the day is ticked. */
async function reconcile(account: number, begin: object, { paper = false } = {}): Promise<Body> {
  const row = await world.post(`${BOOKS}/reconciliations`, { bank_account_id: account, ...begin });
  const work = () => read(`${BOOKS}/reconciliation?bank_account_id=${account}`);
  if (paper) {
    await world.put(`${BOOKS}/reconciliations/${row.id}/ticks`, { ticked: true,
      ledger_line_ids: (await work()).entries.map((one: Body) => one.ledger_line_id) });
  }
  const { reconciliation, figures, blocks } = await work();
  expect([figures.difference_minor, blocks]).toEqual([0, []]);
  return (await world.put(`${BOOKS}/reconciliations/${row.id}/finish`, { version: reconciliation.version })).report;
}

describe('the checklist of November', () => {
  it('names what is left: three accounts, the release, the rent, the quarter that ends in November', async () => {
    expect(await left()).toEqual({
      statements: 'Bank: none yet · Bank EUR: none yet · Dollar account: none yet',
      reconciled: 'Bank: never · Bank EUR: never · Dollar account: never',
      deferred: '1 release is due', accruals: '1 recurring bill is not made',
      tax: 'The VAT return through November 30, 2026 is not prepared',
      revaluation: 'Balances in other currencies are not revalued', ...EARLIER });
  });
});

describe('three bank accounts', () => {
  it('of the pounds, October is ticked on paper; CAMT brings November, and the courier is outstanding', async () => {
    await reconcile(world.banks.GBP, { to_on: '2026-10-31', closing_minor: 62_000 }, { paper: true });
    await load('GBP');
    await matchAll(world.banks.GBP);
    const { statements } = await read(`${BOOKS}/reconciliation?bank_account_id=${world.banks.GBP}`);
    expect(statements).toMatchObject([{ to_on: LAST, closing_minor: 180_750 }]);
    const report = await reconcile(world.banks.GBP, { bank_statement_id: statements[0].id });
    expect(report).toMatchObject({ closing_minor: 180_750, outstanding: [{ amount_minor: -4_000 }],
      proof: { ledger_minor: 176_750, difference_minor: 0 } });
  });

  it('of the dollars, from BAI2; of the euros, from CSV with the closing balance of the month', async () => {
    for (const [currency, closing] of [['USD', 38_500], ['EUR', 29_500]] as const) {
      await load(currency);
      await matchAll(world.banks[currency]);
      const report = await reconcile(world.banks[currency], { to_on: LAST, closing_minor: closing });
      expect(report).toMatchObject({ closing_minor: closing, outstanding: [],
        proof: { ledger_minor: closing, difference_minor: 0 } });
    }
    expect(Object.keys(await left())).toEqual(['deferred', 'tax', 'accruals', 'revaluation', 'earlier']);
  });
});

describe('what belongs to the month', () => {
  it('the rent is entered by its schedule and approved by Theo; electricity is accrued and taken back', async () => {
    expect(await makeRecurringBills(test.ports)).toBe(1);
    const [bill] = await read(`${BOOKS}/bills?division=UK`);
    const submitted = await world.put(`${BOOKS}/bills/${bill.id}/submit`, { version: bill.version });
    await world.stage.second.put(`${BOOKS}/bills/${bill.id}/approve`, { version: submitted.version });
    const { ledger_header_id } = await read(`${BOOKS}/ledger_accounts/${await world.account('UK', '2150')}`);
    const { id: accrued } = await world.post(`${BOOKS}/ledger_accounts`, { division: 'UK', ledger_header_id,
      code: '2020', name: 'Accrued expenses', class: 'liability', currency: null, is_monetary: true,
      cash_flow_class: 'operating', allow_manual: true, active: true });
    const draft = await world.post(`${BOOKS}/transactions`, { division: 'UK', transaction_at: LAST,
      description: 'Electricity of November', journal_entries: [{ ledger_account_id: await world.account('UK', '6200'),
        debit_minor: 15_000 }, { ledger_account_id: accrued, credit_minor: 15_000 }] });
    const posted = await world.post(`${BOOKS}/transactions/${draft.id}/post`, { version: draft.version });
    await world.post(`${BOOKS}/transactions/${posted.id}/reverse`, { transaction_at: '2026-12-01',
      reason: 'Accrual of November' });
    expect(await booked(world.stage, 'UK', LAST, LAST)).toMatchObject({ 2020: -15_000 });
    expect(await booked(world.stage, 'UK', FIRST, '2026-12-01')).not.toHaveProperty('2020');
  });

  it('thirty of ninety-two days of the hire become income: 293.48 of 900.00', async () => {
    expect(await releaseIncomeDue(test.ports)).toEqual({ released: 1, failed: 0 });
    expect(await booked(world.stage, 'UK', FIRST, LAST)).toMatchObject({ 4100: -29_348, 2100: -60_652 });
  });

  it('foreign balances are revalued by two people: a loss of 9.00', async () => {
    const asked = await world.post(`${BOOKS}/revaluations`, { division: 'UK', on: LAST });
    expect(asked.lines.map((one: Body) => [one.account, one.balance_minor, one.carried_minor, one.gain_minor]))
      .toEqual([['1001', 29_500, 25_080, -300], ['1100', 30_000, 25_800, -600]]);
    await expect(world.put(`${BOOKS}/revaluations/${asked.id}/approve`, { version: asked.version }))
      .rejects.toThrow(/four_eyes/);
    await world.stage.second.put(`${BOOKS}/revaluations/${asked.id}/approve`, { version: asked.version });
    expect(await booked(world.stage, 'UK', LAST, LAST)).toMatchObject({ 7010: 900 });
    expect(await booked(world.stage, 'UK', '2026-12-01', '2026-12-01')).toMatchObject({ 7010: -900 });
  });
});

describe('taxes', () => {
  it('the VAT return of September to November is prepared by Maria and filed by Theo', async () => {
    const prepared = await world.post(`${BOOKS}/tax_returns`, { division: 'UK', from: '2026-09-01', to: LAST });
    const { boxes } = await read(`${BOOKS}/reports/uk_vat?division=UK&from=2026-09-01&to=${LAST}`);
    expect(Object.fromEntries(boxes.map((one: Body) => [one.box, one.amount_minor]))).toMatchObject({ 1: 28_600,
      4: 12_000, 5: 16_600, 6: 265_000, 7: 60_000 });
    const file = { version: prepared.version, receipt: '256660290587' };
    await expect(world.put(`${BOOKS}/tax_returns/${prepared.id}/file`, file)).rejects.toThrow(/four_eyes/);
    await world.stage.second.put(`${BOOKS}/tax_returns/${prepared.id}/file`, file);
    expect(await booked(world.stage, 'UK', '2026-12-03', '2026-12-03')).toEqual({ 1300: -12_000, 2300: 28_600,
      2350: -16_600 });
    expect(await left()).toEqual(EARLIER);
  });

  it('the sales tax of New York is prepared: 88.75 of 1,000.00, less the discount of 4.44', async () => {
    const item = async () => (await read(`${BOOKS}/close_checklist?division=US&period=202611`)).items
      .find((one: Body) => one.key === 'tax');
    expect((await item()).detail).toBe('The New York return through November 30, 2026 is not prepared');
    expect(await world.post(`${BOOKS}/sales_tax_returns`,
      { division: 'US', state: 'NY', from: '2026-09-01', to: LAST }))
      .toMatchObject({ net_minor: 8_875 - 444 });
    expect((await item()).state).toBe('done');
  });
});

const STATEMENTS = ['profit_loss', 'balance_sheet', 'cash_flows', 'trial_balance'] as const;
const statement = (name: string, more = ''): Promise<StatementTable> => read(`${BOOKS}/reports/statements?division=UK`
  + `&statement=${name}&from=${FIRST}&to=${LAST}${more}`);
const amounts = (table: StatementTable, key: string) => table.rows.find((row) => row.key === key)?.amounts;

/** Figures that lead somewhere: two columns of each line (cash flows twice over), five of the trial balance. */
const DRILLED = { profit_loss: 12, balance_sheet: 26, cash_flows: 30, trial_balance: 85 };
const TRANSLATED = { profit_loss: 6, balance_sheet: 11, cash_flows: 0, trial_balance: 11 };
/** Figures of the UK in USD against the pounds of the ledger that each leads to, at 1.25; answers how many. */
async function inPounds(table: StatementTable): Promise<number> {
  const at = table.columns.findIndex((one) => one.division === 'UK');
  // Income of a trial balance is of two years, and two rates.
  const rows = table.rows.filter((row) => row.code !== null && row.amounts[at] !== 0
    && (table.statement === 'profit_loss' || /^[12]/.test(row.code)));
  for (const row of rows) {
    const { search } = new URL(figureHref(table, row, table.columns[at]!, { scope: 'group' })!, 'http://x');
    const ledger = await read(`${BOOKS}/general_ledger${search}`);
    const pounds = table.statement === 'profit_loss' ? ledger.debit_minor - ledger.credit_minor : ledger.closing_minor;
    expect(Math.abs(row.amounts[at]!), row.title).toBe(Math.round(Math.abs(pounds) * 1.25));
  }
  return rows.length;
}

describe('the statements', () => {
  it.each(STATEMENTS)('%s, with last year beside it: every figure leads to lines that sum to it', async (name) => {
    const table = await statement(name, '&compare=last_year');
    expect(table.checks.filter((one) => !one.ok)).toEqual([]);
    expect(new Set(table.columns.map((one) => one.to))).toEqual(new Set([LAST, '2025-11-30']));
    addUp(table);
    expect(await drill(read, table)).toBe(DRILLED[name]);
  });

  it('say the same net profit and the same cash as each other', async () => {
    const [profit, sheet, flows] = await Promise.all(STATEMENTS.map((name) => statement(name, '&compare=last_year')));
    // 293.48 + 1,750.00 - 28.70 - 870.00 - 3.00 - 9.00; August had 100.00 more.
    expect([amounts(profit!, 'net'), amounts(flows!, 'net_result'), amounts(sheet!, 'current_result')])
      .toEqual([[113_278, 50_000], [113_278, 50_000], [123_278, 50_000]]);
    expect([amounts(flows!, 'cash:closing'), amounts(sheet!, 'sum:cash')]).toEqual([[232_330, 50_000],
      [232_330, 50_000]]);
  });

  it('of all divisions: the pounds at 1.25, the hosting eliminated', async () => {
    for (const name of STATEMENTS) {
      const table = await statement(name, '&scope=group');
      expect(table.checks.filter((one) => !one.ok)).toEqual([]);
      expect([name, await inPounds(table)]).toEqual([name, TRANSLATED[name]]);
      const eliminated = table.columns.findIndex((one) => one.measure === 'eliminations');
      if (name !== 'balance_sheet') continue;
      expect(table.rows.filter((row) => row.code !== null && row.amounts[eliminated] !== 0)
        .map((row) => [row.code, ...row.amounts])).toEqual([['1500', 10_000, 0, 0, 0, -10_000, 0],
        ['2500', 0, 0, 10_000, 0, -10_000, 0]]);
      // 1,132.78 and 100.00 of August at 1.25, by account; 500.00 of last year were worth 650.00, and 625.00 now.
      expect(['brought_forward', 'current_result', 'translation'].map((key) => amounts(table, key)![2]))
        .toEqual([65_000, 154_097, -2_499]);
    }
  });

  it.skipIf(!HLEDGER)('hledger agrees with all of them, this year and last', async () => {
    expect(await compareWithHledger(test, 'UK', ['2025-11-01', FIRST])).toBe(2);
    expect(await compareWithHledger(test, 'US', [FIRST])).toBe(1);
  });
});

describe('the auditor’s package', () => {
  it('ties to the statements: trial balance, journal, and the three reconciliations', async () => {
    const reader = await test.signedIn('staff_admin');
    const { raw, status } = await reader.get(`${BOOKS}/auditor_package?${NOVEMBER}`);
    expect(status).toBe(200);
    const entries = archiveDirectory(raw, 100)!;
    const rows = (name: string): string[][] => parse(inflateRawSync(packedBytes(raw,
      entries.find((one) => one.name === name)!)!), { bom: true });
    const trial = await statement('trial_balance');
    expect(rows('trial-balance.csv').slice(1, -1).map((row) => [row[0], ...row.slice(3).map((cell) =>
      Number(parseMinor(cell)))])).toEqual(trial.rows.filter((row) => row.code !== null)
      .map((row) => [row.code, ...row.amounts]));
    expect(rows('reconciliations.csv').slice(1).map((row) => [row[2], row[3], row[5], row[6]])).toEqual([
      ['GBP', LAST, '1807.50', '1767.50'], ['EUR', LAST, '295.00', '295.00'], ['USD', LAST, '385.00', '385.00']]);
    expect(rows('integrity.csv').slice(1).filter((row) => row[1] !== 'passed')).toEqual([]);
    const journal = rows('journal.csv').slice(1);
    const sum = (at: number): bigint => journal.reduce((all, row) => all + (parseMinor(row[at] ?? '') ?? 0n), 0n);
    expect([Number(sum(12)), Number(sum(13))]).toEqual([1, 2].map((at) => amounts(trial, 'total')![at]));
  });
});

describe('the closed month', () => {
  const period = async (): Promise<Body> => (await read(`${BOOKS}/periods?division=UK&year=2026`))
    .find((one: Body) => one.period === 202_611);
  const turn = async (who: 'staff' | 'second', step: 'close' | 'reopen') => (await world.stage[who].put(
    `${BOOKS}/periods/202611/${step}`, { division: 'UK', version: (await period()).version,
      ...(step === 'reopen' ? { reason: 'A bill came late' } : {}) })).data;
  const journal = async (on: string) => {
    const draft = await world.post(`${BOOKS}/transactions`, { division: 'UK', transaction_at: on, description: 'Late',
      journal_entries: [{ ledger_account_id: await world.account('UK', '6200'), debit_minor: 100 },
        { ledger_account_id: await world.account('UK', '4400'), credit_minor: 100 }] });
    return world.post(`${BOOKS}/transactions/${draft.id}/post`, { version: draft.version });
  };

  it('is closed by Theo after Maria asked for it; she cannot confirm it herself', async () => {
    expect(await left()).toEqual(EARLIER);
    expect((await turn('staff', 'close')).state).toBe('open');
    await expect(turn('staff', 'close')).rejects.toThrow(/four_eyes/);
    expect((await turn('second', 'close')).state).toBe('closed');
    expect(await read(`${BOOKS}/close_checklist?${NOVEMBER}`)).toMatchObject({ state: 'closed', open: 0,
      closed_by_name: expect.any(String), confirmed_by_name: expect.any(String) });
  });

  it('takes nothing any more, from whatever screen it comes', async () => {
    const before = await booked(world.stage, 'UK', '2025-01-01', LAST);
    const line = { ledger_account_id: await world.account('UK', '6200') };
    const tries: Record<string, () => Promise<unknown>> = {
      journal: () => journal(LAST),
      invoice: () => sell(world, { customer_id: world.player, currency: 'GBP', on: LAST, net_minor: 100 }),
      receipt: () => world.post(`${BOOKS}/payments`, { customer_id: world.player, division: 'UK', currency: 'GBP',
        amount_minor: 100, method: 'wire', received_on: LAST }),
      entry: () => enter(world, { currency: 'GBP', on: LAST, minor: -100, code: '6100', text: 'Fee' }),
      bill: async () => {
        const bill = await world.post(`${BOOKS}/bills`, { vendor_id: world.vendor, division: 'UK', currency: 'GBP',
          billed_on: LAST, vendor_number: 'L1', lines: [{ ...line, description: 'Late', net_minor: 100 }] });
        const { version } = await world.put(`${BOOKS}/bills/${bill.id}/submit`, { version: bill.version });
        await world.stage.second.put(`${BOOKS}/bills/${bill.id}/approve`, { version });
      },
      hosting: async () => {
        const asked = await world.post(`${BOOKS}/intercompany_entries`, { kind: 'charge', creditor: 'US', debtor: 'UK',
          currency: 'USD', dated_on: LAST, amount_minor: 100, description: 'Late', debtor_account_id: line
            .ledger_account_id, creditor_account_id: await world.account('US', '6200') });
        await world.stage.second.put(`${BOOKS}/intercompany_entries/${asked.id}/approve`, { version: asked.version });
      },
      transfer: () => world.post(`${BOOKS}/bank_transfers`, { from_bank_account_id: world.banks.GBP, sent_on: LAST,
        to_bank_account_id: world.banks.EUR, amount_minor: 100, received_minor: 100, received_on: LAST }),
    };
    for (const [name, attempt] of Object.entries(tries)) {
      world.day('2026-12-03');
      await expect(attempt(), name).rejects.toThrow('November 2026 is closed.');
    }
    world.day('2026-12-03');
    expect(await booked(world.stage, 'UK', '2025-01-01', LAST)).toEqual(before);
  });

  it('is opened again by two people only, and closed again the same way', async () => {
    expect((await turn('staff', 'reopen')).state).toBe('closed');
    await expect(turn('staff', 'reopen')).rejects.toThrow(/four_eyes/);
    await expect(journal(LAST)).rejects.toThrow(/closed/);
    const { id: user_id } = await read('/api/users/me');
    await expect(world.post(`${BOOKS}/period_locks/exceptions`, { division: 'UK', user_id, lock: 'period',
      until: '2026-12-04T12:00:00Z', reason: 'A late bill' })).rejects.toThrow();
    expect((await turn('second', 'reopen')).state).toBe('open');
    expect((await journal(LAST)).status).toBe('posted');
    expect((await ledgerIntegrity(test.database.db)).filter((one) => !one.ok)).toEqual([]);
  });
});
