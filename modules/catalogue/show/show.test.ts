import { beforeAll, describe, expect, it } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';
import { sql } from '#server/sql.ts';
import { sortTitle } from './show.contract.ts';

const test = testApp();
const PLAYS = '/api/admin/staff/plays';
const MUSICALS = '/api/admin/staff/musicals';
const SHOWS = '/api/admin/staff/shows';
let staff: Browser;
beforeAll(async () => { staff = await test.signedIn('staff_admin'); });

let codes = 0;
async function create(path: string, title: string, more: object = {}) {
  codes += 1;
  const answer = await staff.post(path, { show_code: `CODE-${codes}`, title, ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data as { id: number; version: number; show_code: string; sort_title: string; type: string };
}

describe('plays and musicals', () => {
  it('are the same records: a play answers under plays and shows, never under musicals', async () => {
    const play = await create(PLAYS, 'The Lantern Keeper');
    expect(play).toMatchObject({ type: 'play', sort_title: 'Lantern Keeper, The' });
    expect((await staff.get(`${SHOWS}/${play.id}`)).body.data.title).toBe('The Lantern Keeper');
    for (const answer of [
      await staff.get(`${MUSICALS}/${play.id}`),
      await staff.put(`${MUSICALS}/${play.id}`, { title: 'Stolen', version: play.version }),
      await staff.remove(`${MUSICALS}/${play.id}`),
    ]) expect(answer.status).toBe(404);
    const musicals = await staff.get(`${MUSICALS}?search=lantern`);
    expect(musicals.body.meta).toMatchObject({ total: 0, path: MUSICALS });
  });

  it('keep their code once a licence or an application names it, and their kind always', async () => {
    const row = await create(MUSICALS, 'Harbour Lights');
    const free = await staff.put(`${MUSICALS}/${row.id}`, { show_code: 'HARBOUR', version: row.version });
    expect(free.body.data.show_code).toBe('HARBOUR');
    const customer = await test.database.db.one<{ id: number }>(sql`
      insert into customers (name, kind, divisions, default_division, default_currency)
      values ('House', 'other', '{US}', 'US', 'USD') returning id`);
    const application = await test.database.db.one<{ id: number }>(sql`
      insert into license_applications (customer_id, division, currency, category)
      values (${customer.id}, 'US', 'USD', 'Amateur') returning id`);
    await test.database.db.exec(sql`insert into license_application_shows (license_application_id, show_id, rank)
      values (${application.id}, ${row.id}, 1)`);
    const used = await staff.put(`${MUSICALS}/${row.id}`, { show_code: 'OTHER', version: 2 });
    expect(used.body.errors.show_code).toEqual(['Licenses or applications name this code: it no longer changes']);
    expect((await staff.remove(`${MUSICALS}/${row.id}`)).body.code).toBe('in_use');
    const turned = await staff.put(`${SHOWS}/${row.id}`, { type: 'play', version: 2 });
    expect(turned.body.errors.type).toEqual(['Type cannot be changed']);
  });

  it('have a code of their own, also against the trash', async () => {
    const row = await create(PLAYS, 'Ashes of June');
    await staff.remove(`${PLAYS}/${row.id}`);
    const again = await staff.post(PLAYS, { show_code: row.show_code, title: 'Another' });
    expect(again.body.errors.show_code)
      .toEqual([`"${row.show_code}" already stands for Ashes of June, which is in the trash`]);
  });

  it.each([
    [{ show_code: 'lower' }, 'show_code', 'Capital letters, digits and hyphens'],
    [{ title: '  ' }, 'title', 'Title is required'],
    [{ cast_min: 9, cast_max: 4 }, 'cast_max', 'Largest cast is at least the smallest cast'],
    [{ divisions: [] }, 'divisions', 'Choose at least one division'],
    [{ available_from: '2026-02-30' }, 'available_from', 'Enter a date that exists, as YYYY-MM-DD'],
  ])('refuse %j at its field', async (more, at, text) => {
    const answer = await staff.post(PLAYS, { show_code: 'REFUSED', title: 'Refused', ...more });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[at]).toEqual([text]);
  });

  it('go to the trash of their family and come back', async () => {
    const row = await create(PLAYS, 'Short Run');
    expect((await staff.remove(`${PLAYS}/${row.id}`)).status).toBe(204);
    expect((await staff.get(`${PLAYS}/${row.id}`)).status).toBe(404);
    expect((await staff.get(`${PLAYS}/trash?search=short`)).body.data[0]).toMatchObject({ id: row.id });
    expect((await staff.get(`${MUSICALS}/trash?search=short`)).body.data).toEqual([]);
    expect((await staff.put(`${MUSICALS}/${row.id}/restore`)).status).toBe(404);
    expect((await staff.put(`${PLAYS}/${row.id}/restore`)).body.data.deleted_at).toBeNull();
    expect((await staff.get(`${PLAYS}/${row.id}`)).status).toBe(200);
  });
});

describe('aliases', () => {
  const set = (row: { id: number; version: number }, aliases: string[]) =>
    staff.put(`${PLAYS}/${row.id}/aliases`, { aliases, version: row.version });

  it('stand for one show each, whatever the accents, and never for the title of another', async () => {
    const first = await create(PLAYS, 'Élise');
    const other = await create(PLAYS, 'Other Play');
    expect((await set(first, ['Elise, a play', 'Élise (2024)'])).body.data.aliases)
      .toEqual(['Élise (2024)', 'Elise, a play'].sort());
    expect((await set(other, ['ELISE, A PLAY'])).body.errors.aliases)
      .toEqual(['"ELISE, A PLAY" already stands for Élise']);
    expect((await set(other, ['elise'])).body.errors.aliases).toEqual(['"elise" already stands for Élise']);
    expect((await staff.put(`${PLAYS}/${other.id}`, { title: 'Elise, a Play', version: other.version }))
      .body.errors.title[0]).toContain('Returns know Élise by this name');
  });
});

describe('sorting', () => {
  it.each([['The Lantern', 'Lantern, The'], ['A Play', 'Play, A'], ['Les Vents', 'Vents, Les'], ['Theory', 'Theory']])(
    'puts %s as %s', (title, sorted) => expect(sortTitle(title)).toBe(sorted));
});
