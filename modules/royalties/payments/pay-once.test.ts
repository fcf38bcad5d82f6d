/** A statement and an advance are paid once, whoever asks at the same moment, and what is paid twice is seen. */
import { beforeAll, describe, expect, test } from 'vitest';
import { postPaymentRuns } from '#modules/payables/payables.public.server.ts';
import { royaltyPartsOf } from '#modules/payables/payment/royalty-parts.server.ts';
import { issueInvoice } from '#modules/receivables/receivables.public.server.ts';
import { ledgerIntegrity } from '#modules/accounting/report/integrity.server.ts';
import type { Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { command, makeCustomer, movement, testPorts } from '#tests/support/receivables.ts';
import { tieOut } from '../reports/tie-out.server.ts';
import { makeDeal, makeRoyaltor, makeShow } from '../testing/royalty-fixtures.ts';

const app = testApp();
let ports: Ports;
let ann: Browser & { user_id: number };
let bob: Browser & { user_id: number };
let customer: number;

beforeAll(async () => {
  ports = testPorts(app.database.db);
  ann = await app.signedIn('staff_admin');
  bob = await app.signedIn('staff_admin');
  customer = await makeCustomer(app.database.db, 'US');
});

/** Moves the clock; sessions of before are over then. */
async function at(instant: string): Promise<void> {
  app.clock.set(instant);
  ann = await app.signedIn('staff_admin');
  bob = await app.signedIn('staff_admin');
}

const RUNS = '/api/admin/staff/royalty_statement_runs';
const BATCHES = '/api/admin/staff/accounting/royalty_payment_batches';
const RACERS = 8;
const ok = <T extends { status: number; body: unknown }>(answer: T): T => {
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer;
};

/** Statements of so many authors, issued and unpaid: 40.50 each, a tenth of it for an agent where there is one. */
async function issuedStatements(count: number, agentId?: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const show = await makeShow(app.database.db, [{ rate_ppm: 1_000_000, accrual_basis: 'on_invoice',
      ...(agentId === undefined ? {} : { agent: { royaltor_id: agentId, ppm: 100_000, pays: 'split_payment' } }) }]);
    await invoiced(show, '2026-10-02');
    ids.push(await issuedOn(show, '2026-10-01', '2026-10-31'));
  }
  return ids;
}

type Show = Awaited<ReturnType<typeof makeShow>>;
/** A license fee of 40.50. */
async function invoiced(show: Show, issued_on: string): Promise<void> {
  const deal = await makeDeal(app.database.db, show, { customer_id: customer, performances: ['2026-10-01'] });
  await command(ports, (ctx) => issueInvoice(ctx, { license_id: deal.license_id, customer_id: customer,
    division: 'US', currency: 'USD', issued_on, lines: [{ kind: 'royalty', item_class: 'performing_licence',
      description: 'Licence fee', net_minor: 4_050, royalty_bearing: true }] }));
}
async function issuedOn(show: Show, period_from: string, period_to: string): Promise<number> {
  const run = ok(await ann.post(RUNS, { division: 'US', currency: 'USD', period_from, period_to,
    royaltor_ids: [show.parties[0]!.royaltor_id] })).body.data;
  const { id, version } = run.statements.find((one: { royaltor_id: number }) =>
    one.royaltor_id === show.parties[0]!.royaltor_id);
  const approved = ok(await bob.put(`/api/admin/staff/royalty_statements/${id}/approve`, { version })).body.data;
  ok(await bob.put(`/api/admin/staff/royalty_statements/${id}/issue`, { version: approved.version }));
  return id;
}

async function scheduledAdvance(amount_minor: number): Promise<number> {
  const show = await makeShow(app.database.db, [{ rate_ppm: 1_000_000 }]);
  return ok(await ann.post('/api/admin/staff/royalty_advances', { currency: 'USD', due_on: '2026-11-01', amount_minor,
    show_royaltor_id: show.parties[0]!.show_royaltor_id })).body.data.id;
}

const batchOf = async (more: object) => ok(await ann.post(BATCHES, body(more))).body.data;
const statementOf = async (id: number) => (await ann.get(`/api/admin/staff/royalty_statements/${id}`)).body.data;
const body = (more: object) => ({ division: 'US', method: 'wire', pay_on: '2026-11-20', statement_ids: [],
  advance_ids: [], ...more });
