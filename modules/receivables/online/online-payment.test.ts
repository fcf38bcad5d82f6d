/** Paying by card and bank debit in the portal, against a double of the processor that the unmodified SDK talks to. */
import { beforeAll, describe, expect, test } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { cardPayments } from '#tests/support/card-payments.ts';
import { FULL } from '#tests/support/full.ts';
import { makeCustomer, makeLicense, movement } from '#tests/support/receivables.ts';
import { payOut, returnPayout } from '../test-processor/test-money.ts';
import type { TestPayout } from '../test-processor/test-state.ts';
import { readMissedPayouts } from './settle-payout.server.ts';

const app = testApp();
const cards = cardPayments(app);
const INVOICES = '/api/admin/staff/invoices';
let staff: Browser;

beforeAll(async () => { staff = await app.signedIn('staff_admin'); });

interface Owed { id: number; path: string; payer: Browser; customer: number }

/** An issued invoice and a person who may pay it. */
async function owed(amount: number, division = 'US', currency = 'USD'): Promise<Owed> {
  const customer = await makeCustomer(app.database.db, division);
  const payer = await app.signedIn('customer', { customers: [{ id: customer, role: 'signer' }] });
  const draft = (await staff.post(INVOICES, { customer_id: customer, license_id: null, division, currency,
    items: [{ kind: 'fee', description: 'Service', item_class: 'fee', net_minor: amount }] })).body.data;
  await staff.post(`${INVOICES}/${draft.id}/issue`, { version: draft.version });
  return { id: draft.id, customer, payer, path: `/api/customers/${customer}/invoices/${draft.id}` };
}

const shown = async ({ payer, path }: Owed) => (await payer.get(path)).body.data;
const money = (customer: number) => app.database.db.query<{ amount_minor: number; code: string; method: string;
  unapplied_minor: number }>(sql`
  select p.amount_minor, a.code, p.method, p.unapplied_minor from payments p
    join ledger_accounts a on a.id = p.ledger_account_id where p.customer_id = ${customer} order by p.id`);
const stateOf = (of: Owed) => app.database.db.query<{ status: string; attention: string; failure: string }>(sql`
  select status, attention, failure from online_payments where invoice_id = ${of.id} order by id`);

