/** One run pays everything that is due: a bill, a tax, a refund, a deposit, a statement and an advance, each once. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerIntegrity, postJournal } from '#modules/accounting/accounting.public.server.ts';
import { disposeDeposit } from '#modules/receivables/deposits/dispose-deposit.server.ts';
import { requestDeposit } from '#modules/receivables/deposits/request-deposit.server.ts';
import { issueInvoice, recordReceipt, refundReceipt } from '#modules/receivables/receivables.public.server.ts';
import { makeDeal, makeShow } from '#modules/royalties/testing/royalty-fixtures.ts';
import { taxAuthority } from '#modules/taxation/taxation.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { achAccount, ok, threePeopleOn } from '#tests/support/payment-runs.ts';
import { command, makeCustomer, makeLicense, movement } from '#tests/support/receivables.ts';
import { approveDisbursement } from '../disbursement/disbursement.server.ts';
import { postPaymentRuns } from './settle-run.server.ts';

const test = testApp();
const STAFF = '/api/admin/staff';
const BASE = `${STAFF}/accounting`;
const RUNS = `${BASE}/payment_runs`;
const BATCHES = `${BASE}/royalty_payment_batches`;
const DAY = '2026-11-20';
let ann: SignedIn;
let ben: SignedIn;
let cat: SignedIn;
let account = 0;

async function onDay(day: string): Promise<void> {
  [ann, ben, cat] = await threePeopleOn(test, day);
}
const shown = async (path: string) => ok(await ann.get(path)).body.data;

beforeAll(async () => {
  await onDay(DAY);
  account = await achAccount(ann);
});

/** Bank details that Cat wrote and Ben verified. */
async function reachable(path: string): Promise<void> {
  const version = async () => (await ann.get(path)).body.data.version;
  ok(await cat.put(`${path}/bank_details`, { kind: 'us', account: '123456789', routing: '021000021',
    version: await version() }));
  ok(await ben.put(`${path}/bank_details/verify`, { version: await version(), note: 'Called the office' }));
}

let source = 600_000;
const entry = (lines: Parameters<typeof postJournal>[1]['lines']) => command(test.ports, (ctx) =>
  postJournal(ctx.db, { division: 'US', kind: 'bill', transaction_at: '2026-11-02', description: `Bill ${source}`,
    source: { type: 'bill', id: (source += 1), event: 'approved', attempt: 1 }, lines }));
const line = (account_code: string, minor: number, more: object = {}) => ({ account: account_code,
  currency: 'USD' as const, amount: BigInt(minor), base: BigInt(minor), ...more });
