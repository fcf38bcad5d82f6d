/** Time-driven steps of a license, with the clock moved by hand (domain.md 1.1, 6.5). */
import { beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { localDate } from '#server/clock.ts';
import { workContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { TEST_NOW, testApp } from '#tests/support/app.ts';
import { E2_TICKETS, evenings, licensingFixture, payWhatIsAsked } from '../../testing/licensing-fixtures.ts';
import { runLicenseClocks } from './license-clocks.server.ts';

const test = testApp();
beforeEach(() => test.clock.set(TEST_NOW));
const LICENSES = '/api/admin/staff/licenses';

/** An offer of six evenings from 1 April 2027, sent on 20 November 2026. */
async function sent(options: { hire?: boolean } = {}) {
  const fixture = await licensingFixture(test.database.db);
  if (options.hire) {
    await test.database.db.exec(sql`
      insert into show_packages (show_id, division, name, currency, price_minor, included_period_count, period_unit)
      values (${fixture.show_id}, 'US', 'Rehearsal set', 'USD', 59500, 10, 'week')`);
  }
  const staff = await test.signedIn('staff_admin');
  const signer = await test.signedIn('customer', { customers: [{ id: fixture.customer_id, role: 'signer' }] });
  const made = await staff.post(LICENSES, { customer_id: fixture.customer_id, show_id: fixture.show_id,
    category: 'Amateur', license_venues: [{ venue_id: fixture.venue_id, ticketing: E2_TICKETS,
      performances: evenings('2027-04-01', 6) }] });
  const { id, version } = made.body.data;
  const offer = await staff.put(`${LICENSES}/${id}/phase`, { event: 'send_offer', version });
  expect(offer.status, JSON.stringify(offer.body)).toBe(200);
  return { ...fixture, id: id as number, signer, home: `/api/customers/${fixture.customer_id}/licenses/${id}` };
}
type Sent = Awaited<ReturnType<typeof sent>>;

async function sign({ signer, home }: Sent): Promise<void> {
  const { hash } = (await signer.get(`${home}/quote`)).body.data;
  const signed = await signer.post(`${home}/sign`, { offer_version: 1, hash, signer_name: 'S. Signer',
    signer_title: '', accept: true, confirm_name: true });
  expect(signed.status, JSON.stringify(signed.body)).toBe(200);
}

async function clocksAt(instant: string) {
  test.clock.set(instant);
  const ctx = workContext(test.ports, test.ports.db, SYSTEM_ACTOR);
  return runLicenseClocks(ctx, await ctx.today('EU'));
}

const phaseOf = async ({ id }: Sent): Promise<string> => (await test.database.db.one<{ phase: string }>(sql`
  select phase from licenses where id = ${id}`)).phase;

describe('the last day of an offer', () => {
  it('is the day of the division, which ends while it is tomorrow already in London', async () => {
    const at = await sent();
    const { offer_expires_at: ends } = await test.database.db.one<{ offer_expires_at: string }>(sql`
      select offer_expires_at from licenses where id = ${at.id}`);
    const lastDay = localDate(new Date(ends), 'America/New_York');
    expect(ends.slice(0, 10) > lastDay, 'the offer ends at midnight of New York').toBe(true);
    test.clock.set(new Date(Date.parse(ends) - 60_000).toISOString());
    const signer = await test.signedIn('customer', { customers: [{ id: at.customer_id, role: 'signer' }] });
    expect((await signer.get(at.home)).body.data.next_actions).toMatchObject([
      { kind: 'sign', due_on: lastDay, overdue: false }]);
  });
});

describe('work that is due today', () => {
  it('is late where today is over, and not yet where it is not', async () => {
    const { id } = await sent();
    await test.database.db.exec(sql`
      insert into tasks (kind, title, entity, entity_id, license_id, division, due_on) values
        ('clock_us', 'Due in New York', 'license', ${id}, ${id}, 'US', '2027-01-10'),
        ('clock_uk', 'Due in London', 'license', ${id}, ${id}, 'UK', '2027-01-10')`);
    const lateAt = async (instant: string): Promise<object[]> => {
      test.clock.set(instant);
      const staff = await test.signedIn('staff_admin');
      const { data } = (await staff.get(`/api/admin/staff/tasks?license_id=${id}&sort_by=created_at`)).body;
      return data.filter((row: { kind: string }) => row.kind.startsWith('clock_'))
        .map(({ division, overdue }: Record<string, unknown>) => ({ division, overdue }));
    };
    expect(await lateAt('2027-01-11T02:00:00Z')).toEqual([
      { division: 'US', overdue: false }, { division: 'UK', overdue: true }]);
    expect(await lateAt('2027-01-11T06:00:00Z')).toEqual([
      { division: 'US', overdue: true }, { division: 'UK', overdue: true }]);
  });
});

describe('hired materials', () => {
  it('nobody is asked to return what the product does not lend, and the licence closes by itself', async () => {
    const at = await sent({ hire: true });
    await sign(at);
    await payWhatIsAsked(test.ports, at.id);
    await clocksAt('2027-04-01T15:00:00Z');
    await clocksAt('2027-04-08T15:00:00Z');
    expect(await phaseOf(at)).toBe('settlement');
    // Ten days past the end of the hire.
    test.clock.set('2027-04-23T15:00:00Z');
    const staff = await test.signedIn('staff_admin');
    const signer = await test.signedIn('customer', { customers: [{ id: at.customer_id, role: 'signer' }] });
    expect((await signer.get(at.home)).body.data.next_actions).toEqual([]);
    const home = (await staff.get('/api/admin/staff/dashboard?division=US')).body.data;
    expect(home.todo.rows.filter((row: { license_id: number }) => row.license_id === at.id)).toEqual([]);
    const answer = (await staff.get(`${LICENSES}/${at.id}/phase`)).body.data;
    expect(answer.events.find((row: { event: string }) => row.event === 'close')).toMatchObject({ unmet: [] });
    await clocksAt('2027-05-27T15:00:00Z');
    expect(await phaseOf(at)).toBe('closed');
  });
});
