/**
 * Read and write access to records across tenants: every call of the customers' area and every call for any signed-in
 * user, by every kind of person, at their own customer and at another, with records of their own and of the other
 * (reliability.md 2.3). The records are those of the demo season, marked with canaries.
 */
import type { Endpoint } from '#kit/endpoint.ts';
import { routes } from '#apps/server/src/routes.ts';
import { createDb } from '#server/db.ts';
import { name, sql, type Sql } from '#server/sql.ts';
import { confirmedPeople, type Browser, type TestApp } from './app.ts';
import { canariesIn, type Houses, type Owner } from './canaries.ts';
import { exampleOf } from './example.ts';
import { PAPER } from './paper-file.ts';

type House = 'A' | 'B';
const HOUSES: readonly House[] = ['A', 'B'];

interface Person {
  name: string;
  browser: Browser;
  /** Role in each house; none for whoever has no business there. */
  at: Partial<Record<House, 'admin' | 'signer' | 'member' | 'acting'>>;
  /** Status returned to everybody outside the tenant. */
  otherwise: 401 | 403 | 404;
}

interface Ids { byName: Record<string, number>; user: number }
export interface Stage { test: TestApp; houses: Houses; ids: Record<House, Ids>; people: Person[] }
export interface Outcome {
  requests: number;
  mismatches: string[];
  leaks: string[];
  /** Writes whose fields were refused before the record was looked for. */
  refusedByFields: number;
  /** One's own canaries that came back: proof that answers carry what was planted. */
  own: Set<string>;
}

/** The two houses with the most to show. */
export async function chooseHouses(test: TestApp): Promise<Houses> {
  const rows = await test.database.db.query<{ id: number }>(sql`
    select c.id from customers c join licenses l on l.customer_id = c.id
    where exists (select 1 from box_office_reports r where r.license_id = l.id)
      and exists (select 1 from license_documents d where d.license_id = l.id and not d.internal)
      and exists (select 1 from invoices i where i.customer_id = c.id and i.status <> 'draft')
      and exists (select 1 from license_applications a where a.customer_id = c.id)
    group by c.id order by count(*) desc, c.id limit 2`);
  return { A: rows[0]!.id, B: rows[1]!.id };
}

export async function makeStage(test: TestApp, houses: Houses): Promise<Stage> {
  const ids = { A: await idsOf(test, houses.A), B: await idsOf(test, houses.B) };
  return { test, houses, ids, people: await makePeople(test, houses) };
}

/** A file of figures that the person uploaded, and one beside a report of the license. */
async function boxOfficeFiles({ ports, database }: TestApp, license: number, user: number):
Promise<Record<string, number>> {
  const copy = async (name: string): Promise<number> => {
    const put = await ports.files.put(Buffer.from(`Week ending,Gross\n2026-03-29,1.00\n${name} of ${license}\n`));
    return (await database.db.one<{ id: number }>(sql`
      insert into files (storage_key, sha256, mime_type, size_bytes, original_name, created_by_id)
      values (${put.storage_key}, ${put.sha256}, 'text/csv', ${put.size}, ${`${name}.csv`}, ${user})
      returning id`)).id;
  };
  const attached = await copy('statement');
  await database.db.exec(sql`
    insert into box_office_attachments (box_office_report_id, file_id)
    select id, ${attached} from box_office_reports where license_id = ${license} order by id limit 1`);
  return { boxOfficeFileId: await copy('figures'), attachedFileId: attached };
}

/** A message of the house with a file of its own; answers the file's id. */
async function postFile({ ports, database }: TestApp, house: number, license: number, user: number): Promise<number> {
  const put = await ports.files.put(Buffer.from(`The ground plan of house ${house}`));
  return (await database.db.one<{ id: number }>(sql`
    with message as (
        insert into thread_messages (license_id, author_id, from_staff, sender_name, body)
        values (${license}, ${user}, false, 'Jo Join', 'The ground plan is attached.') returning id),
      file as (
        insert into files (storage_key, sha256, mime_type, size_bytes, original_name)
        values (${put.storage_key}, ${put.sha256}, 'application/pdf', 32, 'ground-plan.pdf') returning id)
    insert into thread_files (license_id, thread_message_id, file_id, uploaded_by_id)
    select ${license}, message.id, file.id, ${user} from message, file returning id`)).id;
}

