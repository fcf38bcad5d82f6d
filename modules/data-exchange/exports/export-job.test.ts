/** Exports as jobs: the list's own rows, order and rights; cancelling, expiry, the workbook, who may take the file. */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#apps/server/src/routes.ts';
import { sql } from '#server/sql.ts';
import { E2_TICKETS, evenings, licensingFixture } from '#modules/licensing/testing/licensing-fixtures.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { workExports } from './work-exports.server.ts';

const JOBS = '/api/admin/staff/export_jobs';
const app = testApp();
let staff: SignedIn;

const wish = (more: object = {}) => ({ model_name: 'staff/venues', columns: ['name', 'kind', 'capacity'],
  headers: ['House', 'Kind', 'Seats'], title: 'Venues', filter: { sort_by: 'name' }, format: 'csv', ...more });

async function made(by: SignedIn, more: object = {}): Promise<{ id: number; job_id: string }> {
  const answer = await by.post(JOBS, wish(more));
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  await workExports(app.ports, routes);
  return answer.body.data;
}
const fileOf = (by: SignedIn, id: number) => by.get(`/api/admin/staff/export_csv/${id}/download`);
const jobOf = async (by: SignedIn, id: string) => (await by.get(`/api/jobs/${id}`)).body.data;

beforeAll(async () => {
  staff = await app.signedIn('staff_admin');
  await app.database.db.exec(sql`insert into venues (name, kind, capacity)
    select case n when 7 then '=SUM(A1)' else 'House ' || to_char(n, 'FM0000') end,
      case when n % 2 = 0 then 'school_hall' else 'theatre' end, n from generate_series(1, 2300) n`);
});

describe('an export', () => {
  test('has every row of the view in its order, under its headings; nothing runs as a formula', async () => {
    const { id, job_id } = await made(staff);
    const answer = await fileOf(staff, id);
    expect(answer.headers['content-disposition']).toContain('venues-2026-11-20.csv');
    const lines = parse(answer.raw, { bom: true }) as string[][];
    expect(lines).toHaveLength(2301);
    expect(lines.slice(0, 3)).toEqual([['House', 'Kind', 'Seats'], ['\'=SUM(A1)', 'Theatre', '7'],
      ['House 0001', 'Theatre', '1']]);
    expect(await jobOf(staff, job_id)).toMatchObject({ status: 'done', rows_done: 2300, title: 'Venues' });
    const filtered = await made(staff, { filter: { kind: 'school_hall', search: 'house 001' } });
    expect((parse((await fileOf(staff, filtered.id)).raw, { bom: true }) as string[][]).slice(1).map(([name]) => name))
      .toEqual(['House 0010', 'House 0012', 'House 0014', 'House 0016', 'House 0018']);
  });

  test('is told to whoever asked, stands in the audit trail and in no other person\'s jobs', async () => {
    const { id, job_id } = await made(staff, { format: 'xlsx' });
    expect((await fileOf(staff, id)).raw.subarray(0, 2).toString()).toBe('PK');
    const { rows } = await app.database.db.one<{ rows: string }>(sql`
      select string_agg(action, ', ' order by t.id) as rows from audit_events t
      where entity = 'export' and entity_id = ${id}`);
    expect(rows).toBe('export, complete');
    const told = (await staff.get('/api/admin/staff/notifications')).body.data as { title: string; href: string }[];
    expect(told[0]).toMatchObject({ title: 'Your export of Venues is ready', href: '/admin/exports' });
    const other = await app.signedIn('staff_admin');
    expect((await fileOf(other, id)).status).toBe(404);
    expect((await other.get(`/api/jobs/${job_id}`)).status).toBe(404);
    expect((await other.get('/api/jobs')).body.data).toEqual([]);
    expect((await staff.get('/api/jobs?kind=export')).body.data[0].id).toBe(job_id);
  });

  test('reads the lists of the tax service as well, with the rights and filters of the list', async () => {
    const order = { transaction_date: '2026-10-05', to_country: 'US', to_zip: '43215', to_state: 'OH', amount: 120.5,
      shipping: 0, sales_tax: 9.04 };
    for (const [transaction_id, more] of [['A-1', {}], ['A-2', { transaction_date: '2026-10-06' }]] as const) {
      const answer = await staff.post('/api/utilities/taxjar/orders', { transaction_id, ...order, ...more });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    }
    const list = { model_name: 'utilities/taxjar/orders', columns: ['transaction_id', 'amount', 'report_state'],
      headers: ['Number', 'Net', 'Status'], title: 'Orders of the tax service', filter: { search: 'A-2' } };
    const { id } = await made(staff, list);
    expect(parse((await fileOf(staff, id)).raw, { bom: true })).toEqual([['Number', 'Net', 'Status'],
      ['A-2', '120.5', 'Kept']]);
    const clerk = await app.signedIn('staff_user', { permissions: ['export.download', 'venue.list'] });
    expect((await clerk.post(JOBS, wish(list))).status).toBe(403);
    expect((await staff.post(JOBS, wish({ ...list, model_name: 'utilities/taxjar/categories' }))).status).toBe(422);
  });

  test('needs the right to the list when it is asked for, and still when it is made', async () => {
    const clerk = await app.signedIn('staff_user', { permissions: ['export.download', 'venue.list'] });
    expect((await clerk.post(JOBS, wish({ model_name: 'staff/customers', columns: ['name'], headers: undefined,
      filter: {} }))).status).toBe(403);
    const { body } = await clerk.post(JOBS, wish());
    await app.database.db.exec(sql`delete from staff_group_users where user_id = ${clerk.user_id}`);
    await workExports(app.ports, routes);
    const { failure } = await app.database.db.one<{ failure: string }>(sql`
      select failure from exports where id = ${body.data.id}`);
    expect(failure).toBe('This action is unauthorized.');
  });

  test.each([[{ model_name: 'staff/nothing' }, 'model_name'], [{ model_name: 'staff/venues/5' }, 'model_name'],
    [{ columns: ['name', 'search_text', 'kind'] }, 'columns'], [{ filter: { kind: 'zoo' } }, 'filter.kind'],
    [{ headers: ['One'] }, 'headers'], [{ format: 'pdf' }, 'format'], [{ columns: [], headers: [] }, 'columns']])(
    'refuses %j at its field', async (wrong, at) => {
      const answer = await staff.post(JOBS, wish(wrong));
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual([at]);
    });

  test('is cancelled while it waits, and not after; it expires and says so', async () => {
    const { body: { data } } = await staff.post(JOBS, wish());
    expect((await staff.remove(`/api/jobs/${data.job_id}`)).body.data.status).toBe('cancelled');
    await workExports(app.ports, routes);
    expect((await fileOf(staff, data.id)).status).toBe(409);
    expect((await staff.remove(`/api/jobs/${data.job_id}`)).status).toBe(409);
    const ready = await made(staff);
    app.clock.set('2026-11-28T15:00:01Z');
    await workExports(app.ports, routes);
    app.clock.set('2026-11-20T15:00:00Z');
    expect((await fileOf(staff, ready.id)).body.message).toBe('This file has expired. Export the list again.');
    expect(await jobOf(staff, ready.job_id)).toMatchObject({ status: 'expired' });
  });
});

