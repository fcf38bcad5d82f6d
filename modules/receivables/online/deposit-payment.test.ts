/** A deposit is paid by card or bank debit where it is shown, whole and once, and is held like one paid by check. */
import { beforeAll, expect, test } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { cardPayments } from '#tests/support/card-payments.ts';
import { command, makeLicense, movement } from '#tests/support/receivables.ts';
import { recordReceipt } from '../payments/record-receipt.server.ts';

const app = testApp();
const cards = cardPayments(app);
let staff: Browser;

beforeAll(async () => { staff = await app.signedIn('staff_admin'); });

interface Requested { id: number; path: string; payer: Browser; customer: number }

async function requested(amount_minor: number, division = 'US', phase = 'sent'): Promise<Requested> {
  const license = await makeLicense(app.database.db, division);
  if (phase !== 'draft') {
    await app.database.owner.exec(sql`update licenses set phase = ${phase}, offer_version = 1,
      offer_expires_at = '2100-01-01' where id = ${license.id}`);
  }
  const payer = await app.signedIn('customer', { customers: [{ id: license.customer_id, role: 'signer' }] });
  const { id } = (await staff.post(`/api/admin/staff/licenses/${license.id}/deposits`, { amount_minor,
    due_on: '2027-01-15' })).body.data;
  return { id, payer, customer: license.customer_id, path: `/api/customers/${license.customer_id}/deposits/${id}` };
}

const shown = async ({ payer, path }: Requested) => (await payer.get(path)).body.data;
async function begin({ payer, path }: Requested, method = 'card'): Promise<string> {
  const answer = await payer.post(`${path}/pay`, { method });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return new URL(answer.body.data.redirect_to as string).pathname.slice(1);
}
const receipts = (customer: number) => app.database.db.query<{ amount_minor: number; code: string;
  unapplied_minor: number; provider: string | null }>(sql`
  select p.amount_minor, a.code, p.unapplied_minor, p.provider from payments p
    join ledger_accounts a on a.id = p.ledger_account_id where p.customer_id = ${customer} order by p.id`);
const attention = async ({ id }: Requested) => (await app.database.db.query<{ attention: string }>(sql`
  select attention from online_payments where deposit_id = ${id} order by id`)).map((row) => row.attention);
/** Back from the page of the processor. */
async function back({ payer, path }: Requested): Promise<void> {
  await payer.post(`${path}/check_payment`, {});
  await cards.settle();
}

test('a security deposit is a liability, once, whatever the processor repeats', async () => {
  const deposit = await requested(40_000);
  expect(await shown(deposit)).toMatchObject({ kind: 'security', status: 'requested', amount_minor: 40_000,
    due_on: '2027-01-15', overdue: false, payment_methods: [{ method: 'card', test: true }, { method: 'ach' }],
    online_payment: null,
    check_to: expect.arrayContaining([expect.stringContaining('Grand Rights')]) });
  const session = await begin(deposit);
  // Pressed again: the same checkout, not a second one.
  expect(await begin(deposit)).toBe(session);
  expect(cards.processor.pay(session, 'pay')).toContain(`/deposits/${deposit.id}?paid=1`);
  const events = cards.told('US').slice(-3);
  const moved = await movement(app.database.db, async () => {
    for (const event of [...events, ...events].toReversed()) {
      expect(await cards.hook('US', event)).toBe(200);
      await cards.settle();
    }
    await back(deposit);
  });
  expect(moved).toEqual({ 1020: 40_000, 2150: -40_000 });
  expect(await receipts(deposit.customer)).toEqual([
    { amount_minor: 40_000, code: '1020', unapplied_minor: 0, provider: 'stripe' }]);
  expect(await shown(deposit)).toMatchObject({ status: 'held', payment_methods: [], transfer: null,
    online_payment: { status: 'paid' } });
  const again = await deposit.payer.post(`${deposit.path}/pay`, { method: 'card' });
  expect([again.status, again.body.code, again.body.message]).toEqual([409, 'deposit.not_requested',
    'This deposit has been paid.']);
  const { body } = await staff.get('/api/admin/staff/accounting/online_payments?per_page=100');
  expect(body.data.find((row: { customer_id: number }) => row.customer_id === deposit.customer)).toMatchObject({
    invoice_id: null, invoice_number: expect.stringMatching(/^Deposit, /), document_count: 0, status: 'paid' });
});