/** An exemption certificate that the person uploaded, with its file. */
async function certificate({ ports, database }: TestApp, house: number, user: number): Promise<number> {
  const put = await ports.files.put(Buffer.from(`Exemption certificate of ${house}`));
  return (await database.db.one<{ id: number }>(sql`
    with file as (
      insert into files (storage_key, sha256, mime_type, size_bytes, original_name, created_by_id)
      values (${put.storage_key}, ${put.sha256}, 'application/pdf', ${put.size}, 'exemption.pdf', ${user}) returning id)
    insert into tax_exemption_certificates (customer_id, country, state, kind, number, valid_from, uploaded_by_id,
      document_id)
    select ${house}, 'US', 'NY', 'school', ${`EX-${house}`}, '2026-01-01', ${user}, id from file
    on conflict (customer_id, country, state, number, valid_from) do update set updated_at = now() returning id`)).id;
}

const receiptOf = (house: number): Sql => sql`
  select min(id) as id from payments where customer_id = ${house} and kind = 'receipt' and posted_at is not null`;

async function idsOf(test: TestApp, house: number): Promise<Ids> {
  const { db } = test.database;
  const one = async (query: Sql): Promise<number> => (await db.one<{ id: number }>(query)).id;
  const license = await one(sql`
    select l.id from licenses l where l.customer_id = ${house} and l.phase <> 'draft'
      and exists (select 1 from box_office_reports r where r.license_id = l.id)
      and exists (select 1 from license_documents d where d.license_id = l.id and not d.internal)
    order by l.id desc limit 1`);
  const user = await one(sql`select user_id as id from customer_users where customer_id = ${house} limit 1`);
  const stranger = await one(sql`insert into users (email, first_name, last_name, role, email_verified_at)
    values (${`joins-${house}@example.org`}, 'Jo', 'Join', 'customer', now()) returning id`);
  return { user, byName: {
    licenseId: license, userId: user,
    showId: await one(sql`select show_id as id from licenses where id = ${license}`),
    applicationId: await one(sql`
      select id from license_applications where customer_id = ${house} order by id limit 1`),
    documentId: await one(sql`select id from license_documents where license_id = ${license} and not internal
      and deleted_at is null order by document_id nulls last limit 1`),
    reportId: await one(sql`select id from box_office_reports where license_id = ${license} order by id limit 1`),
    questionId: await one(sql`
      insert into box_office_questions (box_office_report_id, license_id, kind, question)
      select id, license_id, 'deduction_not_allowed', 'Not deducted' from box_office_reports
      where license_id = ${license} order by id limit 1
      on conflict (box_office_report_id, kind) do update set question = excluded.question returning id`),
    invoiceId: await one(sql`select min(id) as id from invoices where customer_id = ${house} and status <> 'draft'`),
    receiptId: await one(receiptOf(house)),
    depositId: await one(sql`
      insert into deposits (license_id, kind, division, currency, amount_minor, net_minor)
      select id, 'security', division, currency, 10000, 10000 from licenses where id = ${license} returning id`),
    notificationId: await one(sql`insert into notifications (user_id, customer_id, kind, title)
      values (${user}, ${house}, 'test', 'A note') returning id`),
    invitationId: await one(sql`
      insert into customer_invitations (customer_id, email, role, token_hash, invited_by_id, expires_at)
      values (${house}, ${`invited-${house}@example.org`}, 'member', ${Buffer.alloc(32, house % 250)}, ${user},
        '2100-01-01') returning id`),
    requestId: await one(sql`insert into customer_join_requests (customer_id, user_id)
      values (${house}, ${stranger}) returning id`),
    perusalId: await one(sql`
      insert into perusals (customer_id, requested_by_id, show_id, division, format, days, currency)
      select ${house}, ${user}, show_id, division, 'digital', 14, currency from licenses where id = ${license}
      returning id`),
    addressId: await one(sql`
      insert into customer_shipping_addresses (customer_id, label, address, is_default)
      select id, 'Stage door', billing_address, false from customers where id = ${house} returning id`),
    changeId: await one(sql`
      insert into customer_change_requests (customer_id, changes, old_values, summary, asked_by_id)
      values (${house}, '{"phone": "+1 614 555 0100"}', '{"phone": null}', 'Phone', ${user})
      on conflict (customer_id) where status = 'waiting' do update set updated_at = now() returning id`),
    certificateId: await certificate(test, house, user),
    page: 1,
    fileId: await one(sql`
      with file as (select id, material_id from material_files where removed_at is null order by id limit 1),
        given as (insert into license_materials (license_id, material_id, item_number, name, type, fulfilment, quantity,
            item_class, income_type)
          select ${license}, m.id, m.item_number, m.name, 'digital', 'download', 1, m.item_class, m.income_type
          from file join materials m on m.id = file.material_id on conflict do nothing)
      select id from file`),
    ...await boxOfficeFiles(test, license, user), messageFileId: await postFile(test, house, license, user),
    orderId: await one(sql`
      insert into sales_orders (kind, status, customer_id, division, currency, warehouse_id, from_portal,
        quoted_net_minor, quoted_tax_minor)
      select 'book_order', 'released', ${house}, division, currency, (select min(id) from warehouses), true, 900, 72
      from licenses where id = ${license} returning id`),
    venue_id: await one(sql`select venue_id as id from license_venues where license_id = ${license}
      and venue_id is not null limit 1`),
    license_venue_id: await one(sql`select id from license_venues where license_id = ${license} limit 1`),
    show_id: await one(sql`select show_id as id from licenses where id = ${license}`),
    customer_id: house, license_id: license,
  } };
}