describe('a card', () => {
  test('an invoice is paid by redirect, once, and its money waits on Card clearing', async () => {
    const invoice = await owed(128_400);
    expect((await shown(invoice)).payment_methods).toMatchObject([
      { method: 'card', label: 'Card, test', test: true }, { method: 'ach', test: true }]);
    const session = await cards.begin(invoice.payer, invoice.path, 128_400);
    // Pressed again: the same checkout, not a second one.
    expect(await cards.begin(invoice.payer, invoice.path, 128_400)).toBe(session);
    expect(cards.processor.page(session)).toContain('Test payment, no money moves');
    expect(cards.processor.pay(session, 'pay')).toContain(`/invoices/${invoice.id}?paid=1`);
    const events = cards.told('US').slice(-3);
    const moved = await movement(app.database.db, async () => {
      // Every event three times, backwards, with the return page in between.
      for (const event of [...events, ...events, ...events].toReversed()) {
        expect(await cards.hook('US', event)).toBe(200);
        await cards.settle();
      }
      await invoice.payer.post(`${invoice.path}/check_payment`, {});
      await cards.settle();
    });
    expect(moved).toEqual({ 1020: 128_400, 1100: -128_400 });
    expect(await money(invoice.customer)).toEqual([
      { amount_minor: 128_400, code: '1020', method: 'card', unapplied_minor: 0 }]);
    expect(await shown(invoice)).toMatchObject({ status: 'paid', balance_minor: 0, online_payment: { status: 'paid' },
      payments: [{ method: 'card', applied_minor: 128_400 }] });
  });

  test('a pro forma becomes its tax invoice only when the card is charged', async () => {
    const license = await makeLicense(app.database.db, 'US');
    const payer = await app.signedIn('customer', { customers: [{ id: license.customer_id, role: 'admin' }] });
    const { id } = (await staff.post(INVOICES, { customer_id: license.customer_id, license_id: license.id,
      division: 'US', currency: 'USD',
      items: [{ kind: 'fee', description: 'Service', item_class: 'fee', net_minor: 10_000 }] })).body.data;
    await app.database.db.exec(sql`update invoices set kind = 'proforma', status = 'proforma', tax_point_on = null,
      reference = next_number('proforma', division, issued_on) where id = ${id}`);
    const path = `/api/customers/${license.customer_id}/invoices/${id}`;
    const session = await cards.begin(payer, path, 10_000);
    cards.processor.pay(session, 'decline');
    await payer.post(`${path}/check_payment`, {});
    await cards.settle();
    expect((await payer.get(path)).body.data).toMatchObject({ status: 'proforma', payable: true,
      online_payment: { status: 'open', failure: 'Your card was declined.' } });
    cards.processor.pay(session, 'pay');
    await payer.post(`${path}/check_payment`, {});
    await cards.settle();
    expect((await payer.get(path)).body.data).toMatchObject({ status: 'paid', payable: false });
  });

  test('a lost webhook is made good by the clock, a checkout that ended is over', async () => {
    const [lost, ended] = [await owed(5_000), await owed(6_000)];
    const session = await cards.begin(lost.payer, lost.path, 5_000);
    await cards.begin(ended.payer, ended.path, 6_000);
    cards.processor.pay(session, 'pay');
    await cards.settle();
    expect((await shown(lost)).status).toBe('issued');
    const before = app.clock.now();
    app.clock.set(new Date(before.getTime() + 25 * 3_600_000).toISOString());
    await cards.settle();
    app.clock.set(before.toISOString());
    expect((await shown(lost)).status).toBe('paid');
    expect((await stateOf(ended)).map((row) => row.status)).toEqual(['expired']);
    expect(await shown(ended)).toMatchObject({ status: 'issued', payable: true });
  });

  test('what the invoice does not take is the credit of the customer, and staff are told', async () => {
    const invoice = await owed(9_000);
    const session = await cards.begin(invoice.payer, invoice.path, 9_000);
    const bank = await staff.post(`${INVOICES}/${invoice.id}/credit_notes`, { reason: 'Withdrawn' });
    expect(bank.status).toBeLessThan(300);
    cards.processor.pay(session, 'pay');
    await invoice.payer.post(`${invoice.path}/check_payment`, {});
    await cards.settle();
    expect(await money(invoice.customer)).toMatchObject([{ amount_minor: 9_000, unapplied_minor: 9_000 }]);
  });

  test('another sum than was asked is on account with a note; another currency is booked by nobody', async () => {
    const [less, foreign] = [await owed(9_000), await owed(9_000)];
    for (const [of, change] of [[less, { amount_received: 8_999 }], [foreign, { currency: 'eur' }]] as const) {
      const session = await cards.begin(of.payer, of.path, 9_000);
      cards.processor.pay(session, 'pay');
      const account = cards.processor.account('US');
      Object.assign(account.intents[account.sessions[session]!.payment_intent!]!, change);
      await of.payer.post(`${of.path}/check_payment`, {});
      await cards.settle();
    }
    expect(await money(less.customer)).toMatchObject([{ amount_minor: 8_999, unapplied_minor: 8_999 }]);
    expect(await stateOf(less)).toMatchObject([{ attention: 'Charged USD 89.99 instead of USD 90.00' }]);
    expect(await money(foreign.customer)).toEqual([]);
    expect(await stateOf(foreign)).toMatchObject([{ attention: 'Charged EUR 90.00 instead of USD 90.00' }]);
  });
});

