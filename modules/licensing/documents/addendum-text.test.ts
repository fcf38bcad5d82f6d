/** An addendum names what changes, in nights and figures, in the spelling of its division. */
import { describe, expect, it } from 'vitest';
import { addendumText } from './addendum-text.ts';
import type { OfferSnapshot } from './offer-snapshot.server.ts';

const night = (day: number) => ({ local_date: `2027-04-0${day}`, local_time: '19:30', type: 'public', is_free: false,
  unit_fee_minor: 98_500 });
const line = (minor: number): OfferSnapshot['lines'][number] => ({ kind: 'royalty', label: 'Royalty, Town Hall',
  quantity: 1, unit_minor: null, net_minor: minor, tax_minor: 0, total_minor: minor, tax_rate_ppm: 0, tax_reason: '' });

const offer = (days: readonly number[], minor: number, division = 'UK'): OfferSnapshot => ({
  offer_version: 1, number: 'Q-UK-2026-000001', issued_on: '2026-11-20', expires_on: '2027-01-02',
  house: { name: 'Grand Rights Ltd', address: {} }, customer: { name: 'Springfield Players', address: null },
  title: 'The Gardener', authors_credit: '', show_code: 'GARD', category: 'Amateur', division, currency: 'GBP',
  producing_organisation: '', execution_policy: 'paid_in_full',
  venues: [{ name: 'Town Hall', address: null, expected_attendance: null, ticketing: [],
    performances: days.map(night) }],
  lines: [line(minor)], totals: { royalty_minor: minor, charges_minor: 0, tax_minor: 0, deposit_minor: 0,
    due_minor: minor, discount_minor: 0 },
  discount_reason: null, payment_plan: [], explanation: [], terms: {}, billing: [],
});

describe('an addendum', () => {
  it('names the nights that go and come and the price before and after, and nothing that stays', () => {
    const { blocks, title } = addendumText(offer([1, 2], 197_000), offer([2, 3, 4], 295_500), 'Sold out',
      new Date('2026-11-20T00:00:00Z'));
    expect(title).toContain('performance licence contract');
    const tables = blocks.filter((block) => block.kind === 'table');
    expect(tables[0]!.rows).toEqual([['1 April 2027', '7.30pm', 'Town Hall']]);
    expect(tables[1]!.rows.map((row) => row[0])).toEqual(['3 April 2027', '4 April 2027']);
    expect(tables[2]).toMatchObject({ rows: [['Royalty, Town Hall', '1,970.00', '2,955.00', '985.00']],
      totals: [['Total GBP', '1,970.00', '2,955.00', '985.00']] });
    expect(JSON.stringify(blocks)).toContain('Reason: Sold out.');
  });

  it('what people type stands in it as they typed it: there is no template and no markup to break out of', () => {
    const typed = '{{constructor.name}} ${7*7} %s <b onclick=x>bold</b> [a](javascript:x) #{7*7}';
    const { blocks } = addendumText(offer([1], 98_500), { ...offer([1], 98_500), producing_organisation: typed },
      typed, new Date('2026-11-20T00:00:00Z'));
    const texts = blocks.filter((block) => block.kind === 'text').map(({ text }) => text);
    expect(texts.some((text) => text.endsWith(`Reason: ${typed}.`))).toBe(true);
  });

  it('two performances at one hour in one house are two', () => {
    const { blocks } = addendumText(offer([1, 1], 197_000), offer([1], 98_500), 'x', new Date('2026-11-20T00:00:00Z'));
    const [off] = blocks.filter((block) => block.kind === 'table');
    expect(off!.rows).toEqual([['1 April 2027', '7.30pm', 'Town Hall']]);
  });
});
