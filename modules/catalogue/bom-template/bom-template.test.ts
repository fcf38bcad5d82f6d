import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';

const test = testApp();
const API = '/api/admin/staff';
const PATH = `${API}/bom_templates`;
let staff: Browser;
const materials: Record<string, number> = {};

async function material(key: string, more: object = {}): Promise<number> {
  const answer = await staff.post(`${API}/materials`, { item_number: `SALT-${key.toUpperCase()}`, name: key,
    show_code: 'SALT', category: 'scripts', type: 'rental', ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  materials[key] = answer.body.data.id;
  return answer.body.data.id;
}

beforeAll(async () => {
  staff = await test.signedIn('staff_admin');
  for (const [show_code, title] of [['SALT', 'The Salt Road'], ['OTHER', 'Another']]) {
    await staff.post(`${API}/musicals`, { show_code, title });
  }
  for (const key of ['libretto', 'score', 'oboe', 'other']) await material(key);
  await material('foreign', { item_number: 'OTHER-1', show_code: 'OTHER' });
});

const LINES = () => [
  { material_id: materials.libretto, qty_rule: 'per_cast', constant: 2, ship_group: 'advance' },
  { material_id: materials.score, quantity: 2 }, { material_id: materials.oboe, ship_group: 'orchestra' },
];
let names = 0;
async function create(more: object = {}) {
  names += 1;
  const answer = await staff.post(PATH, { name: `Standard ${names}`, show_code: 'SALT', category: 'Amateur',
    cast_min: 20, cast_max: 40, lines: LINES(), ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const approve = (id: number) => staff.put(`${PATH}/${id}/approve`, {});

describe('BOM templates', () => {
  it('are approved, and an edit clears the approval and begins the next version [S3]', async () => {
    const row = await create();
    expect(row).toMatchObject({ approved: false, template_version: 1, line_count: 3, show_code: 'SALT' });
    const approved = (await approve(row.id)).body.data;
    expect(approved).toMatchObject({ approved: true, template_version: 1 });
    expect(approved.approved_by_name).toContain('Test');
    const twice = await approve(row.id);
    expect([twice.status, twice.body.code]).toEqual([409, 'bom_template.approved']);

    const { name, notes, cast_min, lines } = approved;
    const kept = lines.map(({ item_number: _number, name: _name, type: _type, available: _there, ...line }:
      Record<string, unknown>) => line);
    const same = await staff.put(`${PATH}/${row.id}`, { name, notes, cast_min, lines: kept, show_code: 'SALT',
      version: approved.version });
    expect(same.body.data, 'saved without an edit').toEqual(approved);
    const edited = await staff.put(`${PATH}/${row.id}`,
      { lines: [...LINES(), { material_id: materials.other }], version: approved.version });
    expect(edited.body.data).toMatchObject({ approved: false, approved_by_name: null, template_version: 2,
      line_count: 4 });
    const again = await staff.put(`${PATH}/${row.id}`, { name: 'Renamed', version: edited.body.data.version });
    expect(again.body.data.template_version).toBe(2);
    await approve(row.id);
    const versions = await staff.get(`${PATH}/${row.id}/versions`);
    expect(versions.body.data.map((one: { template_version: number; line_count: number }) =>
      [one.template_version, one.line_count])).toEqual([[2, 4], [1, 3]]);
  });

  it('go to the trash, come back, and are purged for good from there only [S4] [S5] [S6] [R60]', async () => {
    const row = await create();
    expect((await staff.remove(`${PATH}/${row.id}/purge`)).status).toBe(404);
    expect((await staff.remove(`${PATH}/${row.id}`)).status).toBe(204);
    const listed = async (path: string): Promise<number[]> =>
      (await staff.get(`${path}?search=${encodeURIComponent(row.name)}`)).body.data
        .map((one: { id: number }) => one.id);
    expect([await listed(PATH), await listed(`${PATH}/trash`)]).toEqual([[], [row.id]]);
    expect((await staff.get(`${PATH}/trash/${row.id}`)).body.data.line_count).toBe(3);
    expect((await approve(row.id)).status).toBe(404);
    expect((await staff.put(`${PATH}/${row.id}/restore`)).body.data.lines).toHaveLength(3);
    expect([await listed(PATH), await listed(`${PATH}/trash`)]).toEqual([[row.id], []]);

    await staff.remove(`${PATH}/${row.id}`);
    expect((await staff.remove(`${PATH}/${row.id}/purge`)).status).toBe(204);
    expect((await staff.put(`${PATH}/${row.id}/restore`)).status).toBe(404);
    expect((await staff.get(`${PATH}/trash/${row.id}`)).status).toBe(404);
  });

  it('say what a production of 28 would get', async () => {
    const row = await create();
    const preview = await staff.post(`${PATH}/${row.id}/preview`, { cast: 28, venues: 1, weeks: 2, performances: 6 });
    expect(preview.body.data.map((line: { name: string; quantity: number }) => [line.name, line.quantity]))
      .toEqual([['libretto', 30], ['score', 2], ['oboe', 1]]);
  });

  it('refuse quantities that overflow, at their line', async () => {
    const huge = await staff.post(PATH, { name: 'Huge', show_code: 'SALT', category: 'Amateur',
      lines: [{ material_id: materials.score, quantity: 100_001 }] });
    expect(huge.body.errors).toEqual({ 'lines.0.quantity': ['At most 100,000 copies'] });
    const row = await create({ lines: [{ material_id: materials.score },
      { material_id: materials.libretto, qty_rule: 'per_cast', factor_ppm: 1_000_000_000 }] });
    const preview = await staff.post(`${PATH}/${row.id}/preview`, { cast: 1000 });
    expect(preview.status).toBe(422);
    expect(preview.body.errors['lines.1.quantity'][0]).toContain('1,000,000 copies are more than');
  });

  it.each([
    ['a material of another show', () => [{ material_id: materials.foreign }], 'lines.0.material_id',
      'foreign belongs to another show'],
    ['the same material twice', () => [{ material_id: materials.score }, { material_id: materials.score }],
      'lines.1.material_id', 'score stands in a line above already'],
    ['no such material', () => [{ material_id: 999_999 }], 'lines.0.material_id', 'This material does not exist'],
    ['a negative quantity', () => [{ material_id: materials.score, quantity: -1 }], 'lines.0.quantity',
      'A quantity is not negative'],
  ])('refuse %s', async (_what, lines, at, text) => {
    const answer = await staff.post(PATH, { name: 'Refused', show_code: 'SALT', category: 'Amateur', lines: lines() });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({ [at]: [text] });
  });

  it('are not approved empty, nor with a material that is gone; what they name stays out of the trash', async () => {
    const empty = await create({ lines: [] });
    expect((await approve(empty.id)).body.code).toBe('bom_template.empty');
    const id = await material('programme');
    const row = await create({ lines: [{ material_id: id }] });
    expect((await staff.remove(`${API}/materials/${id}`)).body.code).toBe('in_use');
    const read = (await staff.get(`${API}/materials/${id}`)).body.data;
    expect(read.used).toBe(true);
    await staff.put(`${API}/materials/${id}`, { active: false, version: read.version });
    expect((await approve(row.id)).body.code).toBe('bom_template.unavailable');
  });

  it('are found by show code, state and words', async () => {
    const row = await create({ name: 'Findable kit' });
    const found = async (query: string) => (await staff.get(`${PATH}?${query}`)).body.data
      .map((one: { id: number }) => one.id);
    expect(await found('show_code=SALT&search=findable&approved=false&category=Amateur')).toEqual([row.id]);
    expect(await found('show_code=OTHER')).toEqual([]);
  });

  it('are not changed by two people at once', async () => {
    const row = await create();
    expect((await staff.put(`${PATH}/${row.id}`, { name: 'First', version: row.version })).status).toBe(200);
    expect((await staff.put(`${PATH}/${row.id}`, { name: 'Second', version: row.version })).status).toBe(412);
  });
});
