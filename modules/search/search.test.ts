// cspell:ignore playhuose
/** The search: what comes first, what one may not read, what is only nearly the same, the trash, leafing through. */
import { beforeAll, describe, expect, test } from 'vitest';
import { makeDeal, makeShow } from '#modules/royalties/testing/royalty-fixtures.ts';
import { KIND_LABELS } from '#modules/openings/opening-set.contract.ts';
import { territoriesOf } from '#modules/reference/places/place.contract.ts';
import { testApp, type Browser, type SignedIn } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';
import { sql } from '#server/sql.ts';
import { SEARCH_KINDS, type SearchGroup, type SearchHit } from './search.contract.ts';
import { SEARCH_SOURCES } from './search-sources.server.ts';
import { nearlyStatement, SEARCH_PLANS, searchStatement } from './search.server.ts';
import { searchText } from './search-text.ts';

const PATH = '/api/admin/staff/search';
const app = testApp();
let staff: SignedIn;

async function groups(by: Browser, search: string): Promise<SearchGroup[]> {
  const answer = await by.get(`${PATH}/all?search=${encodeURIComponent(search)}`);
  expect(answer.status, String(answer.raw)).toBe(200);
  return answer.body.data.groups;
}
const titles = (rows: readonly SearchHit[] | undefined) => rows?.map((row) => row.title);

/** Query plan of the statement over venues, line by line. */
async function planOf(statement: typeof searchStatement, typed: string): Promise<string[]> {
  const question = { text: searchText(typed), depth: 100, limit: 5, offset: 0, trash: false };
  const plan = await app.database.db.read(async (db) => {
    await db.query(SEARCH_PLANS);
    return db.query<Record<string, string>>(sql`explain (analyze, costs off, timing off, summary off) ${
      statement('venue', question)!}`);
  });
  return plan.map((line) => Object.values(line)[0]!);
}

/** Whether a part of the statement over venues read any row of theirs. */
async function reads(part: 'recent' | 'indexed', typed: string): Promise<boolean> {
  const lines = await planOf(searchStatement, typed);
  const from = lines.findIndex((line) => line.includes(`CTE ${part}`));
  expect(from, lines.join('\n')).toBeGreaterThanOrEqual(0);
  return !lines.slice(from).find((line) => / on venues t_\d/.test(line))!.includes('never executed');
}

beforeAll(async () => {
  staff = await app.signedIn('staff_admin');
  const { db } = app.database;
  await db.exec(sql`insert into customers (number, name, status, divisions, default_division, default_currency)
    select * from (values ('C-77', 'Riverdale High', 'active', '{US}'::text[], 'US', 'USD'),
      ('C-778', 'Théâtre du Pont', 'active', '{US}', 'US', 'USD'),
      ('C-900', 'Old Riverdale Players', 'pending', '{US}', 'US', 'USD')) v`);
  await db.exec(sql`insert into customers (name, status, divisions, default_division, default_currency)
    select 'Chorus ' || n, 'active', '{US}', 'US', 'USD' from generate_series(1, 130) n`);
  await db.exec(sql`insert into venues (number, name) values ('V-5077', 'Riverdale Hall')`);
  await db.exec(sql`insert into vendors (number, name) values ('VN-5077', 'Riverdale Printers')`);
});

