/**
 * Story 7, a printer's bill: last month's bill is paid; this month's is dropped twice, entered once, approved by an
 * administrator over the limit of a clerk, paid in a run of checks, printed askew and put on a new number, and cleared
 * by the statement; the check of another vendor is voided. 41,200.00 and 380.00 are owed, 41,200.00 leaves the bank.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { BankFixtures, LINES } from '#tests/support/bank-lines.ts';
import { PAPER } from '#tests/support/paper-file.ts';
import { API, booked, openStage, textOf, type Stage } from '#tests/support/story.ts';

const test = testApp();
const BOOKS = `${API}/accounting`;
const CHECKS = `${BOOKS}/checks`;
const LAST_MONTH = 125_000;
const PRINTER = 4_120_000;
const TUNER = 38_000;
let stage: Stage;
let clerk: SignedIn;
let ann: SignedIn;
let ben: SignedIn;
let account = 0;
let ledger6200 = 0;
let printer = 0;
let tuner = 0;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
const ADDRESS = { country_code: 'US', thoroughfare: '1 Mill Road', premise: '', locality: 'Keene',
  administrative_area: 'NH', postal_code: '03431' };
async function makeVendor(name: string, tin: string): Promise<number> {
  const { id, version } = data(await ann.post(`${API}/vendors`, { name, divisions: ['US'], default_currency: 'USD',
    payment_terms_days: 14, tax_form_type: 'w9', tax_1099_category: 'nec', address: ADDRESS,
    remit_to_address: ADDRESS }));
  data(await ann.put(`${API}/vendors/${id}/tax_id`, { version, tin }));
  return id;
}
interface Bill { vendor_id: number; vendor_number: string; billed_on: string; net_minor: number; more?: object }
const enter = ({ vendor_id, vendor_number, billed_on, net_minor, more = {} }: Bill) => clerk.call('POST',
  `${BOOKS}/bills`, { multipart: { fields: { vendor_id: String(vendor_id), division: 'US', currency: 'USD', billed_on,
    vendor_number, lines: JSON.stringify([{ ledger_account_id: ledger6200, description: 'Posters', net_minor }]),
    ...more }, file: { field: 'file', name: 'bill.pdf', type: 'application/pdf', content: PAPER } } });
const decide = (who: SignedIn, bill: { id: number; version: number }, step: string) =>
  who.put(`${BOOKS}/bills/${bill.id}/${step}`, { version: bill.version });
const check = async (id: number) => data(await ann.get(`${CHECKS}/${id}`));
/** Amount a vendor is owed by the aging, on the screen of payables. */
async function aged(vendor: number): Promise<number> {
  const { rows, checks } = data(await ann.get(`${BOOKS}/accounts_payable/aging?division=US`));
  expect(checks.filter((one: { ok: boolean }) => !one.ok)).toEqual([]);
  return rows.find((row: { party_id: number }) => row.party_id === vendor)?.total_minor ?? 0;
}
/** Payables on the task list of the home. */
const home = async (): Promise<string[]> => data(await ann.get(`${API}/dashboard?division=US`)).todo.rows
  .filter((row: { kind: string }) => row.kind === 'payable').map((row: { title: string }) => row.title);
const ledger = (): Promise<Record<string, number>> => booked(stage, 'US', '2026-01-01', '2026-12-31');

beforeAll(async () => {
  test.clock.set('2026-11-09T15:00:00Z');
  stage = await openStage(test);
  [ann, ben, clerk] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin'),
    await test.signedIn('staff_user', { permissions: ['bill.create', 'bill.update', 'bill.show',
      'payment.updateStatus'] })];
  for (const one of [ann, ben]) await one.confirm();
  [printer, tuner] = [await makeVendor('Alder Print', '80-7001234'),
    await makeVendor('Keene Piano', '80-7005678')];
  const { body } = await ann.get(`${BOOKS}/bank_accounts?division=US&currency=USD`);
  const [row] = body.data;
  account = row.id;
  const named = data(await ann.put(`${BOOKS}/bank_accounts/${account}`, { next_check_number: 1001,
    version: row.version }));
  data(await ann.put(`${BOOKS}/bank_accounts/${account}/number`, { version: named.version, kind: 'us',
    account: '4567890', routing: '121042882' }));
  const { data: choices } = (await ann.get(`${BOOKS}/bills/choices?division=US&on=2026-11-02`)).body;
  ledger6200 = choices.accounts.find((one: { code: string }) => one.code === '6200').id;
});

