/** Materials and BOM templates of the repertoire: the sets that such houses ship, at plausible prices. */
import type { DemoShow } from './repertoire.ts';
import { DEMO_SHOWS } from './repertoire.ts';
import type { DemoClient } from './client.ts';
import { inLanes } from './lanes.ts';

const API = '/api/admin/staff';

interface Item {
  /** End of the item number, after the code of the show. */
  part: string;
  name: string;
  category: string;
  sub: string;
  type: 'rental' | 'sale' | 'digital' | 'service' | 'perusal';
  format: string;
  item_class: string;
  usd?: number;
  instrument?: string;
  group?: 'advance' | 'main' | 'orchestra' | 'digital';
  rule?: { qty_rule: 'per_cast' | 'per_venue'; constant: number } | { quantity: number };
  optional?: boolean;
}

const book = (part: string, name: string, sub: string, rule: Item['rule']): Item => ({ part, name, category: 'scripts',
  sub, type: 'rental', format: 'book', item_class: 'rental', group: 'advance', ...(rule ? { rule } : {}) });
const reed = (part: string, name: string, sub: string): Item => ({ part, name, category: 'parts', sub, type: 'rental',
  format: 'part', item_class: 'rental', instrument: name, group: 'orchestra', rule: { quantity: 1 } });
const score = (part: string, name: string, sub: string, quantity: number): Item => ({ part, name, category: 'scores',
  sub, type: 'rental', format: 'score', item_class: 'rental', group: 'main', rule: { quantity } });

const EVERY: readonly Item[] = [
  { part: 'SCR-PER', name: 'Perusal script', category: 'perusals', sub: '', type: 'perusal', format: 'pdf',
    item_class: 'e_publication', usd: 10 },
  { part: 'GRA-LOG', name: 'Logo pack', category: 'graphics', sub: 'logo_pack', type: 'digital', format: 'other',
    item_class: 'logo', usd: 75, group: 'digital', rule: { quantity: 1 }, optional: true },
  { part: 'GUI-STU', name: 'Study guide', category: 'guides', sub: 'study_guide', type: 'digital', format: 'pdf',
    item_class: 'e_publication', usd: 25, group: 'digital', rule: { quantity: 1 }, optional: true },
];
const PLAY: readonly Item[] = [
  { part: 'SCR-ACT', name: 'Acting edition', category: 'scripts', sub: 'acting_edition', type: 'sale', format: 'book',
    item_class: 'printed_script', usd: 11.95 },
  book('SCR-DIR', 'Director’s script', 'director_script', { quantity: 2 }),
  book('SCR-LIB', 'Script', 'libretto', { qty_rule: 'per_cast', constant: 2 }),
  book('SCR-STM', 'Stage manager’s script', 'stage_manager', { quantity: 1 }), ...EVERY,
];
const MUSICAL: readonly Item[] = [
  book('SCR-DIR', 'Director’s script', 'director_script', { quantity: 2 }),
  book('SCR-LIB', 'Libretto and vocal book', 'libretto', { qty_rule: 'per_cast', constant: 2 }),
  book('SCR-STM', 'Stage manager’s guide', 'stage_manager', { quantity: 1 }),
  score('SCO-PV', 'Piano-vocal score', 'piano_vocal', 2),
  score('SCO-PC', 'Piano-conductor score', 'piano_conductor', 1),
  score('SCO-FUL', 'Full score', 'full_score', 1),
  reed('PAR-RD1', 'Reed 1 (flute, piccolo)', 'woodwind'), reed('PAR-RD2', 'Reed 2 (oboe, English horn)', 'woodwind'),
  reed('PAR-RD3', 'Reed 3 (clarinet)', 'woodwind'), reed('PAR-TPT', 'Trumpet', 'brass'),
  reed('PAR-HRN', 'Horn in F', 'brass'), reed('PAR-TBN', 'Trombone', 'brass'),
  reed('PAR-VLN', 'Violin', 'strings'), reed('PAR-VCL', 'Cello', 'strings'), reed('PAR-BAS', 'Bass', 'strings'),
  reed('PAR-PER', 'Percussion', 'rhythm'), reed('PAR-KBD', 'Keyboard', 'rhythm'),
  { part: 'TRA-REH', name: 'Rehearsal tracks', category: 'tracks', sub: 'rehearsal_tracks', type: 'digital',
    format: 'audio', item_class: 'tracks', usd: 150, group: 'digital', rule: { quantity: 1 }, optional: true },
  { part: 'TRA-PER', name: 'Performance tracks', category: 'tracks', sub: 'performance_tracks', type: 'digital',
    format: 'audio', item_class: 'tracks', usd: 450 },
  { part: 'VOC-SEL', name: 'Vocal selections', category: 'vocal', sub: 'vocal_book', type: 'sale', format: 'book',
    item_class: 'printed_music', usd: 19.95 }, ...EVERY,
];

/** About what the dollar bought in these years, to the full amount. */
const prices = (usd: number | undefined) => usd === undefined ? {}
  : { prices: { usd, eur: Math.round(usd * 0.92 * 100) / 100, gbp: Math.round(usd * 0.79 * 100) / 100 } };

async function createMaterial(staff: DemoClient, show: DemoShow, item: Item): Promise<number> {
  const shipped = item.type === 'rental' || item.type === 'sale';
  const sold = item.type === 'sale';
  const row = await staff.post(`${API}/materials`, {
    item_number: `${show.code}-${item.part}`, name: item.name, show_code: show.code, category: item.category,
    sub_category: item.sub || null, type: item.type, format: item.format, instrument: item.instrument ?? null,
    fulfilment: shipped ? 'physical' : 'download', item_class: item.item_class,
    income_type: item.type === 'digital' || sold ? item.type : item.type === 'perusal' ? 'perusal' : 'rental',
    royalty_bearing: item.type !== 'perusal', sellable_in_portal: sold, serial_tracked: item.format === 'book' && !sold
      && shipped, ...prices(item.usd),
    ...(shipped ? { weight_g: 220, replacement_prices: { usd: 35, eur: 32, gbp: 28 } } : {}),
    ...(sold ? { shipping_cost: { usd: 4.5, eur: 4.2, gbp: 3.6 } } : {}),
  });
  return row.data.id;
}

async function createTemplate(
  staff: DemoClient, second: DemoClient, show: DemoShow, category: 'Amateur' | 'Pro',
  lines: readonly { item: Item; id: number }[],
): Promise<void> {
  const row = await staff.post(`${API}/bom_templates`, {
    name: `${show.title}, ${category === 'Pro' ? 'professional set' : 'standard set'}`, show_code: show.code, category,
    lines: lines.map(({ item, id }) => ({ material_id: id, ...item.rule, ship_group: item.group ?? 'main',
      optional: item.optional ?? false })),
  });
  await second.put(`${API}/bom_templates/${row.data.id}/approve`, { version: row.data.version });
}

/** `staff` writes, `second` approves. Quotes made afterwards start with what fits. */
export async function loadMaterials(staff: DemoClient, second: DemoClient): Promise<number> {
  const counts = await inLanes(DEMO_SHOWS, async (show) => {
    const made: { item: Item; id: number }[] = [];
    for (const item of show.type === 'musical' ? MUSICAL : PLAY) {
      made.push({ item, id: await createMaterial(staff, show, item) });
    }
    const lines = made.filter(({ item }) => item.rule !== undefined);
    await createTemplate(staff, second, show, 'Amateur', lines);
    if (show.pro) await createTemplate(staff, second, show, 'Pro', lines);
    return made.length;
  });
  return counts.reduce((total, count) => total + count, 0);
}