async function vendor(name: string): Promise<number> {
  const { body: { data: { id } } } = ok(await ann.post(`${STAFF}/vendors`, { name, divisions: ['US'],
    default_currency: 'USD' }));
  await reachable(`${STAFF}/vendors/${id}`);
  return id;
}
/** Owed to the vendor for supplies, or for tax that was withheld before. */
async function owed(vendor_id: number, minor: number, code = '6200'): Promise<number> {
  const party = { type: 'tax_authority' as const, id: await command(test.ports, (ctx) => taxAuthority(ctx, 'US')) };
  if (code === '2320') await entry([line('6200', minor), line('2320', -minor, { party })]);
  const { transaction_id } = await entry([line(code, minor, code === '2320' ? { party } : {}),
    line('2000', -minor, { party: { type: 'vendor', id: vendor_id }, due_date: DAY })]);
  return (await test.database.db.one<{ id: number }>(sql`
    select id from open_items where transaction_id = ${transaction_id}`)).id;
}
/** A refund of a receipt and a deposit to be returned, both approved. */
async function refunds(refund_minor: number, deposit_minor: number): Promise<[number, number]> {
  const customer_id = await makeCustomer(test.database.db, 'US');
  await reachable(`${STAFF}/customers/${customer_id}`);
  const money = { customer_id, division: 'US', currency: 'USD', method: 'wire', received_on: '2026-11-10' } as const;
  const receipt = await command(test.ports, (ctx) => recordReceipt(ctx, { ...money, amount_minor: refund_minor }));
  const { payment_id } = await command(test.ports, (ctx) => refundReceipt(ctx, { payment_id: receipt.payment_id,
    amount_minor: refund_minor, reason: 'Paid twice', on: '2026-11-12' }));
  const license = await makeLicense(test.database.db, 'US', 1, customer_id);
  const { deposit_id } = await command(test.ports, (ctx) => requestDeposit(ctx, { license_id: license.id,
    amount_minor: deposit_minor }));
  await command(test.ports, (ctx) => recordReceipt(ctx, { ...money, amount_minor: deposit_minor, deposit_id }));
  await command(test.ports, (ctx) => disposeDeposit(ctx, { license_id: license.id, deposit_id, on: '2026-11-12',
    dispositions: [{ type: 'refund', amount_minor: deposit_minor }] }));
  const { id: back } = await test.database.db.one<{ id: number }>(sql`
    select max(id) as id from payments where kind = 'refund' and party_id = ${customer_id}`);
  for (const id of [payment_id, back]) await command(test.ports, (ctx) => approveDisbursement(ctx, id));
  return [payment_id, back];
}
async function author(): Promise<{ show: Awaited<ReturnType<typeof makeShow>>; agreement: number; royaltor: number }> {
  const show = await makeShow(test.database.db, [{ rate_ppm: 1_000_000, accrual_basis: 'on_invoice' }]);
  const { royaltor_id: royaltor, show_royaltor_id: agreement } = show.parties[0]!;
  await reachable(`${STAFF}/royaltors/${royaltor}`);
  return { show, agreement, royaltor };
}
async function advance(amount_minor: number): Promise<number> {
  return ok(await ann.post(`${STAFF}/royalty_advances`, { currency: 'USD', due_on: '2026-11-01', amount_minor,
    show_royaltor_id: (await author()).agreement })).body.data.id;
}
async function statement(net_minor: number): Promise<number> {
  const { show, royaltor } = await author();
  const customer_id = await makeCustomer(test.database.db, 'US');
  const deal = await makeDeal(test.database.db, show, { customer_id, performances: ['2026-10-01'] });
  await command(test.ports, (ctx) => issueInvoice(ctx, { license_id: deal.license_id, customer_id, division: 'US',
    currency: 'USD', issued_on: '2026-10-02', lines: [{ kind: 'royalty', item_class: 'performing_licence',
      description: 'License fee', net_minor, royalty_bearing: true }] }));
  const run = ok(await ann.post(`${STAFF}/royalty_statement_runs`, { division: 'US', currency: 'USD',
    period_from: '2026-10-01', period_to: '2026-10-31', royaltor_ids: [royaltor] })).body.data;
  const { id, version } = run.statements.find((one: { royaltor_id: number }) => one.royaltor_id === royaltor);
  const approved = ok(await ben.put(`${STAFF}/royalty_statements/${id}/approve`, { version })).body.data;
  ok(await ben.put(`${STAFF}/royalty_statements/${id}/issue`, { version: approved.version }));
  return id;
}

const ask = (more: object) => ann.post(RUNS, { bank_account_id: account, method: 'ach', due_by: '2026-11-30',
  value_on: '2026-11-24', ...more });
const made = async (more: object) => ok(await ask(more)).body.data;
const act = async (id: number, what: string, by = ben, more: object = {}) =>
  by.put(`${RUNS}/${id}/${what}`, { version: (await shown(`${RUNS}/${id}`)).version, ...more });
const part = (open_item_id: number, amount_minor: number) => ({ open_item_id, amount_minor });
const stateOf = async (table: 'royalty_statements' | 'royalty_advances', id: number) => (await test.database.db.one<{
  status: string }>(table === 'royalty_statements' ? sql`select status from royalty_statements where id = ${id}`
  : sql`select status from royalty_advances where id = ${id}`)).status;
const offered = (run = '') => shown(`${RUNS}/payables?bank_account_id=${account}&due_by=2026-11-30&method=ach${run}`);
const idsOf = (of: { items: object[] }[], key: string): number[] => of.flatMap((one) => one.items)
  .map((item) => (item as Record<string, number>)[key]!).filter(Boolean);