describe('several documents at once', () => {
  /** Another open invoice of the same customer. */
  async function another(of: Owed, amount: number, division = 'US', currency = 'USD'): Promise<number> {
    const draft = (await staff.post(INVOICES, { customer_id: of.customer, license_id: null, division, currency,
      items: [{ kind: 'fee', description: 'More', item_class: 'fee', net_minor: amount }] })).body.data;
    await staff.post(`${INVOICES}/${draft.id}/issue`, { version: draft.version });
    return draft.id;
  }
  const at = (of: Owed, id: number): Owed => ({ ...of, id, path: `/api/customers/${of.customer}/invoices/${id}` });
  const payAll = (of: Owed, amount: number, also: { invoice_id: number; amount_minor: number }[], method = 'card') =>
    of.payer.post(`${of.path}/pay`, { method, amount_minor: amount, also });
  const sessionOf = (answer: { body: { data: { redirect_to: string } } }): string =>
    new URL(answer.body.data.redirect_to).pathname.slice(1);

  test('one payment, one receipt, and each document gets what was agreed', async () => {
    const first = await owed(30_000);
    const [second, third] = [at(first, await another(first, 20_000)), at(first, await another(first, 5_050))];
    expect((await shown(first)).others.map((one: { id: number; balance_minor: number }) =>
      [one.id, one.balance_minor])).toEqual([[second.id, 20_000], [third.id, 5_050]]);
    const answer = await payAll(first, 10_000, [{ invoice_id: second.id, amount_minor: 20_000 },
      { invoice_id: third.id, amount_minor: 5_050 }]);
    const session = sessionOf(answer);
    expect(cards.processor.account('US').sessions[session]).toMatchObject({ amount_total: 35_050 });
    cards.processor.pay(session, 'pay');
    // Back on the page of any of them.
    await third.payer.post(`${third.path}/check_payment`, {});
    const moved = await movement(app.database.db, () => cards.settle());
    expect(moved).toEqual({ 1020: 35_050, 1100: -35_050 });
    expect(await money(first.customer)).toEqual([
      { amount_minor: 35_050, code: '1020', method: 'card', unapplied_minor: 0 }]);
    expect(await shown(first)).toMatchObject({ status: 'part_paid', balance_minor: 20_000, others: [],
      payments: [{ applied_minor: 10_000 }] });
    expect(await shown(second)).toMatchObject({ status: 'paid', payments: [{ applied_minor: 20_000 }],
      online_payment: { status: 'paid', amount_minor: 35_050 } });
    expect(await shown(third)).toMatchObject({ status: 'paid', payments: [{ applied_minor: 5_050 }] });
  });

  test('what one of them does not take any more is on account, the others are paid', async () => {
    const first = await owed(30_000);
    const second = at(first, await another(first, 20_000));
    const session = sessionOf(await payAll(first, 30_000, [{ invoice_id: second.id, amount_minor: 20_000 }]));
    await staff.post(`${INVOICES}/${second.id}/credit_notes`, { reason: 'Withdrawn' });
    cards.processor.pay(session, 'pay');
    await first.payer.post(`${first.path}/check_payment`, {});
    await cards.settle();
    expect(await shown(first)).toMatchObject({ status: 'paid' });
    expect((await money(first.customer))[0]).toMatchObject({ amount_minor: 50_000, unapplied_minor: 20_000 });
  });

  test('a debit on its way holds all of them, and another choice ends the checkout', async () => {
    const first = await owed(30_000);
    const second = at(first, await another(first, 20_000));
    const both = [{ invoice_id: second.id, amount_minor: 20_000 }];
    const session = sessionOf(await payAll(first, 30_000, both));
    expect(sessionOf(await payAll(first, 30_000, both))).toBe(session);
    const alone = await cards.begin(second.payer, second.path, 20_000);
    expect(cards.processor.account('US').sessions[session]!.status).toBe('expired');
    expect(alone).not.toBe(session);
    const debit = sessionOf(await payAll(first, 30_000, both, 'ach'));
    cards.processor.pay(debit, 'bank_pays');
    await first.payer.post(`${first.path}/check_payment`, {});
    await cards.settle();
    const again = await second.payer.post(`${second.path}/pay`, { method: 'card', amount_minor: 20_000 });
    expect([again.status, again.body.code]).toEqual([409, 'online_payment.on_its_way']);
  });

  test('each once, whole, in one currency and of this customer', async () => {
    const first = await owed(30_000);
    const second = await another(first, 20_000);
    await app.database.db.exec(sql`update customers set divisions = '{US,UK}' where id = ${first.customer}`);
    const abroad = await another(first, 20_000, 'UK', 'GBP');
    const stranger = await owed(7_000);
    const tried = async (invoice_id: number, amount_minor: number) =>
      (await payAll(first, 30_000, [{ invoice_id, amount_minor }])).status;
    expect([await tried(second, 19_999), await tried(first.id, 30_000), await tried(abroad, 20_000),
      await tried(stranger.id, 7_000)]).toEqual([422, 422, 422, 404]);
    expect(await stateOf(first)).toEqual([]);
  });
});

