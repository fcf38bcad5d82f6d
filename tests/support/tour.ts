/**
 * Where story 3 begins: Calder's touring company with fourteen playhouses, and a show for 11% of its takings after card
 * commission, at least 500.00 a week, with an advance of 2,000.00; its three authors share alike. Takings come in the
 * files of three box-office systems.
 */
// cspell:ignore Semaine Salle Recette Billets Frais
import { Readable } from 'node:stream';
import type { Body } from '#db/demo/client.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { workbook } from '#server/write-workbook.ts';
import { clientOf, makeHouse, makeWork, type Stage } from './story.ts';

export const CITIES = ['Albany', 'Boston', 'Cleveland', 'Denver', 'Erie', 'Fresno', 'Greenville', 'Hartford', 'Ithaca',
  'Jackson', 'Knoxville', 'Lansing', 'Memphis', 'Norfolk'];
/** Tuesday to Sunday, twice on Wednesday and Saturday: days after Monday. */
export const SHOWS = [[1, '19:30'], [2, '14:00'], [2, '19:30'], [3, '19:30'], [4, '19:30'], [5, '14:00'], [5, '19:30'],
  [6, '14:00']] as const;
export const FIRST_MONDAY = '2026-03-02';
export const monday = (week: number): string => addDays(FIRST_MONDAY, week * 7);
export const sunday = (week: number): string => addDays(monday(week), 6);

export const ADVANCE = 200_000;
/** Domain.md 2.4, example E7. */
export const WEEKS = [
  { gross: 412_550, card: 12_377, earned: 50_000, recouped: 50_000, due: 0, left: 150_000 },
  { gross: 1_088_000, card: 32_640, earned: 116_090, recouped: 116_090, due: 0, left: 33_910 },
  { gross: 1_500_025, card: 45_001, earned: 160_053, recouped: 33_910, due: 126_143, left: 0 },
] as const;
/** 70% of advance and royalty. */
export const SHARED = 140_000 + 88_300;
const AUTHOR_PPM = 700_000;

export const AUTHORS = ['Ada Finch', 'Ben Larkin', 'Cleo Marsh'].map((name) => ({ name, share_points: 1,
  rate_ppm: AUTHOR_PPM }));
const CARD = { category: 'Pro', fee_method: 'percent_actual', rate_ppm: 110_000, guarantee_scope: 'week',
  min_per_week_minor: 50_000, advance_minor: ADVANCE, execution_policy: 'advance_paid',
  deductions: [{ type: 'card_commission', cap_ppm: 30_000 }] };
export const BANK_NUMBER = '000987654321';

/** Seats and prices of a city; no two alike. */
export const tickets = (city: number) => [{ label: 'Orchestra', number_of_seats: 300 + city * 10, price: 45,
  weight: 60 }, { label: 'Balcony', number_of_seats: 200, price: 30, weight: 40 }];

export interface Tour { house: Awaited<ReturnType<typeof makeHouse>>; show_id: number; authors: number[] }

/** On a clock that stands at 12 January 2026; nothing is applied for yet. */
export async function makeTour(stage: Stage): Promise<Tour> {
  const system = await clientOf(stage.test, 'system_admin');
  const divisions = '/api/admin/system/divisions';
  const { version } = (await system.get(divisions)).data.find((one: Body) => one.code === 'PROD');
  await system.put(`${divisions}/PROD/payment_details`, { payee: 'Grand Rights Productions', bank_name: 'Example bank',
    routing_number: '110000000', account_number: BANK_NUMBER, version });
  const work = await makeWork(stage, { code: 'TOURING', title: 'The Long Road', division: 'PROD', currency: 'USD',
    authors: AUTHORS, card: CARD });
  const at = (city: number) => ({ country_code: 'US', thoroughfare: `${city + 1} Main Street`, locality: CITIES[city]!,
    administrative_area: 'NY', postal_code: '12203' });
  const house = await makeHouse(stage, { currency: 'USD', customer: { name: 'Calder Touring Company',
    kind: 'professional', divisions: ['PROD'], default_division: 'PROD', billing_address: at(0),
    statement_email: 'gm@calder.example', tax_country: 'US', is_business: true,
    business_evidence: 'Registered company' },
  venues: CITIES.map((name, city) => ({ name: `${name} Playhouse`, address: at(city), time_zone: 'America/New_York',
    capacity: 500 + city * 10, tickets: tickets(city) })) });
  return { house, show_id: work.show_id, authors: work.royaltor_ids };
}

export interface TakingsFile { name: string; mimeType: string; buffer: Buffer }

const csv = (name: string, lines: readonly string[]): TakingsFile =>
  ({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.map((line) => `${line}\r\n`).join('')) });

/** An American system: whole weeks under the words of the trade, amounts as `12,400.00`. */
export function americanFile(name: string, week: number, { gross, card, sold }: { gross: string; card: string;
  sold: number }): TakingsFile {
  const [year, month, day] = sunday(week).split('-');
  return csv(name, ['Week Ending,Show,Venue,Gross,Performances,Attendance,Comps,Card Fees',
    `${month}/${day}/${year},The Long Road,${CITIES[week]} Playhouse,"${gross}",8,${sold},12,"${card}"`]);
}

/** A French one: heads that nobody knows, days first, decimal commas. */
export function frenchFile(name: string, week: number, { gross, card, sold }: { gross: string; card: string;
  sold: number }): TakingsFile {
  const [year, month, day] = sunday(week).split('-');
  return csv(name, ['Semaine;Salle;Recette;Nb;Billets;Frais CB',
    `${day}.${month}.${year};${CITIES[week]} Playhouse;${gross};8;${sold};${card}`]);
}

interface NightTakings { gross: readonly string[]; card?: readonly string[]; sold: number }

/** A workbook with a row a performance, of one venue after the other. */
export async function nightsFile(name: string, weeks: readonly (readonly [week: number, takings: NightTakings])[]):
Promise<TakingsFile> {
  const rows = weeks.flatMap(([week, { gross, card, sold }]) => SHOWS.map(([day, time], n) =>
    [addDays(monday(week), day), time, `${CITIES[week]} Playhouse`, gross[n]!, String(sold), card?.[n] ?? '']));
  const parts: Buffer[] = [];
  for await (const part of workbook('Sales', ['Performance Date', 'Time', 'Theatre', 'Box Office Gross',
    'Paid Attendance', 'Card Fees'], Readable.from(rows.map((row) => row.map((text) => ({ kind: 'text' as const,
    text })))))) parts.push(part);
  return { name, mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.concat(parts) };
}

/** Every seat and more: 580 where 550 or 560 are for sale, 1,375.00 a performance. */
export const CROWDED: NightTakings = { gross: SHOWS.map(() => '1375.00'), sold: 580 };
