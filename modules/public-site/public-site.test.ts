/** Anybody's view of the catalog: nothing internal, three words about dates, an estimate by the house's own pricing. */
import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { evenings, licensingFixture, E2_TICKETS, type Fixture } from '../licensing/testing/licensing-fixtures.ts';

const test = testApp({ rateLimits: true });
const API = '/api/public/shows';
const HOSTILE = '<script>run("x")</script>\'';

let caller = 0;
/** A visitor of an address of their own, unless one is named. */
async function ask(method: 'GET' | 'POST', url: string, options: { body?: object; from?: string; cookie?: string;
  headers?: Record<string, string> } = {}) {
  caller += 1;
  const answer = await test.app.inject({ method, url,
    remoteAddress: options.from ?? `10.1.${caller >> 8}.${caller & 255}`,
    ...(options.body ? { payload: options.body } : {}),
    headers: { ...options.headers, ...(options.cookie ? { cookie: options.cookie } : {}) } });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body,
    body: /json/.test(String(answer.headers['content-type'])) ? answer.json() : null };
}

async function titled(fixture: Fixture, change: { title?: string; divisions?: string[]; active?: boolean;
  deleted?: boolean }): Promise<void> {
  await test.database.db.exec(sql`
    update shows set title = coalesce(${change.title ?? null}, title),
      divisions = coalesce(${change.divisions ?? null}::text[], divisions), active = ${change.active ?? true},
      deleted_at = ${change.deleted ? '2026-01-01' : null}::timestamptz where id = ${fixture.show_id}`);
}

async function picture(fixture: Fixture): Promise<string> {
  const content = Buffer.from(`picture ${randomUUID()}`);
  const put = await test.ports.files.put(content);
  await test.database.db.exec(sql`
    with stored as (insert into files (storage_key, sha256, mime_type, size_bytes, original_name)
      values (${put.storage_key}, ${put.sha256}, 'image/webp', ${put.size}, 'our-internal-name.webp') returning id)
    insert into show_images (show_id, file_id, caption, width, height, public)
    select ${fixture.show_id}, id, ${HOSTILE}, 800, 600, true from stored`);
  return createHash('sha256').update(content).digest('hex');
}

function dates(fixture: Fixture, more: Record<string, string> = {}): string {
  const query = new URLSearchParams({ country: 'US', from: '2027-04-01', to: '2027-04-03', postal_code: '07081',
    category: 'Amateur', ...more });
  return `${API}/${fixture.show_code}/availability?${query.toString()}`;
}

