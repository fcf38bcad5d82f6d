/** Executing a licence orders its materials, and holds up nothing where it cannot. */
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { workContext } from '#server/context.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { executeIfMet } from '../licenses/phase/execute-license.server.ts';
import { E2_TICKETS, evenings, licensingFixture, payWhatIsAsked, type Fixture } from '../testing/licensing-fixtures.ts';

const test = testApp();
const API = '/api/admin/staff';
let staff: Browser;

/** A show whose set is approved: two scores, and parts of the orchestra that leave four weeks before the opening. */
async function show(policy: string): Promise<Fixture & { materials: number[] }> {
  const house = await licensingFixture(test.database.db, { policy });
  const materials: number[] = [];
  for (const [key, more] of Object.entries({ score: {}, parts: {}, files: { type: 'digital', fulfilment: 'download',
    item_class: 'digital_music', income_type: 'digital' } })) {
    const made = await staff.post(`${API}/materials`, { item_number: `${house.show_code}-${key.toUpperCase()}`,
      name: key, show_code: house.show_code, category: 'scores', type: 'rental', ...more });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    materials.push(made.body.data.id);
  }
  return { ...house, materials };
}

async function approveSet(
  house: { show_code: string; materials: number[] }, which = [0, 1, 2], more: object = {},
): Promise<void> {
  const kinds = [{ quantity: 2 }, { ship_group: 'orchestra' }, { ship_group: 'digital' }];
  const made = await staff.post(`${API}/bom_templates`, { name: 'Set', show_code: house.show_code,
    category: 'Amateur', ...more, lines: which.map((at) => ({ material_id: house.materials[at], ...kinds[at] })) });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await staff.put(`${API}/bom_templates/${made.body.data.id}/approve`, {});
}

async function stocked(policy: string): ReturnType<typeof show> {
  const house = await show(policy);
  await approveSet(house);
  return house;
}

/** An accepted licence from 1 April 2028, signed in the portal. */
async function accepted(house: Fixture): Promise<{ id: number; buyer: Browser }> {
  const made = await staff.post(`${API}/licenses`, { customer_id: house.customer_id, show_id: house.show_id,
    category: 'Amateur', division: 'US', currency: 'USD', producing_organisation: 'Players',
    license_venues: [{ venue_id: house.venue_id, ticketing: E2_TICKETS, performances: evenings('2028-04-01', 3) }] });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id, version } = made.body.data;
  const sent = await staff.put(`${API}/licenses/${id}/phase`, { event: 'send_offer', version });
  expect(sent.status, JSON.stringify(sent.body)).toBe(200);
  const buyer = await test.signedIn('customer', { customers: [{ id: house.customer_id, role: 'signer' }] });
  const home = `/api/customers/${house.customer_id}/licenses/${id}`;
  const { hash } = (await buyer.get(`${home}/quote`)).body.data;
  const signed = await buyer.post(`${home}/sign`, { offer_version: 1, hash, signer_name: 'Sam Signer',
    signer_title: 'Chair', accept: true, confirm_name: true });
  expect(signed.status, JSON.stringify(signed.body)).toBeLessThan(300);
  return { id, buyer };
}

const orders = async (id: number) => (await staff.get(`${API}/sales_orders?license_id=${id}&sort_by=number`
  + '&sort_direction=asc')).body.data as { id: number; number: string; version: number }[];
const phaseOf = async (id: number): Promise<string> => (await staff.get(`${API}/licenses/${id}`)).body.data.phase;
const item = async (id: number) => (await staff.get(`${API}/licenses/${id}/checklist`)).body.data
  .find((one: { key: string }) => one.key === 'materials_ordered');
const history = async (id: number): Promise<[string, string][]> => (await staff.get(`${API}/licenses/${id}/events`))
  .body.data.filter((one: { event: string }) => one.event.includes('materials'))
  .map((one: { event_label: string; reason: string }) => [one.event_label, one.reason]);
const happenings = async (id: number): Promise<[string, string][]> => (await staff.get(`${API}/sales_orders/${id}`))
  .body.data.events.map((one: { event: string; note: string }) => [one.event, one.note]).reverse();
const toOrder = async (id: number) => (await staff.get(`${API}/dashboard?division=US&all=true`)).body.data.todo.rows
  .find((one: { kind: string; license_id: number }) => one.kind === 'materials' && one.license_id === id);
