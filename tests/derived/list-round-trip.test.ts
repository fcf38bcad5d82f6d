/**
 * Lists that can be taken out as CSV and brought in again: what the export of a list holds in the fields of its import
 * comes back from an empty house cell for cell, and brings nothing new to the house it came from. The fields are those
 * of both contracts, so a new one is held to it too.
 */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#apps/server/src/routes.ts';
import { workExports } from '#modules/data-exchange/exports/work-exports.server.ts';
import { IMPORT_KINDS, type ImportModel } from '#modules/data-exchange/imports/kinds/import-kind.contract.ts';
import { workImports } from '#modules/data-exchange/imports/work-imports.server.ts';
import { testApp, type Browser, type TestApp } from '#tests/support/app.ts';

const API = '/api/admin/staff';
/** Kinds whose rows are those of a list, materials after the shows they name. Texts that files are known to break. */
const LISTS = {
  shows: [
    { show_code: 'ROUND', type: 'musical', title: 'Round, "Trip"; a Musical', year: 1998, cast_min: 4, cast_max: 28,
      running_time_minutes: 130, synopsis: 'Two acts.\nOne interval, “short”.' },
    { show_code: 'PLAIN', type: 'play', title: 'Plain' },
  ],
  royaltors: [
    { name: 'Zoë "Zed" Ames, Jr.', kind: 'estate', legal_name: '=SUM(A1)', pen_name: '@zed', phone: '+44 20 7946 0000',
      email: 'zed@ames.example', currency: 'GBP', divisions: ['US', 'UK'], payment_method: 'bacs',
      statement_frequency: 'semi_annual', residence_country: 'GB' },
    { name: 'Cy Hart', currency: 'USD' },
  ],
  venues: [
    { name: 'O’Neill “Black Box”; Studio', kind: 'school_hall', capacity: 120, phone: '+1 212 555 0100',
      website: 'https://studio.example/a,b', address: { country_code: 'US', thoroughfare: '1 Main Street',
        locality: 'Boston', administrative_area: 'MA', postal_code: '02110' } },
  ],
  materials: [
    { item_number: 'ROUND-LIB', name: 'Libretto, "blue"', show_code: 'ROUND', category: 'scripts',
      sub_category: 'libretto', type: 'rental', description: '-revised\nline by line', weight_g: 250 },
  ],
} as const satisfies Partial<Record<ImportModel, readonly object[]>>;
/** A column of the list under another name than the field of the import. */
const NAMED: Record<string, string> = { show: 'show_code' };
/** Several names in one cell: lists show them with commas, imports ask for semicolons, since names have commas. */
const LEFT_OUT = new Set(['aliases']);
const CONSTANTS = { country_code: 'US' };

type List = keyof typeof LISTS;
const from = testApp();
const into = testApp();
const staff = new Map<TestApp, Browser>();
beforeAll(async () => {
  for (const app of [from, into]) staff.set(app, await app.signedIn('staff_admin'));
});

/** Fields of the import that a row of the list has, with the name they have there. */
function sharedFields(model: List): [field: string, column: string][] {
  const list = routes.find(({ endpoint }) => endpoint.method === 'GET' && endpoint.path === `${API}/${model}`)!;
  const row = (list.endpoint.response as unknown as { shape: { data: { element: { shape: object } } } })
    .shape.data.element.shape;
  return Object.keys(IMPORT_KINDS[model].fields).map((field) => [field, NAMED[field] ?? field] as [string, string])
    .filter(([field, column]) => column in row && !LEFT_OUT.has(field));
}

async function exported(app: TestApp, model: List): Promise<Buffer> {
  const fields = sharedFields(model);
  const answer = await staff.get(app)!.post(`${API}/export_jobs`, { model_name: `staff/${model}`,
    columns: fields.map(([, column]) => column), format: 'csv', title: model,
    headers: fields.map(([field]) => IMPORT_KINDS[model].fields[field]!.label) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  await workExports(app.ports, routes);
  return (await staff.get(app)!.get(`${API}/export_csv/${answer.body.data.id}/download`)).raw;
}

async function imported(app: TestApp, model: List, content: Buffer) {
  const browser = staff.get(app)!;
  const template = (await browser.get(`${API}/import_templates?model_name=${model}`)).body.data[0].id;
  const { body: { data } } = await browser.post(`${API}/imports`, undefined, { multipart: {
    fields: { import_template_id: String(template) },
    file: { field: 'file', name: `${model}.csv`, type: 'text/csv', content } } });
  const { columns, date_format, decimal_style, report_scope, date_is, constants } = data.mapping;
  const known = Object.entries(CONSTANTS).filter(([field]) => field in IMPORT_KINDS[model].fields);
  const mapped = await browser.put(`${API}/imports/${data.id}/mapping`, { columns, date_format, decimal_style,
    report_scope, date_is, constants: { ...constants, ...Object.fromEntries(known) }, version: data.version });
  expect(mapped.status, JSON.stringify(mapped.body)).toBe(200);
  expect((await browser.post(`${API}/imports/${data.id}/process`)).status).toBe(202);
  await workImports(app.ports);
  const left = (await browser.get(`${API}/imports/${data.id}/records?status=refused`)).body.data;
  expect(left.map((row: { field: string; reason: string }) => `${row.field}: ${row.reason}`), model).toEqual([]);
  const { rows_imported, rows_duplicate } = (await browser.get(`${API}/imports/${data.id}`)).body.data;
  return { rows_imported, rows_duplicate };
}

const rowsOf = (file: Buffer) => (parse(file, { bom: true }) as string[][]).toSorted();

/** The values themselves: what a file holds back before a formula must not have become part of them. */
async function valuesOf(app: TestApp, model: List): Promise<string[]> {
  const rows = (await staff.get(app)!.get(`${API}/${model}`)).body.data as Record<string, unknown>[];
  return rows.map((row) => JSON.stringify(sharedFields(model).map(([, column]) => row[column]))).toSorted();
}

describe('CSV round trip', () => {
  test.each(Object.keys(LISTS) as List[])('%s come back as they went', async (model) => {
    for (const row of LISTS[model]) {
      const made = await staff.get(from)!.post(`${API}/${model}`, row);
      expect(made.status, JSON.stringify(made.body)).toBe(201);
    }
    const file = await exported(from, model);
    const count = LISTS[model].length;
    expect(sharedFields(model).length).toBeGreaterThan(4);
    expect(await imported(from, model, file)).toEqual({ rows_imported: 0, rows_duplicate: count });
    expect(await imported(into, model, file)).toEqual({ rows_imported: count, rows_duplicate: 0 });
    expect(rowsOf(await exported(into, model))).toEqual(rowsOf(file));
    expect(await valuesOf(into, model)).toEqual(await valuesOf(from, model));
  }, 60_000);
});
