/** Balances brought forward and recouped together: entered on the agreement, posted once, on the first statement. */
import { beforeAll, describe, expect, test } from 'vitest';
import { issueInvoice } from '#modules/receivables/receivables.public.server.ts';
import type { Ports } from '#server/context.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { command, makeCustomer, movement, testPorts } from '#tests/support/receivables.ts';
import { tieOut } from '../reports/tie-out.server.ts';
import { makeDeal, makeRoyaltor, makeShow, type TestShow } from '../testing/royalty-fixtures.ts';

const app = testApp();
const AGREEMENTS = '/api/admin/staff/show_royaltors';
const ADVANCES = '/api/admin/staff/royalty_advances';
const RUNS = '/api/admin/staff/royalty_statement_runs';
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

const ok = <T extends { status: number; body: unknown }>(answer: T): T => {
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer;
};

/** An agreement for the whole of a show, entered as people enter it, not in force yet. */
async function agreement(show: TestShow, royaltor_id: number, more: object = {}) {
  const { data } = ok(await ann.post(AGREEMENTS, { show_id: show.show_id, royaltor_id, payer_division: 'US',
    currency: 'USD', accrual_basis: 'on_invoice', ...more })).body;
  ok(await ann.post(`${AGREEMENTS}/${data.id}/terms`, { rate_ppm: 1_000_000, match_income_types: ['royalty'] }));
  return data as { id: number; version: number };
}

async function inForce({ id }: { id: number }) {
  const { version } = (await ann.get(`${AGREEMENTS}/${id}`)).body.data;
  return ok(await ann.put(`${AGREEMENTS}/${id}`, { status: 'active', version })).body.data;
}

async function bill(show: TestShow, on: string, net_minor: number): Promise<void> {
  const deal = await makeDeal(app.database.db, show, { customer_id: customer, performances: ['2027-06-01'] });
  await command(ports, (ctx) => issueInvoice(ctx, { license_id: deal.license_id, customer_id: customer, division: 'US',
    currency: 'USD', issued_on: on, lines: [{ kind: 'royalty', item_class: 'performing_licence',
      description: 'Licence fee', net_minor, royalty_bearing: true }] }));
}

async function issued(from: string, to: string, royaltor: number) {
  const run = ok(await ann.post(RUNS, { division: 'US', currency: 'USD', period_from: from, period_to: to,
    royaltor_ids: [royaltor] })).body.data;
  const approved = ok(await bob.put(`${RUNS}/${run.id}/approve`, { version: run.version })).body.data;
  const done = ok(await bob.put(`${RUNS}/${run.id}/issue`, { version: approved.version })).body.data;
  return done.statements.filter((one: { royaltor_id: number }) => one.royaltor_id === royaltor);
}

const untied = async () => (await tieOut(app.database.db, 'US'))
  .filter((row) => row.difference_minor !== 0 || row.functional_difference_minor !== 0);

