/** The life of a licence through the API, and every refusal on its way (domain.md 1.1). */
import { beforeEach, describe, expect, it } from 'vitest';
import { allowedEvents, isWalk } from '#kernel/licensing/machine.ts';
import { LICENSE_MACHINE } from '#kernel/licensing/license-machine.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { TEST_NOW, testApp, type Answer, type Browser } from '#tests/support/app.ts';
import { PAPER } from '#tests/support/paper-file.ts';
import { pdfText } from '#tests/support/pdf-text.ts';
import { runLicenseClocks } from './license-clocks.server.ts';
import { PHASE_CALL_EVENTS } from '../license.contract.ts';
import { E2_TICKETS, evenings, licensingFixture, payWhatIsAsked, type Fixture }
  from '../../testing/licensing-fixtures.ts';

const test = testApp();
beforeEach(() => test.clock.set(TEST_NOW));
const LICENSES = '/api/admin/staff/licenses';

async function draft(staff: Browser, fixture: Fixture, from = '2027-04-01', count = 6): Promise<Answer['body']> {
  const answer = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', license_venues: [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
      performances: evenings(from, count) }] });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}

describe('a quote', () => {
  it('is priced as in example E2: 985.00 x 6 = 5,910.00', async () => {
    const staff = await test.signedIn('staff_admin');
    const license = await draft(staff, await licensingFixture(test.database.db));
    expect(license).toMatchObject({ phase: 'draft', royalty_total_minor: 591_000, grand_total_minor: 591_000,
      availability: 'clear', number_of_performances: 6 });
    const price = await staff.get(`${LICENSES}/${license.id}/price_trace`);
    expect(price.body.data.lines[0]).toMatchObject({ quantity: 6, unit_minor: 98_500, net_minor: 591_000 });
    expect(price.body.data.trace.length).toBeGreaterThan(3);
  });

  it('of a musical without orchestrations has nothing to know of them on its checklist', async () => {
    const staff = await test.signedIn('staff_admin');
    const statusOf = async (orchestrations: string[]) => {
      const fixture = await licensingFixture(test.database.db);
      await test.database.db.exec(sql`
        update shows set orchestrations = ${orchestrations} where id = ${fixture.show_id}`);
      const license = await draft(staff, fixture);
      await staff.put(`${LICENSES}/${license.id}`, { version: license.version, cast_size: 12 });
      const { body } = await staff.get(`${LICENSES}/${license.id}/checklist`);
      return body.data.find((row: { key: string }) => row.key === 'cast_size_and_orchestration').status;
    };
    expect([await statusOf([]), await statusOf(['full', 'piano'])]).toEqual(['done', 'open']);
  });

  it('has a phase, and the list is filtered by it [S16] [S17]', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const [waiting, offered] = [await draft(staff, fixture), await draft(staff, fixture, '2027-06-01')];
    await staff.put(`${LICENSES}/${offered.id}/phase`, { event: 'send_offer', version: offered.version });
    expect((await staff.get(`${LICENSES}/${offered.id}`)).body.data.phase).toBe('sent');
    const listed = async (phase: string): Promise<number[]> =>
      (await staff.get(`${LICENSES}?phase=${phase}&customer_id=${fixture.customer_id}`)).body.data
        .map((row: { id: number; phase: string }) => { expect(row.phase).toBe(phase); return row.id; });
    expect(await listed('draft')).toEqual([waiting.id]);
    expect(await listed('sent')).toEqual([offered.id]);
    expect(await listed('closed')).toEqual([]);
    expect((await staff.get(`${LICENSES}?phase=nonsense`)).status).toBe(422);
  });

  it('of one customer is listed in every order, page by page, and counted past the last one', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const made = [await draft(staff, fixture), await draft(staff, fixture, '2027-06-01'),
      await draft(staff, fixture, '2027-08-01')].map(({ id }) => id as number);
    const page = async (asked: string) => (await staff.get(
      `${LICENSES}?customer_id=${fixture.customer_id}&per_page=2${asked}`)).body;
    const ids = async (asked: string): Promise<number[]> =>
      [1, 2].reduce<Promise<number[]>>(async (all, number) => [...await all, ...(await page(`${asked}&page=${number}`))
        .data.map((row: { id: number }) => row.id)], Promise.resolve([]));
    for (const key of ['number', 'customer_name', 'first_performance_on']) {
      expect(await ids(`&sort_by=${key}`), key).toEqual(made);
      expect(await ids(`&sort_by=${key}&sort_direction=desc`), key).toEqual(made.toReversed());
    }
    expect((await page('&page=9'))).toMatchObject({ data: [], meta: { total: 3, last_page: 2 } });
    expect((await page('&phase=closed'))).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it('is sent, signed by the customer and refused everything else meanwhile', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const license = await draft(staff, fixture);
    const sent = await staff.put(`${LICENSES}/${license.id}/phase`, { event: 'send_offer', version: license.version });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    expect(sent.body.data).toMatchObject({ phase: 'sent', offer_version: 1 });
    // One last day on every screen and paper, whatever the zone of the reader.
    expect(sent.body.data.offer_expires_on).toBe('2027-01-01');
    expect(sent.body.data.offer_expires_at.slice(0, 10)).toBe('2027-01-02');
    const versions = await staff.get(`${LICENSES}/${license.id}/versions`);
    expect(versions.body.data[0].sha256).toMatch(/^[0-9a-f]{64}$/);
    const documents = await staff.get(`${LICENSES}/${license.id}/license_documents`);
    expect(documents.body.data.map((row: { type: string; status: string }) => [row.type, row.status]).toSorted())
      .toEqual([['production_contract', 'sent'], ['quote_letter', 'sent']]);
    const refused = await staff.put(`${LICENSES}/${license.id}/phase`, { event: 'close',
      version: sent.body.data.version });
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'license.phase_conflict', phase: 'sent',
      allowed: ['revise', 'sign', 'expire', 'decline', 'cancel'] });
    const stale = await staff.put(`${LICENSES}/${license.id}/phase`, { event: 'revise', version: 1 });
    expect(stale.status).toBe(412);
    const mails = await test.database.db.query<{ subject: string }>(sql`
      select subject from mail_outbox where entity = 'license' and entity_id = ${license.id}`);
    expect(mails).toHaveLength(1);
  });

  it('is read before it goes out: the preview says what the letter then says, and stores nothing', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const license = await draft(staff, fixture);
    const { raw, headers } = await staff.get(`${LICENSES}/${license.id}/preview-pdf`);
    expect(headers['content-type']).toBe('application/pdf');
    const preview = (await pdfText(raw)).replace(/\s+/g, ' ');
    for (const words of [license.title_on_license, '6 985.00 5,910.00 5,910.00', 'Total USD 5,910.00']) {
      expect(preview).toContain(words);
    }
    const papers = async () => (await staff.get(`${LICENSES}/${license.id}/license_documents`)).body.data;
    expect(await papers()).toEqual([]);
    expect((await staff.get(`${LICENSES}/${license.id}`)).body.data).toMatchObject({ version: license.version,
      phase: 'draft', offer_version: 0 });
    await staff.put(`${LICENSES}/${license.id}/phase`, { event: 'send_offer', version: license.version });
    const letter = (await papers()).find((one: { type: string }) => one.type === 'quote_letter');
    const sent = await staff.get(`${LICENSES}/${license.id}/license_documents/${letter.id}/file`);
    expect((await pdfText(sent.raw)).replace(/\s+/g, ' ')).toBe(preview);
  });

  it('goes out with a covering note, in the mail and in the portal, and no part of what is signed', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const license = await draft(staff, fixture);
    const customer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'signer' }] });
    const phase = `${LICENSES}/${license.id}/phase`;
    const covering_note = 'Dear Dana,\nfifteen percent off, as promised.';
    const sent = await staff.put(phase, { event: 'send_offer', version: license.version, covering_note });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    const quote = async () => (await customer.get(
      `/api/customers/${fixture.customer_id}/licenses/${license.id}/quote`)).body.data;
    const first = await quote();
    expect(first.covering_note).toBe(covering_note);
    const { body_text } = await test.database.db.one<{ body_text: string }>(sql`
      select body_text from mail_outbox where entity_id = ${license.id} and template = 'quote.sent'`);
    expect(body_text).toContain(`\n\n${covering_note}\n\n`);
    const revised = await staff.put(phase, { event: 'revise', version: sent.body.data.version });
    expect((await staff.put(phase, { event: 'send_offer', version: revised.body.data.version })).status).toBe(200);
    expect(await quote()).toMatchObject({ covering_note: null, offer_version: 2 });
    expect(await test.database.db.query(sql`select 1 from license_versions where snapshot::text like '%as promised%'`))
      .toEqual([]);
    expect((await staff.put(phase, { event: 'send_offer', version: 1, covering_note: 'x'.repeat(2001) })).body.errors)
      .toHaveProperty('covering_note');
  });
});

