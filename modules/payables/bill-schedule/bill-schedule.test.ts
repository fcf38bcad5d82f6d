import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { fixedClock } from '#server/clock.ts';
import { testApp, type Answer, type SignedIn } from '#tests/support/app.ts';
import { makeRecurringBills } from './make-bills.server.ts';

const test = testApp();
const API = '/api/admin/staff';
const PATH = `${API}/accounting/bill_schedules`;
const BILLS = `${API}/accounting/bills`;
let ann: SignedIn;
let bob: SignedIn;
let vendor = 0;
let account = 0;

function data(answer: Answer) {
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
}
const at = (day: string) => ({ ...test.ports, clock: fixedClock(`${day}T18:00:00Z`) });
const run = (day: string): Promise<number> => makeRecurringBills(at(day));
let amount = 10_000;
async function schedule(more: object = {}) {
  return data(await ann.post(PATH, { name: 'Rent of the office', vendor_id: vendor, division: 'US', currency: 'USD',
    every_count: 1, every_unit: 'month', starts_on: '2027-01-31', memo: 'Suite 400',
    lines: [{ ledger_account_id: account, description: 'Rent', net_minor: amount += 1 }], ...more }));
}
const show = async (id: number) => data(await ann.get(`${PATH}/${id}`));
const step = async (name: string, row: { id: number; version: number }) =>
  data(await ann.put(`${PATH}/${row.id}/${name}`, { version: row.version }));
const billsOf = async (id: number) => data(await ann.get(
  `${BILLS}?schedule_id=${id}&sort_by=billed_on&sort_direction=asc`));

beforeAll(async () => {
  [ann, bob] = [await test.signedIn('staff_admin'), await test.signedIn('staff_admin')];
  vendor = data(await ann.post(`${API}/vendors`, { name: 'Elm Street Properties', divisions: ['US'],
    default_currency: 'USD', payment_terms_days: 14 })).id;
  account = (await test.database.db.one<{ id: number }>(sql`
    select id from ledger_accounts where division = 'US' and code = '6200'`)).id;
});