/** Submitted by the clerk, approved by an administrator. */
async function approve(bill: { id: number; version: number }): Promise<void> {
  data(await decide(ann, data(await decide(clerk, bill, 'submit')), 'approve'));
}

it('last month: a bill of 1,250.00 is entered with its document and approved', async () => {
  await approve(data(await enter({ vendor_id: printer, vendor_number: 'AP-1088', billed_on: '2026-10-12',
    net_minor: LAST_MONTH })));
  expect(await aged(printer)).toBe(LAST_MONTH);
  expect(await home()).toEqual(['1 bill to pay within a week']);
});

it('the same number dropped again is asked about and not entered', async () => {
  const again = await enter({ vendor_id: printer, vendor_number: 'ap 1088', billed_on: '2026-11-09',
    net_minor: LAST_MONTH });
  expect([again.status, again.body.code]).toEqual([409, 'bill.likely_duplicate']);
  expect(await aged(printer)).toBe(LAST_MONTH);
});

describe("this month's bill", () => {
  it('of 41,200.00 is over the limit of the clerk, who entered it besides; an administrator approves it', async () => {
    const bill = data(await enter({ vendor_id: printer, vendor_number: 'AP-1102', billed_on: '2026-11-09',
      net_minor: PRINTER }));
    const waiting = data(await decide(clerk, bill, 'submit'));
    expect((await decide(clerk, waiting, 'approve')).body.code).toBe('four_eyes');
    const other = await test.signedIn('staff_user', { permissions: ['payment.updateStatus'] });
    expect((await decide(other, waiting, 'approve')).body).toMatchObject({ code: 'bill.over_limit',
      unpaid_minor: LAST_MONTH + PRINTER });
    data(await decide(ann, waiting, 'approve'));
    await approve(data(await enter({ vendor_id: tuner, vendor_number: '7', billed_on: '2026-11-09',
      net_minor: TUNER })));
    expect([await aged(printer), await aged(tuner)]).toEqual([LAST_MONTH + PRINTER, TUNER]);
    expect(await ledger()).toEqual({ 2000: -LAST_MONTH - PRINTER - TUNER, 6200: LAST_MONTH + PRINTER + TUNER });
  });
});

interface CheckRow { id: number; version: number; check_number: string; amount_minor: number; payee: string }
let checks: CheckRow[];
let runId = 0;
const numbered = (number: string) => checks.find((one) => one.check_number === number)!;
async function listed(): Promise<void> {
  checks = data(await ann.get(`${CHECKS}?bank_account_id=${account}&sort_by=check_number&sort_direction=asc`));
}