describe('the search over all kinds', () => {
  test.each(SEARCH_KINDS)('%s: its statement runs, alone and in the trash', async (kind) => {
    expect((await staff.get(`${PATH}?entity=${kind}&search=riverdale`)).status).toBe(200);
    expect((await staff.get(`${PATH}?entity=${kind}&search=xy%20river`)).status).toBe(200);
    expect((await staff.get(`${PATH}/trash?entity=${kind}&search=riverdale`)).status).toBe(200);
    expect(SEARCH_SOURCES[kind].permission).toBeTruthy();
  });

  test('the number itself comes first, then its beginning; a name\'s beginning before words inside', async () => {
    const [first] = await groups(staff, 'c-77');
    expect(first?.entity).toBe('customer');
    expect(titles(first?.rows)).toEqual(['Riverdale High', 'Théâtre du Pont']);
    const found = await groups(staff, 'riverdale');
    expect(found.map((group) => group.entity)).toEqual(['customer', 'venue', 'vendor']);
    expect(titles(found[0]?.rows)).toEqual(['Riverdale High', 'Old Riverdale Players']);
    expect(found[1]?.rows[0]).toMatchObject({ number: 'V-5077',
      href: expect.stringMatching(/^\/admin\/venues\/\d+$/) });
  });

  test('accents, word order and half words do not matter; short words are beginnings', async () => {
    expect(titles((await groups(staff, 'PONT theatre'))[0]?.rows)).toEqual(['Théâtre du Pont']);
    expect(titles((await groups(staff, 'du po'))[0]?.rows)).toEqual(['Théâtre du Pont']);
    expect((await staff.get(`${PATH}/all?search=on%20theatre`)).body.data.fuzzy).toBe(true);
  });

  test('what is only nearly the same is found where nothing is, and said to be so', async () => {
    const { body } = await staff.get(`${PATH}/all?search=riverdalle`);
    expect(body.data.fuzzy).toBe(true);
    expect(titles(body.data.groups[0].rows)).toContain('Riverdale High');
    expect(await groups(staff, 'nowhere')).toEqual([]);
  });

  test('signs, wildcards and one letter find nothing by accident', async () => {
    for (const typed of ['%', '__', '%%%', 'x', '\\', '\'"; drop', '…………']) {
      expect(await groups(staff, typed), typed).toEqual([]);
    }
  });

  test('only kinds whose list one may read', async () => {
    const clerk = await app.signedIn('staff_user', { permissions: ['search_index.list', 'venue.list'] });
    expect((await groups(clerk, 'riverdale')).map((group) => group.entity)).toEqual(['venue']);
    expect((await clerk.get(`${PATH}?search=riverdale&entity=customer`)).body.data).toEqual([]);
    const stranger = await app.signedIn('staff_user', { permissions: ['venue.list'] });
    expect((await stranger.get(`${PATH}/all?search=riverdale`)).status).toBe(403);
  });
});

