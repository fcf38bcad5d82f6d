/** Materials from a list: one item number, one thing; the same number and name again is the material we have. */
import { IMPORT_COLUMNS } from '#kit/import-columns.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { createMaterial, rehearseMaterials, updateMaterial } from '#modules/catalogue/catalogue.public.server.ts';
import {
  FULFILMENTS, material, MATERIAL_CLASSES, MATERIAL_FORMATS, MATERIAL_INCOME, MATERIAL_TYPES, type MaterialInput,
} from '#modules/catalogue/material/material.contract.ts';
import { matchShows } from '../match-names.server.ts';
import { fail } from '../read-cell.ts';
import { decimalPrice } from '#kernel/money/money.ts';
import { foldName } from '#kernel/text/fold.ts';
import { nameKey } from './alike.ts';
import type { Cells } from './cells.ts';
import { pathsOf } from './differences.ts';
import { oneOf } from './one-of.ts';
import { MATERIAL_FIELDS } from './materials.contract.ts';
import { recordWork, type ExistingRecord, type Stored, type Verdict } from './record-work.server.ts';

interface MaterialRow { input: MaterialInput; show: string | null; category: string; sub: string | null }
interface Item extends ExistingRecord { name: string; entity: string }
interface Book {
  items: Map<string, Item>;
  shows: Map<string, string[]>;
  /** Key by key and by folded name. */
  categories: Map<string, string>;
  subs: Map<string, { key: string; category: string }[]>;
}

const CURRENCIES = ['usd', 'eur', 'gbp'] as const;

function prices(cells: Cells, start: string) {
  return Object.fromEntries(CURRENCIES.map((currency) => {
    const minor = start === '' ? null : cells.amount(`${start}_${currency}`);
    return [currency, minor === null ? null : decimalPrice(minor)];
  }));
}

/** Defaults by type if the file says nothing. */
const CLASS_OF = { rental: 'rental', sale: 'printed_script', digital: 'e_publication', service: 'fee',
  perusal: 'rental' } as const;
const INCOME_OF = { rental: 'rental', sale: 'sale', digital: 'digital', service: 'sale', perusal: 'perusal' } as const;

function read(cells: Cells): MaterialRow {
  const type = cells.choice('type', MATERIAL_TYPES, 'rental');
  const input = cells.checked(material.create, {
    item_number: cells.required('item_number').toUpperCase(), name: cells.required('name'),
    description: cells.optional('description'), show_code: null, category: 'scripts', sub_category: null, type,
    fulfilment: cells.choice('fulfilment', FULFILMENTS, type === 'digital' ? 'download' : 'physical'),
    format: cells.choice('format', MATERIAL_FORMATS, type === 'digital' ? 'pdf' : 'book'),
    instrument: cells.optional('instrument'), edition: cells.optional('edition'), isbn: cells.optional('isbn'),
    ismn: cells.optional('ismn'), prices: prices(cells, 'price'), replacement_prices: prices(cells, 'replacement'),
    extra_week_prices: prices(cells, ''), shipping_cost: prices(cells, 'shipping'),
    tax: cells.yes('tax', true), vat: cells.yes('vat', true),
    item_class: cells.choice('item_class', MATERIAL_CLASSES, CLASS_OF[type]),
    income_type: cells.choice('income_type', MATERIAL_INCOME, INCOME_OF[type]),
    royalty_bearing: cells.yes('royalty_bearing', false), weight_g: cells.count('weight_g', 1_000_000),
    hs_code: null, serial_tracked: cells.yes('serial_tracked', false),
    reorder_point: cells.count('reorder_point', 1_000_000), substitution_group: null,
  }, { prices: 'price_usd', replacement_prices: 'replacement_usd', shipping_cost: 'shipping_usd' });
  return { input, show: cells.optional('show'), category: cells.required('category'),
    sub: cells.optional('sub_category') };
}

