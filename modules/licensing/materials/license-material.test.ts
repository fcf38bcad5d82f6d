import { beforeAll, describe, expect, it } from 'vitest';
import { addDays } from '#kernel/calendar/calendar.ts';
import { PERMISSIONS, type Permission } from '#kit/permission.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { E2_TICKETS, evenings, licensingFixture, payWhatIsAsked, type Fixture } from '../testing/licensing-fixtures.ts';

const test = testApp();
const API = '/api/admin/staff';
let staff: Browser;
let house: Fixture;
const ids: Record<string, number> = {};

async function material(key: string, more: object = {}): Promise<void> {
  const answer = await staff.post(`${API}/materials`, { item_number: `${house.show_code}-${key.toUpperCase()}`,
    name: key, show_code: house.show_code, category: 'scripts', type: 'rental', ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  ids[key] = answer.body.data.id;
}

const lines = () => [
  { material_id: ids.libretto, qty_rule: 'per_cast', constant: 2, ship_group: 'advance' },
  { material_id: ids.score, quantity: 2 }, { material_id: ids.oboe, ship_group: 'orchestra' },
  { material_id: ids.tracks, optional: true, ship_group: 'digital' },
];

beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  house = await licensingFixture(test.database.db);
  for (const key of ['libretto', 'score', 'oboe', 'study']) await material(key);
  await material('tracks', { type: 'digital', fulfilment: 'download', item_class: 'tracks', income_type: 'digital',
    prices: { usd: 150 } });
  await material('poster', { type: 'sale', item_class: 'merchandise', income_type: 'sale', prices: { usd: 12.5 } });
});

