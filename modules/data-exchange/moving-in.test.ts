// cspell:ignore woche Käthchen Schauspielhaus Köln Łódź
/** Somebody moves in: lists as people have them, workbooks included; what can be read in two ways is asked. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#server/sql.ts';
import { workbookProblem } from '#server/workbook.ts';
import { workbook } from '#server/write-workbook.ts';
import { nastyFolder } from '#tests/support/broadway.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import type { Cell } from './exports/export-cells.ts';
import { workImports } from './imports/work-imports.server.ts';
import { zipOf } from '#tests/support/zip.ts';

const BASE = '/api/admin/staff/imports';
const app = testApp();
let staff: Browser;
beforeAll(async () => { staff = await app.signedIn('staff_admin'); });

const templateFor = async (model: string): Promise<number> =>
  (await staff.get(`/api/admin/staff/import_templates?model_name=${model}`)).body.data[0].id;

async function send(model: string, name: string, content: Buffer) {
  return staff.post(BASE, undefined, { multipart: { fields: { import_template_id: String(await templateFor(model)) },
    file: { field: 'file', name, type: 'application/octet-stream', content } } });
}
async function upload(model: string, name: string, content: Buffer) {
  const answer = await send(model, name, content);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const preview = async (id: number) => (await staff.get(`${BASE}/${id}/preview`)).body.data;
async function work(id: number) {
  const answer = await staff.post(`${BASE}/${id}/process`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  await workImports(app.ports);
  return (await staff.get(`${BASE}/${id}`)).body.data;
}
/** The mapping as it is, with these changes. */
async function change(id: number, changes: object) {
  const { mapping, version } = (await staff.get(`${BASE}/${id}`)).body.data;
  const { columns, constants, date_format, decimal_style, report_scope, date_is } = mapping;
  return staff.put(`${BASE}/${id}/mapping`, { columns, constants, date_format, decimal_style, report_scope, date_is,
    version, ...changes });
}

async function sheet(header: string[], ...rows: Cell[][]): Promise<Buffer> {
  async function* each(): AsyncGenerator<Cell[]> { yield* rows; }
  const parts: Buffer[] = [];
  for await (const part of workbook('List', header, each())) parts.push(part);
  return Buffer.concat(parts);
}
const text = (value: string): Cell => ({ kind: 'text', text: value });

describe('customers', () => {
  const HEADS = ['Name', 'Class', 'Kind', 'Street', 'City', 'State', 'Zip', 'Country', 'Email', 'Contact',
    'Contact email', 'VAT number', 'Terms', 'Shipping street', 'Shipping city', 'Shipping zip'];
  const row = (...cells: string[]): Cell[] => HEADS.map((_, at) => text(cells[at] ?? ''));

  test('countries by name and kinds in the words lists use', async () => {
    const made = await upload('customers', 'words.csv', Buffer.from(['Name,Kind,Country,Street,City,Zip',
      'Kent Players,Amateur Society,England,1 High Street,Ashford,TN23 1AA',
      'Ohio High,High School,U.S.A.,2 Main Street,Akron,44301', 'Odd Players,Circus,Narnia,3 Main Street,Akron,44301',
      ''].join('\n')));
    const seen = await preview(made.id);
    expect(seen.problems.map((one: { reason: string }) => one.reason)).toEqual(['"Narnia" is no country we know']);
    expect(await work(made.id)).toMatchObject({ rows_imported: 2, rows_refused: 1 });
    expect(await app.database.db.query(sql`
      select name, kind, tax_country, billing_address ->> 'country_code' as country from customers
      where name in ('Kent Players', 'Ohio High') order by name`)).toEqual([
      { name: 'Kent Players', kind: 'community', tax_country: 'GB', country: 'GB' },
      { name: 'Ohio High', kind: 'school_k12', tax_country: 'US', country: 'US' }]);
  });

  test('from a workbook: addresses, class, tax data, terms, a contact and where things are sent', async () => {
    await app.database.db.exec(sql`insert into customer_classifications (key, name) values ('youth', 'Youth groups')
      on conflict do nothing`);
    const made = await upload('customers', 'Customers.xlsx', await sheet(HEADS,
      row('Harbor Players', 'Youth groups', 'youth', '12 Harbor Street', 'Boston', 'MA', '02110', 'US',
        'office@harbor.example', 'Ada Winslow', 'ada@harbor.example', '', '30', '1 Dock', 'Boston', '02111'),
      row('Théâtre de l’Île', '', 'professional', '3 rue du Port', 'Lyon', '', '69001', 'FR', '', '', '',
        'FR83404833048'),
      row('Harbor  Players', '', '', '', '', '', '', 'US'),
      row('Harbor Player', '', '', '9 Mill Road', 'Boston', 'MA', '02112', 'US'),
      row('Nowhere', 'No such class', '', '', '', '', '', 'US'),
      row('Half an address', '', '', '1 Street', '', '', '', 'US'), row('', '', '', '1 Street', 'Rome', '', '1',
        'IT')));
    expect(made).toMatchObject({ file_name: 'Customers.xlsx', rows_total: 7,
      mapping: { columns: { name: 0, classifications: 1, kind: 2, postal_code: 6, contact_name: 9 } } });
    expect(made.mapping.samples[0]).toEqual(['Harbor Players', 'Théâtre de l’Île', 'Harbor  Players']);
    const seen = await preview(made.id);
    expect(seen.counts).toMatchObject({ ready: 2, duplicate: 1, refused: 4 });
    expect(seen.problems.map((one: { field: string }) => one.field))
      .toEqual(['name', 'classifications', 'locality', 'name']);
    expect(await work(made.id)).toMatchObject({ rows_imported: 2, rows_duplicate: 1, rows_refused: 4 });
    expect(await app.database.db.one(sql`
      select c.billing_address, c.payment_terms_days, c.statement_email, k.name as contact, k.email, k.is_primary,
        (select a.address ->> 'thoroughfare' from customer_shipping_addresses a where a.customer_id = c.id) as ship,
        (select x.key from customer_customer_classifications m join customer_classifications x
          on x.id = m.customer_classification_id where m.customer_id = c.id) as class
      from customers c join customer_contacts k on k.customer_id = c.id where c.name = 'Harbor Players'`)).toEqual({
      billing_address: { country_code: 'US', thoroughfare: '12 Harbor Street', locality: 'Boston',
        administrative_area: 'MA', postal_code: '02110' }, payment_terms_days: 30,
      statement_email: 'office@harbor.example', contact: 'Ada Winslow', email: 'ada@harbor.example', is_primary: true,
      ship: '1 Dock', class: 'youth' });
    const again = await upload('customers', 'again.csv', Buffer.from('Name,Country\nTheatre de l\'Ile,FR\n'));
    expect((await preview(again.id)).counts).toMatchObject({ ready: 0, duplicate: 1 });
  });
});

