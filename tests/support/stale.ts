/**
 * Refusal of stale changes: a caller whose version somebody else has superseded gets an error and changes nothing.
 * Covers every call that names a version, with one long gone, in the body and as `If-Match` (reliability.md 5.2).
 */
import { namesVersion, type Endpoint } from '#kit/endpoint.ts';
import { routes } from '#apps/server/src/routes.ts';
import { sql } from '#server/sql.ts';
import type { Browser, TestApp } from './app.ts';
import { send } from './staff-matrix.ts';
import { CHASE_LAYOUT } from '#kernel/payment-files/positive-pay.ts';
import { placeOf } from './staff-records.ts';

const GONE = 999_999;
const all = routes.map((route) => route.endpoint)
  .filter((endpoint) => namesVersion(endpoint) || endpoint.conditional);
const versioned = all.filter(({ auth }) => auth.kind === 'staff');
/** Of customers, and of whoever is signed in. */
const own = all.filter(({ auth }) => auth.kind !== 'staff');

/** Bodies that cannot be derived from a schema. */
const BODIES: Readonly<Record<string, object>> = {
  'PUT /api/admin/system/settings': { key: 'notifications_keep_days', value: 400 },
  'PUT /api/admin/staff/accounting/bank_accounts/{id}/check_template': { positive_pay: CHASE_LAYOUT },
  'PUT /api/admin/staff/licenses/{licenseId}/discount': { discount: null },
  'PUT /api/customers/{id}/licenses/{licenseId}/box_office_reports/{reportId}': { certified_name: 'Ada Byron' },
  'PUT /api/customers/{id}/shipping_addresses/{addressId}': { address: { country_code: 'US',
    thoroughfare: '1 Stage Door', locality: 'Albany', administrative_area: 'NY', postal_code: '12207' } },
};
interface StaleOutcome { requests: number; compared: number; byState: number; missing: string[]; wrong: string[] }

/** As somebody who may do everything and has confirmed it. */
export async function sendStale(test: TestApp, browser: Browser): Promise<StaleOutcome> {
  const outcome: StaleOutcome = { requests: 0, compared: 0, byState: 0, missing: [], wrong: [] };
  for (const endpoint of versioned) {
    const call = `${endpoint.method} ${endpoint.path}`;
    const { url, real } = await placeOf(test.database.owner, endpoint);
    if (!real) outcome.missing.push(call);
    else await judge(outcome, browser, endpoint, url);
  }
  return outcome;
}

async function judge(outcome: StaleOutcome, browser: Browser, endpoint: Endpoint, url: string): Promise<void> {
  const call = `${endpoint.method} ${endpoint.path}`;
  for (const answer of await sendBoth(browser, endpoint, url, BODIES[call])) {
    outcome.requests += 1;
    const code = (answer.body as { code?: string }).code;
    if (answer.status === 412 && code === 'stale') outcome.compared += 1;
    // In a state that refuses every change, or still in use: the call may say that first.
    else if (answer.status === 409) outcome.byState += 1;
    else outcome.wrong.push(`${call}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
  }
}

/** As an admin of the house whose record it is, and as the person whose account and view it is. */
export async function sendStaleOfOwn(test: TestApp): Promise<StaleOutcome> {
  const { db } = test.ports;
  const outcome: StaleOutcome = { requests: 0, compared: 0, byState: 0, missing: [], wrong: [] };
  const asked = await db.one<{ id: number; house: number }>(sql`
    select id, customer_id as house from license_applications order by id limit 1`);
  const returned = await db.one<{ id: number; license: number; house: number }>(sql`
    select b.id, l.id as license, l.customer_id as house
    from box_office_reports b join licenses l on l.id = b.license_id
    where b.status in ('expected', 'queried', 'estimated') order by b.id limit 1`);
  const place = await db.one<{ id: number }>(sql`
    insert into customer_shipping_addresses (customer_id, label, address, is_default)
    select id, 'Stage door', billing_address, false from customers where id = ${asked.house} returning id`);
  const change = await db.one<{ id: number }>(sql`
    insert into customer_change_requests (customer_id, changes, old_values, summary, asked_by_id)
    values (${asked.house}, '{"phone": "+1 614 555 0100"}', '{"phone": null}', 'Phone', (select min(id) from users))
    on conflict (customer_id) where status = 'waiting' do update set updated_at = now() returning id`);
  const certificate = await db.one<{ id: number }>(sql`
    insert into tax_exemption_certificates (customer_id, country, state, kind, number, valid_from, uploaded_by_id)
    values (${asked.house}, 'US', 'NY', 'school', 'EX-1', '2026-01-01', (select min(id) from users)) returning id`);
  for (const endpoint of own) {
    const { house } = endpoint.path.includes('box_office') ? returned : asked;
    const person = await test.signedIn('customer', { customers: [{ id: house, role: 'admin' }] });
    const me = (await person.get('/api/users/me')).body.data.id as number;
    const view = endpoint.path.includes('/views/') ? (await person.post('/api/users/me/views', {
      page_key: '/customer/documents', name: 'Mine', search: {} })).body : null;
    if (view !== null && !view.data) outcome.wrong.push(JSON.stringify(view));
    const url = endpoint.path.replace('/users/{id}', `/users/${me}`).replace('/views/{id}', `/views/${view?.data?.id}`)
      .replace('{id}', String(house)).replace('{applicationId}', String(asked.id))
      .replace('{addressId}', String(place.id)).replace('{changeId}', String(change.id))
      .replace('{certificateId}', String(certificate.id))
      .replace('{licenseId}', String(returned.license)).replace('{reportId}', String(returned.id));
    await judge(outcome, person, endpoint, url);
  }
  return outcome;
}

/** Removals carry no body. */
async function sendBoth(browser: Browser, endpoint: Endpoint, url: string, body: object = {}) {
  const header = await send(browser, endpoint, url, { ...body, version: undefined }, { 'if-match': `"v${GONE}"` });
  return endpoint.conditional ? [header] : [header, await send(browser, endpoint, url, { ...body, version: GONE })];
}