const make = (more: object) => Promise.all(Array.from({ length: RACERS }, () => ann.post(BATCHES, body(more))));

async function pay(batch: { id: number; version: number }) {
  const approved = ok(await bob.put(`${BATCHES}/${batch.id}/approve`, { version: batch.version })).body.data;
  return ann.put(`${BATCHES}/${batch.id}/pay`, { version: approved.version });
}

const change = (id: number, values: object) => app.database.db.exec(sql`
  update royaltors set (residence_country, bank_verified_at) = (select country, verified from
    jsonb_to_record(${JSON.stringify(values)}) x (country text, verified timestamptz)),
  bank_verified_by_id = (select min(id) from users), bank_verified_note = 'Called' where id = ${id}`);

describe('one payment at a time', () => {
  test('eight batches of the same five statements at once: one is made, 202.50 are paid', async () => {
    const statement_ids = await issuedStatements(5);
    const answers = await make({ statement_ids });
    expect(answers.map((one) => one.status).sort()).toEqual([201, ...Array<number>(RACERS - 1).fill(409)]);
    expect(answers.find((one) => one.status === 409)!.body.code).toBe('royalty_payment.in_batch');
    const made = answers.find((one) => one.status === 201)!.body.data;
    expect(await movement(app.database.db, async () => ok(await pay(made)))).toEqual({ 1000: -20_250, 2200: 20_250 });
  });

  test('eight batches of the same advance at once: one is made', async () => {
    const answers = await make({ advance_ids: [await scheduledAdvance(90_000)] });
    expect(answers.map((one) => one.status).sort()).toEqual([201, ...Array<number>(RACERS - 1).fill(409)]);
  });

  test('the database holds it: no second live payment of a statement, nothing paid beyond what it states', async () => {
    const [id] = await issuedStatements(1) as [number];
    const first = await batchOf({ statement_ids: [id] });
    const other = await batchOf({ advance_ids: [await scheduledAdvance(10_000)] });
    const again = app.database.db.exec(sql`
      insert into royalty_payment_conversions (payment_id, royalty_statement_id, debt_currency, debt_minor,
        debt_withheld_minor, currency, rate, rate_on, paid_minor, withheld_minor)
      values (${other.payments[0].id}, ${id}, 'USD', 4050, 0, 'USD', 1, '2026-11-20', 4050, 0)`);
    await expect(again).rejects.toThrow(/royalty_conversions_live_statement/);
    ok(await pay(first));
    const more = app.database.db.exec(sql`
      update royalty_statements set paid_minor = paid_minor + 1 where id = ${id}`);
    await expect(more).rejects.toThrow(/royalty_statements_paid_once/);
  });

  test('the remittance advice of a statement names its productions, and comes to what is paid', async () => {
    const agent = await makeRoyaltor(app.database.db, { name: 'Agent of the House' });
    const [id] = await issuedStatements(1, agent) as [number];
    const batch = await batchOf({ statement_ids: [id] });
    const parts = await Promise.all(batch.payments.map((one: { id: number }) => royaltyPartsOf(app.ports, one.id)));
    const own = parts.flat().find((one) => !one.is_agent)!;
    expect(own).toMatchObject({ debt_minor: 3_645, paid_minor: 3_645, withheld_minor: 0, lines: [
      { amount_minor: 4_050 }, { description: 'Commission of the agent', amount_minor: -405 }] });
    expect(parts.flat().find((one) => one.is_agent)).toMatchObject({ statement: own.statement, paid_minor: 405,
      lines: [] });
    ok(await pay(batch));
    const path = `/api/admin/staff/accounting/payments/${batch.payments[0].id}/remittance`;
    expect((await ann.get(path)).status).toBe(200);
  });

  test('paying refuses what is no longer payable', async () => {
    const [id] = await issuedStatements(1) as [number];
    const batch = await batchOf({ statement_ids: [id] });
    const elsewhere = (status: string, paid_minor: number) => app.database.db.exec(sql`
      update royalty_statements set status = ${status}, paid_minor = ${paid_minor} where id = ${id}`);
    await elsewhere('paid', 4_050);
    expect(await pay(batch)).toMatchObject({ status: 409, body: { code: 'royalty_payment.not_payable' } });
    await elsewhere('issued', 0);
  });

  test('integrity names a statement that was paid twice', async () => {
    const { db } = app.database;
    const ids = await issuedStatements(2) as [number, number];
    for (const id of ids) ok(await pay(await batchOf({ statement_ids: [id] })));
    const broken = async () => (await ledgerIntegrity(db)).filter((one) => !one.ok).map((one) => one.key);
    expect(await broken()).toEqual([]);
    // As a database of before the rule could hold it: a second payment of the first, the second unpaid on paper.
    await db.exec(sql`update royalty_payment_conversions set live = false where royalty_statement_id = ${ids[0]}`);
    const other = await batchOf({ advance_ids: [await scheduledAdvance(10_000)] });
    await db.exec(sql`
      insert into royalty_payment_conversions (payment_id, royalty_statement_id, debt_currency, debt_minor,
        debt_withheld_minor, currency, rate, rate_on, paid_minor, withheld_minor)
      values (${other.payments[0].id}, ${ids[0]}, 'USD', 4050, 0, 'USD', 1, '2026-11-20', 4050, 0)`);
    await db.exec(sql`update royalty_statements set status = 'issued', paid_minor = 0 where id = ${ids[1]}`);
    expect(await broken()).toEqual(['paid_once', 'statements', 'royalty_tie_out']);
    await db.exec(sql`update royalty_statements set status = 'paid', paid_minor = 4050 where id = ${ids[1]}`);
  });
});