describe('what can be read in two ways', () => {
  const HEAD = 'Week to;Show;Venue;Gross;Paid;Capacity';

  test('a German file: day first, decimal comma, Windows letters, read without a question', async () => {
    const made = await upload('box_office_reports', 'woche.csv', Buffer.from(
      `${HEAD}\n15.11.2026;Käthchen;Schauspielhaus Köln;41.260,50;1.842;1.200\n`, 'latin1'));
    expect(made.mapping).toMatchObject({ encoding: 'windows-1252', delimiter: ';', date_format: 'DD.MM.YYYY',
      decimal_style: 'comma', readings: [], encoding_samples: ['Käthchen', 'Schauspielhaus Köln'],
      columns: { date: 0, show: 1, venue: 2, gross: 3, attendance: 4, capacity: 5 } });
    const utf = await change(made.id, { encoding: 'macintosh' });
    expect(utf.body.data.mapping.encoding_samples[0]).not.toBe('Käthchen');
  });

  test('nothing is ready before a person says how dates and numbers are written', async () => {
    const made = await upload('box_office_reports', 'week.csv', Buffer.from(
      `${HEAD}\n08/11/2026;Lantern;Savoy Hall;41.260;90;\n`));
    expect(made.mapping).toMatchObject({ date_format: null, decimal_style: null });
    expect(made.mapping.readings.map((one: { setting: string; options: unknown[] }) => [one.setting,
      one.options.length]))
      .toEqual([['date_format', 2], ['decimal_style', 2]]);
    const { missing, rows } = await preview(made.id);
    expect(rows).toEqual([]);
    expect(missing).toEqual([
      { field: 'date', text: expect.stringContaining('08/11/2026 can be read in more than one way') },
      { field: 'gross', text: expect.stringContaining('41.260 can be read in more than one way') }]);
    const early = await staff.post(`${BASE}/${made.id}/process`);
    expect([early.status, Object.keys(early.body.errors)]).toEqual([422, ['columns.date', 'columns.gross']]);
    // A change of something else decides nothing.
    expect((await change(made.id, { date_is: 'week_end' })).body.data.mapping.date_format).toBeNull();
    const { data } = (await change(made.id, { date_format: 'DD/MM/YYYY', decimal_style: 'comma' })).body;
    expect(data.mapping).toMatchObject({ chosen: ['date_format', 'decimal_style'], readings: [] });
    const seen = await preview(made.id);
    expect(seen.rows[0]).toMatchObject({ period_to: '2026-11-08', gross_minor: 4_126_000 });
  });

  test('damaged letters are told and their rows left out; repeated and unread columns are named', async () => {
    const made = await upload('venues', 'list.csv', Buffer.concat([
      Buffer.from('Name,Country,Notes,Name\nZoë Hall,GB,x,y\nCafé Łódź,GB,,\nSeñor,GB,,\nCaf'), Buffer.from([0xe9]),
      Buffer.from(',GB,,\n')]));
    expect(made.mapping.encoding).toBe('utf-8');
    expect(made.mapping.warnings).toEqual([expect.stringContaining('Row 5 has 1 damaged character')]);
    expect(await preview(made.id)).toMatchObject({ repeated: ['Name'], unused: ['Notes', 'Name'],
      counts: { ready: 3, refused: 1 }, problems: [{ row_no: 5, field: 'name' }] });
  });
});