async function book(db: Queryable, reads: readonly MaterialRow[], before: Book | null): Promise<Book> {
  const known = before ?? { items: new Map(), shows: new Map(), ...await categories(db) };
  const taken = await db.query<Item & { item_number: string }>(sql`
    select n.item_number, n.entity, m.id, coalesce(m.name, '') as name, coalesce(m.name, n.entity) as label
    from item_numbers n left join materials m on m.item_number = n.item_number and m.deleted_at is null
    where n.item_number = any(${reads.map((row) => row.input.item_number)}::text[])`);
  for (const { item_number, ...item } of taken) {
    if (!known.items.has(item_number)) known.items.set(item_number, item);
  }
  const texts = [...new Set(reads.flatMap((row) => row.show ?? []))].filter((text) => !known.shows.has(text));
  const matches = await matchShows(db, texts);
  const codes = new Map((await db.query<{ id: number; show_code: string }>(sql`
    select id, show_code from shows where id = any(${[...matches.values()].flat()}::bigint[])`))
    .map((row) => [row.id, row.show_code]));
  for (const text of texts) known.shows.set(text, (matches.get(text) ?? []).flatMap((id) => codes.get(id) ?? []));
  return known;
}

async function categories(db: Queryable): Promise<Pick<Book, 'categories' | 'subs'>> {
  const all = await db.query<{ key: string; name: string }>(sql`
    select key, name from material_categories where deleted_at is null`);
  const subs = await db.query<{ key: string; name: string; category: string }>(sql`
    select key, name, category_key as category from material_sub_categories where deleted_at is null`);
  const byName: Book['subs'] = new Map();
  for (const { key, name, category } of subs) {
    for (const word of new Set([key, foldName(name)])) {
      byName.set(word, [...byName.get(word) ?? [], { key, category }]);
    }
  }
  return { categories: new Map(all.flatMap(({ key, name }) => [[key, key], [foldName(name), key]])), subs: byName };
}

function judge(row: MaterialRow, _source: unknown, known: Book): Verdict<Item> {
  const { input } = row;
  const taken = known.items.get(input.item_number);
  const same = taken?.entity === 'material' && taken.name !== '' && nameKey(taken.name) === nameKey(input.name);
  if (taken && !same) {
    fail('number_taken', `${input.item_number} stands for ${taken.label} already`
      + (taken.name === '' ? ', perhaps in the trash' : ''), 'item_number', input.item_number);
  }
  input.show_code = row.show === null ? null : oneOf(known.shows.get(row.show) ?? [], 'show', row.show);
  const category = known.categories.get(foldName(row.category));
  if (!category) fail('unknown_category', `No category is called "${row.category}"`, 'category', row.category);
  input.category = category;
  if (row.sub !== null) {
    const sub = known.subs.get(foldName(row.sub))?.find((one) => one.category === category);
    if (!sub) fail('unknown_category', `"${row.sub}" is no sub-category of ${row.category}`, 'sub_category', row.sub);
    input.sub_category = sub.key;
  }
  if (taken) return { outcome: 'duplicate', known: taken };
  const mine: Item = { id: null, label: input.name, name: input.name, entity: 'material' };
  known.items.set(input.item_number, mine);
  return { outcome: 'ready', known: mine };
}

const stored = (db: Queryable, ids: readonly number[]): Promise<Stored[]> => db.query(sql`
  select m.id, m.version, s.show_code, m.category, m.sub_category, m.type, m.fulfilment, m.format, m.description,
    m.instrument, m.edition, m.isbn, m.ismn, m.tax, m.vat, m.item_class, m.income_type, m.royalty_bearing,
    m.serial_tracked, m.weight_g, m.reorder_point,
    jsonb_build_object('usd', m.price_usd_minor / 100.0, 'eur', m.price_eur_minor / 100.0,
      'gbp', m.price_gbp_minor / 100.0) as prices,
    jsonb_build_object('usd', m.replacement_usd_minor / 100.0, 'eur', m.replacement_eur_minor / 100.0,
      'gbp', m.replacement_gbp_minor / 100.0) as replacement_prices,
    jsonb_build_object('usd', m.shipping_usd_minor / 100.0, 'eur', m.shipping_eur_minor / 100.0,
      'gbp', m.shipping_gbp_minor / 100.0) as shipping_cost
  from materials m left join shows s on s.id = m.show_id where m.id = any(${ids}::bigint[])`);

export const materialWork = recordWork<MaterialRow, Book, Item>({
  entity: 'material', fields: MATERIAL_FIELDS, read, book, judge,
  write: async (ctx: WorkContext, { input }) => (await createMaterial(ctx, input)).id,
  rehearse: rehearseMaterials, planned: ({ input }) => input,
  changing: {
    paths: pathsOf(IMPORT_COLUMNS['staff/materials'], MATERIAL_FIELDS, ['item_number', 'name']),
    said: ({ input }) => input, now: stored, update: updateMaterial,
  },
  words: ({ input }) => ({ title: `${input.item_number} · ${input.name}`, detail: input.type }),
});