describe('records without a number', () => {
  const hitOf = async (by: Browser, entity: string, typed: string) =>
    (await groups(by, typed)).find((group) => group.entity === entity)?.rows[0];

  beforeAll(async () => {
    const { db } = app.database;
    const [maker, { file_id }] = [staff.user_id, await db.one<{ file_id: number }>(sql`
      insert into files (original_name, mime_type, size_bytes, sha256, storage_key)
      values ('tb.csv', 'text/csv', 1, ${'0'.repeat(64)}, 'search/trial-balance') returning id as file_id`)];
    await db.exec(sql`insert into opening_sets (division, kind, as_of, file_id, reading, row_count, created_by_id)
      values ('UK', 'ledger', '2019-10-31', ${file_id}, '{}', 1, ${maker})`);
    await db.exec(sql`insert into revaluations (division, revalued_on, gain_minor, requested_by_id)
      values ('PROD', '2019-11-30', 100, ${maker})`);
    await db.exec(sql`insert into tax_returns (division, state, period_from, period_to, due_on, boxes, net_minor,
        items_sha256, item_count, prepared_by_id, prepared_at)
      select division, state, '2019-01-01', '2019-03-31', due::date, '[]', 0, ${'0'.repeat(64)}, 0, ${maker}, now()
      from (values ('UK', null, null), ('EU', null, null), ('US', 'US-TX', '2019-04-20')) v (division, state, due)`);
  });

  test('opening balances, revaluations and tax returns are found by kind, month, division and state', async () => {
    expect(await hitOf(staff, 'opening_set', 'trial balance october 2019')).toMatchObject({ title: 'Trial balance',
      status: 'not_posted', href: expect.stringMatching(/^\/admin\/accounting\/opening-balances\/\d+$/) });
    expect(await hitOf(staff, 'revaluation', 'revaluation prod november')).toMatchObject({ title: 'November 2019',
      href: expect.stringMatching(/^\/admin\/accounting\/revaluations\/\d+$/) });
    expect(await hitOf(staff, 'tax_return', 'UK VAT march 2019')).toMatchObject({ title: 'UK VAT return',
      status: 'awaits_filing',
      href: '/admin/finance/taxes-vat/uk-vat?division=UK&from=2019-01-01&to=2019-03-31' });
    expect(await hitOf(staff, 'tax_return', 'eu vat')).toMatchObject({ title: 'EU VAT return' });
    expect(await hitOf(staff, 'tax_return', 'texas january')).toMatchObject({ title: 'Texas sales and use tax return',
      href: '/admin/finance/taxes-vat/us-sales-use-tax?division=US&state=TX&from=2019-01-01&to=2019-03-31' });
  });

  test('titles are those of the lists, for every kind of opening balances and every state', async () => {
    const { db } = app.database;
    for (const [kind, label] of Object.entries(KIND_LABELS)) {
      expect(await db.one(sql`select opening_kind_words(${kind}) as label`)).toEqual({ label });
    }
    const states = territoriesOf('US');
    const names = await db.query<{ name: string }>(sql`
      select state_words('US-' || code) as name from unnest(${states.map((one) => one.code)}::text[]) code`);
    expect(names.map((row) => row.name)).toEqual(states.map((one) => one.name));
  });

  test('messages about a production are found by their words, with the right to read licences', async () => {
    const { db } = app.database;
    const deal = await makeDeal(db, await makeShow(db, []), { customer_id: await makeCustomer(db, 'US') });
    await db.exec(sql`insert into thread_messages (license_id, author_id, from_staff, sender_name, body)
      values (${deal.license_id}, ${staff.user_id}, true, 'Ann', ${'May we cut the\n  barbershop quartet?'})`);
    expect(await hitOf(staff, 'thread_message', 'barbershop')).toMatchObject({
      title: 'May we cut the barbershop quartet?', detail: expect.stringMatching(/^Ann, /),
      href: expect.stringMatching(new RegExp(`/${deal.license_id}/messages$`)) });
    const clerk = await app.signedIn('staff_user', { permissions: ['search_index.list', 'license.show'] });
    expect(await groups(clerk, 'barbershop')).toHaveLength(1);
    for (const typed of ['barbershop', 'trial balance', 'revaluation prod', 'uk vat']) {
      const other = await app.signedIn('staff_user', { permissions: ['search_index.list', 'venue.list'] });
      expect(await groups(other, typed), typed).toEqual([]);
    }
    const customer = await app.signedIn('customer', { customers: [{ id: await makeCustomer(db, 'US'),
      role: 'signer' }] });
    expect((await customer.get(`${PATH}/all?search=barbershop`)).status).toBe(403);
  });
});