const intact = async () => expect((await ledgerIntegrity(test.database.db)).filter((check) => !check.ok)).toEqual([]);

describe('a general run', () => {
  it('offers one of each kind, pays them by one file, and posts each as what it is', async () => {
    const [bill, tax] = [await owed(await vendor('Alder Print'), 15_000), await owed(await vendor('IRS'), 3_000,
      '2320')];
    const [refund, deposit] = await refunds(2_500, 50_000);
    const [paid, due] = [await statement(4_050), await advance(9_000)];
    const offer = await offered();
    expect(idsOf(offer.payees, 'open_item_id')).toEqual(expect.arrayContaining([bill, tax]));
    expect(idsOf(offer.payees, 'refund_id').sort()).toEqual([refund, deposit].sort());
    expect(offer.royaltors.flatMap((one: { items: object[] }) => one.items)).toEqual(expect.arrayContaining([
      expect.objectContaining({ statement_id: paid, amount_minor: 4_050, withheld_minor: 0, held: null, is_due: true }),
      expect.objectContaining({ advance_id: due, amount_minor: 9_000, held: null, is_due: true })]));
    const run = await made({ parts: [part(bill, 15_000), part(tax, 3_000)], refund_ids: [refund, deposit],
      statement_ids: [paid], advance_ids: [due] });
    expect(run).toMatchObject({ payment_count: 6, total_minor: 83_550, is_batch: false });
    const again = await offered();
    expect([idsOf(again.payees, 'open_item_id'), again.royaltors]).toEqual([[], []]);
    const own = await offered(`&run_id=${run.id}`);
    expect(idsOf(own.royaltors, 'statement_id').concat(idsOf(own.royaltors, 'advance_id'))).toEqual([paid, due]);
    for (const more of [{ statement_ids: [paid] }, { advance_ids: [due] }, { parts: [part(bill, 15_000)] },
      { refund_ids: [deposit] }]) expect((await ask(more)).status).toBe(409);
    expect((await act(run.id, 'approve', ann)).body.code).toBe('four_eyes');
    ok(await act(run.id, 'approve'));
    const exported = ok(await act(run.id, 'export', ann)).body.data;
    expect(await movement(test.database.db, () => postPaymentRuns(test.ports))).toEqual({});
    await onDay(exported.value_on);
    expect(await movement(test.database.db, () => Promise.all([postPaymentRuns(test.ports),
      postPaymentRuns(test.ports)]))).toEqual({ 1000: -83_550, 1150: 9_000, 2000: 70_500, 2200: 4_050 });
    const after = await shown(`${RUNS}/${run.id}`);
    expect([after.status, after.payments.map((one: { status: string }) => one.status)])
      .toEqual(['posted', Array.from({ length: 6 }, () => 'posted')]);
    expect([await stateOf('royalty_statements', paid), await stateOf('royalty_advances', due)])
      .toEqual(['paid', 'paid']);
    await intact();
  });

  it('is decided as one: its royalties are neither approved nor withdrawn by themselves', async () => {
    await onDay(DAY);
    const [bill, due] = [await owed(await vendor('Birch Paper'), 1_000), await advance(2_000)];
    const run = await made({ parts: [part(bill, 1_000)], advance_ids: [due] });
    const batch = `${BATCHES}/${run.royalty_payment_batch_id}`;
    expect(await shown(batch)).toMatchObject({ status: 'draft', allowed_events: [], payment_run_number: run.number });
    for (const [what, more] of [['approve', {}], ['cancel', { reason: 'No' }]] as const) {
      const { version } = await shown(batch);
      const answer = await ben.put(`${batch}/${what}`, { version, ...more });
      expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining(run.number)]);
    }
    const { data: waiting } = (await ben.get(`${STAFF}/approvals?per_page=100`)).body;
    const kinds = waiting.map((one: { kind: string; entity_id: number }) => `${one.kind} ${one.entity_id}`);
    expect(kinds).toContain(`payment_run ${run.id}`);
    expect(kinds).not.toContain(`payment_batch ${run.royalty_payment_batch_id}`);
    ok(await act(run.id, 'void', ben, { reason: 'Next week' }));
    expect((await shown(batch)).status).toBe('void');
    ok(await ask({ parts: [part(bill, 1_000)], advance_ids: [due] }));
  });

  it('leaves royalties out and takes them again, and a payment taken out of the file is free alone', async () => {
    const [bill, first, second] = [await owed(await vendor('Cedar Ink'), 1_000), await advance(2_000),
      await advance(3_000)];
    const run = await made({ parts: [part(bill, 1_000)], advance_ids: [first] });
    const change = async (more: object) => ok(await cat.put(`${RUNS}/${run.id}`, { due_by: '2026-11-30',
      value_on: '2026-11-24', version: (await shown(`${RUNS}/${run.id}`)).version, ...more })).body.data;
    expect(await change({ parts: [part(bill, 1_000)] })).toMatchObject({ total_minor: 1_000,
      royalty_payment_batch_id: null });
    expect((await shown(`${BATCHES}/${run.royalty_payment_batch_id}`)).status).toBe('void');
    const both = await change({ parts: [part(bill, 1_000)], advance_ids: [first, second] });
    expect(both.total_minor).toBe(6_000);
    expect(await change({ parts: [part(bill, 1_000)], advance_ids: [second, first] })).toMatchObject({
      total_minor: 6_000, royalty_payment_batch_id: both.royalty_payment_batch_id });
    const dan = await test.signedIn('staff_admin');
    ok(await act(run.id, 'approve', dan));
    ok(await act(run.id, 'export', ann));
    const gone = (await shown(`${RUNS}/${run.id}`)).payments.find((one: { status: string; amount_minor: number }) =>
      one.status === 'approved' && one.amount_minor === 3_000);
    ok(await act(run.id, `payments/${gone.id}/cancel`, ben, { reason: 'Recalled' }));
    await onDay('2026-11-24');
    expect(await movement(test.database.db, () => postPaymentRuns(test.ports)))
      .toEqual({ 1000: -3_000, 1150: 2_000, 2000: 1_000 });
    const paid = (await shown(`${RUNS}/${run.id}`)).payments.find((one: { status: string; amount_minor: number }) =>
      one.status === 'posted' && one.amount_minor === 2_000);
    expect(await movement(test.database.db, async () => ok(await act(run.id, `payments/${paid.id}/reject`, ann,
      { on: '2026-11-24', reason: 'R03 No account' })))).toEqual({ 1000: 2_000, 1150: -2_000 });
    expect([await stateOf('royalty_advances', first), await stateOf('royalty_advances', second)])
      .toEqual(['scheduled', 'scheduled']);
    await intact();
  });

  it('of refunds alone is refused by an account that is closed meanwhile', async () => {
    await onDay(DAY);
    const [refund] = await refunds(1_200, 3_000);
    const { body: { data: [bank] } } = await ann.get(`${BASE}/banks`);
    const { id } = ok(await ann.post(`${BASE}/bank_accounts`, { bank_id: bank.id, division: 'US', currency: 'USD',
      name: 'Refunds' })).body.data;
    const locked = Promise.withResolvers<undefined>();
    const closing = command(test.ports, async (ctx) => {
      const { pid } = await ctx.db.one<{ pid: number }>(sql`
        select pg_backend_pid() as pid from bank_accounts where id = ${id} for update`);
      locked.resolve(undefined);
      for (let waits = false; !waits;) {
        ({ waits } = await test.database.db.one<{ waits: boolean }>(sql`
          select exists (select 1 from pg_stat_activity where ${pid} = any (pg_blocking_pids(pid))) as waits`));
      }
      await ctx.db.exec(sql`update bank_accounts set closed_on = ${DAY}, is_default = false where id = ${id}`);
    });
    await locked.promise;
    const [refused] = await Promise.all([ask({ bank_account_id: id, method: 'wire', refund_ids: [refund] }), closing]);
    expect(refused.body.errors).toHaveProperty('bank_account_id');
  });

  it('takes an advance into one of eight runs that choose it at once', async () => {
    const due = await advance(4_000);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ advance_ids: [due],
      value_on: '2026-12-01' })));
    expect(answers.map((one) => one.status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  });
});
