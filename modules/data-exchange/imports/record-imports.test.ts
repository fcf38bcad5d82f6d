/** Imports of lists over the API: each kind with what it makes, what is there already, and what is left out and why. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '#kit/errors.ts';
import { sql } from '#server/sql.ts';
import { testApp, type Browser } from '#tests/support/app.ts';
import { nastyFolder } from '#tests/support/broadway.ts';
import { stockWorld } from '#tests/support/stock.ts';
import { sheetRows } from '../reading/csv-rows.server.ts';
import { detectShape } from '../reading/csv-shape.server.ts';
import { importMapping } from './import.contract.ts';
import type { SourceRow } from './import-work.server.ts';
import { IMPORT_KINDS, IMPORT_MODELS, type ImportModel } from './kinds/import-kind.contract.ts';
import { workImports } from './work-imports.server.ts';
import { IMPORT_WORKS } from './works.server.ts';

const BASE = '/api/admin/staff/imports';
const TEMPLATES = '/api/admin/staff/import_templates';

const app = testApp();
let staff: Browser;
beforeAll(async () => { staff = await app.signedIn('staff_admin'); });

async function templateFor(model: ImportModel): Promise<number> {
  return (await staff.get(`${TEMPLATES}?model_name=${model}`)).body.data[0].id;
}
async function send(who: Browser, model: ImportModel, ...rows: string[]) {
  return who.post(BASE, undefined, { multipart: { fields: { import_template_id: String(await templateFor(model)) },
    file: { field: 'file', name: `${model}.csv`, type: 'text/csv',
      content: Buffer.from([...rows, ''].join('\r\n')) } } });
}
async function upload(model: ImportModel, ...rows: string[]): Promise<number> {
  const answer = await send(staff, model, ...rows);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.id;
}
async function work(id: number) {
  const answer = await staff.post(`${BASE}/${id}/process`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  await workImports(app.ports);
  return (await staff.get(`${BASE}/${id}`)).body.data;
}
/** The mapping as it is, with changes applied. */
async function applying(id: number) {
  const { mapping, version } = (await staff.get(`${BASE}/${id}`)).body.data;
  const { columns, constants, date_format, decimal_style, report_scope, date_is } = mapping;
  return { columns, constants, date_format, decimal_style, report_scope, date_is, version, changes: 'apply' };
}
const preview = async (id: number) => (await staff.get(`${BASE}/${id}/preview`)).body.data;
const left = async (id: number) => (await staff.get(`${BASE}/${id}/records?status=refused`)).body.data;
const say = (id: number, body: object) => staff.put(`${BASE}/${id}/proposals`, body);