const mailOf = async (id: number): Promise<string> => (await test.database.db.one<{ text: string }>(sql`
  select body_text as text from mail_outbox where template = 'license.executed' and entity_id = ${id}`)).text;

/** 70 days before the opening; the parts four weeks before it; all back a week after the last night. */
const SENT = [{ status: 'draft', kind: 'license', pieces: 2, ship_on: '2028-01-22', return_due_on: '2028-04-10' },
  { status: 'draft', pieces: 1, ship_on: '2028-03-04', return_due_on: '2028-04-10' }];

beforeAll(async () => {
  test.clock.set('2027-06-01T15:00:00Z');
  staff = await test.signedIn('staff_admin');
});

describe('without a warehouse', () => {
  it('executing holds, and the reason stands on checklist and Home until somebody orders', async () => {
    const house = await stocked('paid_in_full');
    const { id } = await accepted(house);
    await payWhatIsAsked(test.ports, id);
    expect(await phaseOf(id)).toBe('licensed');
    const problem = 'There is no warehouse yet: add one first';
    expect(await item(id)).toMatchObject({ status: 'open', note: problem });
    // Its parcel leaves in half a year: without a reason nobody would be asked yet.
    expect(await toOrder(id)).toMatchObject({ late: false, detail: expect.stringContaining(`: ${problem}`) });
    expect(await history(id)).toEqual([['Materials not ordered', problem]]);
    expect(await mailOf(id)).not.toContain('Your materials');
    await staff.post(`${API}/warehouses`, { code: 'OM', name: 'Store', division: 'US', carriers: ['UPS'],
      default_for_division: true });
    expect((await staff.post(`${API}/licenses/${id}/sales_orders`)).status).toBe(201);
    expect(await item(id)).toMatchObject({ status: 'done', note: '' });
    expect(await toOrder(id)).toBeUndefined();
  });
});

