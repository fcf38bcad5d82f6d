/**
 * Outcome of each row of a chunk: a report, a duplicate, or a problem with its reason. Read-only; the preview and the
 * import itself both call it, so the preview shows what happens. Rules: domain.md 1.4.
 */
import { createHash } from 'node:crypto';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { Turns } from '#server/turns.ts';
import type { SubmitInput } from '#modules/licensing/box-office/box-office.public.server.ts';
import { licenseBook, placeOf, type Place } from './match-licenses.server.ts';
import { matchShows, matchVenues, type Matches } from './match-names.server.ts';
import type { SourceRow } from './import-work.server.ts';
import type { RowProblem } from './read-cell.ts';
import { isProblem, readRow, type ReadRow, type RowRules } from './read-row.ts';

export interface CheckedRow {
  row_no: number;
  cells: string[];
  hash: string;
  read: ReadRow | null;
  place: Place | null;
  outcome: 'ready' | 'duplicate' | 'refused';
  problem: RowProblem | null;
  input: SubmitInput | null;
  /** A double of a row that stands in the file before. */
  again?: boolean;
}

/** Contents of a file's earlier chunks that are not in the database: a preview writes nothing. */
export class FileMemory {
  readonly hashes = new Set<string>();
  readonly reports = new Map<string, Existing[]>();
}

/** Hexadecimal digits of a row's hash that tell rows of one file apart. */
const SHORT_HASH = 20;

/** SHA-256 over the cells and the constants, in hex: the same row is the same in whatever file it comes. */
export function rowHash(cells: readonly string[], rules: RowRules): string {
  const constants = Object.entries(rules.constants).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify([cells.slice(0, rules.width), constants])).digest('hex');
}

interface KnownRows {
  /** Row hashes that are imported already. */
  hashes: Set<string>;
  /** Reports by licence, venue, scope, period and performance. */
  reports: Map<string, Existing[]>;
}

interface Existing {
  id: number | null;
  status: string;
  figures: string;
  accepted: boolean;
}

/** Checks rows in their order; the answer has one entry for each. */
export async function checkRows(
  db: Queryable, rows: readonly SourceRow[], rules: RowRules, importId: number, memory = new FileMemory(),
): Promise<CheckedRow[]> {
  const turns = new Turns();
  const checked: CheckedRow[] = [];
  for (const row of rows) {
    const read = readRow(row.cells, rules, row.cut_off);
    const common = { row_no: row.row_no, cells: row.cells, hash: rowHash(row.cells, rules), place: null, input: null };
    checked.push(isProblem(read) ? { ...common, read: null, outcome: 'refused', problem: read }
      : { ...common, read, outcome: 'ready', problem: null });
    if (turns.due()) await turns.give();
  }
  await findPlaces(db, checked);
  await findPerformances(db, checked, rules);
  const known = await knownReports(db, checked, rules);
  checked.forEach((row, index) => settle(row, rows[index]!, { known, memory }, rules, importId));
  return checked;
}

function refuse(row: CheckedRow, problem: RowProblem): void {
  row.outcome = 'refused';
  row.problem = problem;
}

function distinct(values: Iterable<string>): string[] {
  return [...new Set(values)].filter((text) => text !== '');
}

const open = (rows: readonly CheckedRow[]): (CheckedRow & { read: ReadRow })[] =>
  rows.filter((row): row is CheckedRow & { read: ReadRow } => row.outcome === 'ready' && row.read !== null);

async function findPlaces(db: Queryable, checked: readonly CheckedRow[]): Promise<void> {
  const rows = open(checked);
  const shows = await matchShows(db, distinct(rows.map((row) => row.read.show)));
  const venues = await matchVenues(db, distinct(rows.map((row) => row.read.venue)));
  const found = rows.flatMap((row) => {
    const show = idOf(row.read.show, shows, 'show');
    const venue = idOf(row.read.venue, venues, 'venue');
    const problem = typeof show === 'object' ? show : typeof venue === 'object' ? venue : null;
    if (problem) refuse(row, problem);
    return problem ? [] : [{ row, show_id: show as number, venue_id: venue as number }];
  });
  const places = new Map(found.map((one) => [`${one.show_id}/${one.venue_id}`, one]));
  const book = await licenseBook(db, [...places.values()], distinct(rows.map((row) => row.read.license_number)));
  for (const { row, show_id, venue_id } of found) {
    const place = placeOf(row.read, show_id || null, venue_id || null, book);
    if (isPlace(place)) {
      row.place = place;
      if (place.currency !== row.read.currency) refuse(row, wrongCurrency(row.read, place));
    } else {
      refuse(row, place);
    }
  }
}