describe('each kind of list', () => {
  test('every kind starts with a template whose own example reads back without a problem of its cells', async () => {
    for (const model of IMPORT_MODELS) {
      const file = await staff.get(`${TEMPLATES}/${await templateFor(model)}/download`);
      expect(file.status, model).toBe(200);
      const answer = await staff.post(BASE, undefined, { multipart: { fields: {
        import_template_id: String(await templateFor(model)) }, file: { field: 'file', name: 'a.csv', type: 'text/csv',
        content: Buffer.from(file.raw) } } });
      const { data } = (await staff.get(`${BASE}/${answer.body.data.id}/preview`)).body;
      expect(data.missing, model).toEqual([]);
      const codes = data.reasons.map((one: { reason_code: string }) => one.reason_code);
      expect(codes.filter((code: string) => !code.startsWith('unknown_')), model).toEqual([]);
    }
  });

  test('vendors: the same again is there, one who may be the same is asked about, a file brings no bank', async () => {
    const heads = 'Vendor,City,Street,Zip,Country,Currency,Terms,Tax form,1099,Remit-to street,Remit-to city,'
      + 'Remit-to zip,Account number';
    const row = (name: string, more = 'W-9,1099-NEC,PO Box 12,Concord,03301') =>
      `${name},Keene,1 Mill Road,03431,US,USD,14,${more},000123456`;
    const id = await upload('vendors', heads, row('Harrow Print Works'), row('Harrow Print Work'), row('Oak Binders',
      'W-12,,,,'));
    const { counts } = await preview(id);
    expect(counts).toMatchObject({ ready: 1 });
    expect((await staff.post(`${BASE}/${id}/process`)).status).toBe(202);
    await workImports(app.ports);
    expect((await left(id)).map((one: { field: string; reason: string }) => [one.field, one.reason])).toEqual([
      ['name', 'Harrow Print Works in the same town is nearly the same name: the same vendor?'],
      ['tax_form_type', expect.stringContaining('"W-12" is none of')]]);
    const [made] = (await staff.get('/api/admin/staff/vendors?search=Harrow')).body.data;
    expect(made).toMatchObject({ name: 'Harrow Print Works', payment_terms_days: 14, tax_form_type: 'w9',
      tax_1099_category: 'nec', bank_account_last4: null, tin_last4: null, address: { locality: 'Keene' },
      remit_to_address: { thoroughfare: 'PO Box 12', locality: 'Concord', country_code: 'US' } });
    const again = await upload('vendors', heads, row('HARROW PRINT WORKS', 'W-9,1099-NEC,Elsewhere 1,Boston,02110')
      .replace(',14,', ',45,'));
    await staff.put(`${BASE}/${again}/mapping`, await applying(again));
    expect((await staff.post(`${BASE}/${again}/process`)).status).toBe(202);
    await workImports(app.ports);
    const [changed] = (await staff.get('/api/admin/staff/vendors?search=Harrow')).body.data;
    expect(changed).toMatchObject({ payment_terms_days: 45, remit_to_address: { locality: 'Concord' } });
  });

  test('royaltors: the same again is there already, one who may be the same waits for an answer', async () => {
    const id = await upload('royaltors', 'Name,Email,Currency', 'Christopher Bankey,c@bankey.example,USD',
      'Christopher  Bankey,,USD', 'Chris Bankey,,USD', 'Nobody,no mail,USD');
    const seen = await preview(id);
    expect(seen.counts).toEqual({ ready: 1, questioned: 0, duplicate: 1, changed: 0, unchanged: 0,
      refused: 2 });
    expect(seen.problems[1]).toMatchObject({ row_no: 5, field: 'email', column: 'Email', value: 'no mail',
      reason: 'Email must be a valid email address' });
    expect(await work(id)).toMatchObject({ rows_imported: 1, rows_duplicate: 1, rows_refused: 2 });
    const [group] = (await staff.get(`${BASE}/${id}/problems`)).body.data
      .filter((one: { asked: boolean }) => one.asked);
    expect(group).toMatchObject({ reason_code: 'similar_record', count: 1, decided: 0 });
    expect((await say(id, { reason_code: 'similar_record', row_nos: [5], decision: 'same' })).status).toBe(422);
    expect((await say(id, { reason_code: 'similar_record', decision: 'same' })).status).toBe(200);
    expect(await work(id)).toMatchObject({ rows_imported: 1, rows_duplicate: 2, rows_refused: 1 });
    const again = await upload('royaltors', 'Name,Currency', 'Chris Bankey,USD');
    expect((await preview(again)).counts).toMatchObject({ duplicate: 1 });
  });

  test('shows bring their writers as agreements in draft; a revival is the show we have', async () => {
    const id = await upload('shows', 'Title,Type,Year,Music,Lyrics,Book',
      'The Tide Clock,Musical,1998,Ada Winslow,Ben Moor; Ada Winslow,Cy Hart',
      'Tide Clock,musical,2011,Ada Winslow,,Someone New', 'The Tide Clock,play,2001,,,Una Byrne', 'No Type,opera,1,,,');
    expect(await work(id)).toMatchObject({ rows_imported: 1, rows_duplicate: 1, rows_refused: 2 });
    expect(await left(id)).toMatchObject([{ reason_code: 'same_title', proposed_id: expect.any(Number) },
      { reason_code: 'unreadable_choice', field: 'type', value: 'opera' }]);
    const rows = await app.database.db.query(sql`
      select s.show_code, a.role, r.name, a.status from show_royaltors a join shows s on s.id = a.show_id
      join royaltors r on r.id = a.royaltor_id where s.title = 'The Tide Clock' order by a.id`);
    expect(rows).toEqual([['bookwriter', 'Cy Hart'], ['composer', 'Ada Winslow'], ['lyricist', 'Ben Moor'],
      ['lyricist', 'Ada Winslow']].map(([role, name]) => ({ show_code: 'TIDE-CLOCK', role, name, status: 'draft' })));
    const [merged] = (await staff.get(`${BASE}/${id}/records?status=duplicate`)).body.data;
    expect(merged).toMatchObject({ reason_code: 'other_writers', show_type: 'musical', label: 'The Tide Clock',
      reason: expect.stringContaining('Someone New') });
  });

  test('writers whom only a revival names are added where the file is to add them, once', async () => {
    const head = 'Title,Type,Music,Lyrics,Book,Added writers';
    const id = await upload('shows', head, 'Lamp Room,musical,Ida Penn,,,',
      'The Lamp Room,musical,Ida Penn,,Otto Vale,add', 'Lamp Room,musical,Ida Penn,,Otto Vale,add',
      'Lamp Room,musical,Ida Penn,Nell Frost,,leave');
    expect(await work(id)).toMatchObject({ rows_imported: 1, rows_duplicate: 3, rows_refused: 0 });
    expect(await app.database.db.query(sql`
      select a.role, r.name, a.status from show_royaltors a join shows s on s.id = a.show_id
      join royaltors r on r.id = a.royaltor_id where s.title = 'Lamp Room' order by a.id`)).toEqual([
      { role: 'composer', name: 'Ida Penn', status: 'draft' },
      { role: 'bookwriter', name: 'Otto Vale', status: 'draft' },
    ]);
    const rows = (await staff.get(`${BASE}/${id}/records?status=duplicate`)).body.data;
    expect(rows.map((row: { reason_code: string }) => row.reason_code).toSorted())
      .toEqual(['other_writers', 'writers_added', 'writers_added']);
  });

  test('agreements: rows of one contract make one, more than the whole is refused and leaves the rest', async () => {
    const head = 'Show,Royaltor,Role,Rate %,Income,Paying division,Currency,In force';
    const id = await upload('agreements', head, 'The Tide Clock,Una Cole,author,50,,US,USD,no',
      'The Tide Clock,Cy Hart,author,60,royalty,US,USD,yes', 'The Tide Clock,Cy Hart,author,10,rental,US,USD,yes',
      'The Tide Clock,Ada Winslow,author,50,royalty,US,USD,yes',
      'The Tide Clock,Cy Hart,author,60.00,royalty,US,USD,yes');
    expect(await work(id)).toMatchObject({ rows_imported: 2, rows_duplicate: 1, rows_refused: 2 });
    const problems = await left(id);
    expect(problems[0]).toMatchObject({ row_no: 2, reason_code: 'unknown_royaltor', value: 'Una Cole' });
    expect(problems[1].reason).toMatch(/100%|whole/);
    expect(await app.database.db.query(sql`select a.status, count(*) as terms from show_royaltors a
      join royalty_terms t on t.show_royaltor_id = a.id group by a.id`)).toEqual([{ status: 'active', terms: 2 }]);
  });

  test('materials by show, category and price; a number that stands for another thing is refused', async () => {
    const id = await upload('materials', 'Item number,Name,Show,Category,Sub-category,Type,Price USD',
      'TIDE-LIB,Libretto,tide clock,Scripts,Libretto,rental,12.50', 'TIDE-LIB,Libretto,,scripts,,rental,',
      'TIDE-LIB,Full score,,scores,,rental,1', 'TIDE-X,Score,The Tide Clock,Nothing,,rental,1',
      'TIDE-Y,Score,TIDE-CLOCK,scores,,rental,"1.005"');
    expect(await work(id)).toMatchObject({ rows_imported: 1, rows_refused: 4 });
    const codes = (await left(id)).map((one: { reason_code: string }) => one.reason_code);
    expect(codes).toEqual(['unknown_show', 'number_taken', 'unknown_category', 'too_many_decimals']);
    const again = await upload('materials', 'Item number,Name,Category,Type,Delivered',
      'TIDE-LIB,Libretto,scripts,digital,physical');
    expect((await staff.put(`${BASE}/${again}/mapping`, await applying(again))).status).toBe(200);
    expect(await work(again)).toMatchObject({ rows_refused: 1, changes: { applied: 0, left: 0 } });
    expect(await left(again)).toMatchObject([{ field: 'fulfilment', reason: expect.stringContaining('Digital') }]);
  });

  test('a row about a record we have says how it differs; it is left, or changed by its own rules', async () => {
    await work(await upload('venues', 'Name,Street,City,State,Postal code,Country,Capacity,Phone',
      'Change Hall,1 Mill Lane,Salem,MA,01970,US,300,617 555 0100', 'Same Hall,9 Mill Lane,Salem,MA,01970,US,90,'));
    const rows = ['Name,City,State,Postal code,Country,Capacity,Phone', 'Change Hall,Salem,MA,01971,US,320,',
      'Same Hall,Salem,MA,01970,US,90,', 'Change Hall,Salem,MA,01970,US,999,'];
    const text = 'Postal code: 01970 → 01971; Capacity: 300 → 320';
    const kept = await upload('venues', ...rows);
    const seen = await preview(kept);
    expect(seen.counts).toMatchObject({ ready: 0, duplicate: 3, changed: 1, refused: 0 });
    expect(seen.changes).toEqual([{ row_no: 2, title: 'Change Hall', text }]);
    expect(await work(kept)).toMatchObject({ rows_imported: 0, rows_duplicate: 3, changes: { applied: 0, left: 1 } });
    const applied = await upload('venues', ...rows);
    const body = await applying(applied);
    const clerk = await app.signedIn('staff_user', { permissions: ['import.create', 'venue.create'] });
    expect((await clerk.put(`${BASE}/${applied}/mapping`, body)).body.message).toContain('venue.update');
    expect((await staff.put(`${BASE}/${applied}/mapping`, body)).status).toBe(200);
    expect(await work(applied)).toMatchObject({ rows_imported: 1, rows_duplicate: 2,
      changes: { applied: 1, left: 0 } });
    expect((await staff.get(`${BASE}/${applied}/records`)).body.data).toMatchObject([
      { status: 'imported', reason_code: 'changed', reason: text },
      { status: 'duplicate', reason_code: 'unchanged', reason: expect.stringMatching(/^Is Same Hall · /) },
      { status: 'duplicate', reason_code: 'said_before', reason: expect.stringContaining('300 → 999') }]);
    expect(await app.database.db.query(sql`
      select v.capacity, v.phone, v.address ->> 'thoroughfare' as street, v.address ->> 'postal_code' as zip,
        (select count(*) from audit_events a where a.entity = 'venue' and a.entity_id = v.id and a.action = 'update')
          as updates from venues v where v.name = 'Change Hall'`))
      .toEqual([{ capacity: 320, phone: '617 555 0100', street: '1 Mill Lane', zip: '01971', updates: 1 }]);
    expect((await preview(await upload('venues', ...rows.slice(0, 3)))).counts).toMatchObject({ changed: 0 });
  });

  test('a row that changes nothing is unchanged; one that stands in the file before is a duplicate', async () => {
    const file = ['Name,City,State,Postal code,Country,Capacity,Other names',
      'Quiet Hall,Salem,MA,1970,US,120,The Quiet', 'Quiet Hall,Salem,MA,01970,US,120,'];
    const outcomes = async (id: number) => (await preview(id)).rows.map((row: { outcome: string }) => row.outcome);
    const first = await upload('venues', ...file);
    expect(await outcomes(first)).toEqual(['ready', 'duplicate']);
    await work(first);
    const again = await upload('venues', ...file, 'Quiet Hall,Salem,MA,01970,US,130,',
      'Quiet Hall,Salem,MA,01970,US,,Quiet House');
    expect(await outcomes(again)).toEqual(['unchanged', 'unchanged', 'differs', 'duplicate']);
    expect((await preview(again)).counts).toMatchObject({ ready: 0, duplicate: 4, changed: 1, unchanged: 2 });
    await work(again);
    const rows = (await staff.get(`${BASE}/${again}/records`)).body.data;
    expect(rows.map((row: { reason_code: string | null }) => row.reason_code))
      .toEqual(['unchanged', 'unchanged', 'changes_left', null]);
  });

  test('what the rules of a record refuse is said in the preview, in the words of the run', async () => {
    await work(await upload('shows', 'Title,Type,Show code,Smallest cast,Largest cast',
      'Rule Play,play,RULE,4,10', 'Rule Type,play,RULE-TYPE,,', 'Rule Gone,play,RULE-GONE,,'));
    const gone = (await staff.get('/api/admin/staff/plays?search=Rule%20Gone')).body.data[0].id;
    expect((await staff.remove(`/api/admin/staff/plays/${gone}`)).status).toBe(204);
    await work(await upload('materials', 'Item number,Name,Category,Sub-category,Type',
      'RULE-LIB,Libretto,scripts,libretto,rental'));
    const files: Partial<Record<ImportModel, string[]>> = { materials: ['Item number,Name,Category,Type,Delivered',
      'RULE-LIB,Libretto,scores,rental,physical', 'RULE-NEW,Track,tracks,digital,physical',
      'RULE-NEW,Track,tracks,digital,physical'],
    shows: ['Title,Type,Show code,Smallest cast,Largest cast', 'Rule Play,play,RULE,,3',
      'Rule Type,musical,RULE-TYPE,,', 'Rule Cast,play,RULE-CAST,9,2', 'Rule Code,play,RULE-GONE,,',
      'Rule Fine,play,RULE-FINE,2,9'] };
    for (const [model, rows] of Object.entries(files)) {
      const id = await upload(model as ImportModel, ...rows);
      expect((await staff.put(`${BASE}/${id}/mapping`, await applying(id))).status).toBe(200);
      const told = (await preview(id)).problems.map(
        ({ row_no, reason_code, field, reason }: Record<string, unknown>) => ({ row_no, reason_code, field, reason }));
      expect(told, model).toHaveLength(model === 'shows' ? 4 : 3);
      expect((await work(id)).rows_refused, model).toBe(told.length);
      expect(await left(id), model).toMatchObject(told);
    }
  });

  test('stock counts correct the books by what differs, once', async () => {
    const world = await stockWorld(staff);
    const { code } = await app.database.db.one<{ code: string }>(sql`
      select code from warehouses where id = ${world.warehouse}`);
    const rows = [`${code},${world.loose},24`, `${code},${world.tracked},3`, `${code},NOTHING,1`,
      `NOWHERE,${world.loose},1`,
      `${code},${world.pin},-2`];
    const id = await upload('stock_counts', 'Warehouse,Item number,Counted', ...rows);
    expect(await work(id)).toMatchObject({ rows_imported: 1, rows_refused: 4 });
    expect((await left(id)).map((one: { reason_code: string }) => one.reason_code))
      .toEqual(['not_allowed', 'unknown_item', 'unknown_warehouse', 'negative_amount']);
    const again = await upload('stock_counts', 'Warehouse,Item number,Counted', rows[0]!);
    expect(await work(again)).toMatchObject({ rows_imported: 0, rows_duplicate: 1 });
    expect(await app.database.db.query(sql`select kind, quantity, reason from stock_movements
      where warehouse_id = ${world.warehouse}`)).toEqual([{ kind: 'count', quantity: 24, reason: 'Imported count' }]);
  });

  test('local tax rates come in by ZIP code; a lost zero is put back, an overlap is left out', async () => {
    const head = 'State,County,Level,ZIP from,ZIP to,Rate,From,Until,Source';
    const rows = ['MA,Suffolk,county,2115,2118,0.5,2026-01-01,,List', 'NY,Queens,city,11106,11106,4.5,2026-01-01,,List',
      'NY,Erie,county,14201,14280,4.75%,2026-01-01,,List', 'NY,Erie,county,ABC,,4.75,2026-01-01,,List'];
    const id = await upload('local_tax_rates', head, ...rows);
    expect(await work(id)).toMatchObject({ rows_imported: 2, rows_refused: 2 });
    expect((await left(id)).map((one: { reason_code: string }) => one.reason_code))
      .toEqual(['overlapping', 'not_allowed']);
    const again = await upload('local_tax_rates', head, rows[0]!, rows[2]!);
    expect(await work(again)).toMatchObject({ rows_imported: 0, rows_duplicate: 2 });
    expect(await app.database.db.query(sql`select zip_from, zip_to, rate_ppm from local_tax_rates
      where source = 'List' order by zip_from`)).toEqual([{ zip_from: '02115', zip_to: '02118', rate_ppm: 5_000 },
      { zip_from: '14201', zip_to: '14280', rate_ppm: 47_500 }]);
  });

  test('a person without the right to make such records imports none', async () => {
    const clerk = await app.signedIn('staff_user', { permissions: ['import.create', 'import.show', 'import.list',
      'import.process', 'import_template.list'] });
    const answer = await send(clerk, 'venues', 'Name,Country', 'Any Hall,US');
    expect(answer.status).toBe(403);
    expect(answer.body.message).toContain('venue.create');
  });
});