describe('the catalog for everybody', () => {
  it('shows active titles of the division of the country, and no others', async () => {
    const [open, european, inactive, removed, production] = await Promise.all([1, 2, 3, 4, 5].map(() =>
      licensingFixture(test.database.db))) as [Fixture, Fixture, Fixture, Fixture, Fixture];
    await titled(european, { divisions: ['EU', 'UK'] });
    await titled(inactive, { active: false });
    await titled(removed, { deleted: true });
    await titled(production, { divisions: ['PROD'] });
    const { body } = await ask('GET', `${API}?country=US&per_page=100`);
    const codes = (body.data as { show_code: string }[]).map((row) => row.show_code);
    expect(codes).toContain(open.show_code);
    for (const hidden of [european, inactive, removed, production]) {
      expect(codes).not.toContain(hidden.show_code);
      for (const path of [`${API}/${hidden.show_code}?country=US`, `/shows/${hidden.show_code}?country=US`,
        dates(hidden)]) expect((await ask('GET', path)).status, path).toBe(404);
      const estimate = await ask('POST', `${API}/${hidden.show_code}/estimate`, { body: { country: 'US',
        category: 'Amateur', seats: 100, price: 10, performances: 2 } });
      expect(estimate.status).toBe(404);
    }
    expect((await ask('GET', `/shows/${production.show_code}`)).status).toBe(404);
    expect((await ask('GET', `${API}/${european.show_code}?country=DE`)).body.data)
      .toMatchObject({ division: 'EU', currency: 'EUR' });
    const { text } = await ask('GET', '/sitemap.xml');
    expect(text).toContain(`/shows/${european.show_code}?country=IE`);
    expect(text).not.toContain(`/shows/${european.show_code}?country=US`);
    for (const hidden of [inactive, removed, production]) expect(text).not.toContain(hidden.show_code);
  });

  it('tells the cast by gender, notes, songs, versions, the territory and an excerpt, and nothing where none is known',
    async () => {
      const fixture = await licensingFixture(test.database.db);
      const path = `/shows/${fixture.show_code}?country=US`;
      expect((await ask('GET', path)).text).not.toMatch(/Roles|Content notes|Songs|Versions|Excerpt|Territory/);
      await test.database.db.exec(sql`
        update shows set cast_women = 1, cast_men = 0, cast_any = 6, content_notes = 'A shot is fired.', songs = ${
        'First song\n\nSecond & last'}, versions = 'School version', excerpt = ${'KING. <Enter>'},
          territory = 'Worldwide, without Ireland' where id = ${fixture.show_id}`);
      const { text } = await ask('GET', path);
      for (const part of ['1 woman and 6 of any gender', '<p>A shot is fired.</p>',
        '<li>First song</li><li>Second &amp; last</li>', '<li>School version</li>', 'KING. &lt;Enter&gt;',
        'Worldwide, without Ireland']) expect(text).toContain(part);
    });

  it('names no id, rate, royaltor, restriction or file of the house', async () => {
    const fixture = await licensingFixture(test.database.db);
    const digest = await picture(fixture);
    const { body } = await ask('GET', `${API}/${fixture.show_code}?country=US`);
    expect(Object.keys(body.data as object).sort()).toEqual(['age_rating', 'authors_credit', 'available_from',
      'cast_any', 'cast_max', 'cast_men', 'cast_min', 'cast_women', 'content_notes', 'currency', 'division', 'excerpt',
      'image_url', 'images', 'orchestrations', 'running_time_minutes', 'samples', 'show_code', 'songs', 'synopsis',
      'territory', 'title', 'type', 'versions', 'year']);
    expect(Object.keys(body.data.images[0] as object).sort()).toEqual(['caption', 'height', 'url', 'width']);
    const page = await ask('GET', `/shows/${fixture.show_code}?country=US`);
    for (const text of [JSON.stringify(body), page.text]) {
      expect(text).not.toMatch(/our-internal-name|rate_card|royaltor|_id"|proximity|billing/);
    }
    const image = await ask('GET', `/api/public/images/${digest}`);
    expect([image.status, image.headers['content-type']]).toEqual([200, 'image/webp']);
    expect(JSON.stringify(image.headers)).not.toContain('our-internal-name');
    await titled(fixture, { active: false });
    expect((await ask('GET', `/api/public/images/${digest}`)).status).toBe(404);
  });

  it('reads no session and sets no cookie, and any cache may keep what is the same for everybody', async () => {
    const fixture = await licensingFixture(test.database.db);
    const staff = await test.signedIn('staff_admin');
    const cookie = [...staff.cookies].map((one) => one.join('=')).join('; ');
    for (const path of ['/shows', '/shows?country=GB', `/shows/${fixture.show_code}?country=US`, '/contact', '/terms',
      '/privacy', '/robots.txt', '/sitemap.xml', `${API}?country=US`, `${API}/${fixture.show_code}?country=US`]) {
      const first = await ask('GET', path, { cookie });
      expect([first.status, first.headers['set-cookie']], path).toEqual([200, undefined]);
      expect(first.headers['cache-control'], path).toMatch(/^public, max-age=\d+$/);
      const again = await ask('GET', path, { headers: { 'if-none-match': String(first.headers.etag) } });
      expect([again.status, again.text], path).toEqual([304, '']);
    }
    const estimate = await ask('POST', `${API}/${fixture.show_code}/estimate`, { cookie,
      body: { country: 'US', category: 'Amateur', seats: 100, price: 10, performances: 2 } });
    expect([estimate.status, estimate.headers['set-cookie'], estimate.headers['cache-control']])
      .toEqual([200, undefined, 'no-store']);
  });
});

describe('dates', () => {
  it('are free, to be asked for or not available, with no further word', async () => {
    const fixture = await licensingFixture(test.database.db);
    const free = await ask('GET', dates(fixture));
    expect(free.body).toEqual({ data: { answer: 'free' } });
    const block = (kind: string, from: string) => test.database.db.exec(sql`
      insert into show_restrictions (show_id, kind, date_from, date_to, reason_internal, reason_public)
      values (${fixture.show_id}, ${kind}, ${from}, ${from}, 'Secret of the house', 'Reason for customers')`);
    await block('needs_clearance', '2027-05-01');
    await block('blocked', '2027-06-01');
    for (const [day, answer, words] of [['2027-05-01', 'ask_us', 'Ask us'],
      ['2027-06-01', 'not_available', 'Not available']] as const) {
      const call = await ask('GET', dates(fixture, { from: day, to: day }));
      expect(call.body).toEqual({ data: { answer } });
      const page = await ask('GET', `/shows/${fixture.show_code}?${new URLSearchParams({ ask: 'dates', country: 'US',
        from: day, to: day, postal_code: '07081', category: 'Amateur' }).toString()}`);
      expect(page.text).toContain(`<strong>${words}</strong>`);
      expect(page.headers['cache-control']).toBe('no-store');
      expect(page.text).not.toMatch(/Secret|Reason/);
    }
  });

  it('of a licence nearby are not told from those of any other reason', async () => {
    const fixture = await licensingFixture(test.database.db);
    const staff = await test.signedIn('staff_admin');
    const license = (await staff.post('/api/admin/staff/licenses', { customer_id: fixture.customer_id,
      show_id: fixture.show_id, category: 'Amateur', license_venues: [{ venue_id: fixture.venue_id,
        ticketing: E2_TICKETS, performances: evenings('2027-04-01', 2) }] })).body.data;
    await staff.put(`/api/admin/staff/licenses/${license.id}/phase`, { event: 'send_offer',
      version: license.version });
    const { body, text } = await ask('GET', dates(fixture));
    expect(Object.keys(body.data as object)).toEqual(['answer']);
    expect(body.data.answer).not.toBe('free');
    expect(text).not.toMatch(/Town Hall|Springfield|Players/);
  });

  it('are limited to one range of days and to twenty questions a minute of one address', async () => {
    const fixture = await licensingFixture(test.database.db);
    expect((await ask('GET', dates(fixture, { to: '2027-12-31' }))).body.errors).toHaveProperty('to');
    expect((await ask('GET', dates(fixture, { from: '2026-01-01', to: '2026-01-02' }))).body.errors)
      .toHaveProperty('from');
    expect((await ask('GET', dates(fixture, { postal_code: '' }))).body.errors).toHaveProperty('postal_code');
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) statuses.push((await ask('GET', dates(fixture), { from: '192.0.2.7' })).status);
    expect([statuses[19], statuses[20]]).toEqual([200, 429]);
    const page = await ask('GET', `/shows/${fixture.show_code}?${new URLSearchParams({ ask: 'dates', country: 'US',
      from: '2027-04-01', to: '2027-04-01', postal_code: '07081', category: 'Amateur' }).toString()}`,
    { from: '192.0.2.7' });
    expect(page.text).toContain('Too Many Attempts');
  });
});

