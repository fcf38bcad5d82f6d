/** Imports over the API: a preview writes nothing, bad rows are named and handed back, a kill loses nothing. */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeDeal, makeShow } from '#modules/royalties/testing/royalty-fixtures.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { makeCustomer } from '#tests/support/receivables.ts';
import { workImports } from './work-imports.server.ts';

const BASE = '/api/admin/staff/imports';
const HEAD = 'Week ending,Show,Venue,Gross,Performances,Attendance,Capacity %';

describe('imports', () => {
  const app = testApp();
  let staff: Browser;
  let template: number;
  let licence: { license_id: number; license_venue_id: number };

  /** A licence in production for a show at a venue, both found by name. */
  async function place(title: string, theatre: string) {
    const { db } = app.database;
    const show = await makeShow(db, [{ name: `Author of ${title}`, rate_ppm: 1_000_000 }]);
    await db.exec(sql`update shows set title = ${title}, sort_title = ${title} where id = ${show.show_id}`);
    const venue = (await db.maybeOne<{ id: number }>(sql`select id from venues where name = ${theatre}`))
      ?? await db.one<{ id: number }>(sql`insert into venues (name) values (${theatre}) returning id`);
    const customer_id = await makeCustomer(db, 'US');
    const deal = await makeDeal(db, show, { customer_id, min_per_performance_minor: 75_000 });
    await db.exec(sql`
      update license_venues set venue_id = ${venue.id}, name = ${theatre} where id = ${deal.license_venue_id}`);
    return { ...deal, show_id: show.show_id, venue_id: venue.id };
  }

  beforeAll(async () => {
    staff = await app.signedIn('staff_admin');
    template = (await staff.get('/api/admin/staff/import_templates?search=box office return')).body.data[0].id;
    licence = await place('The Gondoliers', 'Savoy Hall');
  });

  async function send(content: string | Buffer, name = 'return.csv') {
    return staff.post(BASE, undefined, { multipart: { fields: { import_template_id: String(template) },
      file: { field: 'file', name, type: 'text/csv', content: Buffer.from(content) } } });
  }
  async function upload(...rows: string[]): Promise<number> {
    const answer = await send([HEAD, ...rows, ''].join('\r\n'));
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data.id;
  }
  const show = async (id: number) => (await staff.get(`${BASE}/${id}`)).body.data;
  async function work(id: number) {
    expect((await staff.post(`${BASE}/${id}/process`)).status).toBe(202);
    await workImports(app.ports);
    return show(id);
  }
  const reports = async () => (await app.database.db.one<{ n: number }>(sql`
    select count(*) as n from box_office_reports`)).n;

  test('the preview names every problem and writes nothing', async () => {
    const before = await reports();
    const id = await upload('2026-01-04,The Gondoliers,Savoy Hall,10000.00,8,500,90',
      '2026-01-11,Nobody Knows,Savoy Hall,1,1,1,1', '2026-01-18,The Gondoliers,Savoy Hall,12.345,8,1,1',
      '2026-01-25,The Gondoliers,Savoy Hall,500,0,10,892');
    const { data } = (await staff.get(`${BASE}/${id}/preview`)).body;
    expect(data.counts).toEqual({ ready: 2, questioned: 1, duplicate: 0, changed: 0, unchanged: 0, refused: 2 });
    expect(data.problems).toMatchObject([
      { row_no: 3, field: 'show', column: 'Show', value: 'Nobody Knows', reason_code: 'unknown_show' },
      { row_no: 4, field: 'gross', column: 'Gross', value: '12.345', reason: '"12.345" has more than two decimals' }]);
    expect(data.rows[0]).toMatchObject({ period_from: '2025-12-29', period_to: '2026-01-04', gross_minor: 1_000_000,
      outcome: 'ready' });
    expect(await reports()).toBe(before);
  });

  test('questions post the percentage and leave the minimum out until they are answered together', async () => {
    const id = await upload('2026-02-01,The Gondoliers,Savoy Hall,1000,8,500,90',
      '2026-02-08,The Gondoliers,Savoy Hall,1000,2,5,142');
    expect(await work(id)).toMatchObject({ status: 'completed', rows_imported: 2, rows_questioned: 1,
      open_questions: [{ kind: 'capacity_over_100', count: 1 }] });
    const earned = () => app.database.db.query<{ earned_minor: number }>(sql`
      select earned_minor from box_office_reports where import_id = ${id} order by import_row_no`);
    expect(await earned()).toEqual([{ earned_minor: 600_000 }, { earned_minor: 11_000 }]);
    await staff.put(`${BASE}/${id}/answers`, { answer: 'as_reported', note: 'checked' });
    await workImports(app.ports);
    expect(await show(id)).toMatchObject({ status: 'completed', task: 'answers', task_done: 1, open_questions: [] });
    expect(await earned()).toEqual([{ earned_minor: 600_000 }, { earned_minor: 150_000 }]);
    expect((await staff.put(`${BASE}/${id}/answers`, { answer: 'as_reported' })).status).toBe(409);
  });

  test('a return that nobody could pay is taken in, not accepted, and named with the reason', async () => {
    const { db } = app.database;
    const { address } = await db.one<{ address: object }>(sql`select address from divisions where code = 'US'`);
    await db.exec(sql`update divisions set address = '{}' where code = 'US'`);
    const id = await upload('2026-05-31,The Gondoliers,Savoy Hall,1000,8,500,90',
      '2026-06-07,The Gondoliers,Savoy Hall,1100,8,510,90');
    expect(await work(id)).toMatchObject({ status: 'completed', rows_imported: 2, rows_questioned: 2, rows_refused: 0,
      open_questions: [] });
    const [left] = (await staff.get(`${BASE}/${id}/records?status=questioned`)).body.data;
    expect(left).toMatchObject({ row_no: 2, reason_code: 'no_way_to_pay', reason: 'Not accepted: US cannot be paid in '
      + 'USD yet: enter its bank account under System, Divisions, or switch on online payment.' });
    await db.exec(sql`update divisions set address = ${JSON.stringify(address)} where code = 'US'`);
    expect(await db.query(sql`select status, invoice_id from box_office_reports where import_id = ${id}`))
      .toEqual([1, 2].map(() => ({ status: 'submitted', invoice_id: null })));
  });

  test('an unknown title becomes an alias; process again works only the rows left', async () => {
    const id = await upload('2026-03-01,The Gondoliers,Savoy Hall,100,1,1,1',
      '2026-03-08,Gondoliers (Savoy),Savoy Hall,100,1,1,1');
    expect(await work(id)).toMatchObject({ rows_imported: 1, rows_refused: 1 });
    const [group] = (await staff.get(`${BASE}/${id}/problems`)).body.data;
    expect(group).toMatchObject({ reason_code: 'unknown_show', value: 'Gondoliers (Savoy)', count: 1, first_row: 3 });
    expect(group.suggestions[0].label).toContain('The Gondoliers');
    const alias = { kind: 'show', alias: group.value, target_id: group.suggestions[0].id };
    expect((await staff.put(`${BASE}/${id}/aliases`, alias)).status).toBe(200);
    expect(await work(id)).toMatchObject({ status: 'completed', task: 'left', task_done: 1, rows_imported: 2,
      rows_refused: 0, rows_done: 2 });
    expect((await staff.post(`${BASE}/${id}/process`)).status).toBe(409);
  });

  test('exact duplicates are skipped; a second return with other figures is held until it is answered', async () => {
    const row = '2026-04-05,The Gondoliers,Savoy Hall,100,1,1,1';
    const id = await upload(row, row, '2026-04-05,The Gondoliers,Savoy Hall,250,1,1,1');
    const shown = (await staff.get(`${BASE}/${id}/preview`)).body.data;
    expect(shown.counts).toMatchObject({ ready: 2, questioned: 1, duplicate: 1, refused: 0 });
    expect(await work(id)).toMatchObject({ rows_imported: 2, rows_duplicate: 1, rows_questioned: 1, rows_refused: 0 });
    const [asked] = (await staff.get(`${BASE}/${id}/records?status=questioned`)).body.data;
    expect(asked).toMatchObject({ row_no: 4, reason_code: 'overlap' });
    expect((await staff.put(`${BASE}/${id}/answers`, { answer: 'as_reported' })).status).toBe(409);
    const list = '/api/admin/staff/box_office_reports';
    const [row4] = (await staff.get(`${list}?flag=held&license_id=${licence.license_id}`)).body.data;
    const at = `/api/admin/staff/licenses/${licence.license_id}/box_office_reports/${row4.id}`;
    const { questions } = (await staff.get(at)).body.data;
    const { body } = await staff.put(`${at}/questions/${questions[0].id}`, { answer: 'replace' });
    await staff.put(`${at}/review`, { event: 'accept', version: body.data.version });
    const kept = await app.database.db.query(sql`select gross_minor, status from box_office_reports
      where license_id = ${licence.license_id} and period_to = '2026-04-05' order by id`);
    expect(kept).toEqual([{ gross_minor: 10_000, status: 'replaced' }, { gross_minor: 25_000, status: 'accepted' }]);
  });

  test('bad rows come back as a file with their reasons, safe to open, and read again', async () => {
    const id = await upload('2026-05-03,=cmd(),Savoy Hall,100,1,1,1', '2026-05-10,The Gondoliers,Savoy Hall,100,1,1');
    expect(await work(id)).toMatchObject({ rows_refused: 2 });
    const file = await staff.get(`${BASE}/${id}/records/download`);
    expect(file.headers['content-disposition']).toContain(`import-${id}-refused.csv`);
    const rows = parse(file.raw, { bom: true }) as string[][];
    expect(rows[0]).toEqual([...HEAD.split(','), 'Import row', 'Import reason']);
    expect(rows[1]).toEqual(['2026-05-03', "'=cmd()", 'Savoy Hall', '100', '1', '1', '1', '2',
      'No show is called "=cmd()"']);
    expect(rows[2]?.slice(6)).toEqual(['', '3', 'The row has 6 cells, the heads name 7']);
    const again = await send(file.raw);
    expect(again.body.data.mapping.header).toEqual(HEAD.split(','));
    expect((await staff.get(`${BASE}/${again.body.data.id}/preview`)).body.data.problems[0].value).toBe('=cmd()');
  });

  test('[R10] killed between chunks and inside one: no row is lost, none is imported twice', async () => {
    await place('Ruddigore', 'Park Theatre');
    const rows = Array.from({ length: 1300 }, (_, n) => {
      const day = new Date(Date.UTC(1970, 0, 4 + 7 * n)).toISOString().slice(0, 10);
      return `${day},Ruddigore,Park Theatre,${100 + n},1,1,1`;
    });
    const id = await upload(...rows);
    await staff.post(`${BASE}/${id}/process`);
    let chunks = 0;
    const logged: string[] = [];
    const dying = { ...app.ports, db: { ...app.ports.db, tx: (work: Parameters<typeof app.ports.db.tx>[0]) => {
      chunks += 1;
      if (chunks === 2) return app.ports.db.tx(async (tx) => { await work(tx); throw new Killed(); });
      if (chunks > 2) throw new Killed();
      return app.ports.db.tx(work);
    }, exec: () => { throw new Killed(); } }, log: (_, message) => { logged.push(message); } } as typeof app.ports;
    await workImports(dying);
    expect(logged).toContain('job item failed');
    expect(await show(id)).toMatchObject({ status: 'processing', rows_done: 1000, rows_imported: 1000 });
    await Promise.all([workImports(app.ports), workImports(app.ports)]);
    await workImports(app.ports);
    expect(await show(id)).toMatchObject({ status: 'completed', rows_done: 1300, rows_imported: 1300,
      rows_refused: 0 });
    expect(await app.database.db.one(sql`
      select count(*) as reports, count(distinct import_row_no) as rows, sum(gross_minor)::bigint as gross
      from box_office_reports where import_id = ${id}`))
      .toEqual({ reports: 1300, rows: 1300, gross: (100 * 1300 + (1299 * 1300) / 2) * 100 });
  });

  test('a half-written file: whole rows come in, the cut row is named, the whole file adds the rest', async () => {
    const whole = [HEAD, '2026-06-07,The Gondoliers,Savoy Hall,100,1,1,1',
      '2026-06-14,"The Gondoliers",Savoy Hall,100,1,1,1', ''];
    const answer = await send(whole.join('\n').slice(0, -30));
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const cut = answer.body.data;
    expect(cut.mapping.warnings[0]).toContain('may be cut off');
    expect(await work(cut.id)).toMatchObject({ rows_imported: 1, rows_refused: 1 });
    const full = (await send(whole.join('\n'))).body.data;
    expect(await work(full.id)).toMatchObject({ rows_imported: 1, rows_duplicate: 1, rows_refused: 0 });
  });

  test('cancelled: the rest stays undone, process goes on with it', async () => {
    const id = await upload('2026-07-05,The Gondoliers,Savoy Hall,100,1,1,1');
    expect((await staff.put(`${BASE}/${id}/cancel`)).body.data.status).toBe('cancelled');
    expect((await staff.put(`${BASE}/${id}/cancel`)).status).toBe(409);
    expect(await work(id)).toMatchObject({ status: 'completed', rows_imported: 1 });
  });

  test('files that hold no rows are refused at the file, larger ones with the limit in words', async () => {
    const words = async (name: string, content: string | Buffer) => (await send(content, name)).body.errors?.file?.[0];
    expect(await words('return.xlsx', 'PK\u0003\u0004')).toMatch(/save it as CSV/);
    expect(await words('return.csv', '<html><table>')).toMatch(/web page/);
    expect(await words('return.pdf', '%PDF-')).toMatch(/Choose a file of type csv/);
    const large = await send(Buffer.alloc(26 * 1024 * 1024, 'a,b\n'));
    expect(large.status).toBe(413);
    expect(large.body.message).toContain('25 MiB');
  });

  test('columns and constants by hand; a column that feeds two fields is refused', async () => {
    const made = (await send('A;B;C\n01/02/2026;1.234,50;x\n')).body.data;
    expect(made.mapping).toMatchObject({ delimiter: ';', columns: {} });
    const change = { columns: { date: 0, gross: 1 }, date_format: 'DD/MM/YYYY', decimal_style: 'comma',
      constants: { show: 'The Gondoliers', venue: 'Savoy Hall', currency: 'USD' },
      report_scope: 'week', date_is: 'week_start', version: made.version };
    const twice = await staff.put(`${BASE}/${made.id}/mapping`, { ...change, columns: { date: 0, gross: 0 } });
    expect(twice.body.errors).toEqual({ 'columns.gross': ['"A" is read as date already'] });
    const early = await staff.post(`${BASE}/${made.id}/process`);
    expect(early.status).toBe(422);
    expect(Object.keys(early.body.errors)).toContain('columns.date');
    expect((await staff.put(`${BASE}/${made.id}/mapping`, change)).status).toBe(200);
    expect((await staff.put(`${BASE}/${made.id}/mapping`, change)).status).toBe(412);
    const { data } = (await staff.get(`${BASE}/${made.id}/preview`)).body;
    expect(data.rows[0]).toMatchObject({ period_from: '2026-02-01', period_to: '2026-02-07', gross_minor: 123_450 });
  });

  test('templates: our own heads to download, own ones with saved columns', async () => {
    const file = await staff.get(`/api/admin/staff/import_templates/${template}/download`);
    expect(parse(file.raw, { bom: true })[0]).toEqual(['Week ending', 'Show', 'Venue', 'Licence number', 'Currency',
      'Gross', 'Performances', 'Attendance', 'Complimentary', 'Seats offered', 'Capacity %', 'Tax included']);
    const body = { name: 'Weekly from the house' };
    const made = (await staff.post('/api/admin/staff/import_templates', body)).body.data;
    expect((await staff.post('/api/admin/staff/import_templates', body)).body.errors.name[0]).toMatch(/already/);
    const columns = [{ field: 'date', column_name: 'W/E' },
      { field: 'gross', column_name: 'NAGBOR', amount_unit: 'minor' },
      { field: 'show', column_name: 'Prod', default_value: 'The Gondoliers' }];
    const url = `/api/admin/staff/import_templates/${made.id}/maps`;
    const twice = await staff.put(url, { columns: [columns[0], columns[0], columns[1]], version: made.version });
    expect(twice.status).toBe(422);
    expect((await staff.put(url, { columns, date_format: 'DD.MM.YYYY', version: made.version })).status).toBe(200);
    expect((await staff.get(url)).body.data).toMatchObject({ template: { date_format: 'DD.MM.YYYY', columns_count: 3 },
      columns: [{ column_name: 'W/E' }, { amount_unit: 'minor' }, { default_value: 'The Gondoliers' }] });
    const content = Buffer.from('W/E,Prod,NAGBOR\n04.10.2026,,5000\n');
    const mapped = await staff.post(BASE, undefined, { multipart: { fields: { import_template_id: String(made.id) },
      file: { field: 'file', name: 'a.csv', type: 'text/csv', content } } });
    expect(mapped.body.data.mapping).toMatchObject({ columns: { date: 0, show: 1, gross: 2 }, amount_unit: 'minor',
      constants: { show: 'The Gondoliers', currency: 'USD' }, date_format: 'DD.MM.YYYY' });
  });
});

class Killed extends Error {}
