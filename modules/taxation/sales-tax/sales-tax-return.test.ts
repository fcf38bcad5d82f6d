/** Sales tax returns of New York in the second half of 2026: quarters from June and September, due on day 20. */
import { beforeAll, describe, expect, it } from 'vitest';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { remindOfSalesTax } from '#modules/taxation/taxation.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';

const test = testApp();
const API = '/api/admin/staff';
const BOOKS = `${API}/accounting`;
const RETURNS = `${BOOKS}/sales_tax_returns`;
const SUMMER = 'division=US&state=NY&from=2026-06-01&to=2026-08-31';
let ann: SignedIn;
let bob: SignedIn;
let vendor = 0;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}

/** A rental of 1,000.00 to a theater in Manhattan, taxed at 8.875%: 88.75. */
async function rental(on: string, certificate = false): Promise<{ id: number }> {
  const customer = await makeCustomer(test.database.db, 'US');
  await test.database.db.exec(sql`update customers set billing_address = billing_address
    || '{"administrative_area": "NY", "postal_code": "10004", "locality": "New York"}'::jsonb where id = ${customer}`);
  if (certificate) {
    await test.database.db.exec(sql`
      insert into tax_exemption_certificates (customer_id, country, state, number, kind, valid_from, status,
        verified_at, verified_by_id)
      values (${customer}, 'US', 'NY', 'EX-9', 'school', '2026-01-01', 'verified', now(), ${ann.user_id})`);
  }
  const draft = data(await ann.post(`${API}/invoices`, { customer_id: customer, license_id: null, division: 'US',
    currency: 'USD', items: [{ kind: 'rental', description: 'Scores', item_class: 'rental', net_minor: 100_000 }] }));
  return data(await ann.post(`${API}/invoices/${draft.id}/issue`, { version: draft.version, issued_on: on,
    confirmed_total_minor: draft.total_minor }));
}
const show = async (query = SUMMER) => data(await ann.get(`${BOOKS}/reports/us_sales_use_tax/return?${query}`));
const boxes = (report: { boxes: { box: string; amount_minor: number }[] }) =>
  Object.fromEntries(report.boxes.map((box) => [box.box, box.amount_minor]));
const list = async () => data(await ann.get(`${RETURNS}?division=US`));
const summer = { division: 'US', state: 'NY', from: '2026-06-01', to: '2026-08-31' };

beforeAll(async () => {
  test.clock.set('2026-09-18T15:00:00Z');
  ann = await test.signedIn('staff_admin');
  bob = await test.signedIn('staff_admin');
  vendor = data(await ann.post(`${API}/vendors`, { name: 'New York State Sales Tax', divisions: ['US'],
    default_currency: 'USD' })).id;
});

