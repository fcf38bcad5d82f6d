/** Dates of a tour as rows of a spreadsheet: columns by their headings, or in the usual order; pure. */
import { dateFromText } from '#kernel/calendar/date-text.ts';
import { parseMinor } from '#kernel/money/money.ts';
import { timeFromText } from '#web/controls/field/time-text.ts';
import { stopName, withSeries } from './apply-stops.web.ts';
import { emptyStop, hasPlace, nextKey, type Band, type PerformanceType, type Stop } from './apply-values.web.ts';

/** The usual order of the columns; a heading may change it. */
const COLUMNS = ['venue', 'date', 'time', 'type', 'street', 'city', 'state', 'postal_code', 'seats', 'price',
  'ticket_type'] as const;
type Column = (typeof COLUMNS)[number];
type Row = Partial<Record<Column, string>>;

const HEADINGS: Readonly<Record<string, Column>> = {
  venue: 'venue', theater: 'venue', theatre: 'venue', place: 'venue', date: 'date', day: 'date', time: 'time',
  curtain: 'time', type: 'type', kind: 'type', street: 'street', address: 'street', city: 'city', town: 'city',
  state: 'state', region: 'state', county: 'state', zip: 'postal_code', 'zip code': 'postal_code',
  postcode: 'postal_code', 'postal code': 'postal_code', seats: 'seats', capacity: 'seats', price: 'price',
  'ticket type': 'ticket_type', section: 'ticket_type', 'price band': 'ticket_type',
};
const TYPES: Readonly<Record<string, PerformanceType>> = {
  '': 'public', evening: 'public', public: 'public', matinee: 'matinee', 'matinée': 'matinee', preview: 'preview',
  school: 'school', gala: 'gala',
};

export interface PasteForm {
  stops: readonly Stop[];
  venues: readonly { id: number; name: string }[];
  today: string;
  /** '9/3/2027' is March 9 and not September 3. */
  dayFirst: boolean;
}
export interface PastedRows {
  stops: Stop[];
  rows: number;
  /** Performances that are not on the form yet. */
  performances: number;
  problems: { line: number; text: string }[];
}
/** `bands`: seats and prices in the list, by the key of their venue. */
interface Reading { stops: Stop[]; bands: Map<number, Band[]> }

/**
 * An empty venue is the one above. Venues that are known take the dates; a new one takes its address from its first
 * row, and seats and prices from its rows or else from the first venue of the application. A row for each ticket type
 * makes a price of its own, with the date or without. Seats and prices in the list replace those of the form.
 */
export function pasteRows(text: string, form: PasteForm): PastedRows {
  const out: Reading = { stops: form.stops.filter(hasPlace), bands: new Map() };
  const before = nightsIn(out.stops);
  let rows = 0;
  const problems: PastedRows['problems'] = [];
  let columns: readonly (Column | null)[] = COLUMNS;
  let name = '';
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const cells = line.split(line.includes('\t') ? '\t' : ';').map((cell) => cell.trim());
    const headings = cells.map((cell) => HEADINGS[cell.toLowerCase()] ?? null);
    if (headings.includes('date') && headings.includes('venue')) columns = headings;
    else if (cells.some((cell) => cell !== '')) {
      const row = rowOf(cells, columns);
      name = row.venue || name;
      const problem = add(out, name, row, form);
      if (problem === null) rows += 1;
      else problems.push({ line: index + 1, text: problem });
    }
  }
  const stops = out.stops.filter((stop) => stop.nights.length > 0).map((stop) => {
    const bands = out.bands.get(stop.key);
    return bands ? { ...stop, bands: withoutSame(bands) } : stop;
  });
  return { stops, rows, performances: nightsIn(stops) - before, problems };
}

const nightsIn = (stops: readonly Stop[]): number => stops.reduce((all, stop) => all + stop.nights.length, 0);

function rowOf(cells: readonly string[], columns: readonly (Column | null)[]): Row {
  return Object.fromEntries(columns.flatMap((column, at) => (column === null ? [] : [[column, cells[at] ?? '']])));
}