describe('a recurring bill', () => {
  it('makes one draft on each of its days, catches up, and ends after its number of times', async () => {
    const { id } = await schedule({ times: 3 });
    expect(await run('2027-01-30')).toBe(0);
    expect((await Promise.all(Array.from({ length: 4 }, () => run('2027-01-31')))).reduce((a, b) => a + b)).toBe(1);
    expect(await run('2027-04-02')).toBe(2);
    expect(await run('2027-12-01')).toBe(0);
    const bills = await billsOf(id);
    expect(bills.map((one: { billed_on: string }) => one.billed_on)).toEqual(['2027-01-31', '2027-02-28',
      '2027-03-31']);
    expect(bills[0]).toMatchObject({ state: 'draft', due_on: '2027-02-14', memo: 'Suite 400', vendor_number: '',
      schedule_id: id, schedule_name: 'Rent of the office', net_minor: amount });
    expect(await show(id)).toMatchObject({ status: 'ended', next_on: null, made_count: 3, coming: [] });
    expect(await test.database.db.query(sql`select kind, title from notifications where user_id = ${ann.user_id}
      and kind = 'bill.recurring' order by id limit 1`)).toEqual([{ kind: 'bill.recurring',
      title: 'Rent of the office: the bill of January 31, 2027 is a draft' }]);
    await expect(test.database.db.exec(sql`insert into bill_schedule_days (bill_schedule_id, due_on)
      values (${id}, '2027-01-31')`)).rejects.toThrow('bill_schedule_days_pkey');
  });

  it('posts nothing; who made or changed it does not approve its bills, another person does', async () => {
    const { id } = await schedule();
    await run('2027-01-31');
    const [draft] = await billsOf(id);
    const submitted = data(await bob.put(`${BILLS}/${draft.id}/submit`, { version: draft.version }));
    expect(submitted.transaction_id).toBeNull();
    expect((await ann.put(`${BILLS}/${draft.id}/approve`, { version: submitted.version })).body.code)
      .toBe('four_eyes');
    const eve = await test.signedIn('staff_admin');
    expect(data(await eve.put(`${BILLS}/${draft.id}/approve`, { version: submitted.version })).state)
      .toBe('approved');
    await step('end', await show(id));
  });

  it('says that its day lies in a locked period, goes on once that is open, or skips the day', async () => {
    const { id } = await schedule({ starts_on: '2027-05-31' });
    const lock = (through: string | null) => test.database.db.one(sql`
      select ledger_set_lock('US', 'purchase', ${through}::date, 'Month end', ${ann.user_id}, ${bob.user_id})`);
    await lock('2027-06-30');
    expect([await run('2027-05-31'), await run('2027-05-31')]).toEqual([0, 0]);
    const failed = await show(id);
    expect(failed).toMatchObject({ failure: expect.stringMatching(/locked|closed/i), next_on: '2027-05-31',
      made_count: 0 });
    expect((await ann.get(`${PATH}?failed=true`)).body.data).toHaveLength(1);
    expect(await test.database.db.query(sql`select title from notifications where user_id = ${ann.user_id}
      and href = ${`/admin/accounting/recurring-bills/${id}`}`)).toEqual([
      { title: 'Rent of the office: the bill of May 31, 2027 was not made' }]);
    expect(await step('skip', failed)).toMatchObject({ failure: null, next_on: '2027-06-30', days: [{
      on: '2027-05-31', is_skipped: true, bill_id: null }] });
    await lock(null);
    expect(await run('2027-06-30')).toBe(1);
    expect((await billsOf(id)).map((one: { billed_on: string }) => one.billed_on)).toEqual(['2027-06-30']);
    await step('end', await show(id));
  });

  it('leaves out the days of a pause', async () => {
    const made = await schedule({ starts_on: '2027-01-31', every_unit: 'week', every_count: 2 });
    const paused = await step('pause', made);
    expect(await run('2027-03-01')).toBe(0);
    expect((await ann.put(`${PATH}/${made.id}/pause`, { version: paused.version })).body.code)
      .toBe('bill_schedule.status');
    const resumed = await step('resume', paused);
    expect(resumed).toMatchObject({ status: 'active', next_on: '2027-01-31' });
    await step('end', resumed);
  });

  it('is changed for the drafts to come; days that are done are not entered again', async () => {
    const { id } = await schedule();
    await run('2027-01-31');
    const row = await show(id);
    const { name, vendor_id, currency, every_unit, lines } = row;
    const body = { name, vendor_id, currency, every_unit, every_count: 1, version: row.version,
      lines: lines.map((one: { description: string }) => ({ ledger_account_id: account, net_minor: 77_000,
        description: one.description })) };
    const refused = await ann.put(`${PATH}/${id}`, { ...body, every_count: 2, starts_on: '2027-01-31' });
    expect(refused.body.errors).toEqual({ starts_on: ['The bill of January 31, 2027 is done. Enter a later day'] });
    expect((await ann.put(`${PATH}/${id}`, { ...body, starts_on: '2027-01-31', ends_on: '2027-02-01' })).body.errors)
      .toEqual({ ends_on: ['No day is left. End the recurring bill instead'] });
    expect(data(await ann.put(`${PATH}/${id}`, { ...body, starts_on: '2027-01-31' })))
      .toMatchObject({ next_on: '2027-02-28', net_minor: 77_000 });
    await run('2027-02-28');
    expect((await billsOf(id)).map((one: { net_minor: number }) => one.net_minor)).toEqual([amount, 77_000]);
    await step('end', await show(id));
  });

  it('that is wrong is refused at its fields', async () => {
    const body = { name: ' ', vendor_id: vendor, division: 'US', currency: 'USD', every_count: 0, every_unit: 'month',
      starts_on: '2020-01-01', lines: [] };
    expect((await ann.post(PATH, body)).body.errors).toEqual({ name: ['Enter a name'],
      every_count: ['Enter 1 or more'], lines: ['Enter at least one line'] });
    expect((await ann.post(PATH, { ...body, name: 'Rent', every_count: 1, lines: [{ ledger_account_id: account,
      description: 'Rent', net_minor: 100 }] })).body.errors).toHaveProperty('starts_on');
  });
});
