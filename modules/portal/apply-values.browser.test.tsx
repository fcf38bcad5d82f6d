/** Missing parts of an application, and the step at which each is reported. */
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { Stepper } from '#web/layout/stepper.tsx';
import { formulaOf } from './apply-price.web.tsx';
import { pasteRows } from './apply-rows.web.ts';
import { copyDeductions, nextStop } from './apply-stops.web.ts';
import {
  bodyOf, emptyApplication, firstOpenStep, missingOf, oneMoreQuestion, priceHoldsFor, priceQuestion, valuesOf,
  type ApplyValues, type Band, type Night, type Stop,
} from './apply-values.web.ts';

const begun = emptyApplication('Astoria Community Players', 7);
const night = (key: number, day: string, time: string | null = '19:30', type: Night['type'] = 'public'): Night =>
  ({ key, day, time, type });
const band = (change: Partial<Band> = {}): Band => ({ key: 1, label: '', seats: 200, price: 1_500, type: null,
  ...change });
const stop: Stop = { ...begun.stops[0]!, nights: [night(1, '2027-05-06')], bands: [band()] };
const whole = { ...begun, stops: [stop] };
const lacking = (change: Partial<Stop>, rest: Partial<ApplyValues> = {}) =>
  missingOf({ ...whole, stops: [{ ...stop, ...change }], ...rest });
const SATURDAY = [night(1, '2027-05-08'), night(2, '2027-05-08', '14:00', 'matinee')];

test.each<[string, Partial<Stop>, { step: number; text: string }[]]>([
  ['nothing', {}, []],
  ['a place', { venue_id: null }, [{ step: 0, text: 'Enter where you will perform' }]],
  ['its address', { venue_id: null, venue_name: 'The barn' }, [{ step: 0, text: 'Give the address of the place' }]],
  ['nights', { nights: [] }, [{ step: 0, text: 'Choose at least one night' }]],
  ['a time', { nights: [night(1, '2027-05-06', null)] }, [{ step: 0, text: 'Enter a time for every performance' }]],
  ['two times', { nights: [night(1, '2027-05-06'), night(2, '2027-05-06')] },
    [{ step: 0, text: 'Two performances start at the same time' }]],
  ['seats', { bands: [] }, [{ step: 1, text: 'Enter the number of seats' }]],
  ['more than none', { bands: [band({ seats: 0 })] }, [{ step: 1, text: 'Enter the number of seats' }]],
  ['a price', { bands: [band({ price: null })] }, [{ step: 1, text: 'Enter the number of seats' }]],
  ['a price of matinees', { nights: SATURDAY, bands: [band({ type: 'public' })] },
    [{ step: 1, text: 'Enter seats and prices of the matinees' }]],
  ['a second price', { nights: SATURDAY, bands: [band()] }, []],
])('without %s', (_, change, missing) => { expect(lacking(change)).toEqual(missing); });

test('without who produces', () => {
  expect(lacking({}, { producing_organisation: ' ' })).toEqual([{ step: 2, text: 'Say who produces' }]);
});

test('a price waits for seats and prices, and for those of every matinee', () => {
  expect(priceQuestion({ ...begun, stops: [{ ...stop, bands: begun.stops[0]!.bands }] }, 3)).toBeNull();
  expect(priceQuestion({ ...whole, stops: [{ ...stop, nights: SATURDAY, bands: [band({ type: 'matinee' })] }] }, 3))
    .toBeNull();
  expect(priceQuestion({ ...whole, stops: [{ ...stop, nights: SATURDAY }] }, 3)?.license_venues[0]?.performances)
    .toMatchObject([{ type: 'public' }, { type: 'matinee', local_time: '14:00' }]);
});

test('a draft keeps what can be kept: the second of two nights at one time waits', () => {
  const body = bodyOf({ ...whole, stops: [{ ...stop, nights: [night(1, '2027-05-06'), night(2, '2027-05-06')] }] }, 3);
  expect(body.license_venues?.[0]?.performances).toHaveLength(1);
});

test('the next city has the week after, with the same seats and prices', () => {
  const first = { ...stop, nights: [night(1, '2027-03-02'), night(2, '2027-03-07', '14:00', 'matinee')] };
  const next = nextStop([first], [{ id: 7, name: 'Albany' }, { id: 8, name: 'Boston' }]);
  expect(next).toMatchObject({ key: 2, venue_id: 8, bands: first.bands });
  expect(next.nights.map((one) => [one.day, one.time, one.type]))
    .toEqual([['2027-03-09', '19:30', 'public'], ['2027-03-14', '14:00', 'matinee']]);
});

test('deductions of one city go to the others, which keep their seats and prices', () => {
  const first: Stop = { ...stop, deductions: [{ key: 1, type: 'card_commission', cap_ppm: 30_000 }] };
  const second = { ...stop, key: 2, bands: [band({ seats: 310 })] };
  expect(copyDeductions([first, second], first)).toEqual([first, { ...second, deductions: first.deductions }]);
});

