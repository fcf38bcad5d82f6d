/** Preview counts match the outcome of the rows, even if rows that belong together are far apart. */
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Browser } from '#tests/support/app.ts';
import type { ImportModel } from './kinds/import-kind.contract.ts';
import { workImports } from './work-imports.server.ts';

const BASE = '/api/admin/staff/imports';
const app = testApp();
let staff: Browser;
beforeAll(async () => { staff = await app.signedIn('staff_admin'); });

/** Numbers that repeat with every run. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Next = (below: number) => number;
const of = <T>(next: Next, list: readonly T[]): T => list[next(list.length)]!;
const PEOPLE = ['Ada Winslow', 'A. Winslow', 'Ben Moor', 'Benjamin Moor', 'Cy Hart', 'Dora Vale', 'Otto Vale',
  'Ida Penn', 'Una Byrne', 'Lars Møller', 'Lars Moller'];
const TITLES = ['Tide Clock', 'The Tide Clock', 'Doll’s House', 'Doll\'s House', 'H.M.S. Lantern', 'HMS Lantern',
  'Lamp Room', 'Sea & Sky', 'Sea and Sky', ''];
const HOUSES = ['Savoy Hall', 'Savoy  Hall', 'The Savoy Hall', 'Park Theatre', 'Park Theater', 'Globe', 'Globe Theatre',
  'Old Vic', ''];

const FILES: Partial<Record<ImportModel, (next: Next) => string[]>> = {
  shows: (next) => ['Title,Type,Year,Authors,Show code,Smallest cast,Largest cast,Other titles', ...rows(next, 430,
      () =>
    [`${of(next, TITLES)}${next(3) === 0 ? ` ${next(60)}` : ''}`, of(next, ['play', 'musical', 'opera']),
      of(next, ['', '1998', 'x']), of(next, PEOPLE), of(next, ['', '', `C${next(30)}`, 'ä']),
      of(next, ['', '9']), of(next, ['', '4']),
      of(next, ['', '', `Also ${next(40)}`])])],
  venues: (next) => ['Name,Street,City,State,Postal code,Country,Capacity,Other names', ...rows(next, 430, () =>
    [`${of(next, HOUSES)}${next(3) === 0 ? ` ${next(60)}` : ''}`, of(next, ['', `${next(30)} Main Street`]),
      of(next, ['Boston', 'London', '']), of(next, ['MA', '', 'XX']), of(next, ['02110', '2110', '']),
      of(next, ['US', 'GB', 'Q']),
      of(next, ['', '900', 'many']), of(next, ['', '', `Alias ${next(40)}`])])],
  royaltors: (next) => ['Name,Email,Currency,Kind', ...rows(next, 430, () =>
    [`${of(next, PEOPLE)}${next(2) === 0 ? ` ${of(next, ['Smith', 'Jones'])}` : ''}`,
      of(next, ['', 'a@b.example', 'no mail']),
      of(next, ['USD', 'EUR', 'CHF']), of(next, ['person', 'estate', 'ghost'])])],
  vendors: (next) => ['Name,City,Street,Postal code,Country,Currency,Tax form,Form received,1099', ...rows(next, 430,
    () => [`${of(next, HOUSES)}${next(2) === 0 ? ` ${next(60)}` : ''}`, of(next, ['Boston', 'London', '']),
      of(next, ['', '1 Main Street']), of(next, ['02110', '']), of(next, ['US', 'GB', 'Q']),
      of(next, ['USD', 'EUR', 'CHF']), of(next, ['', 'W-9', 'W-10']), of(next, ['', '', '2026-01-05']),
      of(next, ['', '1099-NEC', 'rents', 'all'])])],
  materials: (next) => ['Item number,Name,Category,Type,Delivered,Barcoded copies,Price USD', ...rows(next, 430, () =>
    [`BEN-${next(200)}`, of(next, ['Libretto', 'Vocal book', '']), of(next, ['scripts', 'nothing']),
      of(next, ['rental', 'digital', 'sale']), of(next, ['', 'physical', 'download']), of(next, ['', 'yes']),
      of(next, ['', '12.50', '-3'])])],
};
const rows = (next: Next, count: number, row: () => string[]): string[] =>
  Array.from({ length: count }, () => row().map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));

async function templateFor(model: string): Promise<number> {
  return (await staff.get(`/api/admin/staff/import_templates?model_name=${model}`)).body.data[0].id;
}

async function upload(model: string, lines: readonly string[]): Promise<number> {
  const answer = await staff.post(BASE, undefined, { multipart: {
    fields: { import_template_id: String(await templateFor(model)) },
    file: { field: 'file', name: `${model}.csv`, type: 'text/csv', content: Buffer.from(`${lines.join('\n')}\n`) } } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data.id;
}

async function compare(model: string, lines: readonly string[]) {
  const id = await upload(model, lines);
  const { counts, missing } = (await staff.get(`${BASE}/${id}/preview`)).body.data;
  expect(missing).toEqual([]);
  expect((await staff.post(`${BASE}/${id}/process`)).status).toBe(202);
  await workImports(app.ports);
  const done = (await staff.get(`${BASE}/${id}`)).body.data;
  expect(done.failure).toBeNull();
  expect({ ready: done.rows_imported, duplicate: done.rows_duplicate, refused: done.rows_refused })
    .toEqual({ ready: counts.ready, duplicate: counts.duplicate, refused: counts.refused });
  return counts;
}

describe('the preview counts what the work does', () => {
  test.each(Object.keys(FILES) as ImportModel[])('%s: random rows that contradict each other', { timeout: 240_000 },
    async (model) => {
      for (const seed of [11, 12]) {
        const counts = await compare(model, FILES[model]!(seeded(seed)));
        expect(counts.refused, `${model} ${seed}`).toBeGreaterThan(10);
      }
    });

  test('a title is the show we have whatever apostrophe, dots, dash or article each uses', async () => {
    const head = 'Title,Type,Authors';
    await compare('shows', [head, 'Doll’s Garden,play,Henrik Ulm', 'H.M.S. Beacon,play,Gil Sull',
      'Sea–Saw,play,Eva Rø']);
    expect(await compare('shows', [head, 'Doll\'s Garden,play,Henrik Ulm', 'A Doll´s Garden,play,Henrik Ulm',
      'HMS Beacon,play,Gil Sull', '"Sea-Saw, The",play,Eva Ro'])).toMatchObject({ ready: 0, duplicate: 4, refused: 0 });
  });

  test('a row that is left out is left out for its double, too, however far below', async () => {
    const filler = Array.from({ length: 300 }, (_, n) =>
      `${n}th Night of ${'abcdefghij'[n % 10]}${n},play,Ann ${n}x,,`);
    const counts = await compare('shows', ['Title,Type,Authors,Smallest cast,Largest cast',
      'Far Apart,play,Ada Winslow,9,4',
      ...filler, 'Far Apart,play,Ada Winslow,2,4']);
    expect(counts).toMatchObject({ refused: 2, ready: 300 });
  });
});