describe('the estimate', () => {
  it('is the price that the house computes for a customer whom nobody knows', async () => {
    const fixture = await licensingFixture(test.database.db, { fee_method: 'percent_actual', policy: 'advance_paid' });
    const asked = { country: 'US', category: 'Amateur', seats: 300, price: 20, performances: 4 };
    const { body } = await ask('POST', `${API}/${fixture.show_code}/estimate`, { body: asked });
    const staff = await test.signedIn('staff_admin');
    const house = await staff.post('/api/admin/staff/price_preview', { show_id: fixture.show_id, category: 'Amateur',
      division: 'US', license_venues: [{ name: 'Your venue', capacity: 300,
        ticketing: [{ number_of_seats: 300, price: 20, weight: 1 }], performances: evenings('2027-05-19', 4) }] });
    expect(house.status, JSON.stringify(house.body)).toBe(200);
    expect(body.data.net_minor).toBe(house.body.data.totals.net_minor);
    expect(body.data.promise.headline).toBe(house.body.data.promise.headline);
    expect(body.data.promise.headline).toContain('12.5% of gross');
    expect(Object.keys(body.data as object).sort())
      .toEqual(['currency', 'message', 'net_minor', 'priced', 'promise', 'rows']);
    const page = await ask('GET', `/shows/${fixture.show_code}?${new URLSearchParams({ ...asked, seats: '300',
      price: '20', performances: '4', ask: 'estimate' }).toString()}`);
    expect(page.text).toContain('12.5% of gross');
    // Checking dates afterwards keeps it; nothing is estimated from half of its figures.
    const dates = { country: 'US', from: '2027-05-19', to: '2027-05-22', postal_code: '12207', category: 'Amateur',
      ask: 'dates' };
    const both = await ask('GET', `/shows/${fixture.show_code}?${new URLSearchParams({ ...dates, seats: '300',
      price: '20', performances: '4' }).toString()}`);
    expect(both.text).toContain('class="verdict');
    expect(both.text).toContain('12.5% of gross');
    const alone = await ask('GET', `/shows/${fixture.show_code}?${new URLSearchParams({ ...dates, seats: '300',
      price: '', performances: '' }).toString()}`);
    expect(alone.text).toContain('class="verdict');
    expect(alone.text).not.toContain('12.5% of gross');
  });

  it('takes a second price with its seats, and neither without the other', async () => {
    const fixture = await licensingFixture(test.database.db, { fee_method: 'percent_potential' });
    const asked = { country: 'US', category: 'Amateur', seats: 250, price: 12, seats_2: 120, price_2: 8,
      performances: 4 };
    const estimate = async (body: object) => await ask('POST', `${API}/${fixture.show_code}/estimate`, { body });
    const staff = await test.signedIn('staff_admin');
    const house = await staff.post('/api/admin/staff/price_preview', { show_id: fixture.show_id, category: 'Amateur',
      division: 'US', license_venues: [{ name: 'Your venue', capacity: 370, ticketing: [
        { number_of_seats: 250, price: 12, weight: 250 }, { number_of_seats: 120, price: 8, weight: 120 }],
      performances: evenings('2027-05-19', 4) }] });
    expect((await estimate(asked)).body.data.net_minor).toBe(house.body.data.totals.net_minor);
    expect((await estimate({ ...asked, price: 8 })).body.data.net_minor).toBeLessThan(house.body.data.totals.net_minor);
    expect((await estimate({ ...asked, price_2: undefined })).body.errors)
      .toEqual({ price_2: ['Enter the price of these seats'] });
    expect((await estimate({ ...asked, seats_2: undefined })).body.errors)
      .toEqual({ seats_2: ['Enter the seats at this price'] });
    const page = await ask('GET', `/shows/${fixture.show_code}?${new URLSearchParams({ country: 'US', ask: 'estimate',
      category: 'Amateur', seats: '250', price: '12', seats_2: '120', price_2: '', performances: '4' }).toString()}`);
    expect(page.text).toContain('<details open>');
    expect(page.text).toContain('Enter the price of these seats');
  });

  it('says so where no rate answers, and names the field that is wrong', async () => {
    const fixture = await licensingFixture(test.database.db);
    const asked = { country: 'GB', category: 'Amateur', seats: 300, price: 20, performances: 4 };
    expect((await ask('POST', `${API}/${fixture.show_code}/estimate`, { body: asked })).body.data)
      .toMatchObject({ priced: false, currency: 'GBP', promise: null });
    const wrong = await ask('POST', `${API}/${fixture.show_code}/estimate`,
      { body: { ...asked, seats: 0, price: 1.005 } });
    expect(Object.keys(wrong.body.errors as object).sort()).toEqual(['price', 'seats']);
  });
});