describe('the sales tax return of a state', () => {
  let prepared: { id: number; version: number };

  it('is due by the filing calendar, and its task and notification say so [A102]', async () => {
    await rental('2026-06-10');
    await rental('2026-07-15', true);
    const report = await show('division=US&state=NY');
    // 5% of 88.75 is 4.4375: the discount of 4.44 is far below its limit of 200.00.
    expect(report).toMatchObject({ from: '2026-06-01', to: '2026-08-31', due_on: '2026-09-21', blocked: null,
      exempt: [{ certificate: 'school', minor: 100_000 }], late: { items: 0 }, checks: [{ ok: true }] });
    expect(boxes(report)).toEqual({ gross: 200_000, exempt: 100_000, not_taxable: 0, taxable: 100_000, tax: 8_875,
      excess: 0, use_base: 0, use_tax: 0, discount: -444, net: 8_431 });
    expect(await list()).toMatchObject([{ state: 'NY', step: 'to_prepare', due_on: '2026-09-21', is_overdue: false }]);
    const home = data(await ann.get(`${API}/dashboard?division=US&all=true`));
    expect(home.todo.rows.filter((row: { kind: string }) => row.kind === 'tax_return')).toMatchObject([
      { title: 'Prepare the sales tax return of New York', due_on: '2026-09-21',
        href: '/admin/finance/taxes-vat/us-sales-use-tax?division=US&state=NY&from=2026-06-01&to=2026-08-31' }]);
    await remindOfSalesTax(test.ports);
    await remindOfSalesTax(test.ports);
    const told = (await ann.get(`${API}/notifications?kind=closing.due&per_page=50`)).body.data;
    expect(told.filter((one: { title: string }) => one.title.includes('New York'))).toHaveLength(1);
  });

  it('asks to be prepared in the close checklist of its last month', async () => {
    const tax = async () => data(await ann.get(`${BOOKS}/close_checklist?division=US&period=202608`)).items
      .find((one: { key: string }) => one.key === 'tax');
    expect(await tax()).toMatchObject({ state: 'warning', detail: expect.stringContaining('New York') as string });
    prepared = data(await ann.post(RETURNS, summer));
    expect(prepared).toMatchObject({ status: 'prepared', state: 'US-NY', due_on: '2026-09-21', discount_minor: 444,
      net_minor: 8_431 });
    expect(await tax()).toMatchObject({ state: 'done' });
    const inbox = data(await bob.get(`${API}/approvals?kind=tax_return`));
    expect(inbox).toMatchObject([{ title: 'New York sales tax return of US, June 2026 to August 2026' }]);
  });

  it('is filed by another person, once, with the day and the number of the state: its lines are frozen', async () => {
    const file = (who: SignedIn, more: object = {}) => who.put(`${BOOKS}/tax_returns/${prepared.id}/file`,
      { version: prepared.version, receipt: 'NY-2026-4711', ...more });
    expect((await file(ann)).body.code).toBe('four_eyes');
    expect((await file(bob, { filed_on: '2026-08-31' })).body.errors).toHaveProperty('filed_on');
    expect((await file(bob, { filed_on: '2026-09-19' })).body.errors).toHaveProperty('filed_on');
    const both = await Promise.all([file(bob), file(bob)]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 412]);
    const again = await bob.put(`${BOOKS}/tax_returns/${prepared.id}/file`, { version: prepared.version + 1 });
    expect([again.status, again.body.code]).toEqual([409, 'tax_return.filed']);
    expect(await list()).toMatchObject([{ step: 'filed', filed_on: '2026-09-18', receipt: 'NY-2026-4711' }]);
    expect(data(await ann.get(`${API}/dashboard?division=US&all=true`)).todo.rows
      .filter((row: { kind: string }) => row.kind === 'tax_return')).toMatchObject([
      { title: 'Pay the sales tax return of New York', href: '/admin/accounts-payable/invoices?taxes=US' }]);
    const items = await test.database.db.query(sql`
      select source, side, tax_minor::int as tax, is_late from tax_return_items where tax_return_id = ${prepared.id}
      order by tax_minor`);
    // State 40.00, city 45.00 and district 3.75; the exempt line.
    expect(items.map((one) => (one as { tax: number }).tax)).toEqual([0, 375, 4_000, 4_500]);
    await expect(test.database.owner.exec(sql`
      update tax_returns set net_minor = 1 where id = ${prepared.id}`)).rejects.toThrow(/never changes/);
    const withdrawn = await ann.put(`${BOOKS}/tax_returns/${prepared.id}/withdraw`, { version: prepared.version + 1,
      reason: 'x' });
    expect(withdrawn.body.code).toBe('tax_return.filed');
  });

  it('is paid by one bill, which posts event 23: 2310 in full, the discount on 7090, the rest paid', async () => {
    const pay = () => ann.post(`${BOOKS}/tax_returns/${prepared.id}/bill`, { vendor_id: vendor });
    const bill = data(await pay());
    expect(bill).toMatchObject({ total_minor: 8_431, due_on: '2026-09-21', vendor_number: 'NY-2026-4711' });
    expect((await pay()).body.code).toBe('tax_return.billed');
    const submitted = data(await ann.put(`${BOOKS}/bills/${bill.id}/submit`, { version: bill.version }));
    const approved = data(await bob.put(`${BOOKS}/bills/${bill.id}/approve`, { version: submitted.version }));
    const lines = await test.database.db.query<{ code: string; minor: number }>(sql`
      select a.code, e.amount_minor::int as minor from journal_entries e
        join ledger_accounts a on a.id = e.ledger_account_id
      where e.transaction_id = ${approved.transaction_id} order by a.code`);
    expect(lines).toEqual([{ code: '2000', minor: -8_431 }, { code: '2310', minor: 8_875 },
      { code: '7090', minor: -444 }]);
    expect(await list()).toMatchObject([{ step: 'billed', bill_number: bill.number }]);
    const { owed } = await test.database.db.one<{ owed: number }>(sql`
      select coalesce(sum(e.base_amount_minor), 0)::int as owed from posted_entries e
        join ledger_accounts a on a.id = e.ledger_account_id and a.system_key = 'sales_tax'
      where e.division = 'US'`);
    expect(owed).toBe(0);
    expect(boxes(await show())).toMatchObject({ tax: 8_875, net: 8_431 });
    expect((await show()).checks).toMatchObject([{ ok: true }]);
  });

  it('takes what comes late into the next return, shown apart, and leaves the filed one', async () => {
    await rental('2026-08-20');
    await rental('2026-09-05');
    expect(boxes(await show())).toMatchObject({ gross: 200_000, tax: 8_875 });
    const next = await show('division=US&state=NY');
    expect(next).toMatchObject({ from: '2026-09-01', to: '2026-11-30', late: { items: 1, sales_minor: 100_000,
      tax_minor: 8_875 }, blocked: 'The period has not ended yet.' });
    expect(boxes(next)).toMatchObject({ gross: 200_000, tax: 17_750 });
    const page = (await ann.get(`${BOOKS}/reports/us_sales_use_tax/return/items?division=US&state=NY&per_page=50`))
      .body;
    expect(page.data.filter((row: { is_late: boolean }) => row.is_late)).toHaveLength(3);
    expect(page.data[0]).toMatchObject({ on: '2026-08-20', kind: 'sale', is_late: true });
  });

  it('has a file with its figures and its documents', async () => {
    const csv = (await ann.get(`${BOOKS}/reports/us_sales_use_tax/return/export?${SUMMER}`)).raw.toString();
    expect(csv).toContain('Vendor discount,-4.44');
    expect(csv).toContain('To pay,84.31');
    expect(csv).toContain('New York,4,1000.00,40.00,40.00');
  });
});

