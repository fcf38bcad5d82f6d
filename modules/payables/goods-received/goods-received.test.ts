/** Goods received before their bill: owed at cost, taken off by bills once, sent back, and tied to the ledger. */
import { beforeAll, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { balanceOf, enter, stockWorld, type StockWorld } from '#tests/support/stock.ts';

const test = testApp();
const API = '/api/admin/staff';
const PATH = `${API}/accounting/accounts_payable/goods_received`;
const BILLS = `${API}/accounting/bills`;
let ann: SignedIn;
let bob: SignedIn;
let world: StockWorld;
let vendor = 0;
let grni = 0;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
/** 11 pins at 150.00, as line of a receipt. */
async function delivery(quantity = 11): Promise<{ id: number; number: string }> {
  data(await enter(ann, { kind: 'receipt', warehouse_id: world.warehouse,
    purchase: { vendor_id: vendor, delivery_note: 'DN 77' },
    lines: [{ code: world.pin, quantity, unit_cost_minor: 15_000 }] }));
  return data(await ann.get(`${PATH}?vendor_id=${vendor}`))[0];
}
const line = (receipt: number, quantity: number, net_minor: number) => ({ ledger_account_id: grni, description: 'Pins',
  goods_receipt_line_id: receipt, quantity, net_minor });
const body = (lines: object[], more: object = {}) => ({ vendor_id: vendor, division: 'US', currency: 'USD',
  billed_on: '2026-11-20', duplicate_confirmed: true, lines, ...more });
async function approve(draft: { id: number; version: number }) {
  const submitted = data(await ann.put(`${BILLS}/${draft.id}/submit`, { version: draft.version }));
  return data(await bob.put(`${BILLS}/${draft.id}/approve`, { version: submitted.version }));
}
const entriesOf = async (transaction: number) => (await test.database.db.query<{ words: string }>(sql`
  select concat_ws(' ', a.code, e.party_type, e.amount_minor) as words from journal_entries e
    join ledger_accounts a on a.id = e.ledger_account_id where e.transaction_id = ${transaction} order by e.line_no`))
  .map(({ words }) => words);
const tie = async () => data(await ann.get(`${PATH}/tie_out?division=US`));

beforeAll(async () => {
  [ann, bob] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin')];
  world = await stockWorld(ann);
  vendor = data(await ann.post(`${API}/vendors`, { name: 'Enamel Works', divisions: ['US'],
    default_currency: 'USD', payment_terms_days: 30 })).id;
  grni = (await test.database.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = 'US' and code = '2010'`)).id;
});

it('are owed at cost from their receipt, sent back at cost and billed once; the ledger agrees throughout', async () => {
  const receipt = await delivery();
  expect(receipt).toMatchObject({ quantity: 11, free_quantity: 11, unbilled_minor: 165_000, delivery_note: 'DN 77' });
  const { transaction_id } = await test.database.db.one<{ transaction_id: number }>(sql`
    select transaction_id from goods_receipts where number = ${receipt.number}`);
  expect(await entriesOf(transaction_id)).toEqual(['1200 165000', '2010 vendor -165000']);
  expect(data(await ann.post(`${API}/goods_receipt_lines/${receipt.id}/returns`, { quantity: 5, reason: 'Scratched' })))
    .toMatchObject({ returned_quantity: 5 });
  expect(await balanceOf(ann, world.warehouse, world.pin)).toMatchObject({ on_hand: 6 });
  expect(await tie()).toMatchObject({ ok: true, received_minor: 90_000, ledger_minor: 90_000 });

  const whole = body([line(receipt.id, 11, 165_000)]);
  const asked = await ann.post(BILLS, whole);
  expect([asked.status, asked.body.code]).toEqual([409, 'bill.over_received']);
  expect(asked.body.message).toMatch(/11 billed, 6 not billed yet, .*750\.00 more/);
  const bill = await approve(data(await ann.post(BILLS, { ...whole, over_received_confirmed: true })));
  expect(await entriesOf(bill.transaction_id)).toEqual(['2010 vendor 90000', '5100 75000', '2000 vendor -165000']);
  expect(bill.lines[0]).toMatchObject({ quantity: 11, cleared_quantity: 6, cleared_minor: 90_000,
    receipt_number: receipt.number });
  const second = await ann.post(BILLS, { ...body([line(receipt.id, 1, 15_000)]), over_received_confirmed: true });
  expect([second.status, second.body.code]).toEqual([409, 'bill.receipt_billed']);
  expect(await tie()).toMatchObject({ ok: true, received_minor: 0, ledger_minor: 0 });
  const late = await ann.post(`${API}/goods_receipt_lines/${receipt.id}/returns`, { quantity: 1, reason: 'Late' });
  expect(late.body.code).toBe('goods_receipt.billed');

  data(await bob.put(`${BILLS}/${bill.id}/void`, { version: bill.version, reason: 'Wrong bill' }));
  expect(await tie()).toMatchObject({ ok: true, received_minor: 90_000, ledger_minor: 90_000 });
});

it('at another price leave the difference on 5100, tax that is part of the cost included', async () => {
  const receipt = await delivery(4);
  const bill = await approve(data(await ann.post(BILLS, body([line(receipt.id, 4, 58_000)]))));
  expect(await entriesOf(bill.transaction_id)).toEqual(['2010 vendor 60000', '5100 -2000', '2000 vendor -58000']);
  expect((await tie()).ok).toBe(true);
});

it('are taken by one of several bills at once; a draft in the trash frees them', async () => {
  const receipt = await delivery(2);
  const answers = await Promise.all(Array.from({ length: 4 }, () => ann.post(BILLS, body([line(receipt.id, 2,
    30_000)]))));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  const draft = answers.find(({ status }) => status === 201)!.body.data;
  const changed = data(await ann.put(`${BILLS}/${draft.id}`, { version: draft.version, memo: 'As delivered' }));
  expect(changed.lines[0].cleared_quantity).toBe(2);
  expect((await ann.remove(`${BILLS}/${draft.id}`)).status).toBe(204);
  data(await ann.post(BILLS, body([line(receipt.id, 2, 30_000)])));
  expect((await ann.put(`${BILLS}/${draft.id}/restore`)).body.code).toBe('bill.receipt_billed');
  await expect(test.database.owner.exec(sql`update bills set deleted_at = null where id = ${draft.id}`))
    .rejects.toThrow(/goods receipt line/);
});

it('are refused at the line where the vendor, the account or the currency is another', async () => {
  const receipt = await delivery(1);
  const errors = async (lines: object[], more: object = {}) => (await ann.post(BILLS, body(lines, more))).body.errors;
  expect(await errors([{ ...line(receipt.id, 1, 15_000), quantity: null }])).toEqual({
    'lines.0.quantity': ['Enter how many pieces are billed'] });
  expect(await errors([line(receipt.id, 1, 15_000)], { currency: 'EUR' })).toHaveProperty(
    ['lines.0.goods_receipt_line_id']);
  const { id: other } = data(await ann.post(`${API}/vendors`, { name: 'Other Works', divisions: ['US'],
    default_currency: 'USD' }));
  expect(await errors([line(receipt.id, 1, 15_000)], { vendor_id: other })).toEqual({ 'lines.0.goods_receipt_line_id':
    ['Choose goods received from this vendor in this division'] });
  expect((await enter(ann, { kind: 'receipt', warehouse_id: world.warehouse, purchase: { vendor_id: vendor },
    lines: [{ code: world.pin, quantity: 1 }] })).body.errors).toEqual({
    'lines.0.unit_cost_minor': ['Enter the cost of one piece'] });
});
