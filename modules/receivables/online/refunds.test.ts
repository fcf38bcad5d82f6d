/** Refunds that go back to the card, against a double of the processor that the unmodified SDK talks to. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { cardPayments } from '#tests/support/card-payments.ts';
import { makeCustomer, movement } from '#tests/support/receivables.ts';
import { answerRefund, openDispute, refundOf } from '../test-processor/test-back.ts';
import type { How } from '../test-processor/test-money.ts';
import { readMissedRefunds } from './processor-refunds.server.ts';

const app = testApp();
const cards = cardPayments(app);
const API = '/api/admin/staff';
const PAYMENTS = `${API}/accounting/payments`;
let clerk: Browser;
let boss: Browser;

beforeAll(async () => {
  clerk = await app.signedIn('staff_admin');
  boss = await app.signedIn('staff_admin');
});

interface Paid { customer: number; invoice: number; receipt: number; intent: string }

/** An invoice over `amount` in USD, paid by card, whose receipt is on account again by a credit note over `credit`. */
async function paid(amount: number, credit: number, how: How = 'pay'): Promise<Paid> {
  const customer = await makeCustomer(app.database.db, 'US');
  const payer = await app.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
  const draft = (await clerk.post(`${API}/invoices`, { customer_id: customer, license_id: null, division: 'US',
    currency: 'USD', items: [{ kind: 'fee', description: 'Service', item_class: 'fee', net_minor: amount }] }))
    .body.data;
  await clerk.post(`${API}/invoices/${draft.id}/issue`, { version: draft.version });
  await cards.pay(payer, `/api/customers/${customer}/invoices/${draft.id}`, amount, how);
  const row = await app.database.db.one<{ receipt: number; intent: string }>(sql`
    select payment_id as receipt, payment_intent_id as intent from online_payments where invoice_id = ${draft.id}`);
  if (credit > 0) await creditOf(draft.id, credit, amount);
  return { customer, invoice: draft.id, ...row };
}

async function creditOf(invoice: number, amount: number, whole: number): Promise<void> {
  const item = await app.database.db.one<{ id: number }>(sql`
    select id from invoice_items where invoice_id = ${invoice}`);
  const answer = await clerk.post(`${API}/invoices/${invoice}/credit_notes`, { reason: 'Agreed',
    ...(amount === whole ? {} : { lines: [{ invoice_item_id: item.id, amount_minor: amount }] }) });
  expect([answer.status, answer.body.message]).toEqual([201, undefined]);
}

const asked = (of: Paid, amount_minor: number, more = {}) =>
  clerk.post(`${PAYMENTS}/${of.receipt}/refund`, { amount_minor, reason: 'Agreed', ...more });

/** Asked for by one person and approved by another; answers the refund's payment. */
async function approved(of: Paid, amount: number): Promise<number> {
  const made = (await asked(of, amount)).body.data;
  const answer = await boss.put(`${PAYMENTS}/${made.id}/status`, { status: 'approved', version: made.version });
  expect(answer.status).toBe(200);
  return made.id;
}

const show = async (id: number) => (await clerk.get(`${PAYMENTS}/${id}`)).body.data;
const account = () => cards.processor.account('US');
const refundsOf = (of: Paid) => Object.values(account().refunds).filter((one) => one.payment_intent === of.intent);
const change = <T>(work: (state: ReturnType<typeof account>, now: Date) => T): T =>
  cards.processor.change('US', work);
const at = async (minutes: number, work: () => Promise<unknown>): Promise<void> => {
  const before = app.clock.now();
  app.clock.set(new Date(before.getTime() + minutes * 60_000).toISOString());
  try { await work(); } finally { app.clock.set(before.toISOString()); }
};

