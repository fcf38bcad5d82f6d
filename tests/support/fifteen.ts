/**
 * Where story 2 begins: a school in Durham and a show at 15% of its takings, at least 80.00 a performance, with 500.00
 * on account; six nights are asked for and a draft quote stands.
 */
import { API, makeHouse, makeWork, type Stage } from './story.ts';

export const NIGHTS = [12, 13, 14, 15, 16, 17].map((day) => `2026-10-${day}`);
/** 17,040.00 if every seat is sold. */
const TICKETS = [{ label: 'Stalls', number_of_seats: 160, price: 12, weight: 50 },
  { label: 'Balcony', number_of_seats: 80, price: 9, weight: 30 },
  { label: 'Students', number_of_seats: 40, price: 5, weight: 20 }];
const CARD = { category: 'Amateur', fee_method: 'percent_actual', rate_ppm: 150_000, guarantee_scope: 'run',
  min_per_performance_minor: 8_000, execution_policy: 'deposit_paid', deposit_kind: 'on_account',
  deposit_minor: 50_000 };
const ADDRESS = { country_code: 'GB', thoroughfare: '4 Cloister Lane', locality: 'Durham', administrative_area: '',
  postal_code: 'DH1 3LE' };

export const GROSS = 1_600_800;
export const deposit = { net: 41_667, vat: 8_333 };
/** 15% of 16,008.00, with VAT at 20%; then what the deposit leaves of both. */
export const royalty = { net: 240_120, vat: 48_024, total: 288_144 };
export const due = { net: 198_453, vat: 39_691, total: 238_144 };
/** 70% of the royalty. */
export const authorMinor = 168_084;
const AUTHOR_PPM = 700_000;

export interface Fifteen {
  house: Awaited<ReturnType<typeof makeHouse>>;
  show_id: number;
  author: number;
  licence: number;
  /** Venue and nights as they are asked for. */
  venues: object[];
}

/** On a clock that stands at 14 September 2026. */
export async function makeFifteen(stage: Stage): Promise<Fifteen> {
  const { show_id, royaltor_ids } = await makeWork(stage, { code: 'FIFTEEN', title: 'The Cloister Bell',
    division: 'UK', currency: 'GBP',
    authors: [{ name: 'Agnes Thorne', share_points: 1, rate_ppm: AUTHOR_PPM }], card: CARD });
  const house = await makeHouse(stage, { currency: 'GBP', customer: { name: 'St Bede’s School Drama',
    kind: 'school_k12', divisions: ['UK'], default_division: 'UK', billing_address: ADDRESS,
    statement_email: 'bursar@stbedes.example', tax_country: 'GB' }, venues: [{ name: 'St Bede’s Great Hall',
    address: ADDRESS, time_zone: 'Europe/London', capacity: 280, tickets: TICKETS }] });
  const venues = [{ venue_id: house.venue_ids[0], ticketing: TICKETS,
    performances: NIGHTS.map((local_date) => ({ local_date, local_time: '19:30' })) }];
  const { data } = await stage.staff.post(`${API}/licenses`, { customer_id: house.id, show_id, category: 'Amateur',
    division: 'UK', license_venues: venues });
  return { house, show_id, author: royaltor_ids[0]!, licence: data.id, venues };
}