describe('what an agreement brings forward', () => {
  test('[I3] [I4] is posted once against 3999 and stands on one statement, its advance recouped', async () => {
    const { db } = app.database;
    const show = await makeShow(db, []);
    const royaltor = await makeRoyaltor(db, { name: 'Brought Forward' });
    const made = await agreement(show, royaltor, { opening_balance_minor: 125_000, opening_unrecouped_minor: 300_000,
      opening_on: '2026-03-31' });
    const posted = await movement(db, () => inForce(made));
    expect(posted).toEqual({ 1150: 300_000, 2200: -125_000, 3999: -175_000 });
    expect(await untied()).toEqual([]);

    const row = (await ann.get(`${AGREEMENTS}/${made.id}`)).body.data;
    const saved = await movement(db, async () => {
      ok(await ann.put(`${AGREEMENTS}/${made.id}`, { contract_no: 'BF-1', version: row.version }));
    });
    expect(saved).toEqual({});
    for (const [field, value] of [['opening_balance_minor', 1], ['opening_unrecouped_minor', 1],
      ['opening_on', '2026-04-01'], ['currency', 'EUR'], ['payer_division', 'UK']] as const) {
      const refused = await ann.put(`${AGREEMENTS}/${made.id}`, { [field]: value, version: row.version + 1 });
      expect([refused.status, Object.keys(refused.body.errors ?? {})], field).toEqual([422, [field]]);
    }

    const before = ok(await ann.post(RUNS, { division: 'US', currency: 'USD', period_from: '2026-01-01',
      period_to: '2026-02-28', royaltor_ids: [royaltor] })).body.data;
    expect(before.statements).toEqual([]);
    await bill(show, '2026-04-20', 500_000);
    const [first] = await issued('2026-04-01', '2026-06-30', royaltor);
    expect(first).toMatchObject({ opening_minor: 125_000, earnings_minor: 500_000, recouped_minor: 300_000,
      net_minor: 325_000, closing_unrecouped_minor: 0 });
    expect(await untied()).toEqual([]);

    await bill(show, '2026-07-20', 10_000);
    const [second] = await issued('2026-07-01', '2026-09-30', royaltor);
    expect(second).toMatchObject({ opening_minor: 0, earnings_minor: 10_000 });
    expect(await untied()).toEqual([]);
  });

  test('a draft posts nothing; the day is that of the entry where none is given', async () => {
    const { db } = app.database;
    const made = await movement(db, async () => {
      await agreement(await makeShow(db, []), await makeRoyaltor(db), { opening_balance_minor: 5_000 });
    });
    expect(made).toEqual({});
    const owing = await agreement(await makeShow(db, []), await makeRoyaltor(db), { opening_balance_minor: -4_550 });
    expect(await movement(db, () => inForce(owing))).toEqual({ 2200: 4_550, 3999: -4_550 });
    const { opening_on, opening_transaction_id } = (await ann.get(`${AGREEMENTS}/${owing.id}`)).body.data;
    expect(opening_on).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(opening_transaction_id).toBeGreaterThan(0);
  });
});

describe('an agreement that has ended', () => {
  test('stays where money stands under it: brought forward, an advance or a correction', async () => {
    const { db } = app.database;
    const over = async (more: object = {}) => {
      const made = await agreement(await makeShow(db, []), await makeRoyaltor(db), more);
      const { version } = await inForce(made);
      return { ...made, end: async () => ok(await ann.put(`${AGREEMENTS}/${made.id}`, { status: 'ended', version })) };
    };
    const taken = async ({ id }: { id: number }): Promise<unknown> => {
      const { status, body } = await ann.remove(`${AGREEMENTS}/${id}`);
      return [status, body?.message];
    };
    const opened = await over({ opening_balance_minor: 5_000 });
    const advanced = await over();
    ok(await ann.post(ADVANCES, { show_royaltor_id: advanced.id, amount_minor: 9_000, currency: 'USD',
      due_event: 'signature' }));
    const corrected = await over();
    ok(await ann.post('/api/admin/staff/royalty_adjustments', { show_royaltor_id: corrected.id, amount_minor: -100,
      currency: 'USD', on_date: '2026-05-01', reason: 'Overpaid' }));
    const free = await over();
    for (const one of [opened, advanced, corrected, free]) await one.end();
    expect([await taken(opened), await taken(advanced), await taken(corrected), await taken(free)]).toEqual([
      [409, 'The opening balance of this agreement is posted: it stays among the ended ones.'],
      [409, 'An advance was promised under this agreement: it stays among the ended ones.'],
      [409, 'A correction was entered for this agreement: it stays among the ended ones.'],
      [204, undefined]]);
  });
});