describe('a refund that is asked for', () => {
  test('goes back to the card after a second person approved it, once, and leaves Card clearing', async () => {
    const of = await paid(128_400, 28_400);
    const made = await asked(of, 28_400);
    expect(made.body.data).toMatchObject({ method: 'card', status: 'draft', account: '1020 Card clearing',
      allowed: ['approve', 'void'], processor: { status: 'waiting', origin: 'asked' } });
    await cards.settle();
    expect(refundsOf(of)).toEqual([]);
    const { id, version } = made.body.data;
    const moved = await movement(app.database.db, async () => {
      await boss.put(`${PAYMENTS}/${id}/status`, { status: 'approved', version });
      const events = account().events.length;
      await Promise.all([cards.settle(), cards.settle()]);
      // Told three times, backwards.
      for (const event of [...account().events.slice(events), ...account().events.slice(events)].toReversed()) {
        await cards.hook('US', event);
      }
      await cards.settle();
      await readMissedRefunds(app.ports);
    });
    expect(moved).toEqual({ 1020: -28_400, 2000: 28_400 });
    expect(refundsOf(of)).toMatchObject([{ amount: 28_400, status: 'succeeded' }]);
    expect(await show(id)).toMatchObject({ status: 'posted', allowed: [],
      processor: { status: 'succeeded', refund_id: refundsOf(of)[0]!.id } });
    const mail = await app.database.db.one<{ n: number }>(sql`select count(*)::int as n from mail_outbox
      where template = 'refund.sent' and subject = 'Refund of USD 284.00'`);
    expect(mail.n).toBe(1);
  });

  test('is a liability until the processor has paid it, and nobody posts or withdraws it meanwhile', async () => {
    const of = await paid(50_000, 10_000, 'pay_refund_waits');
    const id = await approved(of, 10_000);
    expect(await movement(app.database.db, () => cards.settle())).toEqual({});
    const waiting = await show(id);
    expect(waiting).toMatchObject({ status: 'approved', allowed: [], processor: { status: 'sent' } });
    const { data: [bank] } = (await clerk.get(`${API}/accounting/bank_accounts?division=US&currency=USD`)).body;
    const run = await clerk.get(
      `${API}/accounting/payment_runs/payables?bank_account_id=${bank.id}&due_by=2099-01-01`);
    expect([run.status, JSON.stringify(run.body).includes(`"refund_id":${id}`)]).toEqual([200, false]);
    for (const status of ['posted', 'void', 'returned', 'cleared']) {
      const answer = await boss.put(`${PAYMENTS}/${id}/status`, { status, reason: 'x', version: waiting.version });
      expect([status, answer.status, answer.body.code]).toEqual([status, 409, 'payment.with_processor']);
    }
    change((state, now) => answerRefund(state, refundsOf(of)[0]!, true, now));
    // The webhook is lost: the clock asks.
    expect(await movement(app.database.db, () => at(61, () => cards.settle()))).toEqual({ 1020: -10_000,
      2000: 10_000 });
  });

  test('which the card does not take waits again as a bank transfer, and the customer is told', async () => {
    const of = await paid(50_000, 28_400, 'pay_refund_waits');
    const id = await approved(of, 28_400);
    await cards.settle();
    change((state, now) => answerRefund(state, refundsOf(of)[0]!, false, now));
    const moved = await movement(app.database.db, async () => {
      await cards.hook('US', account().events.at(-1));
      await cards.settle();
    });
    expect(moved).toEqual({});
    const again = await show(id);
    expect(again).toMatchObject({ status: 'draft', method: 'wire', processor: { status: 'failed',
      failure: 'The card has expired or is closed' } });
    expect(again.bank_account_id).not.toBeNull();
    await boss.put(`${PAYMENTS}/${id}/status`, { status: 'approved', version: again.version });
    const ready = await show(id);
    const paidOut = await movement(app.database.db, () =>
      boss.put(`${PAYMENTS}/${id}/status`, { status: 'posted', version: ready.version }));
    expect(paidOut[2000]).toBe(28_400);
    expect(paidOut[1020]).toBeUndefined();
    const mail = await app.database.db.one<{ n: number }>(sql`select count(*)::int as n from mail_outbox
      where template = 'refund.failed' and subject = 'Refund of USD 284.00 did not reach your card'`);
    expect(mail.n).toBe(1);
  });

  test('which comes back days after it was paid is owed again, whoever tells of it', async () => {
    const of = await paid(50_000, 9_000, 'pay_refund_fails');
    const id = await approved(of, 9_000);
    await cards.settle();
    expect((await show(id)).status).toBe('posted');
    change((state, now) => answerRefund(state, refundsOf(of)[0]!, false, now));
    expect(await movement(app.database.db, () => readMissedRefunds(app.ports))).toEqual({ 1020: 9_000, 2000: -9_000 });
    expect(await show(id)).toMatchObject({ status: 'returned', processor: { status: 'failed' } });
    const owed = await app.database.db.one<{ free_minor: number }>(sql`
      select free_minor from payable_items where party_type = 'customer' and party_id = ${of.customer}`);
    expect(owed.free_minor).toBe(9_000);
  });

  test('is withdrawn as long as it has not been sent, and the credit is on account again', async () => {
    const of = await paid(50_000, 9_000);
    const id = await approved(of, 9_000);
    const { version } = await show(id);
    const answer = await boss.put(`${PAYMENTS}/${id}/status`, { status: 'void', reason: 'Not agreed', version });
    expect(answer.status).toBe(200);
    await cards.settle();
    expect(refundsOf(of)).toEqual([]);
    expect(await show(of.receipt)).toMatchObject({ unapplied_minor: 9_000, to_card_minor: 50_000 });
  });
});

