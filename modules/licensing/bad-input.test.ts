/**
 * Invalid input from people and programs: each is refused at its field in plain words, and nothing is stored. Broken
 * JSON, unknown fields and NUL bytes are refused on every call by tests/derived.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordReceipt } from '#modules/receivables/receivables.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { TEST_NOW, testApp, type Answer, type Browser } from '#tests/support/app.ts';
import { E2_TICKETS, evenings, licensingFixture, type Fixture } from './testing/licensing-fixtures.ts';

const test = testApp();
const LICENSES = '/api/admin/staff/licenses';
let staff: Awaited<ReturnType<typeof test.signedIn>>;
let fixture: Fixture;
let draft: { id: number; version: number };

beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  fixture = await licensingFixture(test.database.db);
  draft = await quote();
});
beforeEach(() => test.clock.set(TEST_NOW));

async function quote(): Promise<{ id: number; version: number }> {
  const made = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', license_venues: [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
      performances: evenings('2027-04-01', 6) }] });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.data;
}

const TICKET = { number_of_seats: 100, price: 10, weight: 1 };
const long = (length: number): string => 'x'.repeat(length);
const quoteBody = (more: object): object => ({ customer_id: fixture.customer_id, show_id: fixture.show_id,
  category: 'Amateur', ...more });
const withTicket = (more: object): object => quoteBody({ license_venues: [{ venue_id: fixture.venue_id,
  ticketing: [{ ...TICKET, ...more }] }] });
const withNight = (more: object): object => quoteBody({ license_venues: [{ venue_id: fixture.venue_id,
  ticketing: [TICKET], performances: [{ local_date: '2027-04-01', local_time: '19:30', ...more }] }] });
const SEATS = 'license_venues.0.ticketing.0.number_of_seats';
const PRICE = 'license_venues.0.ticketing.0.price';
const charges = (more: object) => ({ version: draft.version, with_package: false, extra_periods: 0, add_ons: [],
  fees: [], ...more });

/** Input, the field it is refused at, and the message. */
const QUOTES: readonly [string, () => object, string, string][] = [
  ['negative seats [R7]', () => withTicket({ number_of_seats: -1 }), SEATS, 'Seats cannot be negative'],
  ['half a seat', () => withTicket({ number_of_seats: 1.5 }), SEATS, 'Seats must be a whole number'],
  ['too many seats', () => withTicket({ number_of_seats: 200_001 }), SEATS, 'At most 200,000 seats'],
  ['a price with three decimals [R6]', () => withTicket({ price: 10.005 }), PRICE, 'Use at most two decimals'],
  ['a price as text', () => withTicket({ price: '10,00' }), PRICE, 'Price must be a number'],
  ['a negative price', () => withTicket({ price: -1 }), PRICE, 'A price cannot be negative'],
  ['a negative weight', () => withTicket({ weight: -1 }), 'license_venues.0.ticketing.0.weight',
    'A weight cannot be negative'],
  ['an unknown show', () => quoteBody({ show_id: 999_999 }), 'show_id', 'This show does not exist'],
  ['no show', () => ({ customer_id: fixture.customer_id, category: 'Amateur' }), 'show_id', 'Choose a show'],
  ['an unknown customer', () => quoteBody({ customer_id: 999_999 }), 'customer_id', 'This customer does not exist'],
  ['an unknown venue', () => quoteBody({ license_venues: [{ venue_id: 999_999 }] }), 'license_venues.0.venue_id',
    'This venue does not exist'],
  ['a venue without a name', () => quoteBody({ license_venues: [{ ticketing: [TICKET] }] }), 'license_venues.0.name',
    'The name of the venue is required'],
  ['a negative house', () => quoteBody({ license_venues: [{ venue_id: fixture.venue_id, capacity: -5 }] }),
    'license_venues.0.capacity', 'This cannot be negative'],
  ['a day that does not exist', () => withNight({ local_date: '2027-02-30' }),
    'license_venues.0.performances.0.local_date', 'Enter a date that exists, as YYYY-MM-DD'],
  ['an hour that does not exist', () => withNight({ local_time: '25:00' }),
    'license_venues.0.performances.0.local_time', 'Enter a time as HH:MM'],
  ['a cast in words', () => quoteBody({ cast_size: 'many' }), 'cast_size', 'Enter a number'],
  ['a title that never ends', () => quoteBody({ title_on_license: long(301) }), 'title_on_license',
    'At most 300 characters'],
  ['an unknown category', () => quoteBody({ category: 'Semi' }), 'category', 'Choose a category'],
  ['an object for a list', () => quoteBody({ license_venues: {} }), 'license_venues', 'Send a list'],
];