describe('a run of checks', () => {
  it('is approved by a second person and posts nothing before its checks are printed', async () => {
    const { payees } = data(await ann.get(`${BOOKS}/payment_runs/payables?bank_account_id=${account
    }&due_by=2026-11-30&method=check`));
    const parts = payees.flatMap((one: { items: { open_item_id: number; amount_minor: number }[] }) =>
      one.items.map(({ open_item_id, amount_minor }) => ({ open_item_id, amount_minor })));
    const run = data(await ann.post(`${BOOKS}/payment_runs`, { bank_account_id: account, method: 'check',
      due_by: '2026-11-30', value_on: '2026-11-09', parts }));
    runId = run.id;
    expect(run).toMatchObject({ payment_count: 2, total_minor: LAST_MONTH + PRINTER + TUNER });
    const path = `${BOOKS}/payment_runs/${run.id}/approve`;
    expect((await ann.put(path, { version: run.version })).body.code).toBe('four_eyes');
    data(await ben.put(path, { version: run.version }));
    expect(await aged(printer)).toBe(LAST_MONTH + PRINTER);
    expect(await home()).toEqual(['2 checks to print']);
  });

  it('pays the two bills of the printer by one check, whose stub names both', async () => {
    await listed();
    const ids = checks.toSorted((one, two) => two.amount_minor - one.amount_minor).map((one) => one.id);
    const print = async (id: number, first_number: string): Promise<unknown> => data(await ann.post(`${CHECKS}/print`,
      { bank_account_id: account, on: '2026-11-09', check_ids: [id], first_number }));
    await print(ids[0]!, '1001');
    const run = data(await ann.get(`${BOOKS}/payment_runs/${runId}`));
    for (const [step, body] of [['void', { reason: 'No money' }], ['reopen', {}]] as const) {
      const refused = await ben.put(`${BOOKS}/payment_runs/${runId}/${step}`, { version: run.version, ...body });
      expect([refused.status, refused.body.message], step).toEqual([409, expect.stringContaining('are printed')]);
    }
    await print(ids[1]!, '1002');
    await listed();
    expect(checks.map((one) => [one.check_number, one.payee, one.amount_minor])).toEqual([
      ['1001', 'Alder Print', LAST_MONTH + PRINTER], ['1002', 'Keene Piano', TUNER]]);
    const text = await textOf(test, `${CHECKS}/${numbered('1001').id}/download`);
    for (const words of ['AP-1088', 'AP-1102', '42,450.00', 'Forty-two thousand four hundred fifty and 00/100']) {
      expect(text).toContain(words);
    }
    expect([await aged(printer), await aged(tuner)]).toEqual([0, 0]);
    expect(await ledger()).toEqual({ 1000: -LAST_MONTH - PRINTER - TUNER, 6200: LAST_MONTH + PRINTER + TUNER });
  });

  it('the one printed askew stays in the series as spoiled, its payment is printed on the next number', async () => {
    const askew = await check(numbered('1001').id);
    const next = data(await ann.put(`${CHECKS}/${askew.id}/spoil`, { version: askew.version,
      reason: 'Printed askew' }));
    expect(next).toMatchObject({ check_number: '1003', amount_minor: LAST_MONTH + PRINTER });
    expect(await check(askew.id)).toMatchObject({ state: 'spoiled', end_reason: 'Printed askew' });
    await listed();
    expect(checks.map((one) => one.check_number)).toEqual(['1001', '1002', '1003']);
    expect((await ledger())[1000]).toBe(-LAST_MONTH - PRINTER - TUNER);
  });

  it("the tuner's is voided: the bill is open again, and the bank is told of issues and voids", async () => {
    const lost = await check(numbered('1002').id);
    data(await ann.put(`${CHECKS}/${lost.id}/void`, { version: lost.version, on: '2026-11-09',
      reason: 'Lost in the mail' }));
    expect(await aged(tuner)).toBe(TUNER);
    const path = `${BOOKS}/bank_accounts/${account}/positive_pay`;
    const file = data(await ann.post(path, { from_on: '2026-11-01', to_on: '2026-11-30' }));
    const rows = (await ann.get(`${path}/${file.id}`)).raw.toString().split('\r\n')
      .map((row) => row.split(',').filter((_, at) => [0, 2, 4].includes(at)).join(' '));
    // 1001 was never issued: the bank pays no number that it was not told of.
    expect(rows.filter((row) => row !== '')).toEqual(['I 1002 380.00', 'C 1002 380.00', 'I 1003 42450.00']);
  });
});

it('weeks later the statement clears the check by its number; the ledger agrees with bank and aging', async () => {
  test.clock.set('2026-12-07T15:00:00Z');
  [ann, ben] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin')];
  await ann.confirm();
  const bank = await BankFixtures.make(test);
  const [line] = await bank.lines(account, [{ amount: '-42450.00', name: 'CHECK 1003', on: '2026-12-04' }],
    'USD', '4567890');
  const { suggestions: [best] } = await bank.candidates(line!);
  await bank.matched(BankFixtures.body(best));
  await listed();
  expect(checks.map((one) => [one.check_number, (one as CheckRow & { state: string }).state])).toEqual([
    ['1001', 'spoiled'], ['1002', 'voided'], ['1003', 'cleared']]);
  expect((await bank.staff.get(`${LINES}?bank_account_id=${account}&matched=false`)).body.data).toEqual([]);
  expect(await ledger()).toEqual({ 1000: -LAST_MONTH - PRINTER, 2000: -TUNER, 6200: LAST_MONTH + PRINTER + TUNER });
  expect([await aged(printer), await aged(tuner)]).toEqual([0, TUNER]);
  expect((await ledgerIntegrity(test.database.db)).filter((one) => !one.ok)).toEqual([]);
});

it('the 1099-NEC of the year has what the check paid; the tuner, whose check was voided, gets none', async () => {
  const { forms } = data(await ann.get(`${BOOKS}/reports/year_end_forms?division=US&year=2026`));
  const { rows, totals } = forms.find((one: { form: string }) => one.form === '1099_nec');
  expect(rows).toMatchObject([{ recipient: `vendor:${printer}`, name: 'Alder Print' }]);
  for (const boxes of [rows[0].boxes, totals]) {
    expect(boxes).toContainEqual(expect.objectContaining({ box: '1', amount_minor: LAST_MONTH + PRINTER }));
  }
});