describe('never more than the charge', () => {
  test('two people at once, and a refund at the processor in between', async () => {
    const of = await paid(20_000, 20_000);
    const answers = await Promise.all([asked(of, 15_000, { by_processor: true }),
      asked(of, 15_000, { by_processor: true })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    expect((await asked(of, 5_001, { by_processor: true })).status).toBe(422);
    // Somebody refunds 10.00 more than is left, at the processor: ours is refused there and is paid by transfer.
    const { id, version } = answers.find(({ status }) => status === 201)!.body.data;
    change((state, now) => refundOf(state, state.intents[of.intent]!, { amount: 6_000, metadata: {} }, now));
    await boss.put(`${PAYMENTS}/${id}/status`, { status: 'approved', version });
    await cards.settle();
    expect(await show(id)).toMatchObject({ status: 'draft', method: 'wire', processor: { status: 'failed' } });
    expect(refundsOf(of).map((one) => one.amount)).toEqual([6_000]);
    expect(await movement(app.database.db, () => readMissedRefunds(app.ports))).toEqual({ 1020: -6_000, 2000: 6_000 });
  });

  test('a process that is killed between the processor and the books finds its refund again', async () => {
    const of = await paid(20_000, 8_000);
    const id = await approved(of, 8_000);
    const row = await app.database.db.one<{ id: number; idempotency_key: string }>(sql`
      update processor_refunds set status = 'sent', sent_at = now(), check_after = ${app.clock.now().toISOString()}
      where payment_id = ${id} returning id, idempotency_key`);
    // It was made, its answer was lost, and by now the processor has forgotten the key.
    change((state, now) => refundOf(state, state.intents[of.intent]!, { amount: 8_000,
      metadata: { reference: row.idempotency_key } }, now));
    expect(await movement(app.database.db, () => cards.settle())).toEqual({ 1020: -8_000, 2000: 8_000 });
    expect(refundsOf(of)).toHaveLength(1);
  });

  test('the database refuses more than was charged, and a refund that its payment does not show', async () => {
    const of = await paid(10_000, 10_000);
    const insert = (status: string, amount: number) => app.database.db.exec(sql`
      insert into processor_refunds (division, online_payment_id, customer_id, currency, amount_minor, origin, status,
        refund_id, settled_at, check_after, payment_id)
      select division, id, customer_id, currency, ${amount}, 'found', ${status}, 're_x',
        case ${status} when 'sent' then null else now() end, now(),
        case ${status} when 'sent' then null else payment_id end from online_payments
      where payment_id = ${of.receipt}`);
    await expect(insert('sent', 10_001)).rejects.toThrow('more than was charged');
    await expect(insert('succeeded', 10_000)).rejects.toThrow('not what the processor paid');
  });
});

describe('a refund made at the processor', () => {
  test('is found and posted, and uses up what its receipt has on account', async () => {
    const of = await paid(128_400, 28_400);
    const moved = await movement(app.database.db, async () => {
      for (const amount of [20_000, 8_400]) {
        change((state, now) => refundOf(state, state.intents[of.intent]!, { amount, metadata: {} }, now));
      }
      for (const event of account().events.slice(-4).toReversed()) await cards.hook('US', event);
      await cards.settle();
      await readMissedRefunds(app.ports);
    });
    expect(moved).toEqual({ 1020: -28_400, 1100: 28_400 });
    expect(await show(of.receipt)).toMatchObject({ unapplied_minor: 0, applied_minor: 128_400,
      to_card_minor: 100_000 });
  });

  test('is asked about where the receipt paid an invoice, and assigned once that is credited', async () => {
    const of = await paid(50_000, 0);
    const moved = await movement(app.database.db, async () => {
      change((state, now) => refundOf(state, state.intents[of.intent]!, { amount: 20_000, metadata: {} }, now));
      await readMissedRefunds(app.ports);
    });
    expect(moved).toEqual({ 1020: -20_000, 2000: 20_000 });
    const open = async () => (await clerk.get(`${API}/accounting/online_payments/open_refunds`)).body.data
      .filter((row: { receipt_id: number }) => row.receipt_id === of.receipt);
    expect(await open()).toMatchObject([{ amount_minor: 20_000, currency: 'USD' }]);
    await creditOf(of.invoice, 20_000, 50_000);
    expect(await movement(app.database.db, () => cards.settle())).toEqual({ 1100: 20_000, 2000: -20_000 });
    expect(await open()).toEqual([]);
  });

  test('which overtakes its payment waits for it', async () => {
    const customer = await makeCustomer(app.database.db, 'US');
    const payer = await app.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
    const draft = (await clerk.post(`${API}/invoices`, { customer_id: customer, license_id: null, division: 'US',
      currency: 'USD', items: [{ kind: 'fee', description: 'S', item_class: 'fee', net_minor: 9_000 }] })).body.data;
    await clerk.post(`${API}/invoices/${draft.id}/issue`, { version: draft.version });
    const session = await cards.begin(payer, `/api/customers/${customer}/invoices/${draft.id}`, 9_000);
    cards.processor.pay(session, 'pay');
    const intent = account().intents[account().sessions[session]!.payment_intent!]!;
    // The payment is known by its intent from the first look on.
    await app.database.db.exec(sql`
      update online_payments set payment_intent_id = ${intent.id} where session_id = ${session}`);
    change((state, now) => refundOf(state, intent, { amount: 4_000, metadata: {} }, now));
    const moved = await movement(app.database.db, () => readMissedRefunds(app.ports));
    expect(moved).toEqual({ 1020: 5_000, 1100: -9_000, 2000: 4_000 });
  });

  test('of a payment that was not made here is kept for staff', async () => {
    const event = { id: 'evt_refund', object: 'event', type: 'refund.created', api_version: 'x', created: 1,
      data: { object: { id: 're_unknown' } } };
    await cards.hook('US', event);
    await cards.settle();
    expect(await app.database.db.query(sql`select status, note from processor_events where event_id = 'evt_refund'`))
      .toEqual([{ status: 'unknown', note: 'The refund is of a payment not made here' }]);
  });
});

test('a disputed charge gives nothing back: the refund is paid by transfer', async () => {
  const of = await paid(20_000, 8_000);
  const id = await approved(of, 8_000);
  change((state, now) => openDispute(state, state.charges[state.intents[of.intent]!.latest_charge!]!, now));
  await cards.settle();
  expect(await show(id)).toMatchObject({ status: 'draft', processor: { status: 'failed' } });
});

test('Card clearing is what the processor holds, and every refund is what its item has open', async () => {
  const checks = (await ledgerIntegrity(app.database.db)).filter(({ ok }) => !ok);
  expect(checks.map(({ key, rows }) => ({ key, rows }))).toEqual([]);
});