describe('executing', () => {
  it('by a payment orders the set once, one order for each day, and says so', async () => {
    const house = await stocked('paid_in_full');
    const { id, buyer } = await accepted(house);
    await payWhatIsAsked(test.ports, id);
    const made = await orders(id);
    expect(made).toMatchObject(SENT);
    expect(await item(id)).toMatchObject({ status: 'done', note: '' });
    expect(await history(id)).toEqual([['Materials ordered', expect.stringMatching(new RegExp('^SO-\\d+: 2 pieces, '
      + 'ships January 22, 2028; SO-\\d+: 1 piece, ships March 4, 2028\\. Due back by April 10, 2028\\.$'))]]);
    expect(await mailOf(id)).toContain('Your materials are ordered. We plan to ship them on January 22, 2028 and March '
      + '4, 2028. Return what is rented by April 10, 2028.');
    const { body } = await buyer.get(`/api/customers/${house.customer_id}/activity`);
    expect(JSON.stringify(body)).toContain('order_materials');
    await test.ports.db.tx((tx) => executeIfMet(workContext(test.ports, tx, SYSTEM_ACTOR), id));
    expect(await orders(id)).toHaveLength(2);
  });

  it('by the signature of the customer does the same with no more rights than it has', async () => {
    const house = await stocked('deposit_paid');
    const { id } = await accepted(house);
    expect(await phaseOf(id)).toBe('licensed');
    expect(await orders(id)).toMatchObject(SENT);
  });

  it('by staff answers what was ordered; what was ordered before is left out', async () => {
    const execute = async (id: number) => {
      const { version } = (await staff.get(`${API}/licenses/${id}`)).body.data;
      const done = await staff.post(`${API}/licenses/${id}/execute`, { version, reason: 'Signed' });
      expect(done.status, JSON.stringify(done.body)).toBeLessThan(300);
      return done.body.data;
    };
    const first = await accepted(await stocked('purchase_order'));
    expect((await execute(first.id)).ordering).toMatch(/^Materials ordered\. SO-\d+: 2 pieces, ships January 22/);
    const second = await accepted(await stocked('purchase_order'));
    await staff.post(`${API}/licenses/${second.id}/sales_orders`);
    expect(await orders(second.id)).toMatchObject([{ ship_on: null }]);
    expect(await execute(second.id)).toMatchObject({ phase: 'licensed', ordering: null });
    // It has all of them, and leaves with the first.
    expect(await orders(second.id)).toMatchObject([{ ship_on: '2028-01-22', return_due_on: '2028-04-10' }]);
    expect(await happenings((await orders(second.id))[0]!.id)).toEqual([
      ['create', expect.stringMatching(/^Drafted from the materials of license \S+$/)],
      ['plan', expect.stringMatching(/^Days set when license \S+ was executed$/)]]);
    expect(await history(second.id)).toEqual([]);
  });

  it('gives an order that was drafted before it the days it lacks, and keeps those that a person set', async () => {
    const { id } = await accepted(await stocked('paid_in_full'));
    await staff.post(`${API}/licenses/${id}/sales_orders`);
    const [early] = await orders(id);
    await staff.put(`${API}/sales_orders/${early!.id}`, { version: early!.version, ship_on: '2027-12-01',
      return_due_on: null });
    await payWhatIsAsked(test.ports, id);
    expect(await orders(id)).toMatchObject([{ ship_on: '2027-12-01', return_due_on: '2028-04-10' }]);
  });

  it('is the beginning of the history of each order', async () => {
    const { id } = await accepted(await stocked('paid_in_full'));
    await payWhatIsAsked(test.ports, id);
    const numbers = numbersInWords((await staff.get(`${API}/licenses/${id}`)).body.data);
    for (const order of await orders(id)) {
      expect(await happenings(order.id)).toEqual([['create', `Drafted when license ${numbers} was executed`]]);
    }
  });

  it('orders nothing where nothing is sent, and asks nobody for it', async () => {
    const house = await show('paid_in_full');
    await approveSet(house, [2]);
    const { id } = await accepted(house);
    await payWhatIsAsked(test.ports, id);
    expect([await phaseOf(id), await orders(id), await item(id), await history(id)])
      .toEqual(['licensed', [], undefined, []]);
  });

  it('is held up neither by a customer without an address nor by material that is not offered any more', async () => {
    const [house, other] = [await stocked('paid_in_full'), await stocked('paid_in_full')];
    const [first, second] = [await accepted(house), await accepted(other)];
    const { db } = test.database;
    await db.exec(sql`update customers set billing_address = null where id = ${house.customer_id}`);
    await payWhatIsAsked(test.ports, first.id);
    await db.exec(sql`update materials set active = false where id = ${other.materials[0]!}`);
    await payWhatIsAsked(test.ports, second.id);
    for (const [id, note] of [[first.id, 'The customer has no address to ship to. Add one, then order the materials.'],
      [second.id, `${other.show_code}-SCORE is not offered any more`]] as const) {
      expect([await phaseOf(id), await orders(id)]).toEqual(['licensed', []]);
      expect(await item(id)).toMatchObject({ status: 'open', note });
    }
  });
});