describe('a bank debit', () => {
  test.each([['US', 'USD', 'ach'], ['UK', 'GBP', 'bacs'], ['EU', 'EUR', 'sepa']])(
    '%s: it counts only when the bank has paid', async (division, currency, method) => {
      const invoice = await owed(20_000, division, currency);
      const total = (await shown(invoice)).balance_minor;
      const session = await cards.begin(invoice.payer, invoice.path, total, method);
      cards.processor.pay(session, 'bank_pays');
      for (const event of cards.told(division).slice(-2)) await cards.hook(division, event);
      await cards.settle();
      expect(await shown(invoice)).toMatchObject({ status: 'issued', online_payment: { status: 'processing' } });
      const again = await invoice.payer.post(`${invoice.path}/pay`, { method: 'card', amount_minor: total });
      expect([again.status, again.body.code]).toEqual([409, 'online_payment.on_its_way']);
      const before = app.clock.now();
      app.clock.set(new Date(before.getTime() + 120_000).toISOString());
      await cards.processor.tick();
      app.clock.set(before.toISOString());
      await cards.hook(division, cards.told(division).at(-1));
      await cards.settle();
      expect(await shown(invoice)).toMatchObject({ status: 'paid', payments: [{ method }] });
    });

  test('a debit that the bank refuses leaves the invoice open and tells the payer', async () => {
    const invoice = await owed(20_000);
    cards.processor.pay(await cards.begin(invoice.payer, invoice.path, 20_000, 'ach'), 'bank_refuses');
    const before = app.clock.now();
    app.clock.set(new Date(before.getTime() + 120_000).toISOString());
    await cards.processor.tick();
    app.clock.set(before.toISOString());
    await cards.hook('US', cards.told('US').at(-1));
    await cards.settle();
    expect(await money(invoice.customer)).toEqual([]);
    expect(await shown(invoice)).toMatchObject({ status: 'issued', payable: true, online_payment: { status: 'failed',
      failure: 'The bank account does not have enough money.' } });
    const mail = await app.database.db.one<{ n: number }>(sql`select count(*)::int as n from mail_outbox
      where template = 'payment.failed' and subject = 'Payment of USD 200.00 was not made'`);
    expect(mail.n).toBe(1);
  });
});

describe('webhooks', () => {
  const event = { id: 'evt_1', object: 'event', type: 'checkout.session.completed', api_version: 'x', created: 1,
    data: { object: { id: 'cs_unknown' } } };

  test('a wrong signature stores nothing, an unknown payment is kept for staff', async () => {
    expect(await cards.hook('US', event, 't=1,v1=00')).toBe(400);
    expect(await cards.hook('US', event, '')).toBe(400);
    expect(await cards.hook('ZZ', event)).toBe(404);
    expect(await cards.hook('US', event)).toBe(200);
    expect(await cards.hook('US', event)).toBe(200);
    await cards.settle();
    const rows = await app.database.db.query(sql`
      select status, note from processor_events where event_id = 'evt_1'`);
    expect(rows).toEqual([{ status: 'unknown', note: 'This checkout was not made here' }]);
  });

  test('without an account nobody is offered a card, and a processor that is away is said', async () => {
    const invoice = await owed(1_000);
    const { stripe } = app.ports.settings;
    app.ports.settings.stripe = null;
    expect((await shown(invoice)).payment_methods).toEqual([]);
    app.ports.settings.stripe = { ...stripe!, api_url: 'http://127.0.0.1:9' };
    const answer = await invoice.payer.post(`${invoice.path}/pay`, { method: 'card', amount_minor: 1_000 });
    app.ports.settings.stripe = stripe;
    expect([answer.status, answer.body.code]).toEqual([409, 'online_payment.unavailable']);
    expect(await stateOf(invoice)).toEqual([]);
  });

  test('the database refuses a receipt that is not what was charged', async () => {
    const invoice = await owed(2_000);
    const session = await cards.begin(invoice.payer, invoice.path, 2_000);
    await expect(app.database.db.exec(sql`
      update online_payments set status = 'paid', settled_at = now(), charged_minor = 2000, charged_currency = 'USD',
        payment_intent_id = 'pi_x', payment_id = (select min(id) from payments) where session_id = ${session}`))
      .rejects.toThrow('its receipt is not what was charged');
  });
});