describe('pages', () => {
  it('ask for the country first, and go on with it in every address', async () => {
    const fixture = await licensingFixture(test.database.db);
    for (const path of ['/shows', `/shows/${fixture.show_code}`, '/shows?country=XX']) {
      expect((await ask('GET', path)).text).toContain('Country of the performances');
    }
    expect((await ask('GET', '/shows?country=XX')).text).toContain('Choose a country from the list');
    const { text } = await ask('GET', '/shows?country=FR');
    const links = [...text.matchAll(/href="(\/shows\/[^"]+)"/g)].map(([, href]) => href);
    expect(links.length).toBeGreaterThan(0);
    for (const href of links) expect(href).toMatch(/\?country=FR$/);
    expect(text).toContain('<html lang="en-GB">');
  });

  it('show and play what staff made public, and nothing else; a player may ask for a part', async () => {
    const fixture = await licensingFixture(test.database.db);
    const digest = await picture(fixture);
    const path = `/shows/${fixture.show_code}?country=US`;
    const put = await test.ports.files.put(Buffer.from(`RIFF tune ${randomUUID()}`));
    await test.database.db.exec(sql`
      with stored as (insert into files (storage_key, sha256, mime_type, size_bytes, original_name)
        values (${put.storage_key}, ${put.sha256}, 'audio/wav', ${put.size}, 'our-internal-name.wav') returning id)
      insert into show_samples (show_id, file_id, title, public) select ${fixture.show_id}, id, 'Overture', true
      from stored`);
    const tune = `/api/public/samples/${put.sha256}`;
    expect((await ask('GET', path)).text).toContain(`src="${tune}"`);
    const part = await ask('GET', tune, { headers: { range: 'bytes=0-3' } });
    expect([part.status, part.text, part.headers['content-range']]).toEqual([206, 'RIFF', `bytes 0-3/${put.size}`]);
    expect((await ask('GET', tune)).headers).toMatchObject({ 'content-type': 'audio/wav', 'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=86400, immutable' });
    await test.database.db.exec(sql`update show_images set public = false where show_id = ${fixture.show_id}`);
    await test.database.db.exec(sql`update show_samples set public = false where show_id = ${fixture.show_id}`);
    expect((await ask('GET', path)).text).not.toMatch(/api\/public\/(images|samples)/);
    for (const gone of [tune, `/api/public/images/${digest}`]) expect((await ask('GET', gone)).status, gone).toBe(404);
  });

  it('escape texts of the catalog and of the address, and name themselves to search engines', async () => {
    const fixture = await licensingFixture(test.database.db);
    await titled(fixture, { title: HOSTILE });
    await picture(fixture);
    const { text } = await ask('GET', `/shows/${fixture.show_code}?country=GB`);
    expect((await ask('GET', '/shows?country=GB')).text)
      .toContain('<meta property="og:image" content="http://localhost:3000/public-site/share.png">');
    const found = await ask('GET', `/shows?${new URLSearchParams({ country: 'GB', search: HOSTILE }).toString()}`);
    for (const page of [text, found.text]) expect(page).not.toMatch(/<script>|run\("x"\)/);
    expect(text).toContain(`<link rel="canonical" href="http://localhost:3000/shows/${fixture.show_code}?country=GB">`);
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)![1]!) as object;
    expect(data).toMatchObject({ '@type': 'Play', name: HOSTILE });
    const image = /<meta property="og:image" content="([^"]+)">/.exec(text)?.[1];
    expect(image).toMatch(/^http:\/\/localhost:3000\/api\/public\/images\/[0-9a-f]{64}$/);
  });

  it('answer an address of no show with a page, and take whatever else stands in an address', async () => {
    const missing = await ask('GET', '/shows/NO-SUCH-SHOW?country=US');
    expect([missing.status, missing.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    for (const query of ['?country=US&utm_source=mail', '?country=US&country=GB', '?country=US&page=-1',
      '?country=US&search=%00', '?country=US&search=%ED%A0%80']) {
      expect((await ask('GET', `/shows${query}`)).status, query).toBe(200);
    }
  });
});
