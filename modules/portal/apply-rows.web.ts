/** Dates of a tour as rows of a spreadsheet: columns by their headings, or in the usual order; pure. */
import { dateFromText } from '#kernel/calendar/date-text.ts';
import { parseMinor } from '#kernel/money/money.ts';
import { timeFromText } from '#web/controls/field/time-text.ts';
import { stopName, withSeries } from './apply-stops.web.ts';
import { emptyStop, hasPlace, nextKey, type Band, type PerformanceType, type Stop } from './apply-values.web.ts';

/** The usual order of the columns; a heading may change it. */
const COLUMNS = ['venue', 'date', 'time', 'type', 'street', 'city', 'state', 'postal_code', 'seats', 'price'] as const;
type Column = (typeof COLUMNS)[number];
type Row = Partial<Record<Column, string>>;

const HEADINGS: Readonly<Record<string, Column>> = {
  venue: 'venue', theater: 'venue', theatre: 'venue', place: 'venue', date: 'date', day: 'date', time: 'time',
  curtain: 'time', type: 'type', kind: 'type', street: 'street', address: 'street', city: 'city', town: 'city',
  state: 'state', region: 'state', county: 'state', zip: 'postal_code', 'zip code': 'postal_code',
  postcode: 'postal_code', 'postal code': 'postal_code', seats: 'seats', capacity: 'seats', price: 'price',
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
export interface PastedRows { stops: Stop[]; rows: number; problems: { line: number; text: string }[] }

/**
 * An empty venue is the one above. Venues that are known take the dates; a new one takes its address from its first
 * row, and seats and prices from its rows or else from the first venue of the application.
 */
export function pasteRows(text: string, form: PasteForm): PastedRows {
  const out: PastedRows = { stops: form.stops.filter(hasPlace), rows: 0, problems: [] };
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
      if (problem === null) out.rows += 1;
      else out.problems.push({ line: index + 1, text: problem });
    }
  }
  return { ...out, stops: out.stops.filter((stop) => stop.nights.length > 0) };
}

function rowOf(cells: readonly string[], columns: readonly (Column | null)[]): Row {
  return Object.fromEntries(columns.flatMap((column, at) => (column === null ? [] : [[column, cells[at] ?? '']])));
}

/** Adds the row, or returns the reason why it is not usable; null if it was added. */
function add(out: PastedRows, name: string, row: Row, form: PasteForm): string | null {
  const { date = '', time = '', type: kind = '' } = row;
  const plain = form.dayFirst ? date.replace(/^(\d{1,2})([/.-])(\d{1,2})(?=[/.-]|$)/, '$3$2$1') : date;
  const day = dateFromText(plain, form.today);
  const clock = timeFromText(time);
  const type = TYPES[kind.toLowerCase()];
  if (name === '') return 'no venue';
  if (!day) return `no date in “${date}”`;
  if (!clock) return `no time in “${time}”`;
  if (!type) return `no type of performance in “${kind}”`;
  const band = bandOf(row);
  if (band === undefined) return `no seats and price in “${row.seats ?? ''}” and “${row.price ?? ''}”`;
  const at = placeOfStop(out, name, row, form);
  const stop = out.stops[at]!;
  out.stops[at] = { ...stop, bands: band === null ? stop.bands : withBand(stop.bands, band, type),
    nights: withSeries(stop.nights, [{ local_date: day, local_time: clock, type }]) };
  return null;
}

/** Seats and price in minor units; null where neither is given, undefined where they cannot be read. */
function bandOf({ seats = '', price = '' }: Row): { seats: number; price: number } | null | undefined {
  if (seats === '' && price === '') return null;
  const count = Number(seats.replaceAll(',', ''));
  const minor = parseMinor(price.replace(/^[^\d-]+/, '').replaceAll(',', ''));
  return Number.isInteger(count) && count > 0 && minor !== null && minor >= 0n ? { seats: count, price: Number(minor) }
    : undefined;
}

/** Evenings give the bands of the venue, another type its own where its figures differ. */
function withBand(bands: readonly Band[], band: { seats: number; price: number }, type: PerformanceType): Band[] {
  const filled = bands.filter((one) => one.seats !== null);
  const usual = filled.find((one) => one.type === null);
  const same = usual?.seats === band.seats && usual.price === band.price;
  if ((type === 'public' && usual) || same || filled.some((one) => one.type === type)) return [...filled];
  return [...filled, { key: nextKey(filled), label: '', ...band, type: type === 'public' ? null : type }];
}

function placeOfStop(out: PastedRows, name: string, row: Row, { stops, venues }: PasteForm): number {
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
