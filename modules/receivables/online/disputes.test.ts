/** Disputed card payments, against a double of the processor that the unmodified SDK talks to. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { waiting } from '#modules/licensing/reminders/waiting.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser, type SignedIn } from '#tests/support/app.ts';
import { cardPayments } from '#tests/support/card-payments.ts';
import { makeCustomer, movement } from '#tests/support/receivables.ts';
import { closeDispute, giveEvidence, openDispute, refundOf } from '../test-processor/test-back.ts';
import type { TestDispute } from '../test-processor/test-state.ts';
import { readMissedDisputes } from './processor-disputes.server.ts';
import { readMissedRefunds } from './processor-refunds.server.ts';

const app = testApp();
const cards = cardPayments(app);
const API = '/api/admin/staff';
let clerk: SignedIn;

beforeAll(async () => { clerk = await app.signedIn('staff_admin'); });

interface Paid { customer: number; invoice: number; payer: Browser; receipt: number; intent: string }

async function paid(amount: number): Promise<Paid> {
  const customer = await makeCustomer(app.database.db, 'US');
  const payer = await app.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
  const draft = (await clerk.post(`${API}/invoices`, { customer_id: customer, license_id: null, division: 'US',
    currency: 'USD', items: [{ kind: 'fee', description: 'Service', item_class: 'fee', net_minor: amount }] }))
    .body.data;
  await clerk.post(`${API}/invoices/${draft.id}/issue`, { version: draft.version });
  await cards.pay(payer, `/api/customers/${customer}/invoices/${draft.id}`, amount);
  const row = await app.database.db.one<{ receipt: number; intent: string }>(sql`
    select payment_id as receipt, payment_intent_id as intent from online_payments where invoice_id = ${draft.id}`);
  return { customer, invoice: draft.id, payer, ...row };
}

const account = () => cards.processor.account('US');
const change = <T>(work: (state: ReturnType<typeof account>, now: Date) => T): T =>
  cards.processor.change('US', work);
const disputed = (of: Paid, inquiry = false): TestDispute => change((state, now) =>
  openDispute(state, state.charges[state.intents[of.intent]!.latest_charge!]!, now, inquiry));
const read = () => readMissedDisputes(app.ports);
const invoiceOf = async (of: Paid) => (await clerk.get(`${API}/invoices/${of.invoice}`)).body.data;
const rowOf = async (dispute: TestDispute) => (await clerk.get(
  `${API}/accounting/processor_disputes?search=${dispute.id}`)).body.data[0];

describe('a dispute', () => {
  test('takes the money and a fee, the invoice is open again, and staff are told once', async () => {
    const of = await paid(128_400);
    expect((await invoiceOf(of)).status).toBe('paid');
    const dispute = disputed(of);
    const events = account().events.slice(-2);
    const moved = await movement(app.database.db, async () => {
      for (const event of [...events, ...events].toReversed()) await cards.hook('US', event);
      await Promise.all([cards.settle(), cards.settle()]);
      await read();
    });
    expect(moved).toEqual({ 1020: -129_900, 1100: 128_400, 6100: 1_500 });
    expect(await invoiceOf(of)).toMatchObject({ status: 'issued', balance_minor: 128_400 });
    expect(await rowOf(dispute)).toMatchObject({ status: 'needs_response', taken_minor: 128_400, fee_minor: 1_500,
      attention: '', evidence_url: null });
    const told = await app.database.db.one<{ n: number }>(sql`select count(*)::int as n from notifications
      where kind = 'payment.disputed' and href like ${`%${dispute.id}`} and title like '% disputes USD 1,284.00'
        and user_id = ${clerk.user_id}`);
    expect(told.n).toBe(1);
  });

  test('is named on the invoice, and nobody is reminded of that until the bank has decided', async () => {
    const of = await paid(61_000);
    const due = (await invoiceOf(of)).due_on as string;
    const ctx = workContext(app.ports, app.database.db, SYSTEM_ACTOR);
    const reminded = async () => (await waiting(ctx, 'US', due)).some((one) => one.entity === 'invoice'
      && one.id === of.invoice);
    const dispute = disputed(of);
    await read();
    expect(await invoiceOf(of)).toMatchObject({ status: 'issued',
      dispute: { dispute_id: dispute.id, amount_minor: 61_000 } });
    expect(await reminded()).toBe(false);
    change((state, now) => closeDispute(state, dispute, false, now));
    await read();
    expect((await invoiceOf(of)).dispute).toBeNull();
    expect(await reminded()).toBe(true);
  });

  test('while it is open nobody lets a refund of the same money go', async () => {
    const of = await paid(20_000);
    const item = await app.database.db.one<{ id: number }>(sql`
      select id from invoice_items where invoice_id = ${of.invoice}`);
    await clerk.post(`${API}/invoices/${of.invoice}/credit_notes`, { reason: 'Agreed',
      lines: [{ invoice_item_id: item.id, amount_minor: 8_000 }] });
    const refund = (await clerk.post(`${API}/accounting/payments/${of.receipt}/refund`, { amount_minor: 8_000,
      reason: 'Agreed' })).body.data;
    const dispute = disputed(of);
    expect(await movement(app.database.db, read)).toEqual({ 1020: -21_500, 1100: 20_000, 6100: 1_500 });
    expect(await rowOf(dispute)).toMatchObject({
      attention: 'USD 80.00 of it was refunded before: the customer owes it' });
    const other = await app.signedIn('staff_admin');
    const answer = await other.put(`${API}/accounting/payments/${refund.id}/status`, { status: 'approved',
      version: refund.version });
    expect([answer.status, answer.body.code]).toEqual([409, 'payment.disputed']);
  });

  test('that is won puts all of it back, and the fee stays paid', async () => {
    const of = await paid(50_000);
    const dispute = disputed(of);
    await read();
    change((state, now) => giveEvidence(state, dispute, now));
    await read();
    expect(await rowOf(dispute)).toMatchObject({ status: 'under_review' });
    const moved = await movement(app.database.db, async () => {
      change((state, now) => closeDispute(state, dispute, true, now));
      for (const event of account().events.slice(-2).toReversed()) await cards.hook('US', event);
      await cards.settle();
      await read();
    });
    expect(moved).toEqual({ 1020: 50_000, 1100: -50_000 });
    expect(await invoiceOf(of)).toMatchObject({ status: 'paid', balance_minor: 0 });
    expect(await rowOf(dispute)).toMatchObject({ status: 'won', taken_minor: 0, fee_minor: 1_500 });
  });

  test('that was won before anybody read it still costs its fee', async () => {
    const of = await paid(30_000);
    const dispute = disputed(of);
    change((state, now) => closeDispute(state, dispute, true, now));
    expect(await movement(app.database.db, read)).toEqual({ 1020: -1_500, 6100: 1_500 });
    expect(await movement(app.database.db, read)).toEqual({});
    expect(await invoiceOf(of)).toMatchObject({ status: 'paid', balance_minor: 0 });
    expect(await rowOf(dispute)).toMatchObject({ status: 'won', taken_minor: 0, fee_minor: 1_500, attention: '' });
  });

  test('that is lost leaves the invoice open, and a payment of it by another card counts', async () => {
    const of = await paid(50_000);
    const dispute = disputed(of);
    await read();
    expect(await movement(app.database.db, async () => {
      change((state, now) => closeDispute(state, dispute, false, now));
      await read();
    })).toEqual({});
    expect(await rowOf(dispute)).toMatchObject({ status: 'lost', taken_minor: 50_000 });
    await cards.pay(of.payer, `/api/customers/${of.customer}/invoices/${of.invoice}`, 50_000);
    expect(await invoiceOf(of)).toMatchObject({ status: 'paid' });
  });

  test('that is won after the customer paid again leaves its money on account', async () => {
    const of = await paid(50_000);
    const dispute = disputed(of);
    await read();
    await cards.pay(of.payer, `/api/customers/${of.customer}/invoices/${of.invoice}`, 50_000);
    change((state, now) => closeDispute(state, dispute, true, now));
    await read();
    const receipt = (await clerk.get(`${API}/accounting/payments/${of.receipt}`)).body.data;
    expect(receipt).toMatchObject({ unapplied_minor: 50_000, applied_minor: 0 });
  });

  test('of what a refund left takes the rest, and an inquiry takes nothing', async () => {
    const of = await paid(50_000);
    change((state, now) => refundOf(state, state.intents[of.intent]!, { amount: 20_000, metadata: {} }, now));
    await readMissedRefunds(app.ports);
    const asked = disputed(of, true);
    expect(await movement(app.database.db, read)).toEqual({});
    expect(await rowOf(asked)).toMatchObject({ status: 'inquiry', taken_minor: 0, fee_minor: 0 });
    change((state, now) => closeDispute(state, asked, false, now));
    const dispute = disputed(of);
    expect(await movement(app.database.db, read)).toEqual({ 1020: -31_500, 1100: 30_000, 6100: 1_500 });
    expect(await invoiceOf(of)).toMatchObject({ status: 'part_paid', balance_minor: 30_000 });
    expect(await rowOf(dispute)).toMatchObject({ amount_minor: 30_000 });
    expect(await rowOf(asked)).toMatchObject({ status: 'closed' });
  });

  test('of a receipt that was recorded as returned by hand is asked about, and books nothing twice', async () => {
    const of = await paid(9_000);
    const { version } = (await clerk.get(`${API}/accounting/payments/${of.receipt}`)).body.data;
    await clerk.put(`${API}/accounting/payments/${of.receipt}/status`, { status: 'returned', reason: 'By the bank',
      version });
    const dispute = disputed(of);
    expect(await movement(app.database.db, read)).toEqual({});
    expect(await rowOf(dispute)).toMatchObject({ attention: 'Its receipt was recorded as returned by hand' });
  });

  test('of a payment that was not made here is kept for staff', async () => {
    await cards.hook('US', { id: 'evt_dispute', object: 'event', type: 'charge.dispute.created', api_version: 'x',
      created: 1, data: { object: { id: 'du_unknown' } } });
    await cards.settle();
    expect(await app.database.db.query(sql`select status, note from processor_events where event_id = 'evt_dispute'`))
      .toEqual([{ status: 'unknown', note: 'The dispute is of a payment not made here' }]);
  });
});

test('the database refuses a dispute that took something else than its payment shows', async () => {
  const of = await paid(3_000);
  const dispute = disputed(of);
  await read();
  await expect(app.database.db.exec(sql`
    update processor_disputes set taken_minor = 2999 where dispute_id = ${dispute.id}`))
    .rejects.toThrow('it has not taken what its payment shows');
});

test('the books hold together after all of it', async () => {
  const checks = (await ledgerIntegrity(app.database.db)).filter(({ ok }) => !ok);
  expect(checks.map(({ key, rows }) => ({ key, rows }))).toEqual([]);
});
