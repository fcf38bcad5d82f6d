import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createDb } from '#server/db.ts';
import { readSettings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { testApp } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/principals.ts';
import { linkAudit, verifyAudit } from './audit-chain.server.ts';
import { screenOf, withoutParticulars } from './client-errors.server.ts';
import { environmentOf } from './environment.server.ts';
import { uptimeWords } from './health.server.ts';
import type { EnvironmentRow } from './system.contract.ts';

const test = testApp({ rateLimits: true });
const BASE = '/api/admin/system';
type Person = Awaited<ReturnType<typeof test.signedIn>>;
let admin: Person;
let second: Person;
beforeAll(async () => {
  admin = await test.signedIn('system_admin');
  second = await test.signedIn('system_admin');
});

/** Past the append-only triggers, as only a superuser gets. */
async function tamper(change: ReturnType<typeof sql>): Promise<void> {
  const db = createDb({ connectionString: test.database.superuser_url, max: 1 });
  try {
    await db.tx(async (tx) => {
      await tx.exec(sql`set local session_replication_role = replica`);
      await tx.exec(change);
    });
  } finally {
    await db.close();
  }
}

describe('the audit chain', () => {
  it('links every event once, whatever the order in which they were committed', async () => {
    await linkAudit(test.database.db);
    const { linked, breaks } = await verifyAudit(test.database.db);
    expect(breaks).toEqual([]);
    const { events } = await test.database.db.one<{ events: number }>(sql`select count(*) as events from audit_events`);
    expect(linked).toBe(events);
    await Promise.all(Array.from({ length: 4 }, () => linkAudit(test.database.db, true)));
    expect((await verifyAudit(test.database.db)).breaks).toEqual([]);
  });

  it('finds an event that was changed, one that is gone and a digest that was made anew', async () => {
    await admin.put(`${BASE}/settings`, { key: 'notifications_keep_days', value: 300, version: 0 });
    await linkAudit(test.database.db);
    const row = await test.database.db.one<{ id: number }>(sql`
      select max(id)::bigint as id from audit_events where entity = 'house_setting'`);
    const problems = async () => (await verifyAudit(test.database.db)).breaks.map((one) => one.problem);
    await tamper(sql`update audit_events set after = '{"notifications_keep_days": 1}' where id = ${row.id}`);
    expect(await problems()).toEqual(['its content was changed']);
    await tamper(sql`update audit_events set after = '{"notifications_keep_days": 300}' where id = ${row.id}`);
    expect(await problems()).toEqual([]);
    await tamper(sql`update audit_events set actor_id = ${second.user_id} where id = ${row.id}`);
    expect(await problems()).toEqual(['the event was changed']);
    await tamper(sql`update audit_events set actor_id = ${admin.user_id} where id = ${row.id}`);
    await tamper(sql`update audit_hashes set salt = null where audit_event_id = ${row.id}`);
    expect(await problems()).toEqual(['its content is gone without an erasure']);
    await tamper(sql`delete from audit_hashes where audit_event_id = ${row.id}`);
    expect(await problems()).toEqual([]);
  });

  it('cannot be changed by the application nor by the owner', async () => {
    await expect(test.database.db.exec(sql`update audit_events set action = 'x'`)).rejects.toThrow('permission denied');
    await expect(test.database.owner.exec(sql`update audit_events set action = 'x'`)).rejects.toThrow('append-only');
    await expect(test.database.owner.exec(sql`delete from audit_hashes`)).rejects.toThrow('append-only');
  });

  it('is verified by a button', async () => {
    const answer = await admin.post(`${BASE}/audit/verify`);
    expect(answer.body.data.breaks).toEqual([]);
    expect(answer.body.data.linked).toBeGreaterThan(0);
  });
});

describe('erasing a person', () => {
  it('takes two administrators who confirm; the chain stays whole and shows "erased"', async () => {
    const house = await makeCustomer(test, 'Erased Players');
    const person = await test.signedIn('customer', { customers: [{ id: house, role: 'member' }] });
    await test.database.db.exec(sql`
      insert into audit_events (actor_id, action, entity, entity_id, before, after)
      values (${person.user_id}, 'update', 'user', ${person.user_id}, ${JSON.stringify({ first_name: 'Maud' })},
        ${JSON.stringify({ first_name: 'Maude', email: person.email })}),
        (${admin.user_id}, 'create', 'customer_contact', 1, null, ${JSON.stringify({ note: `Ask ${person.email}` })})`);
    const path = `${BASE}/people/${person.user_id}/erase`;
    const body = { reason: 'Asked by letter of 2 November' };
    expect((await admin.post(path, body)).status, 'without confirming').toBe(423);
    await admin.confirm();
    expect((await admin.post(path, body)).body.data).toEqual({ status: 'requested', events: 0 });
    expect((await admin.post(path, body)).body.code).toBe('four_eyes');
    await second.confirm();
    const done = await second.post(path, body);
    expect(done.body.data.status, JSON.stringify(done.body)).toBe('erased');
    expect(done.body.data.events).toBeGreaterThanOrEqual(2);
    expect((await person.get('/api/users/me')).status).toBe(401);
    const { left } = await test.database.db.one<{ left: number }>(sql`
      select count(*) as left from audit_events where before::text like ${`%${person.email}%`}
        or after::text like ${`%${person.email}%`} or after::text like '%Maud%'`);
    expect(left).toBe(0);
    const shown = await admin.get(`${BASE}/audit?entity=user&entity_id=${person.user_id}&action=update`);
    expect(shown.body.data[0]).toMatchObject({ erased: true, actor: 'Erased person' });
    expect(shown.body.data[0].changes).toContainEqual({ field: 'email', before: '', after: 'erased' });
    expect((await verifyAudit(test.database.db)).breaks).toEqual([]);
    expect((await admin.post(path, body)).body.code).toBe('erasure.done');
  });

  it('cannot be carried out by the application behind everybody\'s back', async () => {
    await expect(test.database.db.one(sql`select erase_person(1, ${admin.user_id}, now())`))
      .rejects.toThrow('nobody else asked for this erasure');
  });

  it('refuses oneself and lets a request be withdrawn', async () => {
    await admin.confirm();
    const own = await admin.post(`${BASE}/people/${admin.user_id}/erase`, { reason: 'Me' });
    expect(own.body.code).toBe('erasure.oneself');
    const clerk = await test.signedIn('staff_user');
    await admin.post(`${BASE}/people/${clerk.user_id}/erase`, { reason: 'By mistake' });
    const open = (await admin.get(`${BASE}/people/erasures`)).body.data.find(
      (row: { user_id: number }) => row.user_id === clerk.user_id);
    expect((await second.remove(`${BASE}/people/erasures/${open.id}`)).status).toBe(204);
    expect((await clerk.get('/api/users/me')).status).toBe(200);
  });
});

describe('the system area', () => {
  it('says what the server needs and how it is', async () => {
    const { data } = (await admin.get(`${BASE}/health`)).body;
    expect(data.checks.map((one: { key: string }) => one.key))
      .toEqual(['database', 'jobs', 'mail', 'storage', 'audit']);
    expect(data.checks[0]).toMatchObject({ state: 'ok', label: 'Database' });
    expect(data.facts.length).toBeGreaterThan(5);
  });

  it('reports every invariant with what breaks it', async () => {
    const { data } = (await admin.get(`${BASE}/integrity`)).body;
    expect(data.groups.map((group: { title: string }) => group.title)).toEqual(['Ledger', 'Audit trail', 'Jobs']);
    expect(data.groups[0].invariants.length).toBeGreaterThan(10);
    expect(data.violations).toBe(0);
  });

  it('searches the audit by person, record, action and day, with the differences in words', async () => {
    await admin.put(`${BASE}/settings`, { key: 'sent_mail_keep_days', value: 700, version: 0 });
    const found = await admin.get(`${BASE}/audit?actor_id=${admin.user_id}&entity=house_setting&action=update`);
    expect(found.body.data[0]).toMatchObject({ actor_id: admin.user_id, entity: 'house_setting', ip: '127.0.0.1',
      changes: [{ field: 'sent_mail_keep_days', before: '730', after: '700' }] });
    expect((await admin.get(`${BASE}/audit?to=2000-01-01`)).body.data).toEqual([]);
    expect((await admin.get(`${BASE}/audit?search=${encodeURIComponent(admin.email)}`)).body.data.length)
      .toBeGreaterThan(0);
    expect((await admin.get(`${BASE}/audit?from=yesterday`)).status).toBe(422);
  });

  it('changes a division where its books allow it', async () => {
    const rows = (await admin.get(`${BASE}/divisions`)).body.data;
    expect(rows.map((row: { code: string }) => row.code)).toEqual(['US', 'EU', 'UK', 'PROD']);
    const eu = rows[1];
    const saved = await admin.put(`${BASE}/divisions/EU`,
      { version: eu.version, legal_entity_name: 'Grand Rights SE' });
    expect(saved.body.data).toMatchObject({ legal_entity_name: 'Grand Rights SE', version: eu.version + 1,
      functional_currency: 'EUR' });
    expect((await admin.put(`${BASE}/divisions/EU`, { version: eu.version, name: 'Again' })).status).toBe(412);
    expect((await admin.put(`${BASE}/divisions/EU`, { version: 2, home_country: 'ZZ' })).body.errors)
      .toEqual({ home_country: ['Choose the country'] });
    expect((await admin.put(`${BASE}/divisions/EU`, { version: 2, functional_currency: 'USD' })).status).toBe(422);
    await expect(test.database.db.exec(sql`update divisions set timezone = 'UTC'`))
      .rejects.toThrow('permission denied');
  });

  it('keeps the limits of automatic offers and of returns, each refused in words outside its range', async () => {
    const uk = (await admin.get(`${BASE}/divisions`)).body.data[2];
    expect(uk).toMatchObject({ code: 'UK', auto_offers: false, auto_offer_total_minor: 1_000_000,
      return_gross_limit_ppm: 1_100_000, return_attendance_limit_ppm: 1_500_000, vat_period_months: 3 });
    const set = (body: object) => admin.put(`${BASE}/divisions/UK`, { version: uk.version, ...body });
    const percentage = ['Enter a percentage from 100% to 1,000%'];
    expect((await set({ return_gross_limit_ppm: 999_999, return_attendance_limit_ppm: 10_000_001,
      auto_offer_performances: 0, auto_offer_capacity: null, auto_offer_days_ahead: 541 })).body.errors).toEqual({
      return_gross_limit_ppm: percentage, return_attendance_limit_ppm: percentage,
      auto_offer_performances: ['Enter a whole number from 1 to 1,000'],
      auto_offer_capacity: ['Enter a whole number from 1 to 100,000'],
      auto_offer_days_ahead: ['Enter a whole number from 0 to 540'] });
    expect((await set({ vat_period_months: 5 })).body.errors)
      .toEqual({ vat_period_months: ['Choose how often a VAT return is due'] });
    expect((await set({ return_gross_limit_ppm: null })).body.errors).toEqual({ return_gross_limit_ppm: percentage });
    expect((await set({ auto_offers: true, auto_offer_total_minor: null })).body.errors)
      .toEqual({ auto_offer_total_minor: ['Enter the largest total of an automatic offer'] });
    const saved = (await set({ auto_offers: true, auto_offer_total_minor: 250_000, auto_offer_performances: 12,
      return_gross_limit_ppm: 1_200_000, return_attendance_limit_ppm: 1_050_000, vat_period_months: 1 })).body.data;
    expect(saved).toMatchObject({ auto_offers: true, auto_offer_total_minor: 250_000, auto_offer_performances: 12,
      auto_offer_capacity: 3_000, return_gross_limit_ppm: 1_200_000, return_attendance_limit_ppm: 1_050_000,
      vat_period_months: 1,
      name: uk.name, address: uk.address });
    const [audit] = (await admin.get(`${BASE}/audit?entity=division&action=update`)).body.data;
    expect(audit.changes).toContainEqual({ field: 'return_gross_limit_ppm', before: '1100000', after: '1200000' });
    await expect(test.database.db.exec(sql`update divisions set auto_offer_total_minor = null where code = 'UK'`))
      .rejects.toThrow(/check/);
  });

  it('keeps the account that customers transfer to: confirmed, checked digit by digit, in the audit', async () => {
    const own = await test.signedIn('system_admin');
    const eu = (await own.get(`${BASE}/divisions`)).body.data[1];
    const set = (body: object) => own.put(`${BASE}/divisions/EU/payment_details`, { version: eu.version, ...body });
    const details = { payee: 'Grand Rights SE', iban: 'ie29 aibk 9311 5212 3456 78', bic: 'AIBKIE2D' };
    expect((await set(details)).status).toBe(423);
    await own.confirm();
    expect((await set({ ...details, iban: 'IE29 AIBK 9311 5212 3456 87', bic: 'AIB' })).body.errors).toEqual({
      iban: ['This is no IBAN: a digit is wrong or missing'], bic: ['A BIC has 8 or 11 letters and digits'] });
    expect((await set({ bic: 'AIBKIE2D' })).body.errors).toEqual({ iban: ['An IBAN or account number is required'] });
    expect((await set(details)).body.data.payment_details).toMatchObject({ iban: 'IE29AIBK93115212345678' });
    expect((await set(details)).status).toBe(412);
    const audit = (await own.get(`${BASE}/audit?action=change_payment_details`)).body.data;
    expect(audit[0].changes).toContainEqual({ field: 'iban', before: '', after: 'IE29AIBK93115212345678' });
    await expect(test.database.db.exec(sql`update divisions set payee_iban = 'IE29AIBK93115212345687'`))
      .rejects.toThrow(/check/);
    expect((await set({ version: eu.version + 1 })).body.data.payment_details).toBeNull();
  });

  it('keeps settings that make sense', async () => {
    const set = (key: string, value: unknown, version: number) =>
      admin.put(`${BASE}/settings`, { key, value, version });
    expect((await set('mail_from', 'no address', 0)).body.errors)
      .toEqual({ value: ['Write it as Name <address@example.org>'] });
    expect((await set('mail_from', 'A\r\nBcc: x <a@b.example>', 0)).status).toBe(422);
    expect((await set('client_errors_keep_days', 0, 0)).body.errors.value[0]).toMatch(/^Enter whole days from 1/);
    expect((await set('mail_from', 'The House <house@grandrights.example>', 0)).body.data.version).toBe(1);
    expect((await set('mail_from', 'Again <again@grandrights.example>', 0)).status).toBe(412);
    expect((await set('no_such', 1, 0)).status).toBe(404);
  });

  it('shows what the environment sets, each documented variable by name, and no secret of it', async () => {
    const { data } = (await admin.get(`${BASE}/environment`)).body as { data: EnvironmentRow[] };
    expect(data.find((row) => row.names.includes('MAIL_URL'))!.value).toMatch(/^Kept in the outbox/);
    const secrets = { PORT: '3000', DATABASE_URL: 'postgres://owner:hidden@db.example:5433/house',
      DATABASE_URL_APP: 'postgres://app_rw:hidden@db.example/house', MAIL_URL: 'smtps://me:hidden@mail.example:465',
      FILES_URL: 's3://house/files?endpoint=https://store.example&token=hidden', METRICS_TOKEN: 'hidden',
      ENCRYPTION_KEY: 'hidden', MAPS_KEY: 'hidden', HMRC_CLIENT_ID: 'hidden',
      HMRC_CLIENT_SECRET: 'hidden', HMRC_ENVIRONMENT: 'sandbox', ADMIN_EMAIL: 'first@house.example',
      ADMIN_PASSWORD: 'hidden',
      APP_ORIGINS: 'https://rights.house.example', RATE_LIMITS: '0' };
    const shown = environmentOf(readSettings(secrets, '/'));
    expect(JSON.stringify(shown)).not.toContain('hidden');
    const said = Object.fromEntries(shown.map((row) => [row.names[0] ?? '', row.value]));
    expect(said).toMatchObject({ DATABASE_URL: 'PostgreSQL at db.example:5433/house', FILES_URL:
      'In the bucket house/files', MAIL_URL: 'Through mail.example:465', ENCRYPTION_KEY: 'Given' });
    const documented = readFileSync(join(import.meta.dirname, '../../docs/operating/settings.md'), 'utf8')
      .split('\n').filter((line) => line.startsWith('| `')).flatMap((line) =>
        [...line.split('|')[1]!.matchAll(/`(\w+)`/g)].map((match) => match[1]!));
    expect(shown.flatMap((row) => row.names).sort()).toEqual(documented.sort());
  });

  it('shows the outbox without the secrets of its links', async () => {
    await test.database.db.exec(sql`
      insert into mail_outbox (template, recipients, subject, body_text) values ('account.reset', '{a@b.example}',
        'Choose a new password', 'Open http://localhost/password-reset/abcdefghijklmnopqrstuvwxyz012345?email=a')`);
    // The demo's own mail is there to be followed.
    test.ports.settings.demo = false;
    const { data } = (await admin.get(`${BASE}/mail?search=choose`)).body;
    expect(data[0]).toMatchObject({ state: 'kept', body_text: 'Open http://localhost/password-reset/…?email=a' });
  });

  it('has no jobs to show where no server works them', async () => {
    expect((await admin.get(`${BASE}/jobs`)).body).toMatchObject({ data: [], meta: { total: 0 } });
    const id = '6f1c1b34-65a8-4d31-bb0f-8b6d9d3c4f10';
    expect((await admin.put(`${BASE}/jobs/${id}/retry`)).status).toBe(404);
  });
});

describe('faults of browsers', () => {
  it('are kept without particulars, counted, and few per minute', async () => {
    const guest = test.visitor();
    await guest.get('/sanctum/csrf-cookie');
    const body = { message: 'Cannot read "Maud Gonne" of maud@abbey.example 4111111111111111',
      page: '/customer/77/productions/1234?search=maud', stack: 'at https://house.example/assets/a.js?x=1' };
    const answers = [];
    for (let n = 0; n < 12; n += 1) answers.push((await guest.post('/api/client-errors', body)).status);
    expect(answers.slice(0, 10).every((status) => status === 204)).toBe(true);
    expect(answers[10]).toBe(429);
    const { data } = (await admin.get(`${BASE}/client_errors`)).body;
    expect(data[0]).toMatchObject({ message: 'Cannot read "…" of … …', page: '/customer/:/productions/:', seen: 10,
      stack: 'at /assets/a.js' });
  });
  it('name the screen, not whose', () => {
    expect(screenOf('/password-reset/abcdefghijklmnopqrstuvwx?email=a@b.example')).toBe('/password-reset/:');
    expect(withoutParticulars('x is not a function')).toBe('x is not a function');
  });
});

it('how long a server has been running is said in the largest units', () => {
  expect([59, 95, 3 * 3600 + 60, 26 * 3600, 49 * 3600 + 30].map(uptimeWords))
    .toEqual(['0 minutes', '1 minute', '3 hours', '1 day 2 hours', '2 days 1 hour']);
});