/** Adds the row, or returns the reason why it is not usable; null if it was added. */
function add(out: Reading, name: string, row: Row, form: PasteForm): string | null {
  const type = TYPES[(row.type ?? '').toLowerCase()];
  if (name === '') return 'no venue';
  const band = bandOf(row);
  const night = band && !row.date && !row.time ? null : nightOf(row, form);
  if (typeof night === 'string') return night;
  if (!type) return `no type of performance in “${row.type ?? ''}”`;
  if (band === undefined) return `no seats and price in “${row.seats ?? ''}” and “${row.price ?? ''}”`;
  const at = placeOfStop(out, name, row, form);
  const stop = out.stops[at]!;
  if (night) out.stops[at] = { ...stop, nights: withSeries(stop.nights, [{ ...night, type }]) };
  if (band) out.bands.set(stop.key, withBand(out.bands.get(stop.key) ?? [], band, type));
  return null;
}

/** Day and time of the row, or the reason why they cannot be read. */
function nightOf({ date = '', time = '' }: Row, form: PasteForm): { local_date: string; local_time: string } | string {
  const plain = form.dayFirst ? date.replace(/^(\d{1,2})([/.-])(\d{1,2})(?=[/.-]|$)/, '$3$2$1') : date;
  const local_date = dateFromText(plain, form.today);
  if (!local_date) return `no date in “${date}”`;
  const local_time = timeFromText(time);
  return local_time ? { local_date, local_time } : `no time in “${time}”`;
}

type Sold = Pick<Band, 'label' | 'seats' | 'price'>;

/** Seats and price in minor units; null where neither is given, undefined where they cannot be read. */
function bandOf({ seats = '', price = '', ticket_type: label = '' }: Row): Sold | null | undefined {
  if (seats === '' && price === '') return null;
  const count = Number(seats.replaceAll(',', ''));
  const minor = parseMinor(price.replace(/^[^\d-]+/, '').replaceAll(',', ''));
  return Number.isInteger(count) && count > 0 && minor !== null && minor >= 0n
    ? { label, seats: count, price: Number(minor) } : undefined;
}

/** Evenings give the bands of the venue, another type its own; the first row of a ticket type counts. */
function withBand(bands: readonly Band[], sold: Sold, type: PerformanceType): Band[] {
  const own = type === 'public' ? null : type;
  if (bands.some((one) => one.type === own && one.label === sold.label)) return [...bands];
  return [...bands, { key: nextKey(bands), ...sold, type: own }];
}

/** Without those of a type whose seats and prices are the usual ones. */
function withoutSame(bands: readonly Band[]): Band[] {
  const textOf = (type: PerformanceType | null): string => bands.filter((one) => one.type === type)
    .map(({ label, seats, price }) => JSON.stringify([label, seats, price])).toSorted().join('\n');
  return bands.filter((one) => one.type === null || textOf(one.type) !== textOf(null));
}

function placeOfStop(out: Reading, name: string, row: Row, { stops, venues }: PasteForm): number {
  const same = (one: string): boolean => one.toLowerCase() === name.toLowerCase();
  const at = out.stops.findIndex((stop) => same(stopName(stop, venues)));
  if (at >= 0) return at;
  const venue = venues.find((one) => same(one.name));
  const stop = emptyStop(nextKey(out.stops), venue?.id ?? null);
  const [first] = stops;
  const country = first?.address.country_code ?? stop.address.country_code;
  const given = bandOf(row);
  out.stops.push({ ...stop, venue_name: venue ? '' : name,
    address: { ...stop.address, country_code: country, thoroughfare: row.street ?? '', locality: row.city ?? '',
      administrative_area: row.state ?? '', postal_code: row.postal_code ?? '' },
    ...(first && { deductions: first.deductions, ...(!given && { bands: first.bands }) }) });
  return out.stops.length - 1;
}