describe('workbooks', () => {
  test('numbers and days come as they are; 41.265 is never forty-one thousand', async () => {
    const made = await upload('box_office_reports', 'week.xlsx', await sheet(['Week ending', 'Show', 'Venue', 'Gross'],
      [{ kind: 'day', text: '2026-11-08' }, text('Lantern'), text('Savoy Hall'), { kind: 'number', text: '41.265' }],
      [{ kind: 'day', text: '2026-11-15' }, text('Lantern'), text('Savoy Hall'), { kind: 'number', text: '41260' }]));
    expect(made.mapping).toMatchObject({ date_format: expect.any(String), decimal_style: 'point', readings: [] });
    const { rows } = await preview(made.id);
    expect(rows[0]).toMatchObject({ reason: expect.stringContaining('more than two decimals') });
    expect(rows[1]).toMatchObject({ period_to: '2026-11-15', gross_minor: 4_126_000 });
  });

  test('a bomb, one that lies about its size, a protected one and other formats are refused by name', async () => {
    const zeros = Buffer.alloc(40 * 1024 * 1024);
    const bomb = zipOf({ 'xl/workbook.xml': Buffer.from('<x/>'), 'xl/worksheets/sheet1.xml': zeros });
    expect(workbookProblem(bomb)).toContain('a hundred times its size');
    const liar = zipOf({ 'xl/workbook.xml': Buffer.from('<x/>'), 'xl/worksheets/sheet1.xml': zeros }, { size: 1000 });
    expect((await send('venues', 'a.xlsx', liar)).body.errors.file[0]).toMatch(/not as large as it says/);
    const ods = zipOf({ mimetype: Buffer.from('application/vnd.oasis'), 'content.xml': Buffer.from('<x/>') });
    expect((await send('venues', 'a.xlsx', ods)).body.errors.file[0]).toMatch(/OpenDocument.*save it as an Excel/);
    const many = zipOf(Object.fromEntries(Array.from({ length: 1001 }, (_, n) =>
      [n === 0 ? 'xl/workbook.xml' : `f${n}`, Buffer.from('x')])));
    expect(workbookProblem(many)).toContain('more than 1,000 parts');
    expect(deflateRawSync(zeros).length).toBeLessThan(100_000);
  });

  const nasty = nastyFolder();
  test.skipIf(nasty === null)('those found in the wild are read, or refused with what to do', async () => {
    const told: Record<string, string> = {};
    for (const file of readdirSync(nasty!).filter((name) => /\.(xlsx|xlsm|xls|ods)$/.test(name))) {
      const name = file.replace(/xlsm$/, 'xlsx');
      const answer = await send('venues', name, readFileSync(join(nasty!, file)));
      told[file.split('__').at(-1)!] = answer.status === 201 ? 'read'
        : answer.body.errors?.file?.[0] ?? answer.body.message;
    }
    expect(Object.values(told).filter((one) => one === 'read').length, JSON.stringify(told)).toBeGreaterThanOrEqual(2);
    for (const words of Object.values(told)) expect(words).toMatch(/^read$|save|Save|sheet|rows/);
  });

  const universities = join(process.env.SHARED_DATA ?? '../shared/data', 'customers/universities.json');
  test.skipIf(!existsSync(universities))('3,730 universities: none is lost, each counted once', { timeout: 240_000 },
    async () => {
      const list = JSON.parse(readFileSync(universities,
        'utf8')) as { name: string; country: string; domain: string }[];
      const made = await upload('customers', 'universities.xlsx', await sheet(['Name', 'Country', 'Domain', 'Kind'],
        ...list.map(({ name, country, domain }) => [name, country, domain, 'university'].map(text))));
      expect(made.rows_total).toBe(list.length);
      const { counts } = await preview(made.id);
      expect(counts.ready + counts.duplicate + counts.refused).toBe(list.length);
      expect(counts.refused).toBe(0);
    });
});
