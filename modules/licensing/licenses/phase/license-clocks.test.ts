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

interface Options { hire?: boolean; division?: string; policy?: string }

/** An offer of six evenings from 1 April 2027, and the answer to sending it on 20 November 2026. */
async function offered(options: Options = {}) {
  const fixture = await licensingFixture(test.database.db, options);
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
  return { ...fixture, id: id as number, staff, signer, sent: offer,
    home: `/api/customers/${fixture.customer_id}/licenses/${id}` };
}

async function sent(options: Options = {}) {
  const offer = await offered(options);
  expect(offer.sent.status, JSON.stringify(offer.sent.body)).toBe(200);
  return offer;
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

describe('the last day to pay', () => {
  const orderOf = ({ id }: Sent) => test.database.db.exec(sql`
    update licenses set purchase_order_no = 'PO 4711' where id = ${id}`);

  it('lets an order that has not come lapse; an order that is here, or a mere signature, waits for staff', async () => {
    const missing = await sent({ policy: 'purchase_order' });
    const ordered = await sent({ policy: 'purchase_order' });
    const signedOnly = await sent();
    for (const at of [missing, ordered, signedOnly]) await sign(at);
    await orderOf(ordered);
    await test.database.db.exec(sql`update licenses set execution_policy = 'signature_only',
      execution_policy_reason = 'Grant pays after the run' where id = ${signedOnly.id}`);
    // 90 days after 20 November is 18 February.
    await clocksAt('2027-02-19T15:00:00Z');
    expect(await Promise.all([missing, ordered, signedOnly].map(phaseOf))).toEqual(['expired', 'accepted', 'accepted']);
    const asked = await test.database.db.query<{ license_id: number }>(sql`
      select license_id from tasks where kind = 'pay_by_passed' order by license_id`);
    expect(asked.map((task) => task.license_id)).toEqual([ordered.id, signedOnly.id]);
  });
});

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

describe('a division that cannot be paid', () => {
  const EU_ACCOUNT = sql`update divisions set payee = 'Grand Rights Europe DAC', payee_iban = 'IE29AIBK93115212345678'
    where code = 'EU'`;
  const NO_ACCOUNT = sql`update divisions set payee = null, payee_iban = null where code = 'EU'`;
  const documentsOf = (id: number) => test.database.db.query<{ kind: string }>(sql`
    select kind from invoices where license_id = ${id} union all
    select 'deposit' from deposits where license_id = ${id} order by 1`);
  const tasksOf = (id: number) => test.database.db.query<{ status: string; title: string }>(sql`
    select status, title from tasks where license_id = ${id} and kind = 'no_way_to_pay' order by id`);

  it('sends no offer that could not be billed, and says what is missing', async () => {
    await test.database.db.exec(NO_ACCOUNT);
    const offer = await offered({ division: 'EU' });
    expect([offer.sent.status, offer.sent.body.code, offer.sent.body.message]).toEqual([409, 'invoice.no_way_to_pay',
      'EU cannot be paid in EUR yet: enter its bank account under System, Divisions, or switch on online payment.']);
    expect(await test.database.db.one(sql`select phase, offer_version from licenses where id = ${offer.id}`))
      .toEqual({ phase: 'draft', offer_version: 0 });
    await test.database.db.exec(EU_ACCOUNT);
    const { version } = (await offer.staff.get(`${LICENSES}/${offer.id}`)).body.data;
    expect((await offer.staff.put(`${LICENSES}/${offer.id}/phase`, { event: 'send_offer', version })).status).toBe(200);
  });

  it('keeps the signature on an offer that was out before, asks staff, and bills once it can be paid', async () => {
    await test.database.db.exec(EU_ACCOUNT);
    const at = await sent({ division: 'EU' });
    await test.database.db.exec(NO_ACCOUNT);
    await sign(at);
    expect(await phaseOf(at)).toBe('accepted');
    expect(await documentsOf(at.id)).toEqual([]);
    const { number } = await test.database.db.one<{ number: string }>(sql`select number from licenses
      where id = ${at.id}`);
    const title = `${number} is not billed. EU cannot be paid in EUR yet: enter its bank account under System, `
      + 'Divisions, or switch on online payment.';
    expect(await tasksOf(at.id)).toEqual([{ status: 'open', title }]);
    await clocksAt('2026-11-21T15:00:00Z');
    expect(await tasksOf(at.id)).toEqual([{ status: 'open', title }]);
    await test.database.db.exec(EU_ACCOUNT);
    expect(await clocksAt('2026-11-22T15:00:00Z')).toMatchObject({ failed: 0 });
    expect(await tasksOf(at.id)).toEqual([{ status: 'done', title }]);
    expect(await documentsOf(at.id)).toEqual([{ kind: 'proforma' }]);
    await clocksAt('2026-11-23T15:00:00Z');
    expect(await documentsOf(at.id), 'once').toHaveLength(1);
  });

  it('tells staff who execute a license on a purchase order; the deposit follows by itself', async () => {
    await test.database.db.exec(EU_ACCOUNT);
    const at = await sent({ division: 'EU', policy: 'purchase_order' });
    await test.database.db.exec(sql`update licenses set deposit_minor = 5000 where id = ${at.id}`);
    await test.database.db.exec(NO_ACCOUNT);
    await sign(at);
    const { version } = (await at.staff.get(`${LICENSES}/${at.id}`)).body.data;
    const execute = () => at.staff.post(`${LICENSES}/${at.id}/execute`, { version, reason: 'Ordered',
      purchase_order_no: 'PO 7' });
    expect((await execute()).body.code).toBe('invoice.no_way_to_pay');
    expect([await phaseOf(at), await documentsOf(at.id)]).toEqual(['accepted', []]);
    await test.database.db.exec(EU_ACCOUNT);
    expect((await execute()).status).toBe(200);
    expect(await documentsOf(at.id)).toEqual([{ kind: 'invoice' }]);
    for (const day of ['22', '23']) {
      await clocksAt(`2026-11-${day}T15:00:00Z`);
      expect(await documentsOf(at.id)).toEqual([{ kind: 'deposit' }, { kind: 'invoice' }]);
    }
    expect(await tasksOf(at.id)).toMatchObject([{ status: 'done' }]);
  });

  it('lets the days of a license pass: what falls due waits with a task', async () => {
    await test.database.db.exec(EU_ACCOUNT);
    const at = await sent({ division: 'EU' });
    await sign(at);
    await payWhatIsAsked(test.ports, at.id);
    await test.database.db.exec(sql`
      with charge as (insert into license_charges (license_id, kind, description, unit_minor, net_minor, item_class,
        royalty_bearing, tax_minor, total_minor) values (${at.id}, 'fee', 'Hire', 100, 100, 'fee', false, 0, 100))
      insert into license_instalments (license_id, sort, label, due_event, line_kinds, share_ppm, net_minor,
        amount_minor) values (${at.id}, 9, 'Hire', 'opening', '{fee}', 1000000, 100, 100)`);
    await test.database.db.exec(NO_ACCOUNT);
    expect(await clocksAt('2027-04-01T15:00:00Z')).toMatchObject({ failed: 0 });
    expect(await phaseOf(at)).toBe('in_production');
    expect(await tasksOf(at.id)).toMatchObject([{ status: 'open' }]);
    const before = (await documentsOf(at.id)).length;
    await test.database.db.exec(EU_ACCOUNT);
    await clocksAt('2027-04-02T15:00:00Z');
    expect(await documentsOf(at.id)).toHaveLength(before + 1);
    expect(await tasksOf(at.id)).toMatchObject([{ status: 'done' }]);
  });
});