describe('from the signature to the end', () => {
  it('is signed, paid, licensed, performed, settled and closed; every step has its event', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const customer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'signer' }] });
    const license = await draft(staff, fixture);
    const home = `/api/customers/${fixture.customer_id}`;
    expect((await customer.get(`${home}/licenses/${license.id}`)).status).toBe(404);
    await staff.put(`${LICENSES}/${license.id}/phase`, { event: 'send_offer', version: license.version });
    const quote = (await customer.get(`${home}/licenses/${license.id}/quote`)).body.data;
    expect(quote).toMatchObject({ offer_version: 1, current: true, totals: { total_minor: 591_000 } });
    const sign = { offer_version: 1, hash: quote.hash, signer_name: 'Sam Signer', signer_title: 'Chair', accept: true,
      confirm_name: true };
    const wrong = await customer.post(`${home}/licenses/${license.id}/sign`, { ...sign, hash: '0'.repeat(64) });
    expect(wrong.status).toBe(409);
    expect(wrong.body.unmet[0].guard).toBe('same_version');
    const [first, second] = await Promise.all([customer.post(`${home}/licenses/${license.id}/sign`, sign),
      customer.post(`${home}/licenses/${license.id}/sign`, sign)]);
    expect([first.status, second.status], JSON.stringify([first.body, second.body])).toEqual([200, 200]);
    const accepted = (await customer.get(`${home}/licenses/${license.id}`)).body.data;
    expect(accepted.phase).toBe('accepted');
    expect(accepted.next_actions.map((action: { kind: string }) => action.kind)).toContain('pay');
    await payWhatIsAsked(test.ports, license.id);
    const licensed = (await staff.get(`${LICENSES}/${license.id}`)).body.data;
    expect(licensed).toMatchObject({ phase: 'licensed', invoiced_minor: 591_000, paid_minor: 591_000,
      balance_minor: 0, ship_on: '2027-01-21' });
    expect(licensed.license_number).toMatch(/^L-US-2026-\d{6}$/);
    expect((await clocksAt('2027-03-30T15:00:00Z')).opened).toBe(0);
    expect(await clocksAt('2027-04-01T15:00:00Z')).toMatchObject({ opened: 1 });
    expect(await clocksAt('2027-04-03T15:00:00Z')).toMatchObject({ performed: 2, ended: 0 });
    expect(await clocksAt('2027-04-07T15:00:00Z')).toMatchObject({ performed: 4, ended: 1 });
    // Sessions do not live for months.
    const later = await test.signedIn('staff_admin');
    const settling = (await later.get(`${LICENSES}/${license.id}`)).body.data;
    expect(settling).toMatchObject({ phase: 'settlement', status: 'Settling', return_due_on: '2027-04-13' });
    const closed = await later.put(`${LICENSES}/${license.id}/phase`, { event: 'close', version: settling.version });
    expect(closed.status, JSON.stringify(closed.body)).toBe(200);
    const events = await test.database.db.query<{ event: string; from_phase: 'draft'; to_phase: 'draft' }>(sql`
      select event, from_phase, to_phase from license_events where license_id = ${license.id} and to_phase is not null
      order by id`);
    const steps = events.slice(1)
      .map((row) => ({ from: row.from_phase, event: row.event as 'sign', to: row.to_phase }));
    expect(steps.map((step) => step.event)).toEqual(['send_offer', 'sign', 'execute', 'open', 'close_run', 'close']);
    expect(isWalk(LICENSE_MACHINE, steps)).toBe(true);
    const deferred = await test.database.db.one<{ n: number }>(sql`
      select coalesce(sum(e.amount_minor), 0)::bigint as n from journal_entries e
      join ledger_accounts a on a.id = e.ledger_account_id where a.code = '2100' and a.division = 'US'`);
    expect(deferred.n).toBe(0);
    test.clock.set(TEST_NOW);
  });
});

