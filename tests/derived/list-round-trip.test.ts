/**
 * Lists that can be taken out as CSV and brought in again, as the table's "File for an import" does it: what the file
 * holds comes back from an empty house cell for cell, and brings nothing new to the house it came from. Every field of
 * an import stands in that file, or below as one that a list cannot hold, so a new one is held to it too.
 */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#apps/server/src/routes.ts';
import { workExports } from '#modules/data-exchange/exports/work-exports.server.ts';
import { IMPORT_COLUMNS } from '#kit/import-columns.ts';
import { importFileOf } from '#kit/import-file.ts';
import { matchHeads } from '#modules/data-exchange/imports/import-field.contract.ts';
import { IMPORT_KINDS, type ImportModel } from '#modules/data-exchange/imports/kinds/import-kind.contract.ts';
import { workImports } from '#modules/data-exchange/imports/work-imports.server.ts';
import { testApp, type Browser, type TestApp } from '#tests/support/app.ts';

const API = '/api/admin/staff';
/** Kinds whose rows are those of a list, materials after the shows they name. Texts that files are known to break. */
const LISTS = {
  shows: [
    { show_code: 'ROUND', type: 'musical', title: 'Round, "Trip"; a Musical', year: 1998, cast_min: 4, cast_max: 28,
      running_time_minutes: 130, synopsis: 'Two acts.\nOne interval, “short”.',
      cast_women: 0, cast_men: 3, cast_any: 12, content_notes: 'A shot; "haze"', songs: 'One, two\nThree',
      versions: 'Full\nSchool', excerpt: '=ACT ONE\n\nA road.',
      territory: 'Worldwide, "without" Ireland' },
    { show_code: 'PLAIN', type: 'play', title: 'Plain' },
  ],
  royaltors: [
    { name: 'Zoë "Zed" Ames, Jr.', kind: 'estate', legal_name: '=SUM(A1)', pen_name: '@zed', phone: '+44 20 7946 0000',
      email: 'zed@ames.example', currency: 'GBP', divisions: ['US', 'UK'], payment_method: 'bacs',
      statement_frequency: 'semi_annual', residence_country: 'GB', address: { country_code: 'GB',
        thoroughfare: '4 Drury Lane', premise: 'Flat "B"', locality: 'london', administrative_area: '',
        postal_code: 'WC2B 5TB' } },
    { name: 'Cy Hart', currency: 'USD' },
  ],
  vendors: [
    { name: 'Lumière & Söhne, "Press"', legal_name: '=Lumiere LLC', contact_name: 'Zoë Ames', email: 'z@ames.example',
      phone: '+1 603 555 0100', website: 'https://press.example/a,b', divisions: ['US', 'UK'],
      default_currency: 'GBP', payment_terms_days: 14, payment_method: 'bacs', vat_number: 'GB123456789',
      tax_form_type: 'w9', tax_form_received_on: '2026-02-28', tax_1099_category: 'misc_rents',
      address: { country_code: 'US', thoroughfare: '1 Mill Road', premise: 'Suite "4"', locality: 'Keene',
        administrative_area: 'NH', postal_code: '03431' },
      remit_to_address: { country_code: 'GB', thoroughfare: '4 Drury Lane', locality: 'London',
        administrative_area: '', postal_code: 'WC2B 5TB' } },
    { name: 'Plain Paper', default_currency: 'USD' },
  ],
  venues: [
    { name: 'O’Neill “Black Box”; Studio', kind: 'school_hall', capacity: 120, phone: '+1 212 555 0100',
      website: 'https://studio.example/a,b', address: { country_code: 'US', thoroughfare: '1 Main Street',
        locality: 'Boston', administrative_area: 'MA', postal_code: '02110' } },
  ],
  materials: [
    { item_number: 'ROUND-LIB', name: 'Libretto, "blue"', show_code: 'ROUND', category: 'scripts',
      sub_category: 'libretto', type: 'rental', description: '-revised\nline by line', weight_g: 250,
      instrument: 'reed',
      serial_tracked: true, prices: { usd: 19.5, eur: null, gbp: 0.05 },
      replacement_prices: { usd: 1234.5, eur: 7, gbp: null }, shipping_cost: { usd: null, eur: null, gbp: 3 } },
  ],
} as const satisfies Partial<Record<ImportModel, readonly object[]>>;
/** Lists under another name than their import, their rows made one after the other: they name other records. */
const MADE = {
  agreements: { list: 'show_royaltors', rows: 6, make: makeAgreements, beside: makeBeside },
  stock_counts: { list: 'warehouses/{id}/stock', rows: 3, make: makeStock, beside: makeShelf },
} as const satisfies Partial<Record<ImportModel, object>>;
type Made = keyof typeof MADE;
/** Other names of the first row, set where they are kept. */
const ALIASES: Partial<Record<List, readonly [path: string, names: string[]]>> = {
  shows: ['musicals', ['There, and Back', 'Round Trip']], venues: ['venues', ['Black Box, Boston', 'studio']],
};
/** Fields of imports that no list holds: writers are agreements, a line is an address not taken apart. */
const NOT_IN_A_LIST: Record<string, readonly string[]> = { shows: ['author', 'bookwriter', 'composer', 'lyricist',
  'underlying', 'other_credits', 'added_writers', 'payer_division'], venues: ['address_line'] };

