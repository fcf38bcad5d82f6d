/**
 * The catalogue and the venues that nobody of the house wrote, through the product's own door: upload, preview,
 * process, answer. Every row of a file is made, found to be there, or left out with its reason. Source: issue
 * "Catalogue,
 * materials and stock", Proof.
 */
import { stringify } from 'csv-stringify/sync';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql, type Sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { workImports } from './imports/work-imports.server.ts';

const BASE = '/api/admin/staff/imports';
const folder = resolve(process.env['SHARED_DATA'] ?? '../shared/data');
const CATALOGUE = resolve(folder, 'catalogue/catalogue_1975plus_with_writers.json');
const VENUES = resolve(folder, 'venues');
/** Titles that are written as well as judged: all of them take half a minute. */
const WRITTEN = 120;

function isHere(): boolean {
  const here = existsSync(CATALOGUE) && existsSync(VENUES);
  if (!here) console.warn(`SKIPPED: no catalogue at ${folder}; set SHARED_DATA to run it.`);
  return here;
}

interface Title { title: string; show_type: string; year: string; cast_on_stage: number | null;
  writers: Record<string, string[]> }

/** Credits of the source by the fields of ours; what pays nobody (orchestrations, staging) is credited in print. */
const COLUMNS = { author: /playwright|^author|writer$|adapt|translat|conceiver/i, bookwriter: /book|librett/i,
  composer: /compos|^music$|music and lyrics|music, lyrics|original music|songwriter/i,
  lyricist: /lyric|songwriter/i, underlying: /source material|author of original/i } as const;

function catalogueCsv(titles: readonly Title[]): string {
  const rows = titles.map((one) => {
    const credits = Object.entries(one.writers);
    const of = (pattern: RegExp) => credits.filter(([role]) => pattern.test(role) && !/orchestr|arrange/i.test(role))
      .flatMap(([, names]) => names).join('; ');
    const others = credits.filter(([role]) => !Object.values(COLUMNS).some((pattern) => pattern.test(role)));
    return [one.title, one.show_type, one.year, one.cast_on_stage ?? '', ...Object.values(COLUMNS).map(of),
      others.map(([role, names]) => `${role}: ${names.join(', ')}`).join('. ')];
  });
  const heads = ['Title', 'Show type', 'Year', 'Cast on stage', ...Object.keys(COLUMNS), 'Also credited'];
  return stringify([heads, ...rows]);
}

interface Counts { rows_total: number; rows_imported: number; rows_duplicate: number; rows_refused: number }