async function makePeople(test: TestApp, { A, B }: Houses): Promise<Person[]> {
  const { db } = test.database;
  // The question who is there comes before the record is looked for; step-up.test.ts is about the question.
  const signedIn = confirmedPeople(test);
  const changed = async (browser: Browser & { user_id: number }, change: (id: number) => Sql): Promise<Browser> => {
    await db.exec(change(browser.user_id));
    return browser;
  };
  const member = (id: number, role: string) => signedIn('customer', { customers: [{ id, role }] });
  const pending = (await db.one<{ id: number }>(sql`
    insert into customers (name, status, divisions, default_division, default_currency)
    values ('Waiting Players', 'pending', '{US}', 'US', 'USD') returning id`)).id;
  const guest = test.visitor();
  await guest.get('/sanctum/csrf-cookie');
  const staffWith = (permissions: string[]) => signedIn('staff_user', { permissions: permissions as [] });
  const people: Person[] = [
    { name: 'a guest', browser: guest, at: {}, otherwise: 401 },
    { name: 'an administrator of A', browser: await member(A, 'admin'), at: { A: 'admin' }, otherwise: 404 },
    { name: 'a signer of A', browser: await member(A, 'signer'), at: { A: 'signer' }, otherwise: 404 },
    { name: 'a member of A', browser: await member(A, 'member'), at: { A: 'member' }, otherwise: 404 },
    { name: 'an administrator of B', browser: await member(B, 'admin'), at: { B: 'admin' }, otherwise: 404 },
    { name: 'a person of both', otherwise: 404, at: { A: 'admin', B: 'member' },
      browser: await signedIn('customer',
        { customers: [{ id: A, role: 'admin' }, { id: B, role: 'member' }] }) },
    { name: 'a person of a house that waits for staff', browser: await member(pending, 'admin'), at: {},
      otherwise: 404 },
    { name: 'somebody who left A', at: {}, otherwise: 404, browser: await changed(await member(A, 'admin'),
      (id) => sql`delete from customer_users where user_id = ${id}`) },
    { name: 'staff without a group', browser: await signedIn('staff_user'), at: {}, otherwise: 403 },
    { name: 'staff with one permission', browser: await staffWith(['venue.view']), at: {}, otherwise: 403 },
    { name: 'staff with the rights of licences', at: {}, otherwise: 403,
      browser: await staffWith(['license.view', 'license.update', 'customer.view']) },
    { name: 'a staff administrator', browser: await signedIn('staff_admin'), at: {}, otherwise: 403 },
    { name: 'a vendor', browser: await signedIn('vendor'), at: {}, otherwise: 403 },
    { name: 'a system administrator', browser: await signedIn('system_admin'), at: {}, otherwise: 404 },
    { name: 'a system administrator acting for A', at: { A: 'acting' }, otherwise: 404,
      browser: await changed(await signedIn('system_admin'), (id) => sql`update sessions
        set acting_customer_id = ${A}, acting_until = '2100-01-01' where user_id = ${id}`) },
    { name: 'somebody whose session was revoked', at: {}, otherwise: 401,
      browser: await changed(await member(A, 'admin'), (id) => sql`delete from sessions where user_id = ${id}`) },
    { name: 'somebody whose account was removed', at: {}, otherwise: 401,
      browser: await changed(await member(A, 'admin'), (id) => sql`update users set disabled_at = now()
        where id = ${id}`) },
  ];
  return people;
}