type List = keyof typeof LISTS | Made;
const MODELS = [...Object.keys(LISTS), ...Object.keys(MADE)] as List[];
const from = testApp();
const into = testApp();
const staff = new Map<TestApp, Browser>();
beforeAll(async () => {
  for (const app of [from, into]) staff.set(app, await app.signedIn('staff_admin'));
});

const fileOf = (model: List) => importFileOf(`staff/${model in MADE ? MADE[model as Made].list : model}`)!;
/** The warehouse whose shelf is counted. */
const shelves = new Map<TestApp, number>();
const nameOf = (app: TestApp, model: List) => fileOf(model).model_name.replace('{id}', String(shelves.get(app)));
const columnsOf = (model: List): Readonly<Record<string, string>> => IMPORT_COLUMNS[fileOf(model).list];

async function exported(app: TestApp, model: List): Promise<Buffer> {
  const answer = await staff.get(app)!.post(`${API}/export_jobs`, { model_name: nameOf(app, model),
    columns: Object.values(columnsOf(model)), headers: Object.keys(columnsOf(model)), format: 'csv', title: model });
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
  const mapped = await browser.put(`${API}/imports/${data.id}/mapping`, { columns, date_format, decimal_style,
    report_scope, date_is, constants, version: data.version });
  expect(mapped.status, JSON.stringify(mapped.body)).toBe(200);
  expect((await browser.post(`${API}/imports/${data.id}/process`)).status).toBe(202);
  await workImports(app.ports);
  const left = (await browser.get(`${API}/imports/${data.id}/records?status=refused`)).body.data;
  expect(left.map((row: { field: string; reason: string }) => `${row.field}: ${row.reason}`), model).toEqual([]);
  const { rows_imported, rows_duplicate, changes } = (await browser.get(`${API}/imports/${data.id}`)).body.data;
  expect(changes, model).toEqual({ applied: 0, left: 0 });
  return { rows_imported, rows_duplicate };
}

const rowsOf = (file: Buffer) => (parse(file, { bom: true }) as string[][]).toSorted();

/** The values themselves: what a file holds back before a formula must not have become part of them. */
async function valuesOf(app: TestApp, model: List): Promise<string[]> {
  const { body } = await staff.get(app)!.get(`/api/admin/${nameOf(app, model)}`);
  const rows = body.data as Record<string, unknown>[];
  const fields = Object.values(columnsOf(model)).map((column) => column.split('.')[0]!);
  return rows.map((row) => JSON.stringify(fields.map((field) => row[field]))).toSorted();
}

