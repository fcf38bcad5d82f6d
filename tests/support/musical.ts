/**
 * Story 1: a musical whose rights cost 10% of what a full house takes, its books and the full score, and the school in
 * Ohio that plays it four times. The figures of docs/stories.md.
 */
import type { Body } from '#db/demo/client.ts';
import { renderPdf } from '#server/pdf.ts';
import { API, makeWork, type Stage } from './story.ts';

export const SHOW_CODE = 'PAPER';
export const WEEKEND = [{ local_date: '2027-03-11', local_time: '19:30' },
  { local_date: '2027-03-12', local_time: '19:30' },
  { local_date: '2027-03-13', local_time: '14:00', type: 'matinee' },
  { local_date: '2027-03-13', local_time: '19:30' }];
/** 3,960.00 a performance if every seat is sold. */
export const SEATS = [{ label: 'Orchestra', number_of_seats: 250, price: 12, weight: 250 },
  { label: 'Balcony', number_of_seats: 120, price: 8, weight: 120 }];
export const ADDRESS = { country_code: 'US', thoroughfare: '12 School Street', locality: 'Dayton',
  administrative_area: 'OH', postal_code: '45402' };
/** Minor units. 10% of 3,960.00 four times; 15% of it; the books. */
export const ROYALTY = 158_400;
export const DISCOUNT = 23_760;
export const RENTAL = 29_500;
export const TOTAL = ROYALTY - DISCOUNT + RENTAL;
export const DEPOSIT = 40_000;
export const BOOK = 4_000;
/** Seats of the hall: as many may be sold, on average of the run. */
export const HALL = 370;
export const COPIES = 20;

/** Answers the id of the show, with its rate card and set of books. */
export async function makeMusical(stage: Stage): Promise<number> {
  const { show_id } = await makeWork(stage, { code: SHOW_CODE, title: 'The Paper Moon', division: 'US', currency: 'USD',
    authors: [{ name: 'Ada Finch', share_points: 1, rate_ppm: 700_000 }],
    facts: { authors_credit: 'Book, music and lyrics by Ada Finch', synopsis: 'A town builds itself a moon.',
      running_time_minutes: 105, cast_min: 18, cast_max: 32, cast_women: 4, cast_men: 3, cast_any: 11,
      content_notes: 'A child is lost for one scene.\nStage fog.' },
    rental: { name: 'Vocal books and orchestra parts', price_minor: RENTAL, included_period_count: 12,
      period_unit: 'week', extra_period_price_minor: 0, shipping_minor: 0 },
    card: { category: 'Amateur', fee_method: 'percent_potential', rate_ppm: 100_000, deposit_kind: 'security',
      deposit_minor: DEPOSIT, execution_policy: 'purchase_order' } });
  return show_id;
}

/** Vocal books in the store in Ohio; answers both. */
async function stockBooks({ staff }: Stage): Promise<{ store: Body; book: Body }> {
  const { data: store } = await staff.post(`${API}/warehouses`, { code: 'OHIO', name: 'Ohio store', division: 'US',
    carriers: ['UPS'] });
  const { data: book } = await staff.post(`${API}/materials`, { item_number: 'MOON-VOC', name: 'Vocal book',
    category: 'scripts', type: 'rental', prices: { usd: 10, eur: null, gbp: null },
    replacement_prices: { usd: 40, eur: null, gbp: null } });
  await staff.post(`${API}/stock_movements`, { kind: 'receipt', warehouse_id: store.id,
    lines: [{ code: 'MOON-VOC', quantity: COPIES }] });
  return { store, book };
}

/** The approved set that a license of the show begins with: books by courier, the full score to read. */
export async function makeSet(stage: Stage): Promise<void> {
  const { staff, second } = stage;
  const { book } = await stockBooks(stage);
  const { data: score } = await staff.post(`${API}/materials`, { item_number: 'MOON-PDF', name: 'Full score',
    show_code: SHOW_CODE, category: 'scores', type: 'digital', fulfilment: 'download', format: 'pdf',
    item_class: 'digital_music', income_type: 'digital', download_limit: 5,
    prices: { usd: null, eur: null, gbp: null } });
  const content = await renderPdf({ title: 'Full score', paper: 'label', language: 'en-US', sender: [], recipient: [],
    footer: 'Full score', made_at: new Date('2026-01-01T00:00:00Z'), blocks: [{ kind: 'text', text: 'Overture.' }] });
  await staff.post(`${API}/materials/${score.id}/files`, undefined, { file: { field: 'file', name: 'Full score.pdf',
    type: 'application/pdf', content, fields: {} } });
  const { data: set } = await staff.post(`${API}/bom_templates`, { name: 'School set', show_code: SHOW_CODE,
    category: 'Amateur', lines: [{ material_id: book.id, quantity: COPIES },
      { material_id: score.id, ship_group: 'digital' }] });
  await second.put(`${API}/bom_templates/${set.id}/approve`);
}