/** Parameters that name a record of a house; shows are everybody's. */
const owned = (path: string): boolean => /\{(?!id\}|showId\})\w+\}/.test(path);
const endpoints = routes.map((route) => route.endpoint).filter(({ path }) => path !== '/api/events');
const customerCalls = endpoints.filter(({ auth }) => auth.kind === 'customer');
const personalCalls = endpoints.filter(({ auth, method, path }) => method === 'GET' && !/\{token\}/.test(path)
  && (auth.kind === 'open' || auth.kind === 'signed_in'));

function addressOf({ path }: Endpoint, id: number, ids: Ids): string {
  return path.split('?')[0]!.replace('{id}', String(id))
    .replace(/\{(\w+)\}/g, (_, parameter: string) => {
      const found = ids.byName[parameter];
      if (found === undefined) throw new Error(`No record for {${parameter}} of ${path}; tests/support/tenancy.ts`);
      return String(found);
    });
}

/** Expected answer for this person at this tenant by the contract; no tenant shows the records of another. */
function expected(endpoint: Endpoint, person: Person, at: House, records: House): number | 'over' {
  const { auth } = endpoint;
  if (auth.kind !== 'customer') throw new Error('only calls of customers');
  const role = person.at[at];
  if (role === undefined) return person.otherwise;
  if (role === 'acting' ? auth.notWhileActing : !auth.roles.includes(role)) return 403;
  if (records !== at && owned(endpoint.path)) return 404;
  // Nobody has lent these pages yet: whose perusal it is, is asked before that.
  return endpoint.path.includes('/pages/') ? 'over' : 200;
}

const allowedAt = (person: Person, at: House): Owner[] => person.at[at] === undefined ? [] : [at];
const label = (person: Person, endpoint: Endpoint, url: string): string =>
  `${person.name}: ${endpoint.method} ${url}`;

const nothing = (): Outcome => ({ requests: 0, mismatches: [], leaks: [], refusedByFields: 0, own: new Set() });

/** A production names its representative, with the address to write to. */
const PRODUCTION = '/api/customers/{id}/licenses/{licenseId}';

/** Every read of the customers' area × person × house in the address × house of the records. */
export async function readEverything(stage: Stage): Promise<Outcome> {
  const outcome: Outcome = nothing();
  for (const endpoint of customerCalls.filter(({ method }) => method === 'GET')) {
    for (const person of stage.people) {
      for (const at of HOUSES) {
        for (const records of owned(endpoint.path) ? HOUSES : [at]) {
          const path = addressOf(endpoint, stage.houses[at], stage.ids[records]);
          const url = path.endsWith('/search') ? `${path}?search=CANARY` : path;
          const wanted = expected(endpoint, person, at, records);
          const answer = await person.browser.get(withQuery(endpoint, url));
          outcome.requests += 1;
          const call = label(person, endpoint, url);
          if (answer.status !== (wanted === 'over' ? 409 : wanted)) {
            outcome.mismatches.push(`${call}: ${answer.status} for ${wanted} ${answer.raw.toString().slice(0, 200)}`);
          }
          const found = canariesIn(answer.raw.toString(), allowedAt(person, at))
            .filter((canary) => !(endpoint.path === PRODUCTION && /house-users-email$/i.test(canary)));
          for (const canary of canariesIn(answer.raw.toString(), [])) outcome.own.add(canary);
          if (found.length > 0) outcome.leaks.push(`${call}: ${found.join(', ')}`);
        }
      }
    }
  }
  return outcome;
}