const FEE = 'fees.0.amount_minor';
const CHANGES: readonly [string, string, () => object, string, string][] = [
  ['a fee in thirds of a cent', 'charges', () => charges({ fees: [{ description: 'Rush', amount_minor: 10.5 }] }), FEE,
    'Enter an amount with at most two decimals'],
  ['a negative fee', 'charges', () => charges({ fees: [{ description: 'Rush', amount_minor: -1 }] }), FEE,
    'An amount cannot be negative'],
  ['a fee beyond every house', 'charges', () => charges({ fees: [{ description: 'Rush', amount_minor: 1e13 }] }), FEE,
    'At most 10,000,000,000.00'],
  ['a fee for nothing', 'charges', () => charges({ fees: [{ description: ' ', amount_minor: 1 }] }),
    'fees.0.description', 'Say what the fee is for'],
  ['ten years of hire', 'charges', () => charges({ extra_periods: 500 }), 'extra_periods', 'At most 120'],
  ['an add-on of another show', 'charges', () => charges({ add_ons: [{ add_on_id: 999_999 }] }),
    'add_ons.0.add_on_id', 'This add-on is not offered here'],
  ['a discount over the whole', 'discount', () => ({ version: draft.version, discount: { type: 'percent',
    ppm: 2_000_000, reason: 'x' } }), 'discount.ppm', 'At most 100%'],
  ['a discount without a reason', 'discount', () => ({ version: draft.version, discount: { type: 'percent', ppm: 1,
    reason: ' ' } }), 'discount.reason', 'Say why the discount is given'],
  ['a negative fee per performance', 'negotiated_fee', () => ({ version: draft.version, negotiated: {
    fee_per_performance_minor: -1, reason: 'x' } }), 'negotiated.fee_per_performance_minor',
  'An amount cannot be negative'],
  ['a mail address that is none', 'phase', () => ({ version: draft.version, event: 'send_offer',
    recipients: ['nobody'] }), 'recipients.0', 'Enter a valid email address'],
  ['an event that does not exist', 'phase', () => ({ version: draft.version, event: 'fly' }), 'event',
    'Choose one of send_offer, revise, reopen, void_signature, close, cancel_remaining'],
  ['no version', 'phase', () => ({ event: 'send_offer' }), 'version', 'This is required'],
];

function refusedAt(answer: Answer, field: string, text: string): void {
  expect([answer.status, answer.body.errors?.[field]], JSON.stringify(answer.body)).toEqual([422, [text]]);
}

describe('a quote with', () => {
  it.each(QUOTES)('%s is refused at its field', async (_what, body, field, text) => {
    const count = async () => (await test.database.db.one<{ n: number }>(sql`select count(*) as n from licenses`)).n;
    const before = await count();
    refusedAt(await staff.post(LICENSES, body()), field, text);
    expect(await count()).toBe(before);
  });
});

describe('a draft changed with', () => {
  it.each(CHANGES)('%s is refused at its field', async (_what, call, body, field, text) => {
    refusedAt(await staff.put(`${LICENSES}/${draft.id}/${call}`, body()), field, text);
    expect((await staff.get(`${LICENSES}/${draft.id}`)).body.data.version).toBe(draft.version);
  });

  it('a memo without end is refused', async () => {
    refusedAt(await staff.post(`${LICENSES}/${draft.id}/memos`, { body: long(10_001) }), 'body',
      'At most 10,000 characters');
  });
});