describe('the day of payment', () => {
  test('half past eleven at night in New York is still today; the next day is scheduled and posted once', async () => {
    const { db } = app.database;
    await at('2026-11-21T04:30:00Z');
    const [now, later] = await issuedStatements(2) as [number, number];
    const today = await batchOf({ statement_ids: [now], pay_on: '2026-11-20' });
    expect(await movement(db, async () => ok(await pay(today)))).toEqual({ 1000: -4_050, 2200: 4_050 });
    const tomorrow = await batchOf({ statement_ids: [later], pay_on: '2026-11-21' });
    expect(await movement(db, async () => {
      expect(ok(await pay(tomorrow)).body.data).toMatchObject({ status: 'scheduled', posted_at: null,
        payments: [{ status: 'approved', transaction_id: null }], allowed_events: ['cancel'] });
      expect(await postPaymentRuns(app.ports)).toBe(0);
    })).toEqual({});
    expect(await statementOf(later)).toMatchObject({ status: 'issued', paid_minor: 0 });
    await at('2026-11-21T05:30:00Z');
    expect(await movement(db, async () => {
      await Promise.all(Array.from({ length: RACERS }, () => postPaymentRuns(app.ports)));
    })).toEqual({ 1000: -4_050, 2200: 4_050 });
    expect(await statementOf(later)).toMatchObject({ status: 'paid', paid_minor: 4_050 });
  });

  test('what a scheduled batch meets on its day stands at it, and the next one is paid', async () => {
    await at('2026-11-22T15:00:00Z');
    const [first, second] = await issuedStatements(2) as [number, number];
    const [bad, good] = [await batchOf({ statement_ids: [first], pay_on: '2026-11-24' }),
      await batchOf({ statement_ids: [second], pay_on: '2026-11-24' })];
    for (const batch of [bad, good]) ok(await pay(batch));
    await app.database.db.exec(sql`
      update royaltors set bank_verified_at = null where id = ${bad.payments[0].royaltor_id}`);
    await at('2026-11-24T15:00:00Z');
    expect(await postPaymentRuns(app.ports)).toBe(1);
    const { body: { data } } = await ann.get(`${BATCHES}/${bad.id}`);
    expect(data).toMatchObject({ status: 'scheduled', allowed_events: ['pay', 'cancel'] });
    expect(data.failure).toContain('Bank details not verified');
    const cancelled = await bob.put(`${BATCHES}/${bad.id}/cancel`, { version: data.version, reason: 'Details first' });
    expect(cancelled.body.data.status).toBe('void');
    expect(await statementOf(first)).toMatchObject({ status: 'issued' });
  });

  test('a payment does not come back on a day that is still to come', async () => {
    await at('2026-11-24T15:00:00Z');
    const batch = await batchOf({ statement_ids: await issuedStatements(1), pay_on: '2026-11-24' });
    ok(await pay(batch));
    const back = (returned_on: string) => bob.put(`${BATCHES}/${batch.id}/payments/${batch.payments[0].id}/return`,
      { returned_on, reason: 'Account closed' });
    expect(await back('2026-11-25')).toMatchObject({ status: 422 });
    expect((await back('2026-11-24')).status).toBe(200);
  });
});