describe('a set that cannot be attached', () => {
  /** A licence of a show whose set is as `approve` leaves it, paid in full. */
  async function executed(approve: (house: Awaited<ReturnType<typeof show>>) => Promise<void>) {
    const house = await show('paid_in_full');
    await approve(house);
    const { id } = await accepted(house);
    await payWhatIsAsked(test.ports, id);
    expect(await phaseOf(id)).toBe('licensed');
    return { id, house };
  }
  const draftSet = (house: { show_code: string; materials: number[] }, more: object = {}) =>
    staff.post(`${API}/bom_templates`, { name: 'Set', show_code: house.show_code, category: 'Amateur',
      lines: [{ material_id: house.materials[0], quantity: 2 }], ...more });

  it('says on checklist and Home what to do, until somebody attaches it', async () => {
    const { id, house } = await executed(async (one) => {
      const { body } = await draftSet(one, { lines: [{ material_id: one.materials[0], qty_rule: 'per_cast',
        factor_ppm: 1_000_000 }] });
      await staff.put(`${API}/bom_templates/${body.data.id}/approve`, {});
    });
    const problem = 'The set “Set” counts the cast, and its size is not known. Attach it with the cast size, then '
      + 'order the materials.';
    expect(await item(id)).toMatchObject({ status: 'open', note: problem, due_on: '2028-01-22' });
    expect(await toOrder(id)).toMatchObject({ detail: expect.stringContaining(problem) });
    expect(await history(id)).toEqual([['Materials not ordered', problem]]);
    const { id: set } = (await staff.get(`${API}/bom_templates?show_code=${house.show_code}`)).body.data[0];
    const attached = await staff.post(`${API}/licenses/${id}/license_materials/bom_templates/${set}/attach`,
      { cast_size: 12 });
    expect(attached.status, JSON.stringify(attached.body)).toBe(201);
    expect(await item(id)).toMatchObject({ status: 'open', note: '' });
    expect((await staff.post(`${API}/licenses/${id}/sales_orders`)).status).toBe(201);
    expect(await item(id)).toMatchObject({ status: 'done' });
    expect(await toOrder(id)).toBeUndefined();
  });

  it('names a set that nobody has approved, and a license that no set fits', async () => {
    const waiting = await executed(async (house) => void await draftSet(house));
    expect(await item(waiting.id)).toMatchObject({ status: 'open',
      note: 'The set “Set” is not approved. Approve it, attach it, then order the materials.' });
    const abroad = await executed((house) => approveSet(house, [0], { division: 'UK' }));
    expect(await item(abroad.id)).toMatchObject({ status: 'open', note: 'No set of this show fits the license. Approve '
      + 'one that does or add its materials one by one, then order them.' });
    const ranged = await executed((house) => approveSet(house, [0], { cast_min: 5, cast_max: 20 }));
    expect(await item(ranged.id)).toMatchObject({ note: expect.stringContaining('depend on the size of the cast') });
    // Somebody decides that nothing is sent.
    const { id, version } = await item(waiting.id);
    await staff.put(`${API}/licenses/${waiting.id}/checklist/${id}`, { version, status: 'waived', note: 'Own copies' });
    expect(await toOrder(waiting.id)).toBeUndefined();
  });
});

it('a run that is moved moves the day on which its materials are due back, on the order and its lines', async () => {
  const { id } = await accepted(await stocked('paid_in_full'));
  await payWhatIsAsked(test.ports, id);
  const [, parts] = await orders(id);
  // Somebody gave the orchestra more time.
  const given = await staff.put(`${API}/sales_orders/${parts!.id}`, { version: parts!.version,
    return_due_on: '2028-05-31' });
  expect(given.status, JSON.stringify(given.body)).toBe(200);
  const returns = async () => (await staff.get(`${API}/licenses/${id}/license_materials`)).body.data
    .map((line: { returns_on: string | null }) => line.returns_on);
  expect(await returns()).toEqual(['2028-04-10', '2028-04-10', null]);
  const { version } = (await staff.get(`${API}/licenses/${id}`)).body.data;
  const done = await staff.post(`${API}/licenses/${id}/amendments`, { version, reason: 'The hall is let',
    changes: { dates: { first_performance_on: '2028-04-08' } } });
  expect(done.status, JSON.stringify(done.body)).toBeLessThan(300);
  expect(await orders(id)).toMatchObject([{ return_due_on: '2028-04-17' }, { return_due_on: '2028-05-31' }]);
  expect(await returns()).toEqual(['2028-04-17', '2028-04-17', null]);
});