describe('an advance', () => {
  test('asks for its agreement, and for its day also when it is changed', async () => {
    const { db } = app.database;
    const made = await agreement(await makeShow(db, []), await makeRoyaltor(db));
    await inForce(made);
    const none = await ann.post(ADVANCES, { show_royaltor_id: null, amount_minor: 9_000, currency: 'USD',
      due_event: 'date', due_on: '2027-01-01' });
    expect(none.body.errors).toEqual({ show_royaltor_id: ['Choose an agreement'] });
    const { data } = ok(await ann.post(ADVANCES, { show_royaltor_id: made.id, amount_minor: 9_000, currency: 'USD',
      due_event: 'signature' })).body;
    const change = (body: object) => ann.put(`${ADVANCES}/${data.id}`, { ...body, version: data.version });
    expect((await change({ due_event: 'date' })).body.errors).toEqual({ due_on: ['Enter the day it is due'] });
    expect((await change({ due_event: 'date', due_on: '2027-01-01' })).status).toBe(200);
  });
});

describe('agreements recouped together', () => {
  test('the advance of one comes out of what the other earns, on one statement', async () => {
    const { db } = app.database;
    const royaltor = await makeRoyaltor(db, { name: 'Crossed' });
    const [poor, rich] = [await makeShow(db, []), await makeShow(db, [])];
    const paid = { agent_royaltor_id: await makeRoyaltor(db, { name: 'Crossing Agency', kind: 'agent' }),
      agent_ppm: 100_000, agent_pays: 'all_to_agent' };
    const advanced = await agreement(poor, royaltor, { opening_unrecouped_minor: 80_000, opening_on: '2026-03-31',
      ...paid });
    const earning = await agreement(rich, royaltor, paid);
    for (const { id } of [advanced, earning]) {
      const { version } = (await ann.get(`${AGREEMENTS}/${id}`)).body.data;
      const grouped = ok(await ann.put(`${AGREEMENTS}/${id}/group`, { name: 'Crossed works', version })).body.data;
      expect(grouped.group_name).toBe('Crossed works');
      await inForce({ id });
    }
    const { cross_collateral_group_id } = (await ann.get(`${AGREEMENTS}/${earning.id}`)).body.data;
    const members = await ann.get(`${AGREEMENTS}?cross_collateral_group_id=${cross_collateral_group_id}`);
    expect(members.body.data.map((one: { id: number }) => one.id).sort()).toEqual([advanced.id, earning.id].sort());
    await bill(rich, '2026-04-21', 200_000);
    const statements = await issued('2026-04-01', '2026-06-30', royaltor);
    expect(statements).toMatchObject([{ earnings_minor: 200_000, recouped_minor: 80_000, net_minor: 120_000 }]);
    // Of a group too the statement says who is paid: the agent that takes all.
    const shown = await ann.get(`/api/admin/staff/royalty_statements/${statements[0].id}`);
    expect(shown.body.data.payee_name).toBe('Crossing Agency');
    expect(await untied()).toEqual([]);
    const { version } = (await ann.get(`${AGREEMENTS}/${earning.id}`)).body.data;
    const late = await ann.put(`${AGREEMENTS}/${earning.id}/group`, { name: null, version });
    expect(late.body.errors).toEqual({ name: ['A statement was made already: its group no longer changes'] });
  });

  test('a group is of one royaltor, one paying division and one currency', async () => {
    const { db } = app.database;
    const royaltor = await makeRoyaltor(db, { name: 'Owner' });
    const into = async (name: string, who: number, more: object = {}) => {
      const { id, version } = await agreement(await makeShow(db, []), who, more);
      return ann.put(`${AGREEMENTS}/${id}/group`, { name, version });
    };
    expect((await into('Owned', royaltor)).status).toBe(200);
    expect((await into('Owned', await makeRoyaltor(db))).body.errors)
      .toEqual({ name: ['This is a group of Owner: choose another name'] });
    expect((await into('Owned', royaltor, { payer_division: 'UK', currency: 'GBP' })).body.errors)
      .toEqual({ name: ['Its agreements are paid by US in USD, this one by UK in GBP'] });
  });
});