test('[S115] export_csv answers the rows of the phase in these columns, and by its id once more', async () => {
  const asked = (phase: string) =>
    `/api/admin/staff/export_csv?model_name=licenses&columns=number,phase,division&phase=${phase}`;
  const clerk = await app.signedIn('staff_user', { permissions: ['export.download', 'license.list'] });
  const house = await licensingFixture(app.database.db);
  const numbers: string[] = [];
  for (const phase of ['draft', 'draft', 'cancelled']) {
    const made = await staff.post('/api/admin/staff/licenses', { customer_id: house.customer_id,
      show_id: house.show_id, category: 'Amateur', division: 'US', currency: 'USD', phase: 'draft',
      producing_organisation: 'Springfield Players', license_venues: [{ venue_id: house.venue_id,
        ticketing: E2_TICKETS, performances: evenings(`2027-04-0${numbers.length + 1}`, 1) }] });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    numbers.push(made.body.data.number);
    if (phase === 'cancelled') {
      const { id, version } = made.body.data;
      const gone = await staff.post(`/api/admin/staff/licenses/${id}/cancel`,
        { version, on: '2026-11-20', reason: 'Withdrawn' });
      expect(gone.status, JSON.stringify(gone.body)).toBe(200);
    }
  }
  const answer = await clerk.get(asked('draft'));
  expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringContaining('text/csv')]);
  const [head, ...rows] = parse(answer.raw, { bom: true }) as string[][];
  expect(head).toEqual(['number', 'phase', 'division']);
  expect(rows.toSorted()).toEqual(numbers.slice(0, 2).map((number) => [number, 'draft', 'US']).toSorted());
  expect((parse((await clerk.get(asked('cancelled'))).raw, { bom: true }) as string[][]).slice(1))
    .toEqual([[numbers[2], 'cancelled', 'US']]);
  const id = Number(answer.headers['x-export-id']);
  expect((await fileOf(clerk, id)).raw.equals(answer.raw)).toBe(true);
  const without = await app.signedIn('staff_user', { permissions: ['license.list'] });
  expect([(await without.get(asked('draft'))).status, (await fileOf(without, id)).status]).toEqual([403, 403]);
});
