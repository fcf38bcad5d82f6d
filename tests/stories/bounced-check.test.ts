/**
 * Story 5, the check that bounced: 1,000.00 by check is deposited on a slip with two others and comes back with a
 * charge of 25.00, which is billed on; one payment by card in the portal pays both documents, and the processor pays it
 * out two days later, less its fee, with three other payments.
 */
import { beforeAll, expect, it } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { readMissedPayouts } from '#modules/receivables/receivables.public.server.ts';
import { payOut } from '#modules/receivables/test-processor/test-money.ts';
import { testApp, type Answer, type Browser } from '#tests/support/app.ts';
import { BankFixtures, LINES } from '#tests/support/bank-lines.ts';
import { cardPayments } from '#tests/support/card-payments.ts';
import { API, booked, openStage, type Stage } from '#tests/support/story.ts';

const test = testApp();
const cards = cardPayments(test);
const BOOKS = `${API}/accounting`;
/** Minor units: the check that comes back, and the two beside it on the slip. */
const [BOUNCED, SECOND, THIRD] = [100_000, 30_000, 20_000] as const;
const FEE = 2_500;
let stage: Stage;
let staff: Browser;
let bank: BankFixtures;
let account = 0;
let customer = 0;
let payer: Browser;
let receipts: { id: number; version: number }[];

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
const ledger = (): Promise<Record<string, number>> => booked(stage, 'US', '2026-01-01', '2026-12-31');
const statement = async () => data(await payer.get(`/api/customers/${customer}/statement`)).accounts[0];

async function bill(customer_id: number, net_minor: number): Promise<{ id: number }> {
  const draft = data(await staff.post(`${API}/invoices`, { customer_id, license_id: null, division: 'US',
    currency: 'USD', items: [{ kind: 'fee', description: 'License fee', item_class: 'fee', net_minor }] }));
  return data(await staff.post(`${API}/invoices/${draft.id}/issue`, { version: draft.version }));
}

/** An invoice, and the check that pays it. */
async function paidByCheck(customer_id: number, amount_minor: number): Promise<{ id: number; version: number }> {
  const { id } = await bill(customer_id, amount_minor);
  return data(await staff.post(`${BOOKS}/payments`, { customer_id, division: 'US', currency: 'USD', amount_minor,
    method: 'check', received_on: '2026-10-05', reference: `Check ${amount_minor}`,
    apply_to: [{ invoice_id: id, amount_minor }] }));
}

/** That day, with sessions that began on it. */
async function onDay(day: string): Promise<void> {
  test.clock.set(`${day}T15:00:00Z`);
  staff = await test.signedIn('staff_admin');
  bank = await BankFixtures.make(test);
  payer = await test.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
}

beforeAll(async () => {
  test.clock.set('2026-10-05T15:00:00Z');
  stage = await openStage(test);
  bank = await BankFixtures.make(test);
  const names = ['Ravenswood Playhouse', 'Castle Players', 'Harbor Stage'];
  const ids: number[] = [];
  for (const name of names) ids.push(await bank.customer(name));
  [customer] = ids as [number];
  await onDay('2026-10-05');
  ({ body: { data: [{ id: account }] } } = await staff.get(`${BOOKS}/bank_accounts?division=US&currency=USD`));
  receipts = [];
  for (const [at, amount] of [BOUNCED, SECOND, THIRD].entries()) receipts.push(await paidByCheck(ids[at]!, amount));
});

it('three checks wait in undeposited funds and reach the bank as one line, which the statement matches', async () => {
  expect(await ledger()).toMatchObject({ 1010: BOUNCED + SECOND + THIRD });
  const slip = data(await staff.post(`${BOOKS}/deposit_slips`, { bank_account_id: account, deposited_on: '2026-10-05',
    payment_ids: receipts.map((one) => one.id) }));
  data(await staff.put(`${BOOKS}/deposit_slips/${slip.id}/deposit`, { version: slip.version,
    deposited_on: '2026-10-05' }));
  const [line] = await bank.lines(account, [{ amount: '1500.00', name: 'DEPOSIT', on: '2026-10-05' }]);
  const { suggestions, others } = await bank.candidates(line!);
  const [best] = [...suggestions, ...others];
  expect(best.parts).toMatchObject([{ label: slip.number, amount_minor: BOUNCED + SECOND + THIRD }]);
  await bank.matched(BankFixtures.body(best));
  expect(await ledger()).toMatchObject({ 1000: BOUNCED + SECOND + THIRD });
});

