/**
 * Money booked equals money charged, refunded and disputed, to the cent, whatever becomes of the webhooks: lost,
 * doubled, late, out of order, with two workers at once. 1,000 runs in `npm run test:full`.
 */
import { beforeAll, expect, test } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser, type SignedIn } from '#tests/support/app.ts';
import { cardPayments } from '#tests/support/card-payments.ts';
import { FULL } from '#tests/support/full.ts';
import { command, makeCustomer } from '#tests/support/receivables.ts';
import { unapplyReceipt } from '../payments/apply-receipt.server.ts';
import { answerRefund, closeDispute, giveEvidence, openDispute, refundOf } from '../test-processor/test-back.ts';
import type { How } from '../test-processor/test-money.ts';
import type { TestCharge } from '../test-processor/test-state.ts';
import { readMissedDisputes } from './processor-disputes.server.ts';
import { readMissedRefunds } from './processor-refunds.server.ts';

const app = testApp();
const cards = cardPayments(app);
const API = '/api/admin/staff';
const RUNS = FULL ? 1_000 : 25;
let clerk: SignedIn;
let boss: SignedIn;
let payer: Browser;
let customer: number;
let invoice: number;

beforeAll(async () => {
  clerk = await app.signedIn('staff_admin');
  boss = await app.signedIn('staff_admin');
  customer = await makeCustomer(app.database.db, 'US');
  payer = await app.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
  const draft = (await clerk.post(`${API}/invoices`, { customer_id: customer, license_id: null, division: 'US',
    currency: 'USD', items: [{ kind: 'fee', description: 'S', item_class: 'fee', net_minor: 900_000_000 }] }))
    .body.data;
  await clerk.post(`${API}/invoices/${draft.id}/issue`, { version: draft.version });
  invoice = draft.id;
});

/** Numbers that look random and are the same in every run with the seed. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 4_294_967_296 * below);
  };
}
const roll = dice(Number(process.env.SEED ?? 20_261_127));
const oneOf = <T>(of: readonly T[]): T | undefined => of[roll(of.length)];
const account = () => cards.processor.account('US');
const change = (work: (state: ReturnType<typeof account>, now: Date) => unknown): void => {
  cards.processor.change('US', work);
};
const leftOf = (charge: TestCharge): number => charge.amount - charge.amount_refunded;
const open = (): TestCharge | undefined =>
  oneOf(Object.values(account().charges).filter((one) => !one.disputed && leftOf(one) > 0));

const HOWS: readonly How[] = ['pay', 'pay', 'pay_refund_waits', 'pay_refund_fails', 'decline'];
const ACTS: readonly (() => Promise<void> | void)[] = [pay, pay, pay, askRefund, askRefund, refundThere, dispute,
  decideDispute, answer];

async function pay(): Promise<void> {
  const session = await cards.begin(payer, `/api/customers/${customer}/invoices/${invoice}`, 100 + roll(50_000));
  if (roll(6) > 0) cards.processor.pay(session, oneOf(HOWS)!);
}

/** Takes a receipt off its invoice, requests the refund and mostly approves it; a refusal is a valid outcome. */
async function askRefund(): Promise<void> {
  const charge = open();
  const row = charge && await app.database.db.maybeOne<{ id: number }>(sql`
    select payment_id as id from online_payments where payment_intent_id = ${charge.payment_intent}
      and payment_id is not null`);
  if (!charge || !row) return;
  await command(app.ports, async (ctx) =>
    unapplyReceipt(ctx, { payment_id: row.id, invoice_id: invoice, on: await ctx.today('US') })).catch(() => null);
  const made = await clerk.post(`${API}/accounting/payments/${row.id}/refund`, { by_processor: true, reason: 'R',
    amount_minor: 1 + roll(leftOf(charge) + 10) });
  if (made.status !== 201 || roll(5) === 0) return;
  const { id, version } = made.body.data;
  await boss.put(`${API}/accounting/payments/${id}/status`, { status: roll(8) === 0 ? 'void' : 'approved',
    reason: 'W', version });
}