function isPlace(place: Place | RowProblem): place is Place {
  return 'license_id' in place;
}

/** 0 stands for a name that is not given because the row names its licence. */
function idOf(text: string, matches: Matches, field: 'show' | 'venue'): number | RowProblem {
  if (text === '') return 0;
  const ids = matches.get(text) ?? [];
  if (ids.length === 1) return ids[0]!;
  const shown = text.slice(0, 120);
  return ids.length === 0
    ? { reason_code: `unknown_${field}`, reason: `No ${field} is called "${shown}"`, field, value: text.slice(0, 200) }
    : { reason_code: `ambiguous_${field}`, field,
      reason: `${ids.length} ${field}s are called "${shown}": say which by an alias`, value: text.slice(0, 200) };
}

function wrongCurrency(read: ReadRow, place: Place): RowProblem {
  return { reason_code: 'other_currency', field: 'currency', value: read.currency,
    reason: `${place.number} is in ${place.currency}, the row in ${read.currency}` };
}

const performances = new WeakMap<CheckedRow, number>();

/** A row for one performance is tied to it where the licence lists that day; two on a day need the time. */
async function findPerformances(db: Queryable, checked: readonly CheckedRow[], rules: RowRules): Promise<void> {
  if (rules.report_scope !== 'performance') return;
  const rows = open(checked);
  const listed = await db.query<{ n: number; id: number; time: string }>(sql`
    select u.n, p.id, to_char(p.local_time, 'HH24:MI') as time
    from unnest(${rows.map((row) => row.place!.license_venue_id)}::bigint[],
      ${rows.map((row) => row.read.period_to)}::date[])
      with ordinality u (license_venue_id, day, n)
    join performances p on p.license_venue_id = u.license_venue_id and p.local_date = u.day
    where p.status not in ('cancelled', 'postponed') order by u.n, p.starts_at, p.id`);
  const byRow = Map.groupBy(listed, (one) => one.n);
  rows.forEach((row, index) => {
    const day = byRow.get(index + 1) ?? [];
    const fitting = row.read.time === '' ? day : day.filter((one) => one.time === row.read.time);
    if (fitting.length === 1) performances.set(row, fitting[0]!.id);
    else if (day.length > 0) refuse(row, whichPerformance(row.read, day.map((one) => one.time)));
  });
}

function whichPerformance(read: ReadRow, times: readonly string[]): RowProblem {
  return { reason_code: 'which_performance', field: 'time', value: read.time,
    reason: read.time === '' ? `${dateInWords(read.period_to)} has performances at ${times.join(' and ')}: add the time`
      : `No performance at ${read.time} on ${dateInWords(read.period_to)}; there is ${times.join(' and ')}` };
}

function periodKey(row: CheckedRow & { read: ReadRow }, rules: RowRules): string {
  return [row.place!.license_id, row.place!.license_venue_id, rules.report_scope, row.read.period_from,
    row.read.period_to, performances.get(row) ?? ''].join('/');
}

function figuresOf(read: ReadRow): string {
  return [read.gross_minor, read.performances, read.attendance, read.complimentary, read.capacity, read.capacity_ppm,
    read.tax_included].join('/');
}