it('the check comes back with a charge, which is billed on: 1,025.00 is due, and the bank agrees', async () => {
  await onDay('2026-10-08');
  const [bounced] = receipts;
  const { version } = data(await staff.get(`${BOOKS}/payments/${bounced!.id}`));
  data(await staff.put(`${BOOKS}/payments/${bounced!.id}/status`, { status: 'returned', version, on: '2026-10-08',
    reason: 'Insufficient funds', fee_minor: FEE, recharge: true }));
  const lines = await bank.lines(account, [{ amount: '-1000.00', name: 'RETURNED ITEM', on: '2026-10-08' },
    { amount: '-25.00', name: 'RETURNED ITEM CHARGE', on: '2026-10-08' }]);
  for (const line of lines) {
    const { suggestions, others } = await bank.candidates(line);
    await bank.matched(BankFixtures.body([...suggestions, ...others][0]));
  }
  expect((await staff.get(`${LINES}?bank_account_id=${account}&matched=false`)).body.data).toEqual([]);
  expect(await ledger()).toMatchObject({ 1000: SECOND + THIRD - FEE, 1100: BOUNCED + FEE });
  expect(await statement()).toMatchObject({ closing_minor: BOUNCED + FEE });
});

it('one payment by card pays both documents: the statement of account tells it in five lines and ends at 0.00',
  async () => {
    await onDay('2026-10-12');
    const { body: { data: open } } = await payer.get(`/api/customers/${customer}/invoices`);
    const [license, charge] = [BOUNCED, FEE].map((minor) =>
      open.find((row: { balance_minor: number }) => row.balance_minor === minor));
    const path = `/api/customers/${customer}/invoices/${license.id}`;
    const { redirect_to } = data(await payer.post(`${path}/pay`, { method: 'card', amount_minor: BOUNCED,
      also: [{ invoice_id: charge.id, amount_minor: FEE }] }));
    cards.processor.pay(new URL(redirect_to).pathname.slice(1), 'pay');
    await payer.post(`${path}/check_payment`, {});
    await cards.settle();
    const { closing_minor, lines } = await statement();
    expect(lines.map((one: { kind: string; amount_minor: number }) => [one.kind, one.amount_minor])).toEqual([
      ['invoice', BOUNCED], ['receipt', -BOUNCED], ['returned', BOUNCED], ['invoice', FEE],
      ['receipt', -BOUNCED - FEE]]);
    expect(closing_minor).toBe(0);
    const receiptsByCard = data(await staff.get(`${BOOKS}/payments?method=card`));
    expect(receiptsByCard).toMatchObject([{ amount_minor: BOUNCED + FEE }]);
    expect(await ledger()).toMatchObject({ 1000: SECOND + THIRD - FEE, 1020: BOUNCED + FEE });
  });

/** Paid by card the same day, in minor units. */
const OTHERS = [20_000, 30_000, 12_000] as const;
/** 2.9% and 0.30 of each payment: 30.03, 6.10, 9.00 and 3.78. */
const FEES = 4_891;
const PAID_OUT = 164_500 - FEES;

it('two days later four payments are one payout: its fee is in 6100, and one line of the statement matches it',
  async () => {
    for (const [at, minor] of OTHERS.entries()) {
      const other = await bank.customer(`Card Players ${at}`);
      const visitor = await test.signedIn('customer', { customers: [{ id: other, role: 'signer' }] });
      const { id } = await bill(other, minor);
      await cards.pay(visitor, `/api/customers/${other}/invoices/${id}`, minor);
    }
    expect(await ledger()).toMatchObject({ 1020: 164_500 });
    await onDay('2026-10-14');
    cards.processor.change('US', (books, now) => payOut(books, 'usd', Math.floor(now.getTime() / 1000), now));
    await readMissedPayouts(test.ports);
    const after = await ledger();
    expect(after).toMatchObject({ 1000: SECOND + THIRD - FEE + PAID_OUT, 6100: FEES });
    expect(after).not.toHaveProperty('1020');
    expect(data(await staff.get(`${BOOKS}/processor_payouts?division=US`))).toMatchObject([{ status: 'posted',
      part_count: 4, amount_minor: PAID_OUT, fee_minor: FEES }]);
    const [line] = await bank.lines(account, [{ amount: '1596.09', name: 'STRIPE TRANSFER', on: '2026-10-14' }]);
    const { suggestions, others } = await bank.candidates(line!);
    const [best] = [...suggestions, ...others];
    expect(best.parts).toMatchObject([{ kind: 'ledger_line', amount_minor: PAID_OUT }]);
    await bank.matched(BankFixtures.body(best));
    expect((await staff.get(`${LINES}?bank_account_id=${account}&matched=false`)).body.data).toEqual([]);
    expect((await ledgerIntegrity(test.database.db)).filter((one) => !one.ok)).toEqual([]);
  });