function refundThere(): void {
  const charge = open();
  if (!charge) return;
  change((state, now) => refundOf(state, state.intents[charge.payment_intent]!, { amount: 1 + roll(leftOf(charge)),
    metadata: {} }, now));
}

function dispute(): void {
  const charge = open();
  if (charge) change((state, now) => openDispute(state, charge, now, roll(4) === 0));
}

function decideDispute(): void {
  const one = oneOf(Object.values(account().disputes));
  if (!one) return;
  change((state, now) => (roll(3) === 0 ? giveEvidence(state, one, now)
    : closeDispute(state, one, roll(2) === 0, now)));
}

function answer(): void {
  const one = oneOf(Object.values(account().refunds).filter((refund) => refund.answer !== null));
  if (one) change((state, now) => answerRefund(state, one, one.answer!.ok && roll(3) > 0, now));
}

/** Balance of the processor's account: charges gross, everything else with its fee. */
const heldThere = (): number => account().balance.reduce((all, line) => all
  + (line.type === 'charge' || line.type === 'payment' ? line.amount : line.net), 0);

interface Booked { clearing: number; receipts: number; refunds: number; disputes: number; fees: number }

const booked = (): Promise<Booked> => app.database.db.one<Booked>(sql`
  select (select coalesce(sum(e.amount_minor), 0)::bigint from posted_entries e
      join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'card_clearing'
      where a.division = 'US') as clearing,
    (select coalesce(sum(amount_minor), 0)::bigint from payments where customer_id = ${customer} and kind = 'receipt')
      as receipts,
    (select coalesce(sum(amount_minor), 0)::bigint from payments where customer_id = ${customer} and kind = 'refund'
      and status = 'posted' and provider = 'stripe') as refunds,
    (select coalesce(sum(taken_minor), 0)::bigint from processor_disputes) as disputes,
    (select coalesce(sum(fee_minor), 0)::bigint from processor_disputes) as fees`);

const sumOf = <T>(of: Record<string, T>, value: (one: T) => number): number =>
  Object.values(of).reduce((all, one) => all + value(one), 0);

function moved(): Booked {
  const { charges, refunds, disputes } = account();
  return { clearing: heldThere(), receipts: sumOf(charges, (one) => one.amount),
    refunds: sumOf(refunds, (one) => (one.status === 'succeeded' ? one.amount : 0)),
    disputes: sumOf(disputes, (one) => -one.balance_transactions.reduce((all, line) => all + line.amount, 0)),
    fees: sumOf(disputes, (one) => one.balance_transactions.reduce((all, line) => all + line.fee, 0)) };
}

/** Answers to what is pending, so that both sides have come to rest; then the clock asks for all that was missed. */
async function rest(): Promise<void> {
  for (const refund of Object.values(account().refunds)) {
    if (refund.answer !== null) change((state, now) => answerRefund(state, refund, refund.answer!.ok, now));
  }
  const before = app.clock.now();
  for (const hours of [26, 28, 30]) {
    app.clock.set(new Date(before.getTime() + hours * 3_600_000).toISOString());
    await cards.settle();
    await readMissedRefunds(app.ports);
    await readMissedDisputes(app.ports);
  }
  app.clock.set(before.toISOString());
}

test('money booked equals money that moved, over random runs of payments, refunds and disputes', async () => {
  const late: unknown[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const seen = account().events.length;
    await oneOf(ACTS)!();
    const told = account().events.slice(seen).flatMap((event) => Array.from({ length: roll(4) }, () => event))
      .toSorted(() => roll(3) - 1);
    for (const event of [...told, ...late.splice(0, roll(3))]) {
      if (roll(4) === 0) late.push(event);
      else await cards.hook('US', event);
    }
    await Promise.all(Array.from({ length: 1 + roll(2) }, () => cards.settle()));
  }
  await rest();
  expect(await booked()).toEqual(moved());
  // Nothing is left that the books ask about and the processor knows the answer to.
  const broken = (await ledgerIntegrity(app.database.db)).filter(({ ok }) => !ok);
  expect(broken.map(({ key, rows }) => ({ key, rows }))).toEqual([]);
}, 3_600_000);