test('rows of a spreadsheet become venues with their dates; what cannot be read is named', () => {
  const read = (text: string, dayFirst = false) => pasteRows(text, { stops: [begun.stops[0]!], dayFirst,
    venues: [{ id: 7, name: 'Albany Playhouse' }], today: '2026-11-26' });
  const rows = ['Venue\tDate\tTime\tType', 'Boston Theatre\t3/9/2027\t7:30 PM', '\t3/10/2027\t2 pm\tMatinee',
    'Albany Playhouse\t2027-03-02\t19:30', 'Albany Playhouse\t3/2/2027\t19:30', 'Erie\tsoon\t19:30'].join('\n');
  const pasted = read(rows);
  expect(pasted.problems).toEqual([{ line: 6, text: 'no date in “soon”' }]);
  expect(pasted.stops.map((one) => [one.venue_id, one.venue_name, one.nights.map((at) => `${at.day} ${at.time}`)]))
    .toEqual([[7, '', ['2027-03-02 19:30']], [null, 'Boston Theatre', ['2027-03-09 19:30', '2027-03-10 14:00']]]);
  expect(read('Boston; 9/3/2027; 19:30', true).stops.at(-1)?.nights[0]?.day).toBe('2027-03-09');
});

test('rows bring addresses, seats and prices, by the order of their headings', () => {
  const { stops, problems } = pasteRows(['City;State;Zip;Street;Venue;Date;Time;Type;Seats;Price',
    'Erie;PA;16501;5 Lake Road;Erie Hall;3/2/2027;7:30 PM;;1,200;$45.00',
    ';;;;;3/3/2027;2 PM;Matinee;1200;35', ';;;;;3/3/2027;8 PM;;many;35'].join('\n'),
  { stops: [begun.stops[0]!], venues: [], today: '2026-11-26', dayFirst: false });
  expect(stops).toMatchObject([{ venue_name: 'Erie Hall', address: { thoroughfare: '5 Lake Road', locality: 'Erie',
    administrative_area: 'PA', postal_code: '16501' }, bands: [{ seats: 1_200, price: 4_500, type: null },
    { seats: 1_200, price: 3_500, type: 'matinee' }], nights: [{ day: '2027-03-02' }, { day: '2027-03-03' }] }]);
  expect(problems).toEqual([{ line: 4, text: 'no seats and price in “many” and “35”' }]);
});

test('a row for each ticket type makes a price of its own, and replaces those of the form', () => {
  const first = { ...begun.stops[0]!, bands: [band({ label: 'Stalls' })] };
  const read = (rows: readonly string[]) => pasteRows(['Venue;Date;Time;Type;Ticket type;Seats;Price', ...rows].join(
    '\n'), { stops: [first], venues: [{ id: 7, name: 'Albany' }], today: '2026-11-26', dayFirst: false });
  const evening = ['Albany;3/2/2027;7:30 PM;;Orchestra;310;45', ';;;;Balcony;200;30'];
  const prices = ({ stops }: ReturnType<typeof read>) => stops[0]!.bands.map(({ type, label, seats, price }) =>
    [type, label, seats, price]);
  const usual = [[null, 'Orchestra', 310, 4_500], [null, 'Balcony', 200, 3_000]];
  const one = read(evening);
  expect(one).toMatchObject({ rows: 2, performances: 1, problems: [] });
  expect(prices(one)).toEqual(usual);
  const same = [';3/3/2027;2 PM;Matinee;Orchestra;310;45', ';3/3/2027;2 PM;Matinee;Balcony;200;30'];
  expect(prices(read([...evening, ...same]))).toEqual(usual);
  // One price of the matinees differs: they have both of their own, or nobody would sit on the balcony.
  const other = read([...evening, same[0]!.replace(';45', ';40'), same[1]!]);
  expect(other).toMatchObject({ rows: 4, performances: 2 });
  expect(prices(other)).toEqual([...usual, ['matinee', 'Orchestra', 310, 4_000], ['matinee', 'Balcony', 200, 3_000]]);
});

test('what several venues lack is said once', () => {
  const place = (key: number, name: string): Stop => ({ ...stop, key, venue_id: null, venue_name: name });
  expect(missingOf({ ...whole, stops: [place(1, 'Albany'), place(2, 'Boston'), place(3, 'Erie'), place(4, 'Fresno')] }))
    .toEqual([{ step: 0, text: 'Give the address of the place: Albany, Boston and 2 more' }]);
});

test('a step that lacks something has no check; each leads to itself', async () => {
  const select = vi.fn<(step: number) => void>();
  await staged(<Stepper variant="numbers" onSelect={select} steps={[{ label: 'Place', state: 'past' },
    { label: 'Tickets', state: 'unfinished' }, { label: 'Review', state: 'current' }]} />);
  await expect.element(page.getByRole('button', { name: /Place.*done$/ })).toBeVisible();
  const tickets = page.getByRole('button', { name: /Tickets.*not complete$/ });
  await tickets.click();
  expect(select).toHaveBeenCalledExactlyOnceWith(1);
});

test('a saved application goes on where something is missing, else at the review', () => {
  expect(firstOpenStep(whole)).toBe(4);
  expect(firstOpenStep({ ...whole, producing_organisation: '' })).toBe(3);
  expect(firstOpenStep({ ...whole, stops: whole.stops.map((stop) => ({ ...stop, bands: [] })) })).toBe(2);
});

const saved = (...ids: number[]) => ({ license_venues: [], add_ons: [], alternatives: [],
  shows: ids.map((id, at) => ({ show_id: id, rank: at + 1 })),
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
  const opening = (day: string) => priceHoldsFor({ ...whole,
    stops: [{ ...stop, nights: [night(1, day)] }] }, '2027-01-01');
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