it('is refused for days that are no filing period, overlap, or lie in a state without registration', async () => {
  const prepare = (more: object) => ann.post(RETURNS, { ...summer, ...more });
  for (const [more, words] of [[{ from: '2026-06-01', to: '2026-06-30' }, /filed already/],
    [{ from: '2026-09-02', to: '2026-09-10' }, /Choose .* as the first day/],
    [{ state: 'PA', from: '2026-04-01', to: '2026-06-30' }, /not registered in Pennsylvania/],
    [{ division: 'PROD', from: '2026-06-01', to: '2026-06-30' }, /filing period/]] as const) {
    const answer = await prepare(more);
    expect([answer.status, answer.body.code], JSON.stringify(more)).toEqual([409, 'tax_return.not_ready']);
    expect(answer.body.message).toMatch(words);
  }
});

it('is not prepared while Sales tax payable holds what no invoice made', async () => {
  const { id } = await test.database.owner.one<{ id: number }>(sql`
    insert into tax_authorities (jurisdiction, name) values ('US-NY', 'New York')
    on conflict (jurisdiction) do update set name = excluded.name returning id`);
  const party = { type: 'tax_authority' as const, id };
  await test.database.db.tx((db) => postJournal(db, { division: 'PROD', kind: 'journal', transaction_at: '2026-07-01',
    description: 'By hand', source: null, lines: [
      { account: '2310', currency: 'USD', amount: -500n, base: -500n, party },
      { account: '6200', currency: 'USD', amount: 500n, base: 500n }] }));
  const refused = await ann.post(RETURNS, { ...summer, division: 'PROD' });
  expect(refused.body.code).toBe('tax_return.differs');
  expect(refused.body.message).toMatch(
    /No invoice made this entry .*: Journal of July 1, 2026 \(credit of USD 5\.00\)/);
});

describe('a filing calendar', () => {
  const rules = `${BOOKS}/filing_rules`;
  it('is to be verified until a person confirms it, and again after a correction', async () => {
    const [ny] = data(await ann.get(`${rules}?division=US`)).filter((one: { state: string }) => one.state === 'US-NY');
    expect(ny).toMatchObject({ frequency: 'quarterly', first_month: 3, due_day: 20, confirmed_at: null });
    const confirmed = data(await ann.put(`${rules}/${ny.id}/confirm`, { version: ny.version }));
    expect(confirmed.confirmed_by_name).not.toBeNull();
    expect((await ann.put(`${rules}/${ny.id}/confirm`, { version: confirmed.version })).body.code)
      .toBe('filing_rule.confirmed');
    const corrected = data(await ann.put(`${rules}/${ny.id}`, { frequency: 'quarterly', first_month: 3, due_day: 20,
      discount_ppm: 50_000, discount_cap_minor: 20_000, source: 'TB-ST-925', version: confirmed.version }));
    expect(corrected).toMatchObject({ confirmed_at: null, source: 'TB-ST-925' });
  });

  it('is entered once for a state and a day; a limit needs a discount', async () => {
    const entry = { division: 'US', state: 'US-OH', frequency: 'monthly', due_day: 23, discount_ppm: 7_500,
      valid_from: '2026-01-01' };
    data(await ann.post(rules, entry));
    expect((await ann.post(rules, entry)).body.errors).toHaveProperty('valid_from');
    expect((await ann.post(rules, { ...entry, valid_from: '2026-02-01', discount_ppm: 0, discount_cap_minor: 100 }))
      .body.errors).toHaveProperty('discount_cap_minor');
  });
});
