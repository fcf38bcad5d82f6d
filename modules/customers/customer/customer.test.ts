import { beforeAll, describe, expect, it } from 'vitest';
import { confirmedPeople, testApp, type Browser } from '#tests/support/app.ts';
import { sql } from '#server/sql.ts';

const test = testApp();
const signedIn = confirmedPeople(test);
const PATH = '/api/admin/staff/customers';
let staff: Browser;

const body = (name: string, more: object = {}) => ({
  name, legal_name: null, kind: 'school_k12', divisions: ['US'], default_division: 'US', default_currency: 'USD',
  billing_address: { country_code: 'US', thoroughfare: '1 Main St', locality: 'Keene', administrative_area: 'NH',
    postal_code: '03431' },
  phone: null, website: null, statement_email: null, tax_country: 'US', is_business: false, business_evidence: null,
  vat_number: null, payment_terms_days: 30, purchase_orders_accepted: true, execution_policy_default: null,
  marketing_opt_in: false, ...more,
});

async function create(name: string, more: object = {}): Promise<{ id: number; version: number; status: string }> {
  const answer = await staff.post(PATH, body(name, more));
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

beforeAll(async () => { staff = await signedIn('staff_admin'); });

describe('customers', () => {
  it('are created, found by a part of their name whatever the accents, changed and audited', async () => {
    const row = await create('Théâtre de l’Étoile');
    const found = await staff.get(`${PATH}?search=theatre%20de`);
    expect(found.body.data.map((c: { id: number }) => c.id)).toEqual([row.id]);
    expect(found.body.meta).toMatchObject({
      current_page: 1,
      last_page: 1,
      per_page: 10,
      total: 1,
      total_is_exact: true,
    });
    const changed = await staff.put(`${PATH}/${row.id}`, { payment_terms_days: 14, version: row.version });
    expect(changed.body.data).toMatchObject({ payment_terms_days: 14, version: 2 });
    const activity = await staff.get(`${PATH}/${row.id}/activity`);
    expect(activity.body.data[0]).toMatchObject({ action: 'update', actor: expect.stringContaining('Test'),
      changes: [{ field: 'payment_terms_days', before: '30', after: '14' }] });
  });

  it('an old version is refused with what stands there now', async () => {
    const row = await create('Two Editors');
    await staff.put(`${PATH}/${row.id}`, { phone: '1', version: 1 });
    const late = await staff.put(`${PATH}/${row.id}`, { phone: '2', version: 1 });
    expect(late.status).toBe(412);
    expect(late.body).toMatchObject({ code: 'stale', current: { version: 2 } });
  });

  it.each([
    [{ name: '' }, 'name', 'Name is required'],
    [{ name: 'x'.repeat(161) }, 'name', 'Name is longer than 160 characters'],
    [
      {
        billing_address: {
          country_code: 'US',
          thoroughfare: '',
          locality: '',
          administrative_area: '',
          postal_code: '',
        },
      },
      'billing_address.thoroughfare',
      'Address 1 is required',
    ],
    [{ statement_email: 'nobody' }, 'statement_email', 'Statement email must be a valid email address'],
    [{ website: 'javascript:alert(1)' }, 'website', 'Website must be a web address'],
    [{ payment_terms_days: -1 }, 'payment_terms_days', 'Payment terms (days) is at least 0'],
  ])('refuses %j at its field', async (more, at, text) => {
    const answer = await staff.post(PATH, body('Refused', more));
    expect(answer.status).toBe(422);
    expect(answer.body.errors[at]![0]).toBe(text);
  });

  it('pages: unknown keys and sizes beyond 100 are refused, the last page says so', async () => {
    for (let n = 0; n < 12; n += 1) await create(`Paging House ${n}`);
    const second = await staff.get(`${PATH}?search=paging&page=2`);
    expect(second.body.data).toHaveLength(2);
    expect(second.body.meta).toMatchObject({ from: 11, to: 12, last_page: 2 });
    expect(second.body.links.next).toBeNull();
    expect((await staff.get(`${PATH}?per_page=101`)).status).toBe(422);
    expect((await staff.get(`${PATH}?nonsense=1`)).status).toBe(422);
  });

  it('are deactivated and activated again [S1] [S2]', async () => {
    const row = await create('Switch House');
    const now = async () => (await staff.get(`${PATH}/${row.id}`)).body.data;
    expect(row.status, 'entered by staff, it waits for nobody').toBe('active');
    expect((await staff.put(`${PATH}/${row.id}/activate`, {})).body.data).toMatchObject({
      status: 'active',
      active: true,
    });
    expect((await staff.put(`${PATH}/${row.id}/deactivate`, { reason: 'moved' })).body.data.status).toBe('inactive');
    expect(await now()).toMatchObject({ status: 'inactive', active: false });
    expect((await staff.put(`${PATH}/${row.id}/activate`, {})).status).toBe(200);
    expect(await now()).toMatchObject({ status: 'active', active: true });
  });

  it('the latest are five, the one changed last on top [C46] [C47]', async () => {
    const rows: { id: number; version: number }[] = [];
    for (let n = 0; n < 6; n += 1) rows.push(await create(`Latest House ${n}`));
    const [oldest] = rows;
    await staff.put(`${PATH}/${oldest!.id}`, { payment_terms_days: 7, version: oldest!.version });
    const latest: { id: number; updated_at: string }[] = (await staff.get(`${PATH}/latest`)).body.data;
    expect(latest.map((one) => one.id)).toEqual([0, 5, 4, 3, 2].map((n) => rows[n]!.id));
    const times = latest.map((one) => one.updated_at);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it('keep at least one admin, also when two are removed at once', async () => {
    const row = await create('Admins');
    const people = [await signedIn('customer'), await signedIn('customer')];
    for (const person of people) {
      await staff.post(`${PATH}/${row.id}/users`, { user_id: person.user_id, role: 'admin' });
    }
    const answers = await Promise.all(people.map((p) => staff.remove(`${PATH}/${row.id}/users/${p.user_id}`)));
    expect(answers.map((a) => a.status).sort()).toEqual([204, 409]);
    const left = await test.database.db.query(sql`select 1 from customer_users where customer_id = ${row.id}`);
    expect(left).toHaveLength(1);
  });

  it('take only customer accounts, each once, and the list to choose from holds no others [C85]', async () => {
    const row = await create('People');
    const vendor = await signedIn('vendor');
    const person = await signedIn('customer');
    const attach = (user_id: number) => staff.post(`${PATH}/${row.id}/users`, { user_id, role: 'member' });
    expect((await attach(vendor.user_id)).body.errors.user_id).toEqual([
      'Only customer accounts can belong to a customer',
    ]);
    expect((await attach(person.user_id)).status).toBe(201);
    expect((await attach(person.user_id)).body.errors.user_id).toEqual(['This person belongs to the customer already']);
    const others = await staff.get(`/api/admin/users?role=customer&excluded_from_customer=${row.id}&per_page=100`);
    const ids = (others.body.data as { id: number; role: string }[]).map((p) => p.id);
    expect(ids).not.toContain(person.user_id);
    expect(ids).not.toContain(vendor.user_id);
    expect(others.body.data.every((p: { role: string }) => p.role === 'customer')).toBe(true);
    const anyone = await staff.get('/api/admin/users?role=customer&per_page=100');
    expect(anyone.body.data.map((p: { id: number }) => p.id)).toContain(person.user_id);
    expect((await staff.get('/api/admin/users?role=vendor')).status).toBe(422);
  });

  it('replace their venues and classifications as a whole, or not at all', async () => {
    const row = await create('Sets');
    const made = await staff.post('/api/admin/staff/customer_classifications',
      { name: 'School', key: 'school', description: '' });
    const id = made.body.data.id as number;
    const sync = (ids: number[]) => staff.post(`${PATH}/${row.id}/customer_classifications/sync`,
      { customer_classifications: ids });
    expect((await sync([id])).body.data).toMatchObject([{ key: 'school' }]);
    expect((await sync([id, 999_999])).status).toBe(422);
    expect((await staff.get(`${PATH}/${row.id}`)).body.data.classification_names).toEqual(['School']);
  });

  it('send messages by mail, never with a line break in the subject', async () => {
    const row = await create('Letters');
    const send = (subject: string) => staff.post(`${PATH}/${row.id}/messages`,
      { subject, body: 'Break a leg.', recipients: ['stage@manager.example'] });
    expect((await send('Opening night')).status).toBe(201);
    expect((await send('Opening\r\nBcc: x@y.example')).status).toBe(422);
    const mails = await test.database.db.query(sql`select 1 from mail_outbox where template = 'customer.message'`);
    expect(mails).toHaveLength(1);
    const subjects = async (id: number) => (await staff.get(`${PATH}/${id}/messages`)).body.data
      .map((one: { subject: string }) => one.subject);
    expect(await subjects(row.id)).toEqual(['Opening night']);
    expect(await subjects((await create('Others')).id)).toEqual([]);
  });

  it('keep their shipping addresses, one of them the usual one; members read them, strangers see none', async () => {
    const { id } = await create('Two Doors');
    const house = `${PATH}/${id}/shipping_addresses`;
    const home = `/api/customers/${id}/shipping_addresses`;
    const as = (role: 'signer' | 'member') => signedIn('customer', { customers: [{ id, role }] });
    const [signer, member, stranger] = [await as('signer'), await as('member'), await signedIn('customer')];
    const place = (label: string, is_default = false) => ({ label, attention: 'Jo', is_default,
      address: { country_code: 'US', thoroughfare: '2 Back Lane', locality: 'Keene', administrative_area: 'NH',
        postal_code: '03431' } });
    const names = async () => (await member.get(home)).body.data.map((row: { label: string; is_default: boolean }) =>
      `${row.label}${row.is_default ? ', usual' : ''}`);

    const first = await signer.post(home, place('Stage door'));
    expect(first.status, JSON.stringify(first.body)).toBe(201);
    expect((await staff.post(house, place('Office', true))).status).toBe(201);
    expect(await names()).toEqual(['Office, usual', 'Stage door']);
    expect((await signer.put(`${home}/${first.body.data.id}`, { ...place('Stage door', true),
      version: first.body.data.version })).status).toBe(412);
    const { data } = (await staff.get(house)).body;
    expect((await signer.put(`${home}/${data[0].id}`, { ...place('Office'), version: data[0].version })).body.errors)
      .toHaveProperty('is_default');
    expect((await signer.remove(`${home}/${data[0].id}`)).status).toBe(204);
    expect(await names()).toEqual(['Stage door, usual']);
    expect((await signer.post(home, { ...place('x'), address: {} })).body.errors)
      .toHaveProperty(['address.locality']);
    expect((await member.post(home, place('Mine'))).status).toBe(403);
    expect((await stranger.get(home)).status).toBe(404);
    const { data: acts } = (await staff.get(`${PATH}/${id}/activity`)).body;
    expect(acts.map((act: { action: string }) => act.action).slice(0, 3))
      .toEqual(['remove_shipping_address', 'add_shipping_address', 'add_shipping_address']);
    expect(acts[1].changes.filter((one: { after: string }) => one.after === '')).toEqual([]);
    expect(acts[1].changes).toContainEqual({ field: 'locality', before: '', after: 'Keene' });
    expect((await staff.get(`${PATH}/999999999/shipping_addresses`)).status).toBe(404);
  });
});