async function template(more: object = {}) {
  const made = await staff.post(`${API}/bom_templates`, { name: 'Standard set', show_code: house.show_code,
    category: 'Amateur', lines: lines(), ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  await staff.put(`${API}/bom_templates/${made.body.data.id}/approve`, {});
  return made.body.data.id as number;
}

let year = 2027;
async function license(more: object = {}) {
  year += 1;
  const answer = await staff.post(`${API}/licenses`, { customer_id: house.customer_id, show_id: house.show_id,
    category: 'Amateur', division: 'US', currency: 'USD', producing_organisation: 'Springfield Players', phase: 'draft',
    license_venues: [{ venue_id: house.venue_id, ticketing: E2_TICKETS, performances: evenings(`${year}-04-01`, 3) }],
    ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data as { id: number; version: number; grand_total_minor: number };
}
const at = (id: number, rest: string): string => `${API}/licenses/${id}/${rest}`;
const held = async (id: number): Promise<[string, number][]> =>
  (await staff.get(at(id, 'license_materials?per_page=100'))).body.data
    .map((row: { name: string; quantity: number }) => [row.name, row.quantity]);
const trash = (id: number) => staff.remove(`${API}/bom_templates/${id}`);

it('[R59] the list needs license_material.list, one of them license_material.show, whatever else is held', async () => {
  const row = await license();
  const made = await staff.post(at(row.id, 'license_materials'), { material_id: ids.score, quantity: 1 });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const answers = async (permissions: readonly Permission[]): Promise<number[]> => {
    const clerk = await test.signedIn('staff_user', { permissions: [...permissions] });
    const paths = [at(row.id, 'license_materials'), at(row.id, `license_materials/${made.body.data.id}`)];
    return Promise.all(paths.map(async (path) => (await clerk.get(path)).status));
  };
  const without = (...missing: Permission[]) =>
    PERMISSIONS.filter((one) => one !== 'super' && !missing.includes(one));
  expect(await answers(['license_material.list'])).toEqual([200, 403]);
  expect(await answers(['license_material.show'])).toEqual([403, 200]);
  expect(await answers(without('license_material.list'))).toEqual([403, 200]);
  expect(await answers(without('license_material.show'))).toEqual([200, 403]);
  expect(await answers(['license_material.list', 'license_material.show'])).toEqual([200, 200]);
});

describe('BOMs of licences', () => {
  it('are copied with the quantities of the production; a re-sync is empty right after', async () => {
    const templateId = await template();
    const row = await license();
    expect(await held(row.id)).toEqual([]);
    const offered = await staff.get(at(row.id, 'license_materials/bom_templates/available'));
    expect(offered.body.data[0]).toMatchObject({ id: templateId, attached: false, preview: null });
    const attach = at(row.id, `license_materials/bom_templates/${templateId}/attach`);
    expect((await staff.post(attach, {})).body.errors.cast_size).toEqual(['Say how large the cast is']);
    const bom = await staff.post(attach, { cast_size: 28, optional_material_ids: [ids.tracks] });
    expect(bom.body.data).toMatchObject({ cast_size: 28, performances: 3, venues: 1, weeks: 1, source_version: 1,
      line_count: 4 });
    expect(await held(row.id)).toEqual([['libretto', 30], ['score', 2], ['oboe', 1], ['tracks', 1]]);
    const differences = await staff.get(at(row.id, `license_boms/${bom.body.data.id}/differences`));
    expect(differences.body.data).toEqual({ source_version: 1, current_version: 1, lines: [] });
    expect((await staff.post(attach, {})).body.code).toBe('license_bom.attached');
    await trash(templateId);
  });

  it('stay as they were copied when the template changes, until somebody takes the change over', async () => {
    const templateId = await template();
    const row = await license({ cast_size: 20 });
    const bom = (await staff.get(at(row.id, 'license_boms'))).body.data[0];
    expect(bom.source_bom_template_id).toBe(templateId);
    const before = [['libretto', 22], ['score', 2], ['oboe', 1]];
    expect(await held(row.id)).toEqual(before);
    const read = (await staff.get(`${API}/bom_templates/${templateId}`)).body.data;
    const changed = lines().filter((line) => line.material_id !== ids.oboe)
      .map((line) => (line.material_id === ids.score ? { ...line, quantity: 3 } : line));
    await staff.put(`${API}/bom_templates/${templateId}`, { version: read.version,
      lines: [...changed, { material_id: ids.study, quantity: 5 }] });
    const differences = async () =>
      (await staff.get(at(row.id, `license_boms/${bom.id}/differences`))).body.data.lines
        .map((line: { name: string; before: number; after: number }) => [line.name, line.before, line.after]);
    // An edit that nobody approved reaches no licence.
    expect(await differences()).toEqual([]);
    await staff.put(`${API}/bom_templates/${templateId}/approve`, {});
    expect(await held(row.id)).toEqual(before);
    expect(await differences()).toEqual([['score', 2, 3], ['oboe', 1, 0], ['study', 0, 5]]);
    const resync = at(row.id, `license_boms/${bom.id}/resync`);
    const part = await staff.put(resync, { version: bom.version, material_ids: [ids.score] });
    expect(await held(row.id)).toEqual([['libretto', 22], ['score', 3], ['oboe', 1]]);
    expect((await staff.put(resync, { version: bom.version })).status).toBe(412);
    await staff.put(resync, { version: part.body.data.version });
    expect(await held(row.id)).toEqual([['libretto', 22], ['score', 3], ['study', 5]]);
    expect(await differences()).toEqual([]);
    await trash(templateId);
    expect((await staff.remove(`${API}/bom_templates/${templateId}/purge`)).body.code).toBe('in_use');
  });

  it('come only from approved templates of the show and category', async () => {
    const draft = await staff.post(`${API}/bom_templates`, { name: 'Draft', show_code: house.show_code,
      category: 'Amateur', lines: lines() });
    const pro = await template({ name: 'Professional', category: 'Pro' });
    const row = await license({ cast_size: 10 });
    for (const id of [draft.body.data.id, pro]) {
      const answer = await staff.post(at(row.id, `license_materials/bom_templates/${id}/attach`), {});
      expect([answer.status, answer.body.code]).toEqual([409, 'bom_template.not_available']);
    }
    expect((await staff.get(at(row.id, 'license_boms/available'))).body.data).toEqual([]);
    await trash(pro);
  });

  it('are listed over all licences by show code, and begun by hand', async () => {
    const row = await license();
    const wrong = await staff.post('/api/admin/bom', { show_code: 'OTHER', license_id: row.id, name: 'Extra' });
    expect(wrong.body.errors.show_code).toEqual(['This license is for another show']);
    const made = await staff.post('/api/admin/bom', { show_code: house.show_code, license_id: row.id, name: 'Extra' });
    expect(made.body.data).toMatchObject({ name: 'Extra', source_bom_template_id: null, line_count: 0 });
    const list = await staff.get(`/api/admin/boms?show_code=${house.show_code}&search=extra`);
    expect(list.body.data.map((bom: { id: number }) => bom.id)).toEqual([made.body.data.id]);
    expect((await staff.get(`/api/admin/boms?show_code=NOBODY`)).body.data).toEqual([]);
    expect((await staff.remove(at(row.id, `license_boms/${made.body.data.id}`))).status).toBe(204);
  });
});

describe('materials of a licence', () => {
  it('beside the package are lines of the price, and go from it when they are included', async () => {
    const row = await license();
    const price = async (): Promise<{ total: number; lines: [string, number][] }> => {
      const answer = (await staff.get(`${API}/licenses/${row.id}`)).body.data;
      const charges = await test.database.db.query<{ description: string; net_minor: number }>(sql`
        select description, net_minor from license_charges where license_id = ${row.id}
          and license_material_id is not null order by sort`);
      return { total: answer.grand_total_minor, lines: charges.map((one) => [one.description, one.net_minor]) };
    };
    const before = await price();
    const poster = await staff.post(at(row.id, 'license_materials'), { material_id: ids.poster, quantity: 40 });
    expect(poster.body.data).toMatchObject({ included_in_package: false, unit_price_minor: 1250,
      extended_minor: 50_000 });
    const charged = await price();
    expect(charged.lines).toEqual([['poster', 50_000]]);
    expect(charged.total - before.total).toBeGreaterThanOrEqual(50_000);
    const twice = await staff.post(at(row.id, 'license_materials'), { material_id: ids.poster });
    expect(twice.body.errors.material_id).toEqual(['poster is on the license already: change its quantity']);
    const included = await staff.put(at(row.id, `license_materials/${poster.body.data.id}`),
      { included_in_package: true, version: poster.body.data.version });
    expect(included.body.data.extended_minor).toBe(0);
    expect(await price()).toEqual(before);
  });

  it('are changed together, all or none', async () => {
    const row = await license();
    const add = async (key: string) => (await staff.post(at(row.id, 'license_materials'),
      { material_id: ids[key], quantity: 2 })).body.data;
    const [first, second] = [await add('libretto'), await add('score')];
    const batch = (rows: object[]) => staff.put(at(row.id, 'license_materials/batch-update'), { materials: rows });
    const stale = await batch([{ id: first.id, version: first.version, quantity: 9 },
      { id: second.id, version: second.version + 1, quantity: 9 }]);
    expect(stale.status).toBe(412);
    expect(await held(row.id)).toEqual([['libretto', 2], ['score', 2]]);
    const done = await batch([{ id: first.id, version: first.version, quantity: 9 },
      { id: second.id, version: second.version, note: 'Large print' }]);
    expect(done.body.data.map((line: { quantity: number; note: string }) => [line.quantity, line.note]))
      .toEqual([[9, ''], [2, 'Large print']]);
    const huge = await batch([{ id: first.id, version: 2, quantity: 100_001 }]);
    expect(huge.body.errors).toEqual({ 'materials.0.quantity': ['At most 100,000 copies'] });
  });

  it('are exchanged for another, which says for which it stands', async () => {
    const row = await license();
    const line = (await staff.post(at(row.id, 'license_materials'), { material_id: ids.score })).body.data;
    const other = await staff.put(at(row.id, `license_materials/${line.id}`),
      { material_id: ids.study, version: line.version });
    expect(other.body.data).toMatchObject({ name: 'study', substituted_for_id: ids.score,
      substituted_for_name: 'score' });
  });

  it('offers what is not there yet; files are the digital ones of the show', async () => {
    const row = await license();
    await staff.post(at(row.id, 'license_materials'), { material_id: ids.score });
    const names = async (rest: string) => (await staff.get(at(row.id, rest))).body.data
      .map((one: { name: string }) => one.name);
    expect(await names('license_materials/available?per_page=100&search=score')).toEqual([]);
    expect(await names('license_materials/resources/available')).toEqual(['tracks']);
  });

  it('of another licence are not found under this one', async () => {
    const [one, other] = [await license(), await license()];
    const line = (await staff.post(at(one.id, 'license_materials'), { material_id: ids.score })).body.data;
    expect((await staff.get(at(other.id, `license_materials/${line.id}`))).status).toBe(404);
    expect((await staff.remove(at(other.id, `license_materials/${line.id}`))).status).toBe(404);
  });
});

/** Everything that is sent, one order a day, and nothing twice; a called-off order is ordered again. */
async function ordersOnce(id: number, expected: { pieces: number; ship_on: string }[]): Promise<void> {
  await staff.post(`${API}/warehouses`, { code: 'LM', name: 'Licence store', division: 'US', carriers: ['UPS'],
    default_for_division: true });
  const answers = await Promise.all([1, 2].map(() => staff.post(at(id, 'sales_orders'))));
  const made = answers.find((answer) => answer.status === 201)!;
  expect(made.body.data, JSON.stringify(answers.map((one) => one.body))).toMatchObject(expected.map((one) =>
    ({ ...one, kind: 'license', status: 'draft', license_id: id, total_minor: 0 })));
  expect(answers.find((answer) => answer !== made)?.body.code).toBe('sales_order.nothing_left');
  const [first] = made.body.data;
  await staff.put(`${API}/sales_orders/${first.id}/status`,
    { event: 'cancel', version: first.version, reason: 'Typo' });
  expect((await staff.post(at(id, 'sales_orders'))).body.data).toMatchObject([{ pieces: expected[0]!.pieces }]);
}

/** Checklist and dashboard about ordering, read on the day after it should have left. */
async function toOrder(id: number, shipsOn: string) {
  const now = test.clock.now().toISOString();
  test.clock.set(`${addDays(shipsOn, 1)}T15:00:00Z`);
  const reader = await test.signedIn('staff_admin');
  const { body: list } = await reader.get(at(id, 'checklist'));
  const { body: board } = await reader.get(`${API}/dashboard?division=US&all=true`);
  test.clock.set(now);
  return { item: list.data.find((one: { key: string }) => one.key === 'materials_ordered'),
    todo: board.data.todo.rows.find((one: { kind: string; license_id: number }) => one.kind === 'materials'
      && one.license_id === id) };
}

describe('an executed licence', () => {
  it('gets its materials with the days they go and come back; the customer sees them, others do not', async () => {
    const row = await license();
    const templateId = await template();
    const send = await staff.get(`${API}/licenses/${row.id}`);
    await staff.put(`${API}/licenses/${row.id}`, { cast_size: 12, version: send.body.data.version });
    const draft = (await staff.get(`${API}/licenses/${row.id}`)).body.data;
    const offer = await staff.put(`${API}/licenses/${row.id}/phase`, { event: 'send_offer', version: draft.version });
    expect(offer.status, JSON.stringify(offer.body)).toBe(200);
    const buyer = await test.signedIn('customer', { customers: [{ id: house.customer_id, role: 'signer' }] });
    const home = `/api/customers/${house.customer_id}/licenses/${row.id}`;
    const { hash } = (await buyer.get(`${home}/quote`)).body.data;
    const signed = await buyer.post(`${home}/sign`, { offer_version: 1, hash, signer_name: 'Sam Signer',
      signer_title: 'Chair', accept: true, confirm_name: true });
    expect(signed.status, JSON.stringify(signed.body)).toBeLessThan(300);
    await payWhatIsAsked(test.ports, row.id);
    const executed = (await staff.get(`${API}/licenses/${row.id}`)).body.data;
    expect(executed.phase).toBe('licensed');
    const list = await buyer.get(`${home}/materials`);
    expect(list.body.data.map((line: { name: string; quantity: number }) => [line.name, line.quantity]))
      .toEqual([['libretto', 14], ['score', 2], ['oboe', 1]]);
    const [libretto, , oboe] = list.body.data;
    expect(libretto).toMatchObject({ ships_on: executed.ship_on, returns_on: `${year}-04-10` });
    expect(oboe.ships_on).toBe(`${year}-03-04`);
    expect(JSON.stringify(list.body)).not.toContain('note');
    const stranger = await test.signedIn('customer');
    expect((await stranger.get(`${home}/materials`)).status).toBe(404);

    const standing = async () => Object.fromEntries((await staff.get(at(row.id, 'license_materials'))).body.data.map(
      (line: { name: string; ordered: { waiting: { why: string } }[] }) =>
        [line.name, line.ordered.map((one) => one.waiting.why)]));
    expect(await standing()).toEqual({ libretto: [], score: [], oboe: [] });
    const item = { due_on: executed.ship_on, owner: 'staff', automatic: true };
    expect(await toOrder(row.id, executed.ship_on)).toMatchObject({ item: { ...item, status: 'open' },
      todo: { title: 'Order the materials: ' + executed.title_on_license, due_on: executed.ship_on, late: true } });
    await ordersOnce(row.id, [{ pieces: 16, ship_on: executed.ship_on }, { pieces: 1, ship_on: oboe.ships_on }]);
    expect(await toOrder(row.id, executed.ship_on)).toEqual({ todo: undefined,
      item: expect.objectContaining({ ...item, status: 'done' }) });
    expect(await standing()).toEqual({ libretto: ['release'], score: ['release'], oboe: ['release'] });
    const late = await staff.post(at(row.id, 'license_materials'), { material_id: ids.poster });
    expect([late.status, late.body.code]).toEqual([409, 'phase_conflict']);
    const free = await staff.post(at(row.id, 'license_materials'),
      { material_id: ids.poster, included_in_package: true });
    expect(free.status).toBe(201);
    await trash(templateId);
  });
});