describe('a memo that names people', () => {
  const memos = () => `${LICENSES}/${draft.id}/memos`;
  const told = async (person: Browser) =>
    (await person.get('/api/admin/staff/notifications?kind=memo.mentioned')).body.data as Record<string, unknown>[];

  it('tells each of them once, never who wrote it, and shows their names', async () => {
    const reader = await test.signedIn('staff_user', { permissions: ['license.show'] });
    const chief = await test.signedIn('staff_admin');
    await test.database.db.exec(sql`update users set first_name = 'Ada', last_name = '@[1] Marsh'
      where id = ${reader.user_id}`);
    // A name without digits: a number that is searched for is the reader's alone.
    await test.database.db.exec(sql`update users set first_name = 'Bea', last_name = 'Writer'
      where id = ${staff.user_id}`);
    const [one, me] = [reader.user_id, staff.user_id];
    const made = await staff.post(memos(), { body: `@[${one}] and @[${one}], I (@[${me}]) wait.`, internal: false });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    expect(made.body.data).toMatchObject({ body: expect.stringMatching(
      /^@Ada @\[1\] Marsh and @Ada @\[1\] Marsh, I \(@.+\) wait\.$/) });
    expect(made.body.data.pieces[1]).toEqual({ words: ' and ', user_id: null });
    expect(made.body.data.pieces[0]).toEqual({ words: '@Ada @[1] Marsh', user_id: one });
    expect(await told(reader)).toMatchObject([{ title: expect.stringContaining('names you in a memo on'),
      body: made.body.data.body, href: `/admin/quotes/${draft.id}/information` }]);
    expect(await told(chief)).toEqual([]);
    expect(await told(staff)).toEqual([]);
    expect((await staff.get(`${memos()}?search=ada`)).body.data).toHaveLength(1);
    expect((await staff.get(`${memos()}?search=[${one}]`)).body.data).toEqual([]);
  });

  it('offers whoever may open the record, and refuses anybody else at the field', async () => {
    const outside = await test.signedIn('staff_user', { permissions: ['venue.list'] });
    const customer = await test.signedIn('customer');
    const offered = (await staff.get(`${memos()}/readers?per_page=100`)).body.data.map((row: { id: number }) => row.id);
    expect(offered).toContain(staff.user_id);
    for (const id of [outside.user_id, customer.user_id, 99_999_999]) {
      expect(offered).not.toContain(id);
      refusedAt(await staff.post(memos(), { body: `@[${id}] look` }), 'body',
        `@[${id}] is nobody who may open this record. Choose people from the list after @.`);
    }
    expect(await told(outside)).toEqual([]);
    expect((await outside.get(`${memos()}/readers`)).status).toBe(403);
  });
});

describe('a memo that is not internal', () => {
  it('is read by the customer, who is told; an internal one is not, and nobody is told of a draft', async () => {
    const member = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'member' }] });
    const home = `/api/customers/${fixture.customer_id}`;
    const told = async () => (await member.get(`${home}/notifications`)).body.data as Record<string, unknown>[];
    const { id } = await quote();
    const write = (body: string, internal: boolean) => staff.post(`${LICENSES}/${id}/memos`, { body, internal });
    await write('Written while it is a draft', false);
    expect(await told()).toEqual([]);
    await test.database.db.exec(sql`
      update licenses set phase = 'sent', offer_version = 1, offer_expires_at = ${TEST_NOW}::timestamptz
      where id = ${id}`);
    await write('They pay late', true);
    expect((await write(`The books leave on Friday. @[${staff.user_id}] sends them.`, false)).status).toBe(201);
    const { memos } = (await member.get(`${home}/licenses/${id}`)).body.data;
    expect(memos.map((memo: { body: string }) => memo.body)).toEqual([
      expect.stringMatching(/^The books leave on Friday\. @.+ sends them\.$/), 'Written while it is a draft']);
    expect(Object.keys(memos[0]).sort()).toEqual(['author_name', 'body', 'created_at', 'id']);
    expect(await told()).toMatchObject([{ kind: 'memo.shared', body: memos[0].body,
      href: `/customer/${fixture.customer_id}/productions/${id}/overview` }]);
  });
});

describe('a list asked for with', () => {
  it.each([['phase=flying', 'phase', '"flying" is not offered here'], ['division=XX', 'division',
    'Choose one of US, EU, UK, PROD'], ['per_page=1000', 'per_page', 'At most 100'], ['customer_id=abc', 'customer_id',
    'Choose a customer'], ['first_performance_from=soon', 'first_performance_from',
    'Enter a date that exists, as YYYY-MM-DD']])('%s says what is wrong', async (query, field, text) => {
    refusedAt(await staff.get(`${LICENSES}?${query}`), field, text);
  });
});

describe('rights', () => {
  it('that a restriction takes in the middle of a run keep the offer from being sent, in its words', async () => {
    const taken = await quote();
    await test.database.db.exec(sql`
      insert into show_restrictions (show_id, kind, date_from, date_to, media, reason_public, reason_internal)
      values (${fixture.show_id}, 'blocked', '2027-04-04', '2027-04-30', '{}', 'A tour holds the rights.', 'Tour')`);
    const refused = await staff.put(`${LICENSES}/${taken.id}/phase`, { event: 'send_offer', version: taken.version });
    expect([refused.status, refused.body.unmet?.[0]?.guard], JSON.stringify(refused.body))
      .toEqual([409, 'rights_cleared']);
    const rights = (await staff.get(`${LICENSES}/${taken.id}/availability`)).body.data;
    expect(rights).toMatchObject({ verdict: 'blocked', reason_public: 'A tour holds the rights.' });
    await test.database.db.exec(sql`
      update show_restrictions set deleted_at = now() where show_id = ${fixture.show_id}`);
  });
});