describe('[I9] the phase machine', () => {
  it('refuses every event that a phase does not allow, as 409 with the allowed ones', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const license = await draft(staff, fixture);
    const phase = async () => (await staff.get(`${LICENSES}/${license.id}/phase`)).body.data;
    const seen = new Set<string>();
    const refuseAll = async (): Promise<void> => {
      const now = await phase();
      seen.add(now.phase);
      const allowed = allowedEvents(LICENSE_MACHINE, now.phase);
      for (const event of PHASE_CALL_EVENTS.filter((name) => !allowed.includes(name))) {
        const answer = await staff.put(`${LICENSES}/${license.id}/phase`, { event, version: now.version,
          reason: 'test' });
        expect([event, answer.status, answer.body.code]).toEqual([event, 409, 'license.phase_conflict']);
        expect(answer.body).toMatchObject({ phase: now.phase, allowed });
        expect(now.events.find((row: { event: string }) => row.event === event)).toMatchObject({ allowed: false });
      }
      expect((await phase()).version).toBe(now.version);
    };
    await refuseAll();
    const move = async (event: string) => {
      const answer = await staff.put(`${LICENSES}/${license.id}/phase`, { event, version: (await phase()).version,
        reason: 'test' });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    };
    await move('send_offer');
    await refuseAll();
    await staff.post(`${LICENSES}/${license.id}/decline`, { version: (await phase()).version, reason_code: 'other' });
    await refuseAll();
    await move('reopen');
    await move('send_offer');
    await signOnPaper(staff, license.id);
    await refuseAll();
    await move('void_signature');
    await signOnPaper(staff, license.id);
    await payWhatIsAsked(test.ports, license.id);
    await refuseAll();
    const cancelled = await staff.post(`${LICENSES}/${license.id}/cancel`, { version: (await phase()).version,
      reason: 'The hall burnt down', on: '2026-11-20' });
    expect(cancelled.status, JSON.stringify(cancelled.body)).toBe(200);
    await refuseAll();
    expect([...seen]).toEqual(['draft', 'sent', 'declined', 'accepted', 'licensed', 'cancelled']);
    const money = await test.database.db.one<{ balance_minor: number; invoiced_minor: number }>(sql`
      select balance_minor, invoiced_minor from licenses where id = ${license.id}`);
    expect(money).toEqual({ balance_minor: 0, invoiced_minor: 0 });
  });

  it('an expired offer is not signed, and lapses by the clock', async () => {
    const staff = await test.signedIn('staff_admin');
    const fixture = await licensingFixture(test.database.db);
    const license = await draft(staff, fixture);
    await staff.put(`${LICENSES}/${license.id}/phase`, { event: 'send_offer', version: license.version });
    test.clock.set('2027-01-05T15:00:00Z');
    const customer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'admin' }] });
    const home = `/api/customers/${fixture.customer_id}/licenses/${license.id}`;
    const quote = (await customer.get(`${home}/quote`)).body.data;
    const refused = await customer.post(`${home}/sign`, { offer_version: 1, hash: quote.hash, signer_name: 'S',
      signer_title: '', accept: true, confirm_name: true });
    expect(refused.body).toMatchObject({ code: 'license.precondition', unmet: [{ guard: 'offer_not_expired' }] });
    await clocksAt('2027-01-05T15:00:00Z');
    expect((await customer.get(home)).body.data.phase).toBe('expired');
    test.clock.set(TEST_NOW);
  });
});

async function signOnPaper(staff: Browser, licenseId: number): Promise<void> {
  const now = (await staff.get(`${LICENSES}/${licenseId}`)).body.data;
  const answer = await staff.call('POST', `${LICENSES}/${licenseId}/sign`, { multipart: {
    fields: { version: String(now.version), offer_version: String(now.offer_version), signer_name: 'P. Paper',
      signed_on: '2026-11-20', confirm_name: 'true' },
    file: { field: 'document', name: 'signed.pdf', type: 'application/pdf', content: PAPER } } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

async function clocksAt(instant: string) {
  test.clock.set(instant);
  const ctx = workContext(test.ports, test.ports.db, SYSTEM_ACTOR);
  return runLicenseClocks(ctx, await ctx.today('EU'));
}
