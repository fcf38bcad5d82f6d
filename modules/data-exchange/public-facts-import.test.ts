/** Facts of the public page of a show come with an import, and stand there once it is taken over. */
import { stringify } from 'csv-stringify/sync';
import { expect, test } from 'vitest';
import { testApp } from '#tests/support/app.ts';
import { workImports } from './imports/work-imports.server.ts';

const app = testApp();
const BASE = '/api/admin/staff/imports';

test('a file of shows brings every fact of the public page, read there without an account', async () => {
  const staff = await app.signedIn('staff_admin');
  const facts = { 'Title': 'The Paper Moon', 'Show type': 'musical', 'Show code': 'MOON1', 'Running time': '125',
    'Synopsis': 'A town builds a moon.', 'Women': '3', 'Men': '2', 'Any gender': '4', 'Content notes': 'Haze.',
    'Songs': 'Glue\nThe Tide', 'Versions': 'School edition', 'Excerpt': 'MAYOR. Hold it up.',
    'Licensing territory': 'Worldwide, without Ireland', 'Age rating': '12+', 'Orchestrations': 'Full; Piano' };
  const brass = { ...facts, 'Title': 'The Brass Moon', 'Show code': 'MOON2', 'Orchestrations': 'Brass' };
  const template = (await staff.get('/api/admin/staff/import_templates?model_name=shows')).body.data[0];
  const made = await staff.post(BASE, undefined, { multipart: { fields: { import_template_id: String(template.id) },
    file: { field: 'file', name: 'shows.csv', type: 'text/csv',
      content: Buffer.from(stringify([Object.keys(facts), Object.values(facts), Object.values(brass)])) } } });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const path = `${BASE}/${made.body.data.id}`;
  expect((await staff.post(`${path}/process`)).status).toBe(202);
  await workImports(app.ports);
  expect((await staff.get(path)).body.data).toMatchObject({ status: 'completed', rows_imported: 1 });
  expect((await staff.get(`${path}/problems`)).body.data).toMatchObject([{ field: 'orchestrations', first_row: 3,
    reason: 'Choose one of full, reduced, piano, tracks' }]);
  const answer = await app.visitor().get('/api/public/shows/MOON1?country=US');
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body.data).toMatchObject({ title: 'The Paper Moon', running_time_minutes: 125,
    synopsis: 'A town builds a moon.', cast_women: 3, cast_men: 2, cast_any: 4, content_notes: 'Haze.',
    songs: expect.stringContaining('The Tide'), versions: 'School edition', excerpt: 'MAYOR. Hold it up.',
    territory: 'Worldwide, without Ireland', age_rating: '12+', orchestrations: ['full', 'piano'] });
  const page = await app.visitor().get('/shows/MOON1?country=US');
  for (const words of ['3 women', 'Haze.', '<li>Glue</li><li>The Tide</li>', 'Worldwide, without Ireland']) {
    expect(page.raw.toString(), words).toContain(words);
  }
});