describe('who is in a batch', () => {
  beforeAll(() => at('2026-11-24T15:00:00Z'));

  const payables = async (more = '') => ok(await ann.get(
    `${BATCHES}/payables?division=US&currency=USD&pay_on=2026-11-24${more}`)).body.data;
  test('whoever has no verified bank details or is not reached is held out with the reason', async () => {
    const statement_ids = await issuedStatements(3) as [number, number, number];
    const people = await Promise.all(statement_ids.map(async (id) => (await statementOf(id)).royaltor_id as number));
    await change(people[0]!, { country: 'GB', verified: '2026-01-01' });
    await change(people[1]!, { country: 'US', verified: null });
    const offered = async (more = '') => {
      const { payees } = await payables(more);
      return people.map((id) => payees.find((one: { payee_id: number }) => one.payee_id === id)?.held);
    };
    expect(await offered()).toEqual([expect.stringContaining('this payee is abroad (United Kingdom)'),
      expect.stringContaining('not verified'), null]);
    expect(await offered('&method=wire')).toEqual([null, expect.stringContaining('not verified'), null]);
    await app.database.db.exec(sql`update royaltors set bank_country = 'US' where id = ${people[0]}`);
    await change(people[0]!, { country: 'GB', verified: '2026-01-01' });
    expect((await offered())[0]).toBeNull();
    const refused = await ann.post(BATCHES, body({ method: 'ach', statement_ids }));
    expect(refused).toMatchObject({ status: 409, body: { code: 'royalty_payment.bank_details' } });
    expect(await ann.post(BATCHES, body({ method: 'sepa', statement_ids: [statement_ids[2]] })))
      .toMatchObject({ status: 422, body: { errors: { method: [expect.stringContaining('US pays USD by')] } } });
  });

  test('is paid once for all that is due: a statement and an advance are one payment', async () => {
    const [id] = await issuedStatements(1) as [number];
    const { show_royaltor_id } = await statementOf(id);
    const promise = (due_on: string) => ann.post('/api/admin/staff/royalty_advances', { currency: 'USD', due_on,
      amount_minor: 10_000, show_royaltor_id });
    const [due, later] = [ok(await promise('2026-11-01')).body.data, ok(await promise('2027-02-01')).body.data];
    const payee = (await payables()).payees.find((one: { payee_id: number }) => one.payee_id === due.royaltor_id);
    expect(payee.lines.map((line: { advance_id: number | null; due: boolean }) => [line.advance_id, line.due]))
      .toEqual([[null, true], [due.id, true], [later.id, false]]);
    const batch = await batchOf({ statement_ids: [id], advance_ids: [due.id], pay_on: '2026-11-24' });
    expect(batch.payments).toMatchObject([{ kind: 'royalty', amount_minor: 14_050 }]);
    expect(await movement(app.database.db, async () => ok(await pay(batch))))
      .toEqual({ 1000: -14_050, 1150: 10_000, 2200: 4_050 });
    expect((await tieOut(app.database.db, 'US')).filter((row) => row.royaltor_id === due.royaltor_id
      && row.difference_minor !== 0)).toEqual([]);
  });

  test('an agent without verified bank details holds out the commission alone; it is paid once they are', async () => {
    const agent = await makeRoyaltor(app.database.db, { kind: 'agent' });
    await change(agent, { country: 'US', verified: null });
    const [id] = await issuedStatements(1, agent) as [number];
    const { royaltor_id } = await statementOf(id);
    const lineOf = async (payee: number) => (await payables('&method=wire')).payees
      .find((one: { payee_id: number }) => one.payee_id === payee)?.lines
      .find((one: { statement_id: number | null }) => one.statement_id === id);
    expect(await lineOf(royaltor_id)).toMatchObject({ held: null, amount_minor: 3_645, agent_minor: 0,
      agent_held: expect.stringContaining('not verified') });
    const batch = await batchOf({ statement_ids: [id], pay_on: '2026-11-24' });
    expect(batch.payments).toMatchObject([{ royaltor_id, amount_minor: 3_645 }]);
    expect(await movement(app.database.db, async () => ok(await pay(batch)))).toEqual({ 1000: -3_645, 2200: 3_645 });
    expect(await lineOf(agent)).toMatchObject({ is_agent: true, amount_minor: 405,
      held: expect.stringContaining('not verified') });
    expect(await ann.post(BATCHES, body({ statement_ids: [id], pay_on: '2026-11-24' })))
      .toMatchObject({ status: 409, body: { code: 'royalty_payment.bank_details' } });
    await change(agent, { country: 'US', verified: '2026-11-24' });
    const rest = await batchOf({ statement_ids: [id], pay_on: '2026-11-24' });
    expect(rest.payments).toMatchObject([{ royaltor_id: agent, amount_minor: 405 }]);
    expect(await movement(app.database.db, async () => ok(await pay(rest)))).toEqual({ 1000: -405, 2200: 405 });
    expect(await ann.post(BATCHES, body({ statement_ids: [id], pay_on: '2026-11-24' })))
      .toMatchObject({ status: 409, body: { code: 'royalty_payment.in_batch' } });
    expect((await tieOut(app.database.db, 'US')).filter((row) => [royaltor_id, agent].includes(row.royaltor_id!)
      && row.difference_minor !== 0)).toEqual([]);
  });
});

