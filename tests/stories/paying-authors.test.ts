/**
 * Story 6, paying the authors: the first quarter of forty royaltors in three countries and three currencies. Eleanor
 * calculates and makes the runs, Theo approves; ACH, BACS and SEPA files and two checks pay on the Monday after, and
 * the bank returns one payment. Of 6,300.00 earned in the US 4,468.00 leave by ACH and 600.00 by check.
 */
// cspell:ignore COBADEFFXXX
import { beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '#db/demo/client.ts';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { postPaymentRuns } from '#modules/payables/run/settle-run.server.ts';
import { workStatementRuns } from '#modules/royalties/statements/work-runs.server.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { readBacs, readNacha, readPain, type BankFile } from '#tests/support/bank-files.ts';
import { makeQuarter, type Quarter } from '#tests/support/quarter.ts';
import { HOUSES, PEOPLE, type House } from '#tests/support/quarter-people.ts';
import { compareRoyaltors } from '#tests/support/royaltor-figures.ts';
import { API, booked, openStage, textOf, type Stage } from '#tests/support/story.ts';

const test = testApp();
const BOOKS = `${API}/accounting`;
const BATCHES = `${BOOKS}/royalty_payment_batches`;
const RUNS = `${BOOKS}/payment_runs`;
const [THURSDAY, MONDAY] = ['2026-04-09', '2026-04-13'];
const divisions = ['US', 'UK', 'EU'] as const;
let stage: Stage;
let quarter: Quarter;
const accounts = {} as Record<House, number>;

const OWN = { US: { kind: 'us', account: '7445678999', routing: '231380104' },
  UK: { kind: 'uk', account: '66374958', routing: '089999' },
  EU: { kind: 'iban', account: 'DE89370400440532013000', routing: null } } as const;
const FILES = { US: { company_id: '1123456789', destination_routing: '231380104', destination_name: 'First Bank' },
  UK: { service_user: '123456' }, EU: { bic: 'COBADEFFXXX' } } as const;
async function openBanks(): Promise<void> {
  for (const house of divisions) {
    const { data: [row] } = await stage.staff.get(`${BOOKS}/bank_accounts?division=${house
    }&currency=${HOUSES[house].currency}`);
    accounts[house] = row.id;
    const path = `${BOOKS}/bank_accounts/${row.id}`;
    const { data: named } = await stage.staff.put(path, { next_check_number: 2001, version: row.version });
    await stage.staff.put(`${path}/number`, { version: named.version, ...OWN[house] });
    await stage.staff.put(`${path}/payment_files`, { version: 1, originator_name: 'Grand Rights', ...FILES[house] });
  }
}

beforeAll(async () => {
  test.clock.set('2026-02-10T15:00:00Z');
  stage = await openStage(test);
  await openBanks();
  quarter = await makeQuarter(stage);
  test.clock.set('2026-03-02T15:00:00Z');
  const { data: advance } = await stage.staff.post(`${API}/royalty_advances`, { currency: 'USD', due_on: '2026-03-02',
    amount_minor: 50_000, show_royaltor_id: quarter.group });
  const { data: batch } = await stage.staff.post(BATCHES, { division: 'US', method: 'wire', pay_on: '2026-03-02',
    statement_ids: [], advance_ids: [advance.id] });
  const { data: { version } } = await stage.second.put(`${BATCHES}/${batch.id}/approve`, { version: batch.version });
  await stage.staff.put(`${BATCHES}/${batch.id}/pay`, { version });
  test.clock.set(`${THURSDAY}T15:00:00Z`);
}, 240_000);

const runs = {} as Record<House, Body>;
const statementOf = (name: string): Body => divisions.flatMap((house) => runs[house].statements)
  .find((one: Body) => one.royaltor_name === name);
const shown = async (path: string): Promise<Body> => (await stage.staff.get(path)).data;
/** Balance of an account with royaltors, in minor units; owed is positive. */
async function owed(house: House, account: string): Promise<number> {
  return -((await booked(stage, house, '2026-01-01', '2026-12-31'))[account] ?? 0);
}
const COMPARED = ['Avery 7', 'Ada Agented', 'Rhea Reserve', 'Gus Group', 'Bo Backup', 'Una Unverified', 'Max Minimum',
  'Cora Check', 'Alec Agented', 'Clara 10'];
/** Everything one figure is read from agrees: list, statement, its paper, tie-out, runs, batches and the ledger. */
async function agreed(): Promise<void> {
  const { compared, wrong } = await compareRoyaltors(test, COMPARED.map((name) => quarter.ids.get(name)!));
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(300);
  expect((await ledgerIntegrity(test.database.db)).filter((check) => !check.ok)).toEqual([]);
}

describe('the statements of the quarter', () => {
  it('are calculated by Eleanor, who cannot approve them, and approved and issued by Theo', async () => {
    const other = await test.signedIn('staff_admin');
    for (const house of divisions) {
      const { data: run } = await stage.staff.post(`${API}/royalty_statement_runs`, { division: house,
        currency: HOUSES[house].currency, period_from: '2026-01-01', period_to: '2026-03-31' });
      await expect(stage.staff.put(`${API}/royalty_statement_runs/${run.id}/approve`, { version: run.version }))
        .rejects.toThrow(/four_eyes/);
      const path = `${API}/royalty_statement_runs/${run.id}`;
      const approved = await stage.second.put(`${path}/approve`, { version: run.version });
      await stage.second.put(`${path}/issue`, { version: approved.data.version });
      await workStatementRuns(test.ports);
      runs[house] = (await other.get(path)).body.data;
    }
    expect(divisions.map((house) => runs[house].statement_count)).toEqual([20, 10, 10]);
    expect(divisions.flatMap((house) => PEOPLE[house])).toHaveLength(40);
  });

  it.each([
    ['Avery 1', { earnings_minor: 30_000, payable_minor: 30_000, pay_currency: 'USD' }],
    ['Ada Agented', { earnings_minor: 30_000, agent_minor: 3_000, payable_minor: 27_000 }],
    ['Alec Agented', { earnings_minor: 20_000, payable_minor: 20_000, pay_currency: 'GBP' }],
    ['Rhea Reserve', { earnings_minor: 30_000, reserves_taken_minor: 6_000, payable_minor: 24_000,
      closing_reserve_minor: 6_000 }],
    ['Gus Group', { earnings_minor: 60_000, recouped_minor: 50_000, payable_minor: 10_000,
      closing_unrecouped_minor: 0 }],
    ['Bo Backup', { earnings_minor: 30_000, expected_wht_minor: 7_200, payable_minor: 22_800 }],
    ['Max Minimum', { earnings_minor: 30_000, payable_minor: 0, closing_minor: 30_000 }],
    ['Clara 10', { earnings_minor: 25_000, payable_minor: 25_000, pay_currency: 'EUR' }],
  ])('%s: the figures of the statement', (name, figures) => {
    expect(statementOf(name)).toMatchObject(figures);
  });

  it('say why nothing is paid below the minimum, on the page and on paper', async () => {
    const { id, carried_reason } = statementOf('Max Minimum');
    expect(carried_reason).toContain('500.00');
    expect(await textOf(test, `${API}/royalty_statements/${id}/document`)).toContain(carried_reason);
  });

  it('leave the ledger owing what they say, and every place agrees', async () => {
    expect(await booked(stage, 'US', '2026-01-01', THURSDAY)).toMatchObject({ 2200: -574_000, 2205: -6_000 });
    expect([await owed('US', '1150'), await owed('UK', '2200'), await owed('EU', '2200')])
      .toEqual([-0, 200_000, 250_000]);
    await agreed();
  }, 120_000);
});

const batches = {} as Record<House | 'check', Body>;
/** Lines offered to a run of the division, and the reason of each payee who is held out. */
async function offered(house: House, method: string): Promise<{ free: Body[]; held: Record<string, string> }> {
  const { payees } = await shown(`${BATCHES}/payables?division=${house}&currency=${HOUSES[house].currency
  }&pay_on=${MONDAY}&method=${method}`);
  return { free: payees.flatMap((payee: Body) => payee.lines).filter((line: Body) => line.held === null),
    held: Object.fromEntries(payees.filter((payee: Body) => payee.held !== null)
      .map((payee: Body) => [payee.payee_name, payee.held])) };
}
const BY_CHECK = 'Paid by check. Choose that method to pay them.';
const idsOf = (lines: readonly Body[]): number[] => lines.map((line) => line.statement_id);

describe('the payment runs', () => {
  it('hold out those without verified bank details and those paid by check, by name and reason', async () => {
    const { free, held } = await offered('US', 'ach');
    expect(held).toEqual({ 'Una Unverified': 'Bank details not verified. A second person must verify them.',
      'Cora Check': BY_CHECK, 'Carl Check': BY_CHECK });
    expect(idsOf(free)).not.toContain(statementOf('Max Minimum').id);
    expect(free).toHaveLength(16);
    await expect(stage.staff.post(BATCHES, { division: 'US', method: 'ach', pay_on: MONDAY,
      bank_account_id: accounts.US, statement_ids: [statementOf('Una Unverified').id] }))
      .rejects.toThrow(/Una Unverified.*not verified/);
  });

  it('are one when two people make the same at once', async () => {
    const statement_ids = idsOf((await offered('US', 'ach')).free);
    const [ann, ben] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin')];
    const body = { division: 'US', method: 'ach', pay_on: MONDAY, bank_account_id: accounts.US, statement_ids };
    const answers = await Promise.all([ann, ben].map((one) => one.post(BATCHES, body)));
    expect(answers.map((one) => [one.status, one.body.code]).toSorted()).toEqual([[201, undefined],
      [409, 'royalty_payment.in_batch']]);
    batches.US = answers.find((one) => one.status === 201)!.body.data;
    expect(batches.US).toMatchObject({ total_minor: 446_800, withheld_minor: 7_200, payment_count: 17 });
    expect((await shown(`${BATCHES}?division=US&status=draft`))).toHaveLength(1);
  });

  it('pay each in the own currency, the agent of one beside and of the other instead', async () => {
    for (const house of ['UK', 'EU'] as const) {
      const { free, held } = await offered(house, HOUSES[house].method);
      expect(held).toEqual({});
      ({ data: batches[house] } = await stage.staff.post(BATCHES, { division: house, method: HOUSES[house].method,
        pay_on: MONDAY, bank_account_id: accounts[house], statement_ids: idsOf(free) }));
    }
    ({ data: batches.check } = await stage.staff.post(BATCHES, { division: 'US', method: 'check', pay_on: MONDAY,
      bank_account_id: accounts.US, statement_ids: ['Cora Check', 'Carl Check'].map((name) => statementOf(name).id) }));
    expect([batches.UK.total_minor, batches.EU.total_minor, batches.check.total_minor])
      .toEqual([200_000, 250_000, 60_000]);
    const paid = (batch: Body, name: string) => batch.payments
      .find((one: Body) => one.royaltor_name === name)?.amount_minor;
    expect([paid(batches.US, 'Ada Agented'), paid(batches.US, 'Lane Agency'), paid(batches.US, 'Bo Backup'),
      paid(batches.UK, 'Alec Agented'), paid(batches.UK, 'Quay Agency')])
      .toEqual([27_000, 3_000, 22_800, undefined, 20_000]);
  });

  it('are approved by Theo, and their files hold outside the product: sums, check digits, schema, dates', async () => {
    const read = { US: readNacha, UK: readBacs, EU: readPain };
    for (const key of [...divisions, 'check'] as const) {
      const batch = await shown(`${BATCHES}/${batches[key].id}`);
      await expect(stage.staff.put(`${BATCHES}/${batch.id}/approve`, { version: batch.version }))
        .rejects.toThrow(/four_eyes/);
      await stage.second.put(`${BATCHES}/${batch.id}/approve`, { version: batch.version });
      if (key === 'check') continue;
      const run = `${RUNS}/${batches[key].payment_run_id}`;
      const { version } = await shown(run);
      const { data: sent } = await stage.staff.put(`${run}/export`, { version });
      expect(sent).toMatchObject({ status: 'exported', value_on: MONDAY, value_moved: null });
      const reader = await test.signedIn('staff_admin');
      const file: BankFile = read[key]((await reader.get(`${run}/file`)).raw.toString());
      expect(file.value_on).toBe(key === 'UK' ? '2026-04-10' : MONDAY);
      const payments = batches[key].payments.map((one: Body) => one.amount_minor);
      expect(file.payments.map((one) => one.minor).toSorted()).toEqual(payments.toSorted());
    }
  });

  it('have paid nothing before Monday: statements, list, year report and ledger', async () => {
    const before = await owed('US', '2200');
    for (const day of [THURSDAY, '2026-04-10', '2026-04-12']) {
      test.clock.set(`${day}T20:00:00Z`);
      expect(await postPaymentRuns(test.ports)).toBe(0);
    }
    expect([before, await owed('US', '2200')]).toEqual([574_000, 574_000]);
    expect(await shown(`${API}/royalty_statements/${statementOf('Avery 1').id}`))
      .toMatchObject({ status: 'issued', paid_minor: 0 });
    const rows: Body[] = await shown(`${API}/sales_and_royalties/royalties?division=US&per_page=100`);
    expect(rows.reduce((all, row) => all + row.paid_minor, 0)).toBe(0);
    const batch = await shown(`${BATCHES}/${batches.US.id}`);
    expect([batch.status, new Set(batch.payments.map((one: Body) => one.status))])
      .toEqual(['scheduled', new Set(['approved'])]);
    const { lines } = await shown(`${BOOKS}/reports/withholding?division=US&year=2026`);
    expect(lines.filter((line: Body) => line.name !== 'Gus Group')).toEqual([]);
    await agreed();
  }, 120_000);
});

describe('on Monday', () => {
  it('the two checks are printed and everything sent is paid', async () => {
    test.clock.set(`${MONDAY}T15:00:00Z`);
    const waiting = await shown(`${BOOKS}/checks?state=ready`);
    await stage.staff.post(`${BOOKS}/checks/print`, { bank_account_id: accounts.US, on: MONDAY, first_number: '2001',
      check_ids: waiting.map((one: Body) => one.id) });
    expect(await postPaymentRuns(test.ports)).toBe(4);
    const printed: Body[] = await shown(`${BOOKS}/checks?bank_account_id=${accounts.US}`);
    expect(printed.map((one) => [one.check_number, one.amount_minor]).toSorted()).toEqual([['2001', 30_000],
      ['2002', 30_000]]);
    expect(await booked(stage, 'US', MONDAY, MONDAY)).toEqual({ 1000: -506_800, 2200: 514_000, 2320: -7_200 });
    expect([await booked(stage, 'UK', MONDAY, MONDAY), await booked(stage, 'EU', MONDAY, MONDAY)])
      .toEqual([{ 1000: -200_000, 2200: 200_000 }, { 1000: -250_000, 2200: 250_000 }]);
    expect(await owed('US', '2200')).toBe(60_000);
    await agreed();
  }, 120_000);

  it('whoever is paid can read the same figure on the advice, and Bo what was withheld', async () => {
    const payment = batches.US.payments.find((one: Body) => one.royaltor_name === 'Bo Backup');
    const text = await textOf(test, `${BOOKS}/payments/${payment.id}/remittance`);
    for (const figure of ['300.00', '72.00', '228.00']) expect(text).toContain(figure);
    const { lines } = await shown(`${BOOKS}/reports/withholding?division=US&year=2026`);
    expect(lines.find((line: Body) => line.name === 'Bo Backup')).toMatchObject({ paid_minor: 22_800,
      withheld_minor: 7_200 });
  });
});

describe('the payment that the bank returns', () => {
  it('is owed again to the cent, with a task, and held out until the details are verified again', async () => {
    test.clock.set('2026-04-15T15:00:00Z');
    const run = `${RUNS}/${batches.US.payment_run_id}`;
    const reader = await test.signedIn('staff_admin');
    const file = (await reader.get(`${run}/file`)).raw.toString();
    const { bank_reference, number } = await test.database.db.one<{ bank_reference: string; number: string }>(sql`
      select bank_reference, number from payments where payment_run_id = ${batches.US.payment_run_id}
        and party_id = ${quarter.ids.get('Avery 7')!}`);
    const { body } = await reader.call('POST', `${run}/answer`, { multipart: { fields: {}, file: { field: 'file',
      name: 'returns.ach', type: 'text/plain', content: Buffer.from(nachaReturn(file, bank_reference)) } } });
    expect(body.data).toMatchObject({ settled: 0, rejected: 1, changed: 0, unknown: 0 });
    expect(await owed('US', '2200')).toBe(90_000);
    expect(await shown(`${API}/royalty_statements/${statementOf('Avery 7').id}`))
      .toMatchObject({ status: 'issued', paid_minor: 0 });
    const tasks = (await reader.get(`${API}/dashboard?division=US`)).body.data;
    expect(JSON.stringify(tasks)).toContain(`Payment came back: ${number}`);
    expect((await offered('US', 'ach')).held).toMatchObject({ 'Avery 7': expect.stringMatching(/came back/) });
    await agreed();
  }, 120_000);

  it('is taken into a new run once they are; what is carried and held is left', async () => {
    const path = `${API}/royaltors/${quarter.ids.get('Avery 7')!}`;
    const { version } = await shown(path);
    await stage.staff.put(`${path}/bank_details`, { version, kind: 'us', account: '400079999', routing: '021000021' });
    await stage.second.put(`${path}/bank_details/verify`, { version: (await shown(path)).version, note: 'Called' });
    const { free } = await offered('US', 'ach');
    expect(idsOf(free)).toEqual([statementOf('Avery 7').id]);
    const { data: batch } = await stage.staff.post(BATCHES, { division: 'US', method: 'ach', pay_on: '2026-04-17',
      bank_account_id: accounts.US, statement_ids: idsOf(free) });
    expect(batch.total_minor).toBe(30_000);
    // Carried by Max, held of Una, and what the new run pays.
    expect(await owed('US', '2200')).toBe(30_000 + 30_000 + 30_000);
  });
});

/** Our file as the bank sends it back, with the reason behind one payment. */
function nachaReturn(file: string, trace: string): string {
  return file.split('\r\n').filter((line) => /^[1568]/.test(line)).flatMap((line) => {
    if (!line.startsWith('6') || !line.endsWith(trace)) return [line];
    return [`${line.slice(0, 78)}1${line.slice(79)}`, `799R03${trace}      02100002`.padEnd(94)];
  }).filter((line) => !line.startsWith('705')).join('\n');
}