describe('a button pressed twice', () => {
  interface Signed { id: number; path: string; home: string; signer: Browser }

  async function sent(): Promise<Signed> {
    const { id, version } = await quote();
    const path = `${LICENSES}/${id}`;
    // The same customer plays several times in these tests; that is cleared.
    await staff.put(`${path}/clearance`, { version, reason: 'Same house' });
    const now = (await staff.get(path)).body.data.version;
    const twice = await both(staff, 'PUT', `${path}/phase`, { event: 'send_offer', version: now });
    expect(twice.map((answer) => answer.status).toSorted(), JSON.stringify(twice.map((answer) => answer.body.code)))
      .toEqual([200, 412]);
    const signer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'signer' }] });
    return { id, path, home: `/api/customers/${fixture.customer_id}/licenses/${id}`, signer };
  }

  /** The same request at the same moment; a POST carries the key of one form, as the screen sends it. */
  function both(who: Browser, method: 'POST' | 'PUT', url: string, body: object): Promise<Answer[]> {
    const key = randomUUID();
    return Promise.all([1, 2].map(() => who.call(method, url, { body, idempotencyKey: key })));
  }

  const invoices = ({ id }: Signed) => test.database.db.query<{ kind: string; total_minor: number }>(sql`
    select kind, total_minor from invoices where license_id = ${id} order by id`);

  async function licensed(): Promise<Signed> {
    const at = await sent();
    const { hash } = (await at.signer.get(`${at.home}/quote`)).body.data;
    const signed = await both(at.signer, 'POST', `${at.home}/sign`, { offer_version: 1, hash, signer_name: 'S. Signer',
      signer_title: '', accept: true, confirm_name: true });
    expect(signed.map((answer) => answer.status), JSON.stringify(signed.map((one) => one.body))).toEqual([200, 200]);
    expect(await invoices(at)).toEqual([{ kind: 'proforma', total_minor: 591_000 }]);
    await test.ports.db.tx(async (tx) => {
      const ctx = workContext(test.ports, tx, SYSTEM_ACTOR);
      const [open] = await tx.query<{ id: number }>(sql`select id from invoices where license_id = ${at.id}`);
      await recordReceipt(ctx, { customer_id: fixture.customer_id, division: 'US', currency: 'USD', method: 'wire',
        amount_minor: 591_000, received_on: await ctx.today('US'), reference: '',
        apply_to: [{ invoice_id: open!.id, amount_minor: 591_000 }] });
    });
    return at;
  }

  it('sends one offer, signs once, asks for the money once; amends and cancels once', async () => {
    const at = await licensed();
    const { version } = (await staff.get(at.path)).body.data;
    const nights = (await staff.get(`${at.path}/performances`)).body.data as { id: number }[];
    const amended = await both(staff, 'POST', `${at.path}/amendments`, { version, reason: 'Half term',
      changes: { performances: [{ id: nights[5]!.id, cancel: true }] }, clearance_reason: 'Same house' });
    expect(amended.map((answer) => answer.status), JSON.stringify(amended.map((one) => one.body))).toEqual([201, 201]);
    expect(new Set(amended.map((answer) => answer.body.data.id)).size).toBe(1);
    const now = (await staff.get(at.path)).body.data;
    expect(now).toMatchObject({ number_of_performances: 5, invoiced_minor: 492_500 });
    const cancelled = await both(staff, 'POST', `${at.path}/cancel`, { version: now.version, reason: 'Fire',
      on: '2026-11-20' });
    expect(cancelled.map((answer) => answer.status), JSON.stringify(cancelled.map((one) => one.body)))
      .toEqual([200, 200]);
    const notes = (await invoices(at)).filter((row) => row.kind === 'credit_note');
    expect(notes.map((row) => row.total_minor)).toEqual([98_500, 492_500]);
  });

  it('two forms that cancel the same licence: the second is told that it is done', async () => {
    const at = await licensed();
    const { version } = (await staff.get(at.path)).body.data;
    const body = { version, reason: 'Fire', on: '2026-11-20' };
    const answers = await Promise.all([staff.post(`${at.path}/cancel`, body), staff.post(`${at.path}/cancel`, body)]);
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 412]);
    expect((await invoices(at)).filter((row) => row.kind === 'credit_note')).toHaveLength(1);
  });

  it('an offer that has expired is signed by nobody', async () => {
    const at = await sent();
    const { hash } = (await at.signer.get(`${at.home}/quote`)).body.data;
    test.clock.set('2027-01-02T15:00:00Z');
    const late = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'signer' }] });
    const refused = await late.post(`${at.home}/sign`, { offer_version: 1, hash, signer_name: 'S', signer_title: '',
      accept: true, confirm_name: true });
    expect(refused.body).toMatchObject({ code: 'license.precondition', message: expect.stringContaining('expired') });
  });
});