async function knownReports(db: Queryable, checked: readonly CheckedRow[], rules: RowRules): Promise<KnownRows> {
  const rows = open(checked);
  const hashes = await db.query<{ hash: string }>(sql`
    select encode(row_hash, 'hex') as hash from box_office_reports
    where row_hash in (select decode(h, 'hex') from unnest(${rows.map((row) => row.hash)}::text[]) h)`);
  const found = await db.query<{ n: number; id: number; status: string; gross: number; held: number | null;
    paid: number | null; comps: number | null; capacity: number | null; ppm: number | null; tax: boolean }>(sql`
    select u.n, b.id, b.status, b.gross_minor as gross, b.performances_held as held, b.paid_admissions as paid,
      b.complimentary as comps, b.capacity_available as capacity, b.capacity_ppm as ppm, b.tax_included as tax
    from unnest(${rows.map((row) => row.place!.license_id)}::bigint[],
      ${rows.map((row) => row.place!.license_venue_id)}::bigint[], ${rows.map((row) => row.read.period_from)}::date[],
      ${rows.map((row) => row.read.period_to)}::date[], ${rows.map((row) => performances.get(row) ?? null)}::bigint[])
      with ordinality u (license_id, license_venue_id, period_from, period_to, performance_id, n)
    join box_office_reports b on b.license_id = u.license_id and b.license_venue_id = u.license_venue_id
      and b.scope = ${rules.report_scope} and b.period_from = u.period_from and b.period_to = u.period_to
      and b.performance_id is not distinct from u.performance_id
    where b.status not in ('replaced', 'expected', 'estimated') order by u.n, b.part`);
  const reports = new Map<string, Existing[]>();
  for (const one of found) {
    const key = periodKey(rows[one.n - 1]!, rules);
    const figures = [one.gross, one.held, one.paid, one.comps, one.capacity, one.ppm, one.tax].join('/');
    reports.set(key, [...(reports.get(key) ?? []).filter((other) => other.id !== one.id),
      { id: one.id, status: one.status, figures, accepted: one.status === 'accepted' }]);
  }
  return { hashes: new Set(hashes.map((one) => one.hash)), reports };
}

/** The verdict, in the order of the file: an earlier row of the same chunk counts as known. */
function settle(
  row: CheckedRow, source: SourceRow, { known, memory }: { known: KnownRows; memory: FileMemory }, rules: RowRules,
  importId: number,
): void {
  if (row.outcome !== 'ready' || !row.read || !row.place) return;
  const key = periodKey(row as CheckedRow & { read: ReadRow }, rules);
  const earlier = memory.reports.get(key) ?? [];
  const before = [...known.reports.get(key) ?? [], ...earlier];
  const same = figuresOf(row.read);
  const short = row.hash.slice(0, SHORT_HASH);
  row.again = memory.hashes.has(short) || earlier.some((one) => one.figures === same);
  if (row.again || known.hashes.has(row.hash) || before.some((one) => one.figures === same)) {
    row.outcome = 'duplicate';
    return;
  }
  const replaced = before.findLast((one) => one.accepted && one.id !== null);
  if (before.length > 0 && source.decision === 'replace' && !replaced) {
    return refuse(row, { ...secondReturn(row.read, row.place), reason:
      `The return for ${periodOf(row.read)} is not accepted yet: change it instead` });
  }
  row.input = inputOf(row as CheckedRow & { read: ReadRow; place: Place }, rules, importId);
  if (before.length > 0 && source.decision === 'add') {
    row.input.add = true;
    row.input.add_reason = `Added to the first return with import ${importId}`;
  }
  if (before.length > 0 && source.decision === 'replace') row.input.replaces_report_id = replaced!.id;
  memory.hashes.add(short);
  memory.reports.set(key, [...earlier, { id: null, status: 'new', figures: same, accepted: false }]);
}

const periodOf = (read: ReadRow): string => `${dateInWords(read.period_from)} to ${dateInWords(read.period_to)}`;

function secondReturn(read: ReadRow, place: Place): RowProblem {
  return { reason_code: 'second_return', field: 'date', value: place.number,
    reason: `${place.number} has a return for ${periodOf(read)} with other figures: `
      + 'say whether this one takes its place or adds to it' };
}

function inputOf(row: CheckedRow & { read: ReadRow; place: Place }, rules: RowRules, importId: number): SubmitInput {
  const { read, place } = row;
  return {
    license_id: place.license_id, license_venue_id: place.license_venue_id, source: 'import',
    scope: rules.report_scope, performance_id: performances.get(row) ?? null, period_from: read.period_from,
    period_to: read.period_to, gross_minor: read.gross_minor, currency: read.currency, tax_included: read.tax_included,
    performances_held: read.performances, paid_admissions: read.attendance, complimentary: read.complimentary,
    capacity_available: read.capacity, capacity_ppm: read.capacity_ppm,
    running_costs_minor: read.running_costs_minor, deductions: read.deductions, import_id: importId,
    import_row_no: row.row_no, row_hash: row.hash,
  };
}
