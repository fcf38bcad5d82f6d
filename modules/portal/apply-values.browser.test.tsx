/** What an application still lacks, and at which of its steps it is said. */
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { Stepper } from '#web/layout/stepper.tsx';
import { formulaOf } from './apply-price.web.tsx';
import {
  bodyOf, emptyApplication, missingOf, oneMoreQuestion, priceHoldsFor, valuesOf,
} from './apply-values.web.ts';

const begun = emptyApplication('Astoria Community Players', 7);
const whole = { ...begun, nights: [{ day: '2027-05-06', time: '19:30' }] };
const lacking = (changes: Partial<typeof begun>) => missingOf({ ...whole, ...changes });

test.each([
  ['nothing', {}, []],
  ['a place', { venue_id: null }, [{ step: 0, text: 'Say where you play' }]],
  ['its address', { venue_id: null, venue_name: 'The barn' }, [{ step: 0, text: 'Give the address of the place' }]],
  ['nights', { nights: [] }, [{ step: 0, text: 'Choose at least one night' }]],
  ['a time', { nights: [{ day: '2027-05-06', time: null }] }, [{ step: 0, text: 'Give every night its time' }]],
  ['seats', { bands: [] }, [{ step: 1, text: 'Say how many seats you sell' }]],
  ['a price', { bands: [{ key: 1, label: '', seats: 9, price: null }] },
    [{ step: 1, text: 'Say how many seats you sell' }]],
  ['who produces', { producing_organisation: ' ' }, [{ step: 2, text: 'Say who produces' }]],
])('without %s', (_, changes, missing) => { expect(lacking(changes)).toEqual(missing); });

test('a step that lacks something has no check; each leads to itself', async () => {
  const select = vi.fn<(step: number) => void>();
  await staged(<Stepper variant="numbers" onSelect={select} steps={[{ label: 'Place', state: 'past' },
    { label: 'Tickets', state: 'unfinished' }, { label: 'Review', state: 'current' }]} />);
  await expect.element(page.getByRole('button', { name: /Place.*done$/ })).toBeVisible();
  const tickets = page.getByRole('button', { name: /Tickets.*not complete$/ });
  await tickets.click();
  expect(select).toHaveBeenCalledExactlyOnceWith(1);
});

const saved = (...ids: number[]) => ({ license_venues: [], shows: ids.map((id, at) => ({ show_id: id, rank: at + 1 })),
  version: 3 }) as unknown as Parameters<typeof valuesOf>[0];

test('other titles go with the application, and come back with it', () => {
  expect(bodyOf({ ...whole, others: [12] }, 3).show_ids).toEqual([3, 12]);
  expect(valuesOf(saved(3, 12), 3).others).toEqual([12]);
  // As they were ranked; a new one stands last.
  expect(bodyOf({ ...whole, others: [12, 15] }, 3, saved(12, 3)).show_ids).toEqual([12, 3, 15]);
});

test('titles that stay are not sent again: one of them may be offered no more', () => {
  expect(bodyOf({ ...whole, others: [12] }, 3, saved(3, 12))).not.toHaveProperty('show_ids');
});

test('an offer keeps its price for 42 days, and never longer than a week before the opening', () => {
  const opening = (day: string) => priceHoldsFor({ ...whole, nights: [{ day, time: '19:30' }] }, '2027-01-01');
  expect(opening('2027-05-06')).toBe(42);
  expect(opening('2027-01-20')).toBe(12);
  expect(opening('2027-01-05')).toBeNull();
  expect(priceHoldsFor(begun, '2027-01-01')).toBeNull();
});

test('one more performance is asked for as the night after the last', () => {
  expect(oneMoreQuestion(whole, 3)?.license_venues[0]?.performances?.map((one) => one.local_date))
    .toEqual(['2027-05-06', '2027-05-07']);
  expect(oneMoreQuestion(begun, 3)).toBeNull();
});

const venue = { name: 'Playhouse', number_of_performances: 4, seats: 200, capacity_gross_minor: 300_000,
  weighted_gross_minor: 300_000, weighted_avg_price_minor: 1500, unit_fee_minor: 27_000, royalty_minor: 108_000 };
const explanation = [{ label: 'Percentage', formula: '3,000.00 × 9% = 270.00', result_minor: 27_000,
  rate_ppm: 90_000 }];

test('the fee of a performance is told as a sum only where the sum is the fee', () => {
  expect(formulaOf({ venues: [venue], explanation })).toBe('200 seats × 15.00 × 9%');
  // A minimum lifted it, seats count differently, two places: the long way tells it.
  expect(formulaOf({ venues: [{ ...venue, unit_fee_minor: 30_000 }], explanation })).toBe('');
  expect(formulaOf({ venues: [{ ...venue, weighted_gross_minor: 150_000 }], explanation })).toBe('');
  expect(formulaOf({ venues: [venue, venue], explanation })).toBe('');
});