const nasty = nastyFolder();
describe.skipIf(nasty === null)('75 files found in the wild', () => {
  const files = nasty === null ? [] : readdirSync(nasty);

  /** The file as one kind would read it, its columns taken for the fields in their order. */
  async function judged(model: ImportModel, content: Buffer): Promise<string | { rows: number; answers: string[] }> {
    const { fields } = IMPORT_KINDS[model];
    try {
      const shape = await detectShape(content, ',', fields);
      const names = Object.keys(fields).toSorted((a, b) => Number(fields[b]!.required) - Number(fields[a]!.required));
      const columns = Object.fromEntries(names.slice(0, shape.header.length).map((field, at) => [field, at]));
      const mapping = importMapping.parse({ ...shape, columns, constants: {}, date_format: 'YYYY-MM-DD',
        decimal_style: 'point', amount_unit: 'major', report_scope: 'week', date_is: 'week_end', warnings: [] });
      const rows: SourceRow[] = [];
      for await (const row of sheetRows(content, shape)) if (row.row_no > shape.header_row) rows.push(row);
      const some = rows.slice(0, 300);
      const done = await IMPORT_WORKS[model].open(mapping, 0).judge(app.database.db, some);
      return { rows: some.length, answers: done.map((one) => one.problem?.reason ?? one.outcome) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error.errors?.['file']?.[0] ?? error.message;
    }
  }

  test.each(IMPORT_MODELS)('into %s: each is read or refused in words, and no row of it is lost', async (model) => {
    let read = 0;
    for (const file of files) {
      const result = await judged(model, readFileSync(join(nasty!, file)));
      if (typeof result === 'string') {
        expect(result, file).toMatch(/\.$/);
      } else {
        expect(result.answers, file).toHaveLength(result.rows);
        for (const words of result.answers) expect(words, file).toMatch(/\S/);
        read += 1;
      }
    }
    expect(read).toBeGreaterThan(30);
  });
});