test('a deposit on account in the UK brings its VAT by bank debit, only when the bank has paid', async () => {
  const deposit = await requested(60_000, 'UK');
  expect(await shown(deposit)).toMatchObject({ kind: 'on_account', currency: 'GBP', amount_minor: 60_000,
    vat_minor: 10_000 });
  const session = await begin(deposit, 'bacs');
  cards.processor.pay(session, 'bank_pays');
  expect(await movement(app.database.db, () => back(deposit))).toEqual({});
  expect(await shown(deposit)).toMatchObject({ status: 'requested', online_payment: { status: 'processing' } });
  const twice = await deposit.payer.post(`${deposit.path}/pay`, { method: 'card' });
  expect([twice.status, twice.body.code]).toEqual([409, 'online_payment.on_its_way']);
  const before = app.clock.now();
  app.clock.set(new Date(before.getTime() + 120_000).toISOString());
  await cards.processor.tick();
  app.clock.set(before.toISOString());
  expect(await movement(app.database.db, () => back(deposit))).toEqual({ 1020: 60_000, 2160: -50_000, 2300: -10_000 });
  expect(await shown(deposit)).toMatchObject({ status: 'held' });
});

test('one that was paid by check meanwhile leaves the card’s money on account, and staff are told', async () => {
  const deposit = await requested(25_000);
  const session = await begin(deposit);
  const today = app.clock.now().toISOString().slice(0, 10);
  await command(app.ports, (ctx) => recordReceipt(ctx, { customer_id: deposit.customer, division: 'US',
    currency: 'USD', amount_minor: 25_000, method: 'check', received_on: today, reference: '1088',
    deposit_id: deposit.id }));
  cards.processor.pay(session, 'pay');
  await back(deposit);
  expect(await receipts(deposit.customer)).toMatchObject([{ code: '1010', unapplied_minor: 0 },
    { code: '1020', amount_minor: 25_000, unapplied_minor: 25_000 }]);
  expect(await attention(deposit)).toEqual(['The deposit did not take the money: it is on account']);
  expect((await ledgerIntegrity(app.database.db)).filter((one) => !one.ok)).toEqual([]);
});

test('one of a draft is not the customer’s to see or pay, and in euros nobody sends a check', async () => {
  const [hidden, euros] = [await requested(5_000, 'US', 'draft'), await requested(5_000, 'EU')];
  expect((await hidden.payer.get(hidden.path)).status).toBe(404);
  expect((await hidden.payer.post(`${hidden.path}/pay`, { method: 'card' })).status).toBe(404);
  expect(await shown(euros)).toMatchObject({ currency: 'EUR', check_to: null });
});

test('another sum than was asked is on account with a note; a member sees it and cannot pay', async () => {
  const deposit = await requested(9_000);
  const session = await begin(deposit);
  cards.processor.pay(session, 'pay');
  const account = cards.processor.account('US');
  Object.assign(account.intents[account.sessions[session]!.payment_intent!]!, { amount_received: 8_999 });
  await back(deposit);
  expect(await receipts(deposit.customer)).toMatchObject([{ amount_minor: 8_999, unapplied_minor: 8_999 }]);
  expect(await shown(deposit)).toMatchObject({ status: 'requested' });
  const member = await app.signedIn('customer', { customers: [{ id: deposit.customer, role: 'member' }] });
  expect((await member.get(deposit.path)).status).toBe(200);
  expect((await member.post(`${deposit.path}/pay`, { method: 'card' })).status).toBe(403);
  const stranger = await app.signedIn('customer');
  expect((await stranger.get(deposit.path)).status).toBe(404);
});

test('the database refuses a payment of a deposit that is not it', async () => {
  const [deposit, other] = [await requested(7_000), await requested(8_000)];
  await begin(deposit);
  const change = (set: ReturnType<typeof sql>) => app.database.owner.tx((tx) => tx.exec(sql`
    insert into online_payments (customer_id, deposit_id, division, currency, amount_minor, method, is_test,
      idempotency_key, session_id, session_url, expires_at, check_after)
    select customer_id, ${set}, division, currency, amount_minor, method, is_test, idempotency_key || 'x',
      session_id || 'x', session_url, expires_at, check_after from online_payments where deposit_id = ${deposit.id}`));
  await expect(change(sql`${other.id}`)).rejects.toThrow('documents do not come to it');
  await expect(change(sql`null`)).rejects.toThrow('online_payments_purpose');
});