describe('a run that is moved moves the day on which its materials leave', () => {
  const moveTo = async (id: number, first_performance_on: string): Promise<void> => {
    const { version } = (await staff.get(`${API}/licenses/${id}`)).body.data;
    const done = await staff.post(`${API}/licenses/${id}/amendments`, { version, reason: 'The hall is let',
      changes: { dates: { first_performance_on } } });
    expect(done.status, JSON.stringify(done.body)).toBeLessThan(300);
  };
  const paid = async (): Promise<number> => {
    const { id } = await accepted(await stocked('paid_in_full'));
    await payWhatIsAsked(test.ports, id);
    return id;
  };

  it('of what has not left, each time, unless somebody set the day', async () => {
    const [id, other] = [await paid(), await paid()];
    const [scores] = await orders(id);
    await staff.put(`${API}/sales_orders/${scores!.id}/status`, { event: 'release', version: scores!.version });
    const [, parts] = await orders(other);
    await staff.put(`${API}/sales_orders/${parts!.id}`, { version: parts!.version, ship_on: '2028-02-02' });
    await moveTo(id, '2028-04-08');
    expect(await orders(id)).toMatchObject([{ ship_on: '2028-01-29' }, { ship_on: '2028-03-11' }]);
    expect((await happenings(scores!.id)).at(-1)).toEqual(['plan',
      'Ships January 29, 2028 instead of January 22, 2028, because the run was moved']);
    expect(await item(id)).toMatchObject({ due_on: '2028-01-29' });
    const told = await test.database.db.one<{ text: string }>(sql`
      select body_text as text from mail_outbox where template = 'license.amended' and entity_id = ${id}`);
    expect(told.text).toContain('We now plan to ship your materials on January 29, 2028 and March 11, 2028.');
    await moveTo(id, '2028-03-25');
    expect(await orders(id)).toMatchObject([{ ship_on: '2028-01-15' }, { ship_on: '2028-02-26' }]);
    await moveTo(other, '2028-04-08');
    expect(await orders(other)).toMatchObject([{ ship_on: '2028-01-29' }, { ship_on: '2028-02-02' }]);
  });

  it('never into the past, and not of what has left', async () => {
    const [id, gone] = [await paid(), await paid()];
    const { db } = test.database;
    await moveTo(id, '2027-07-10');
    // Seventy days before would be in May; the license was executed on June 1.
    expect(await orders(id)).toMatchObject([{ ship_on: '2027-06-01' }, { ship_on: '2027-06-12' }]);
    const [scores] = await orders(gone);
    await db.exec(sql`update sales_orders set status = 'shipped', shipped_on = '2027-06-01' where id = ${scores!.id}`);
    await db.exec(sql`update sales_order_lines set qty_shipped = quantity where sales_order_id = ${scores!.id}`);
    await moveTo(gone, '2028-04-08');
    expect(await orders(gone)).toMatchObject([{ ship_on: '2028-01-22' }, { ship_on: '2028-03-11' }]);
    expect((await staff.get(`${API}/licenses/${gone}`)).body.data.ship_on).toBe('2028-01-22');
  });

  it('and no paper gives the day it was to leave as the reason to pay any more', async () => {
    const id = await paid();
    const reason = () => test.database.db.one(sql`
      select pay_by_reason, pay_by_ships_on from licenses where id = ${id}`);
    await test.database.db.exec(sql`
      update licenses set pay_by_reason = 'shipping', pay_by_ships_on = ship_on where id = ${id}`);
    await moveTo(id, '2028-04-08');
    expect(await reason()).toEqual({ pay_by_reason: null, pay_by_ships_on: null });
  });
});

it('a production that is called off calls off what has not left', async () => {
  const house = await stocked('paid_in_full');
  const { id } = await accepted(house);
  await payWhatIsAsked(test.ports, id);
  const [first] = await orders(id);
  await staff.put(`${API}/sales_orders/${first!.id}/status`, { event: 'release', version: first!.version });
  const { version } = (await staff.get(`${API}/licenses/${id}`)).body.data;
  const done = await staff.post(`${API}/licenses/${id}/cancel`, { version, reason: 'No hall', on: '2027-06-01' });
  expect(done.status, JSON.stringify(done.body)).toBeLessThan(300);
  expect(await orders(id)).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }]);
});

it('an order stands on Home from a week before its day to leave, and is late after it', async () => {
  const { id } = await accepted(await stocked('paid_in_full'));
  await payWhatIsAsked(test.ports, id);
  const [scores] = await orders(id);
  const shownOn = async (day: string) => {
    test.clock.set(`${day}T15:00:00Z`);
    // Sessions of the day before have ended.
    const { body } = await (await test.signedIn('staff_admin')).get(`${API}/dashboard?division=US&all=true`);
    return body.data.todo.rows.find((one: { kind: string; id: number }) =>
      one.kind === 'parcel' && one.id === scores!.id);
  };
  expect(await shownOn('2028-01-14')).toBeUndefined();
  expect(await shownOn('2028-01-15')).toMatchObject({ late: false, due_on: '2028-01-22',
    title: expect.stringMatching(`^Ship ${scores!.number}: `),
    href: `/admin/sales-and-royalties/sales-orders/${scores!.id}` });
  expect(await shownOn('2028-01-23')).toMatchObject({ late: true });
});