describe('an advance that the bank returns', () => {
  test('after a statement recouped it: what it kept back is on the next statement, and it may be paid again',
    async () => {
      const { db } = app.database;
      await at('2026-11-24T15:00:00Z');
      const show = await makeShow(db, [{ rate_ppm: 1_000_000, accrual_basis: 'on_invoice' }]);
      const { royaltor_id, show_royaltor_id } = show.parties[0]!;
      const advance = ok(await ann.post('/api/admin/staff/royalty_advances', { currency: 'USD', due_on: '2026-11-01',
        amount_minor: 3_000, show_royaltor_id })).body.data.id;
      const batch = await batchOf({ advance_ids: [advance], pay_on: '2026-11-24' });
      ok(await pay(batch));
      await invoiced(show, '2026-11-24');
      const first = await issuedOn(show, '2026-11-01', '2026-11-24');
      expect(await statementOf(first)).toMatchObject({ recouped_minor: 3_000, payable_minor: 1_050 });
      const [{ id }] = batch.payments;
      const back = async () => ok(await ann.put(`${BATCHES}/${batch.id}/payments/${id}/return`, {
        returned_on: '2026-11-24', reason: 'R03 No account' }));
      expect(await movement(db, back)).toEqual({ 1000: 3_000, 2200: -3_000 });
      const unequal = async () => (await tieOut(db, 'US')).filter((row) => row.royaltor_id === royaltor_id
        && row.difference_minor !== 0);
      const corrections = async () => (await ann.get(
        `/api/admin/staff/royalty_adjustments?show_royaltor_id=${show_royaltor_id}`)).body.data;
      const [correction] = await corrections();
      expect(correction).toMatchObject({ amount_minor: 3_000, of_returned_advance: true, approved_by_name: null,
        reason: expect.stringContaining('which the bank returned') });
      const approved = await bob.put(`/api/admin/staff/royalty_adjustments/${correction.id}/approve`, {});
      expect([approved.status, await unequal()]).toEqual([409, []]);
      // The first statement stays as it was; the second owes what it kept back, without posting it a second time.
      expect(await statementOf(first)).toMatchObject({ recouped_minor: 3_000, payable_minor: 1_050 });
      await at('2026-11-30T15:00:00Z');
      await invoiced(show, '2026-11-30');
      let second = 0;
      expect(await movement(db, async () => { second = await issuedOn(show, '2026-11-25', '2026-11-30'); }))
        .toEqual({});
      expect(await statementOf(second)).toMatchObject({ adjustments_minor: 3_000, recouped_minor: 0,
        payable_minor: 7_050 });
      await change(royaltor_id, { country: 'US', verified: '2026-11-30T15:00:00Z' });
      const again = await batchOf({ advance_ids: [advance], statement_ids: [first, second], pay_on: '2026-11-30' });
      expect(await movement(db, async () => ok(await pay(again)))).toEqual({ 1000: -11_100, 1150: 3_000, 2200: 8_100 });
      expect([await unequal(), (await ledgerIntegrity(db)).filter((one) => !one.ok && one.key === 'royalty_tie_out')])
        .toEqual([[], []]);
    });
});