/** Made by hand; answers the record, and every step says why it was refused. */
async function post(app: TestApp, path: string, body: object) {
  const answer = await staff.get(app)!.post(`${API}/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data;
}
const idOf = async (app: TestApp, path: string, name: string): Promise<number> =>
  (await staff.get(app)!.get(`${API}/${path}?search=${encodeURIComponent(name)}`)).body.data[0].id;

/** Creates the records that the terms of agreements reference and no file imports. */
async function makeBeside(app: TestApp) {
  await post(app, 'customer_classifications', { key: 'round', name: 'Round, "table"', description: '' });
  await post(app, 'add_ons', { show_id: await idOf(app, 'shows', 'Round'), key: 'round_tracks', name: 'Tracks',
    kind: 'performance_tracks' });
}

async function makeAgreements(app: TestApp) {
  const [round, plain, zed, cy] = [await idOf(app, 'shows', 'Round'), await idOf(app, 'shows', 'Plain'),
    await idOf(app, 'royaltors', 'Zoë'), await idOf(app, 'royaltors', 'Cy Hart')];
  const made = async (fields: object, status: 'draft' | 'active' | 'ended', ...terms: object[]) => {
    const { id } = await post(app, 'show_royaltors', { territory: 'World', payer_division: 'US', currency: 'USD',
      ...fields });
    for (const term of terms) await post(app, `show_royaltors/${id}/terms`, term);
    const { version } = (await staff.get(app)!.get(`${API}/show_royaltors/${id}`)).body.data;
    const { status: answer, body } = await staff.get(app)!.put(`${API}/show_royaltors/${id}`, { status, version });
    expect(answer, JSON.stringify(body)).toBe(200);
    return id as number;
  };
  const first = await made({ show_id: round, royaltor_id: zed, role: 'underlying', contract_no: 'abc', share_label:
    '-book, "half"', signed_on: '1999-01-02', term_from: '1999-02-01', term_to: '2099-12-31', territory: 'europe',
  payer_division: 'UK', currency: 'GBP', accrual_basis: 'on_invoice', date_basis: 'receipt', royalty_presentation:
    'net', agent_royaltor_id: cy, agent_ppm: 123_400, agent_pays: 'all_to_agent', opening_balance_minor: -505,
  opening_unrecouped_minor: 100_000, opening_on: '2020-02-29', reserve_schedule_ppm: [500_000, 500_000],
  min_payout_minor: 2500, annual_minimum_minor: 7 }, 'draft', { rate_ppm: 50_001, share_points: 3,
    match_income_types: ['royalty', 'add_on'], match_categories: ['Amateur'], match_divisions: ['US', 'UK'],
    match_countries: ['DE', 'AT'], match_add_on_id: await idOf(app, 'add_ons', 'Tracks'), match_item_number: 'abc-1',
    match_customer_classification_id: await idOf(app, 'customer_classifications', 'Round'), match_material_category:
      'scripts', match_material_sub_category: 'libretto', match_date_from: '2001-01-01', match_date_to: '2101-12-31',
    reserve_ppm: 100_000, recoupable: false, min_per_performance_minor: 100, annual_min_minor: 200, tiers: [
      { from_minor: 500_000, rate_ppm: 60_000 }, { from_minor: 900_050, rate_ppm: 75_500, after_recoupment: true }] },
  { rate_ppm: 0, basis: 'per_unit', unit_amount_minor: 150, match_territory_group: 'nordic' });
  const { version } = (await staff.get(app)!.get(`${API}/show_royaltors/${first}`)).body.data;
  expect((await staff.get(app)!.put(`${API}/show_royaltors/${first}/group`, { version, name: 'zed; all' })).status)
    .toBe(200);
  await made({ show_id: round, royaltor_id: cy, role: 'composer' }, 'active', { rate_ppm: 125_000, basis: 'at_source',
    source_commission_ppm: 200_000 });
  await made({ show_id: round, royaltor_id: cy, role: 'director' }, 'active', { rate_ppm: 350_000,
    basis: 'pool_points', match_income_types: ['royalty'], pool_of: 'gross', pool_points_x100: 650,
    pool_total_points_x100: 1_500, pool_min_per_point_minor: 20_050,
    tiers: [{ from_minor: 0, rate_ppm: 400_000, after_recoupment: true }] });
  await made({ show_id: plain, royaltor_id: cy, role: 'author' }, 'ended', { rate_ppm: 1_000_000 });
  await made({ show_id: plain, royaltor_id: cy, role: 'author' }, 'draft');
}

/** A warehouse and, beside the libretto whose copies have labels, an item that is counted by pieces. */
async function makeShelf(app: TestApp) {
  const { id } = await post(app, 'warehouses', { code: 'RT-1', name: 'Round', division: 'US' });
  shelves.set(app, id);
  await post(app, 'materials', { item_number: 'ROUND-SCO', name: 'Score', category: 'scores', type: 'rental' });
}

async function makeStock(app: TestApp) {
  await post(app, 'stock_movements', { kind: 'receipt', warehouse_id: shelves.get(app), lines: [
    { code: 'ROUND-LIB', quantity: 2, barcodes: ['RL-2024-B', 'RL-2024-A'] }, { code: 'ROUND-SCO', quantity: 7 }] });
}

/** Answers how many there are. */
async function makeRows(app: TestApp, model: keyof typeof LISTS): Promise<number> {
  for (const [at, row] of LISTS[model].entries()) {
    const { id, version } = await post(app, model, row);
    const [path, aliases] = ALIASES[model] ?? [];
    if (at > 0 || aliases === undefined) continue;
    expect((await staff.get(app)!.put(`${API}/${path}/${id}/aliases`, { aliases, version })).status).toBe(200);
  }
  return LISTS[model].length;
}

describe('CSV round trip', () => {
  test.each(MODELS)('%s come back as they went', async (model) => {
    if (model in MADE) for (const app of [from, into]) await MADE[model as Made].beside(app);
    const count = model in MADE ? MADE[model as Made].rows : await makeRows(from, model as keyof typeof LISTS);
    if (model in MADE) await MADE[model as Made].make(from);
    const file = await exported(from, model);
    const headings = Object.keys(columnsOf(model));
    const { fields } = IMPORT_KINDS[model];
    const found = matchHeads(headings, fields);
    expect([...Object.keys(found), ...NOT_IN_A_LIST[model] ?? []].toSorted()).toEqual(Object.keys(fields).toSorted());
    expect(Object.keys(found)).toHaveLength(headings.length);
    expect(await imported(from, model, file)).toEqual({ rows_imported: 0, rows_duplicate: count });
    expect(await imported(into, model, file)).toEqual({ rows_imported: count, rows_duplicate: 0 });
    expect(rowsOf(await exported(into, model))).toEqual(rowsOf(file));
    expect(await valuesOf(into, model)).toEqual(await valuesOf(from, model));
  });
});