describe('flat lists', () => {
  test('one kind is leafed through, the overview says that there are more', async () => {
    const [group] = await groups(staff, 'chorus');
    expect(group).toMatchObject({ total: 100, total_is_exact: false });
    expect(group?.rows).toHaveLength(5);
    const page = (await staff.get(`${PATH}?search=chorus&entity=customer&page=13&per_page=10`)).body;
    expect(page.meta).toMatchObject({ total: 130, last_page: 13, from: 121, to: 130 });
    const all = await staff.get(`${PATH}?search=riverdale&per_page=2&page=2`);
    expect(titles(all.body.data)).toEqual(['Riverdale Printers', 'Old Riverdale Players']);
  });

  test('a count stops at its cap and says that there is more', async () => {
    await app.database.db.exec(sql`insert into vendors (name) select 'Ensemble ' || n from generate_series(1, 1100) n`);
    const { meta } = (await staff.get(`${PATH}?search=ensemble&entity=vendor`)).body;
    expect(meta).toMatchObject({ total: 1000, total_is_exact: false });
    expect((await staff.get(`${PATH}?search=ensemble`)).body.meta).toMatchObject({ total: 100, total_is_exact: false });
    expect((await groups(staff, 'ensemble'))[0]).toMatchObject({ total: 100, total_is_exact: false });
  });

  test('a common word is found among the newest rows without its index, a rare one by its index', async () => {
    const { db } = app.database;
    await db.exec(sql`insert into venues (number, name) select 'VP-' || n, 'The Playhouse ' || n
      from generate_series(1, 1200) n`);
    expect([await reads('recent', 'playhouse'), await reads('indexed', 'playhouse')]).toEqual([true, false]);
    expect([await reads('recent', 'riverdale hall'), await reads('indexed', 'riverdale hall')]).toEqual([false, true]);
    expect((await groups(staff, 'riverdale hall'))[0]?.rows[0]?.number).toBe('V-5077');
    const [found] = await groups(staff, 'playhouse');
    expect(found).toMatchObject({ total: 100, total_is_exact: false });
    expect(titles(found?.rows)).toEqual([1200, 1199, 1198, 1197, 1196].map((n) => `The Playhouse ${n}`));
  });

  test('a slip in a common word compares 400 rows, not all of them', async () => {
    const plan = (await planOf(nearlyStatement, 'playhuose')).join('\n');
    expect(plan).toMatch(/CTE recent\n +-> +Limit \(actual rows=400/);
    expect(plan).toMatch(/CTE near(\n.*){1,8} on venues t_\d+ \(never executed\)/);
    const { body } = await staff.get(`${PATH}/all?search=playhuose`);
    expect(body.data).toMatchObject({ fuzzy: true, groups: [{ entity: 'venue' }] });
  });

  test('a licence shows the number that is valid now and the former beside it, found by either', async () => {
    const { db } = app.database;
    const deal = await makeDeal(db, await makeShow(db, []), { customer_id: await makeCustomer(db, 'US') });
    const { number, license_number } = await db.one<{ number: string; license_number: string }>(sql`
      update licenses set license_number = 'L-US-' || id where id = ${deal.license_id}
      returning number, license_number`);
    for (const typed of [number, license_number]) {
      expect((await groups(staff, typed))[0]?.rows[0]).toMatchObject({ entity: 'license', number: license_number,
        former_number: number });
    }
    expect((await groups(staff, 'V-5077'))[0]?.rows[0]?.former_number).toBeNull();
  });

  test('the trash holds what was moved there, and the search of the living does not', async () => {
    const { body: { data } } = await staff.post('/api/admin/staff/venues', { name: 'Closed House', kind: 'theatre',
      time_zone: 'America/New_York' });
    expect((await staff.remove(`/api/admin/staff/venues/${data.id}`)).status).toBe(204);
    expect(await groups(staff, 'closed house')).toEqual([]);
    expect((await staff.get(`${PATH}/trash?search=closed%20house`)).body.data).toMatchObject([
      { id: `venue-${data.id}`, status: 'trash', href: '/admin/venues?view=trash' }]);
    const clerk = await app.signedIn('staff_user', { permissions: ['search_index.list_trash', 'venue.list'] });
    expect((await clerk.get(`${PATH}/trash?search=closed%20house`)).body.data).toEqual([]);
  });

  test('one found record by its name in the search; none of a kind one may not read', async () => {
    const [hit] = (await staff.get(`${PATH}?search=V-5077`)).body.data as SearchHit[];
    expect((await staff.get(`${PATH}/${hit!.id}`)).body.data.title).toBe('Riverdale Hall');
    const clerk = await app.signedIn('staff_user', { permissions: ['search_index.view', 'customer.list'] });
    expect((await clerk.get(`${PATH}/${hit!.id}`)).status).toBe(404);
    expect((await staff.get(`${PATH}/nothing-5`)).status).toBe(404);
  });
});