describe('payouts', () => {
  const DAY = 86_400_000;
  /** Two days later the processor pays out what was charged until then. */
  const payOutAll = (division: string) => cards.processor.change(division, (account, now) =>
    payOut(account, division === 'UK' ? 'gbp' : 'eur', Math.floor((now.getTime() + DAY) / 1000), now));
  const rows = (division: string) => app.database.db.query<{ status: string; fee_minor: number; amount_minor: number;
    note: string }>(sql`select status, fee_minor, amount_minor, note from processor_payouts
      where division = ${division} order by id`);

  test('a payout is one posting with its fees, told twice or not at all, and comes back with its net', async () => {
    const bank = await app.database.db.one<{ code: string }>(sql`
      select code from bank_account_for('UK', 'GBP', null)`);
    payOutAll('UK');
    await readMissedPayouts(app.ports);
    const invoice = await owed(10_000, 'UK', 'GBP');
    await cards.pay(invoice.payer, invoice.path, 12_000);
    let payout: TestPayout | null = null;
    const moved = await movement(app.database.db, async () => {
      payout = payOutAll('UK');
      await readMissedPayouts(app.ports);
      await cards.hook('UK', cards.told('UK').at(-1));
      await cards.settle();
    });
    // 2.9% of 120.00 and 0.30.
    expect(moved).toEqual({ [bank.code]: 11_622, 6100: 378, 1020: -12_000 });
    expect((await rows('UK')).at(-1)).toEqual({ status: 'posted', fee_minor: 378, amount_minor: 11_622, note: '' });
    const back = await movement(app.database.db, async () => {
      cards.processor.change('UK', (account, now) => returnPayout(account, payout!, now));
      for (let n = 0; n < 2; n += 1) {
        await cards.hook('UK', cards.told('UK').at(-1));
        await cards.settle();
      }
    });
    expect(back).toEqual({ [bank.code]: -11_622, 1020: 11_622 });
    // The next one pays the same money again, without another fee.
    const again = await movement(app.database.db, async () => {
      payOutAll('UK');
      await readMissedPayouts(app.ports);
    });
    expect(again).toEqual({ [bank.code]: 11_622, 1020: -11_622 });
    const list = await staff.get('/api/admin/staff/accounting/processor_payouts?division=UK&per_page=1');
    expect(list.body.data).toMatchObject([{ status: 'posted', part_count: 1, fee_minor: 0 }]);
  });

  test('a payout with a line that nobody books here is not posted and says why', async () => {
    cards.processor.change('EU', (account, now) => {
      account.balance.push({ id: 'txn_topup', object: 'balance_transaction', type: 'topup' as 'charge', amount: 500,
        fee: 0, net: 500, currency: 'eur', source: 'tu_1', created: Math.floor(now.getTime() / 1000), payout: null });
    });
    payOutAll('EU');
    await readMissedPayouts(app.ports);
    await readMissedPayouts(app.ports);
    expect(await rows('EU')).toMatchObject([{ status: 'attention',
      note: 'It holds lines of a kind that is not booked here: topup' }]);
  });

  test('Card clearing is what the processor holds', async () => {
    const check = (await ledgerIntegrity(app.database.db)).find((one) => one.key === 'card_clearing');
    expect(check).toMatchObject({ ok: true });
  });
});

/** Numbers that look random and are the same in every run with the seed. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(state / 4_294_967_296 * below);
  };
}

test('money booked equals money charged, whatever is lost, doubled, late or out of order', async () => {
  const roll = dice(Number(process.env.SEED ?? 20_261_126));
  const account = cards.processor.account('US');
  const invoice = await owed(100_000_000);
  const booked = () => app.database.db.one<{ sum: number; n: number }>(sql`
    select coalesce(sum(amount_minor), 0)::bigint as sum, count(*)::int as n from payments
    where customer_id = ${invoice.customer}`);
  const first = Object.keys(account.charges).length;
  const late: unknown[] = [];
  for (let run = 0; run < (FULL ? 1_000 : 12); run += 1) {
    const seen = account.events.length;
    const session = await cards.begin(invoice.payer, invoice.path, 100 + roll(50_000));
    if (roll(5) > 0) cards.processor.pay(session, roll(4) === 0 ? 'decline' : 'pay');
    const told = account.events.slice(seen).flatMap((event) => Array.from({ length: roll(4) }, () => event))
      .toSorted(() => roll(3) - 1);
    for (const event of [...told, ...late.splice(0, roll(3))]) {
      if (roll(4) === 0) late.push(event);
      else await cards.hook('US', event);
    }
    const workers = Array.from({ length: 1 + roll(2) }, () => cards.settle());
    await Promise.all(workers);
  }
  const before = app.clock.now();
  app.clock.set(new Date(before.getTime() + 26 * 3_600_000).toISOString());
  // One run asks for 200 payments at most; more than that were lost in a thousand.
  for (let asked = 0; asked < 5; asked += 1) await cards.settle();
  app.clock.set(before.toISOString());
  const charged = Object.values(account.charges).slice(first);
  expect(charged.length).toBeGreaterThan(0);
  expect(await booked()).toEqual({ sum: charged.reduce((all, one) => all + one.amount, 0), n: charged.length });
}, 1_200_000);
