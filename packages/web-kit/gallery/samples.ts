/** Rows and figures of the gallery: made up, so that every state of every component can be looked at. */
import type { Column } from '#web/data/column.ts';

export interface SampleQuote {
  id: number; number: string; title: string; customer: string; phase: string; opening: string; performances: number;
  total_minor: number; expires: string;
}

const TITLES: readonly (readonly [string, string, string, string, number, number, string])[] = [
  ['The Gondoliers', 'Savoy Hill Players', 'sent', '2027-03-04', 6, 538550, 'Today'],
  ['The Importance of Being Earnest', 'Larimer Street Stage', 'sent', '2027-03-12', 4, 213400, '5 days'],
  ['The Rivals', 'Lakeview High School', 'accepted', '2027-01-22', 3, 186000, '6 days'],
  ['Ruddigore', 'Bay Area Operetta', 'licensed', '2027-02-26', 8, 910450, '6 days'],
  ['HMS Pinafore', 'Port Clement Players', 'in_production', '2027-04-09', 5, 461275, '9 days'],
  ['The Lamplighter’s Daughter', 'Calder Touring Company', 'settlement', '2027-01-15', 24, 1825000, '11 days'],
  ['School for Scandal', 'Keene State Theatre', 'draft', '2027-03-18', 4, 154000, '12 days'],
  ['Iolanthe', 'Elmira Light Opera', 'closed', '2027-04-16', 6, 597000, '14 days'],
  ['A Room at Marlow Lock', 'Harbor Light Theatre', 'expired', '2027-02-05', 7, 341225, '16 days'],
  ['The Mikado', 'St. Brendan’s Academy', 'cancelled', '2027-05-07', 4, 298000, '18 days'],
];

export const sampleQuotes: readonly SampleQuote[] = TITLES.map(
  ([title, customer, phase, opening, performances, total_minor, expires], index) => ({
    id: index + 1, number: `Q-US-2026-00${1211 - index * 3}`, title, customer, phase, opening, performances,
    total_minor, expires,
  }),
);

export const sampleTickets = [
  { kind: 'Orchestra', seats: 150, price: 2500, weight: 50, capacity: 375000 },
  { kind: 'Balcony', seats: 200, price: 1800, weight: 30, capacity: 360000 },
  { kind: 'Students', seats: 50, price: 1000, weight: 20, capacity: 50000 },
];
export type SampleTicket = (typeof sampleTickets)[number];

export const ticketColumns: readonly Column<SampleTicket>[] = [
  { id: 'kind', header: 'Ticketing', cell: (row) => row.kind },
  { id: 'seats', header: 'Seats', kind: 'number', cell: (row) => row.seats, total: 400 },
  { id: 'price', header: 'Price', kind: 'money', cell: (row) => row.price, total: 1990n },
  { id: 'weight', header: 'Weight', kind: 'number', cell: (row) => row.weight, total: 100 },
  { id: 'capacity', header: 'At capacity', kind: 'money', cell: (row) => row.capacity, total: 785000n },
];

export interface SampleAccount { number: string; name: string; debit: number | null; credit: number | null }
export const sampleAccounts: readonly SampleAccount[] = [
  { number: '1010', name: 'Operating account', debit: 19231044, credit: null },
  { number: '1020', name: 'Royaltor trust account', debit: 24890512, credit: null },
  { number: '1100', name: 'Accounts receivable', debit: 16122015, credit: null },
  { number: '2200', name: 'Royalties payable', debit: null, credit: 41209150 },
  { number: '3000', name: 'Equity', debit: null, credit: 19034421 },
];
export const accountColumns: readonly Column<SampleAccount>[] = [
  { id: 'number', header: 'Account', kind: 'code', width: 80, cell: (row) => row.number },
  { id: 'name', header: 'Name', kind: 'text', cell: (row) => row.name },
  { id: 'debit', header: 'Debit', kind: 'money', cell: (row) => row.debit, total: 60243571n },
  { id: 'credit', header: 'Credit', kind: 'money', cell: (row) => row.credit, total: 60243571n },
];

const WEEKS = [
  'Aug 29', 'Sep 5', 'Sep 12', 'Sep 19', 'Sep 26', 'Oct 3', 'Oct 10', 'Oct 17', 'Oct 24', 'Oct 31', 'Nov 7', 'Nov 14',
  'Nov 21',
];
const GROSS = [38, 32, 45, 57, 62, 72, 88, 105, 118, 131, 126, 109, 64];
const LAST = [36, 33, 41, 52, 61, 66, 79, 97, 109, 120, 120, 105, 97];
export const sampleWeeks = WEEKS.map((label, index) => ({
  label, title: `Week to ${label}`, upper_minor: (GROSS[index] ?? 0) * 100_000,
  lower_minor: Math.round((GROSS[index] ?? 0) * 11_200), before_minor: (LAST[index] ?? 0) * 100_000,
  partial: index === WEEKS.length - 1,
}));

export const sampleAges = [
  { label: 'Not yet due', count: 58, minor: 9642050, largest: { name: 'Calder Touring Company', minor: 1825000 } },
  { label: '1–30 days', count: 21, minor: 3186525, largest: { name: 'Bay Area Operetta', minor: 910450 } },
  { label: '31–60 days', count: 9, minor: 1248000, largest: { name: 'Harbor Light Theatre', minor: 498275 } },
  { label: '61–90 days', count: 4, minor: 531075, largest: { name: 'Elmira Light Opera', minor: 264000 } },
  { label: 'Over 90 days', count: 3, minor: 392240, largest: { name: 'Old Mill Players', minor: 231890 } },
];

export const sampleSteps = [
  { title: 'Rate card', lines: [{ text: 'Amateur, US, effective Jul 1, 2026' },
    { text: '12.5% of weighted gross, min 95.00' }] },
  { title: 'Weighted gross', source: 'Rate card', minor: 796000, lines: [
    { text: '(25 × 50 + 18 × 30 + 10 × 20) ÷ 100', minor: 1990 }, { text: '400 seats × 19.90', minor: 796000 }] },
  { title: 'Fee per performance', source: 'Rate card', minor: 99500, lines: [
    { text: '7,960.00 × 12.5%', minor: 99500 }, { text: 'Round up to next 5.00', minor: 99500 }] },
  { title: 'Royalty', source: 'Rate card', minor: 597000, lines: [{ text: '995.00 × 6 performances' }] },
  { title: 'Sales tax, New York', minor: 11493,
    lines: [{ text: '1,295.00 × 8.875%, royalty exempt' }] },
];

export const samplePlaces = [
  { id: 1, name: 'Ravenswood Playhouse', note: 'Long Island City', href: '/gallery?venue=1', lat: 40.76, lng: -73.94 },
  { id: 2, name: 'The Foundry', note: 'New York', href: '/gallery?venue=2', lat: 40.72, lng: -74 },
  { id: 3, name: 'Savoy Theatre', note: 'London', href: '/gallery?venue=3', lat: 51.51, lng: -0.12 },
];

/** Sample activity log of a record: a change with its values, and an automatic action of the system. */
export const sampleActivity = {
  data: { meta: { last_page: 2 }, data: [
    { id: 2, created_at: '2026-11-12T19:05:00Z', actor: 'Eleanor Marsh', action: 'update',
      changes: [{ field: 'performances', before: '5', after: '6' }] },
    { id: 1, created_at: '2026-11-10T08:00:00Z', actor: null, action: 'send', changes: [] },
  ] },
  error: null, refetch: () => undefined,
};