describe.skipIf(!isHere())('lists from elsewhere through the import', () => {
  const app = testApp();
  let staff: Browser;
  beforeAll(async () => { staff = await app.signedIn('staff_admin'); });

  async function upload(model: string, content: string | Buffer) {
    const template = (await staff.get(`/api/admin/staff/import_templates?model_name=${model}`)).body.data[0];
    const answer = await staff.post(BASE, undefined, { multipart: { fields: {
      import_template_id: String(template.id) }, file: { field: 'file', name: `${model}.csv`, type: 'text/csv',
      content: Buffer.from(content) } } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data;
  }
  async function work(id: number): Promise<Counts> {
    const answer = await staff.post(`${BASE}/${id}/process`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
    await workImports(app.ports);
    const { data } = (await staff.get(`${BASE}/${id}`)).body;
    expect(data).toMatchObject({ status: 'completed', failure: null });
    expect(data.rows_imported + data.rows_duplicate + data.rows_refused).toBe(data.rows_total);
    return data;
  }
  const preview = async (id: number) => (await staff.get(`${BASE}/${id}/preview`)).body.data;
  const say = async (id: number, reason_code: string, decision: string) => {
    const answer = await staff.put(`${BASE}/${id}/proposals`, { reason_code, decision });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const count = async (of: Sql) =>
    (await app.database.db.one<{ n: number }>(of)).n;

  test('1,651 titles: revivals are the show we have, people who may be one are asked about, none is lost', async () => {
    const titles = JSON.parse(readFileSync(CATALOGUE, 'utf8')) as Title[];
    const all = await upload('shows', catalogueCsv(titles));
    const seen = await preview(all.id);
    console.info('1,651 titles:', JSON.stringify([seen.counts, seen.reasons, seen.repairs]));
    expect(seen.rows_total).toBe(1651);
    expect(seen.counts.ready + seen.counts.duplicate + seen.counts.refused).toBe(1651);
    expect(seen.counts.duplicate).toBeGreaterThan(250);
    expect(seen.counts.refused).toBeLessThan(60);
    const some = await upload('shows', catalogueCsv(titles.slice(0, WRITTEN)));
    const done = await work(some.id);
    expect(await count(sql`select count(*) as n from shows`)).toBe(done.rows_imported);
    const again = await upload('shows', catalogueCsv(titles.slice(0, WRITTEN)));
    expect(await work(again.id)).toMatchObject({ rows_imported: 0 });
    const menagerie = await app.database.db.query(sql`
      select s.authors_credit, a.role, r.name, a.status from shows s join show_royaltors a on a.show_id = s.id
      join royaltors r on r.id = a.royaltor_id where s.title = 'The Glass Menagerie' order by a.id`);
    expect(menagerie).toEqual([
      { authors_credit: 'By Tennessee Williams. Music by Craig Wasson', role: 'author', name: 'Tennessee Williams',
        status: 'draft' }, { authors_credit: 'By Tennessee Williams. Music by Craig Wasson', role: 'composer',
        name: 'Craig Wasson', status: 'draft' }]);
  });

  test('438 companies: the 89 zip codes that lost a zero are repaired or asked about', async () => {
    const made = await upload('venues', readFileSync(resolve(VENUES, 'us_producing_theatres.csv')));
    expect(made.mapping.columns).toMatchObject({ name: 0, thoroughfare: 1, locality: 2, postal_code: 4 });
    const done = await work(made.id);
    expect(done.rows_total).toBe(438);
    await say(made.id, 'renamed_house', 'new');
    await work(made.id);
    const repaired = await count(sql`select count(*) as n from import_records
      where import_id = ${made.id} and status = 'imported' and reason_code = 'zip_repaired'`);
    const left = await app.database.db.query<{ zip: string }>(sql`select cells[5] as zip from import_records
      where import_id = ${made.id} and status = 'refused'`);
    expect(repaired + left.filter(({ zip }) => zip.length < 5).length).toBe(89);
    expect(await count(sql`select count(*) as n from venues where address ->> 'country_code' = 'US'
      and address ->> 'postal_code' !~ '^[0-9]{5}$'`)).toBe(0);
  });

  test('437 houses of New York: renamed ones become other names of the house, or houses of their own', async () => {
    const made = await upload('venues', readFileSync(resolve(VENUES, 'nyc_broadway_theatres.csv')));
    const done = await work(made.id);
    expect(done.rows_total).toBe(437);
    const before = await count(sql`select count(*) as n from venue_aliases`);
    await say(made.id, 'same_name', 'new');
    await say(made.id, 'renamed_house', 'same');
    const after = await work(made.id);
    expect(after.rows_refused).toBeLessThan(40);
    expect(await count(sql`select count(*) as n from venue_aliases`)).toBeGreaterThan(before + 60);
    const records = (await staff.get(`${BASE}/${made.id}/records?status=duplicate&per_page=5`)).body.data;
    expect(records[0]).toMatchObject({ entity: 'venue', label: expect.stringContaining('V-') });
  });

  test('113 houses of the United Kingdom: the line with the address is taken apart', async () => {
    const made = await upload('venues', readFileSync(resolve(VENUES, 'uk_theatres_UNVERIFIED.csv')));
    const { columns, date_format, decimal_style, report_scope, date_is } = made.mapping;
    const mapped = await staff.put(`${BASE}/${made.id}/mapping`, { columns, date_format, decimal_style, report_scope,
      date_is, constants: { country_code: 'GB' }, version: made.version });
    expect(mapped.status, JSON.stringify(mapped.body)).toBe(200);
    expect((await work(made.id)).rows_imported).toBeGreaterThan(100);
    expect(await app.database.db.one(sql`select address, time_zone from venues where name = 'Aldwych Theatre'`))
      .toEqual({ time_zone: 'Europe/London', address: { country_code: 'GB', thoroughfare: '49 Aldwych',
        locality: 'London', administrative_area: '', postal_code: 'WC2B 4DF' } });
  });
});