/** Adds the required query; lists as long as they may be. */
function withQuery(endpoint: Endpoint, url: string): string {
  if (!endpoint.query || url.includes('?')) return url;
  const query = exampleOf(endpoint.query) as Record<string, unknown>;
  const takesMore = endpoint.query.safeParse({ ...query, per_page: '100' }).success;
  const pairs = Object.entries({ ...query, ...(takesMore ? { per_page: '100' } : {}) });
  return pairs.length === 0 ? url : `${url}?${pairs.map(([key, value]) => `${key}=${String(value)}`).join('&')}`;
}

/** Every read that is not of an area: one's own, and what is open. */
export async function readPersonal(stage: Stage): Promise<Outcome> {
  const outcome: Outcome = nothing();
  const customers = stage.people.filter(({ at, otherwise }) => otherwise === 404 || Object.keys(at).length > 0);
  for (const endpoint of personalCalls) {
    for (const person of customers.filter((person) => !person.name.startsWith('a system'))) {
      for (const of of HOUSES) {
        const url = addressOf(endpoint, stage.ids[of].user, { ...stage.ids[of],
          byName: { ...stage.ids[of].byName, file: 1, code: 1, digest: 1 } });
        const answer = await person.browser.get(withQuery(endpoint, url));
        outcome.requests += 1;
        const call = label(person, endpoint, url);
        if (answer.status >= 500) outcome.mismatches.push(`${call}: ${answer.status}`);
        const found = canariesIn(answer.raw.toString(), Object.keys(person.at) as Owner[]);
        if (found.length > 0) outcome.leaks.push(`${call}: ${found.join(', ')}`);
      }
    }
  }
  return outcome;
}

/** Every write by everybody who has no business at A, with A's records and a body that would do: nothing moves. */
export async function writeEverything(stage: Stage): Promise<Outcome> {
  const outcome: Outcome = nothing();
  const strangers = stage.people.filter(({ at }) => at.A === undefined);
  for (const endpoint of customerCalls.filter(({ method }) => method !== 'GET')) {
    for (const person of strangers) {
      for (const at of owned(endpoint.path) ? HOUSES : ['A' as const]) {
        const url = addressOf(endpoint, stage.houses[at], stage.ids.A);
        const answer = await send(person.browser, endpoint, url, stage.ids.A);
        outcome.requests += 1;
        const wanted = person.otherwise === 401 ? [401, 419] : [expected(endpoint, person, at, 'A')];
        // At one's own house the fields are read before the record is looked for.
        const byFields = at === 'B' && answer.status === 422;
        outcome.refusedByFields += byFields ? 1 : 0;
        const call = label(person, endpoint, url);
        if (!byFields && !wanted.includes(answer.status)) {
          outcome.mismatches.push(`${call}: ${answer.status} for ${wanted.join()} ${
            answer.raw.toString().slice(0, 200)}`);
        }
        const found = canariesIn(answer.raw.toString(), allowedAt(person, at));
        if (found.length > 0) outcome.leaks.push(`${call}: ${found.join(', ')}`);
      }
    }
  }
  return outcome;
}

function send(browser: Browser, endpoint: Endpoint, url: string, ids: Ids): ReturnType<Browser['call']> {
  const body = endpoint.body ? exampleOf(endpoint.body, (field) => ids.byName[field]) : undefined;
  if (!endpoint.upload) return browser.call(endpoint.method, url, body === undefined ? {} : { body });
  const fields = Object.fromEntries(Object.entries(body ?? {}).map(([key, value]) => [key, String(value)]));
  return browser.call(endpoint.method, url, { multipart: { fields, file: { field: endpoint.upload.field,
    name: 'paper.pdf', type: 'application/pdf', content: PAPER } } });
}

/** A digest of everything the house owns, table by table, as its own counter sees it. */
export async function stateOf(test: TestApp, house: number): Promise<Record<string, string>> {
  const counter = createDb({ connectionString: test.database.urls.app_counter, max: 1, onError: () => {} });
  const state: Record<string, string> = {};
  try {
    const tables = await test.database.db.query<{ table: string }>(sql`
      select table_name as table from table_access where class = 'tenant' order by 1`);
    for (const { table } of tables) {
      const row = await counter.bound({ 'app.customer_id': house }).one<{ digest: string }>(sql`
        select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest
        from ${name(table)} t`);
      state[table] = row.digest;
    }
  } finally {
    await counter.close();
  }
  return state;
}
