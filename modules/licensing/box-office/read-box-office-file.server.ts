/**
 * Rows of a customer's file as reports: each row finds its venue and its week by its date, whatever the file calls the
 * date; several rows of a week are its performances. What cannot be placed says why; nothing is stored.
 */
import { dateFor, periodFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { DEDUCTION_TYPES, type DeductionType } from '#kernel/pricing/rate-card.ts';
import {
  readAmount, readCount, readDate, readPercent, readTime, readYes, Unreadable, type FigureFile, type SheetRow,
} from '#modules/data-exchange/reading/reading.public.server.ts';
import { isOpenReport } from './box-office.contract.ts';
import type { BatchReport, FileRow } from './box-office-file.contract.ts';
import type { FilePerformance, FilePlaces, FileReport } from './file-places.server.ts';

interface Figures {
  row_no: number; date: string; time: string; show: string; venue: string; gross_minor: number;
  performances: number | null; attendance: number | null; complimentary: number | null; capacity: number | null;
  capacity_ppm: number | null; tax_included: boolean; deductions: { type: DeductionType; amount_minor: number }[];
}
interface Placed { figures: Figures; venue: number; report: FileReport }
type Refused = Pick<FileRow, 'rows' | 'venue_name' | 'gross_minor' | 'reason'>;
/** Answers the rows without their questions, in the order of the file. */
export type UnaskedRow = Omit<FileRow, 'questions'>;

export const cellOf = ({ columns }: Pick<FigureFile, 'columns'>, row: SheetRow, field: string): string => {
  const at = columns[field];
  return at === undefined ? '' : (row.cells[at] ?? '').trim();
};

export function readRows(file: FigureFile, places: FilePlaces, division: string): UnaskedRow[] {
  const out: UnaskedRow[] = [];
  const refuse = (of: Refused): void => {
    out.push({ period_from: null, period_to: null, outcome: 'refused', report: null, ...of });
  };
  const placed: Placed[] = [];
  for (const row of file.rows) {
    const figures = figuresOf(file, row);
    if (typeof figures === 'string') {
      refuse({ rows: [row.row_no], venue_name: null, gross_minor: null, reason: figures });
      continue;
    }
    const at = placeOf(figures, places, division);
    if (typeof at === 'string') {
      refuse({ rows: [row.row_no], venue_name: figures.venue || null, gross_minor: figures.gross_minor, reason: at });
    } else {
      placed.push({ figures, ...at });
    }
  }
  const groups = Map.groupBy(placed, (one) => `${one.venue}/${one.report.id}`);
  for (const group of groups.values()) out.push(...rowsOf(group, places, division));
  return out.toSorted((a, b) => a.rows[0]! - b.rows[0]!);
}

/** The row's cells as facts, or the reason why they cannot be read. */
function figuresOf(file: FigureFile, row: SheetRow): Figures | string {
  const cell = (field: string): string => cellOf(file, row, field);
  const style = file.decimal_style ?? 'point';
  const amounts = { decimal_style: style, amount_unit: 'major' as const };
  const count = (field: string, name: string) => readCount(cell(field), field, name, 10_000_000, style);
  try {
    if (row.cut_off) return 'The file ends inside this row';
    if (cell('date') === '') return 'The date is empty';
    if (cell('gross') === '') return 'The gross is empty';
    return {
      row_no: row.row_no, date: readDate(cell('date'), 'date', file.date_format ?? 'YYYY-MM-DD'),
      time: readTime(cell('time')), show: cell('show'), venue: cell('venue'),
      gross_minor: readAmount(cell('gross'), 'gross', amounts), attendance: count('attendance', 'Attendance'),
      performances: readCount(cell('performances'), 'performances', 'Performances', 1000, style),
      complimentary: count('complimentary', 'Complimentary'), capacity: count('capacity', 'Seats offered'),
      capacity_ppm: readPercent(cell('capacity_percent'), style), tax_included: readYes(cell('tax_included')),
      deductions: DEDUCTION_TYPES.flatMap((type) => {
        const amount_minor = cell(type) === '' ? 0 : readAmount(cell(type), type, amounts);
        return amount_minor === 0 ? [] : [{ type, amount_minor }];
      }),
    };
  } catch (error) {
    if (error instanceof Unreadable) return error.problem.reason;
    throw error;
  }
}

function placeOf(row: Figures, places: FilePlaces, division: string): { venue: number; report: FileReport } | string {
  if (row.show !== '' && !places.own_titles.has(row.show)) {
    return `This row is for “${row.show}”. This production is ${places.title}.`;
  }
  const venues = row.venue === '' ? [...places.venue_names.keys()] : places.venues.get(row.venue) ?? [];
  if (venues.length === 0) return `“${row.venue}” is not a venue of this production`;
  const fitting = venues.flatMap((venue) => {
    const report = reportFor(row, venue, places);
    return report ? [{ venue, report }] : [];
  });
  if (fitting.length === 1) return fitting[0]!;
  const day = dateFor(documentLanguage(division), row.date);
  if (fitting.length > 1) return `Several venues play in the week of ${day}. Add a column with the venue.`;
  return outside(row, venues, places, division);
}

/** The report whose days hold the date, one that is still open first; of two performances a day that of the time. */
function reportFor(row: Figures, venue: number, { reports, performances }: FilePlaces): FileReport | undefined {
  const all = reports.filter((one) => (one.license_venue_id ?? venue) === venue && one.period_from <= row.date
    && one.period_to >= row.date);
  const timed = row.time === '' ? all : all.filter((one) => one.performance_id === null
    || performances.find((other) => other.id === one.performance_id)?.time === row.time);
  return timed.find((one) => isOpenReport(one) && !one.held) ?? timed[0];
}

function outside(row: Figures, venues: readonly number[], places: FilePlaces, division: string): string {
  const language = documentLanguage(division);
  const days = places.performances.filter((one) => venues.includes(one.license_venue_id)).map((one) => one.local_date);
  const [first, last] = [days[0], days.at(-1)];
  const name = venues.length === 1 ? places.venue_names.get(venues[0]!)! : places.title;
  return first === undefined || last === undefined ? `No report is due from ${name}`
    : `${dateFor(language, row.date)} is outside the run: ${name} plays ${periodFor(language, first, last)}`;
}

/** The rows of one report: a total of the period, or one row for each performance. */
function rowsOf(group: readonly Placed[], places: FilePlaces, division: string): UnaskedRow[] {
  const [first] = group;
  const out: UnaskedRow[] = [];
  const kept: Placed[] = [];
  for (const one of group) {
    const before = kept.find((other) => other.figures.date === one.figures.date
      && other.figures.time === one.figures.time);
    if (before) out.push(double(one, before, places));
    else kept.push(one);
  }
  if (kept.length === 1) return [...out, unasked(kept, first!, places, null)];
  const nights = kept.map((one) => nightOf(one, places));
  const lost = kept.filter((_, n) => nights[n] === null);
  if (lost.length > 0) {
    return [...out, ...kept.map((one) => ({ ...base([one], places), outcome: 'refused' as const, report: null,
      reason: whichNight(one, places, division) }))];
  }
  return [...out, unasked(kept, first!, places, nights as FilePerformance[])];
}

const base = (group: readonly Placed[], { venue_names: names }: FilePlaces) => ({
  rows: group.map((one) => one.figures.row_no), venue_name: names.get(group[0]!.venue) ?? null,
  period_from: group[0]!.report.period_from, period_to: group[0]!.report.period_to,
  gross_minor: group.reduce((all, one) => all + one.figures.gross_minor, 0),
});

function double(one: Placed, before: Placed, places: FilePlaces): UnaskedRow {
  const same = one.figures.gross_minor === before.figures.gross_minor
    && one.figures.attendance === before.figures.attendance;
  return { ...base([one], places), outcome: same ? 'reported' : 'refused', report: null,
    reason: same ? `The same as row ${before.figures.row_no}`
      : `Row ${before.figures.row_no} has other figures for the same time. Keep one of them.` };
}

/** The performance of a row: the only one of its day, or the one at its time. */
function nightOf({ figures, venue }: Placed, { performances }: FilePlaces): FilePerformance | null {
  const day = performances.filter((one) => one.license_venue_id === venue && one.local_date === figures.date);
  const fitting = figures.time === '' ? day : day.filter((one) => one.time === figures.time);
  return fitting.length === 1 ? fitting[0]! : null;
}

function whichNight({ figures, venue }: Placed, { performances }: FilePlaces, division: string): string {
  const day = dateFor(documentLanguage(division), figures.date);
  const times = performances.filter((one) => one.license_venue_id === venue && one.local_date === figures.date)
    .map((one) => one.time);
  return times.length === 0 ? `No performance is licensed on ${day}`
    : `${day} has performances at ${times.join(' and ')}. Add a column with the time.`;
}

function unasked(
  group: readonly Placed[], { report, venue }: Placed, places: FilePlaces, nights: readonly FilePerformance[] | null,
): UnaskedRow {
  const facts = group.map((one) => one.figures);
  const sum = (pick: (one: Figures) => number | null) => (facts.every((one) => pick(one) === null) ? null
    : facts.reduce((all, one) => all + (pick(one) ?? 0), 0));
  const shown = base(group, places);
  const paid = sum((one) => one.attendance);
  const reported = !isOpenReport(report) && report.gross_minor === shown.gross_minor
    && (paid === null || paid === report.paid_admissions);
  const open = isOpenReport(report) && !report.held;
  const figures: BatchReport = {
    report_id: open ? report.id : null, version: open ? report.version : null, license_venue_id: venue,
    scope: report.scope, performance_id: report.performance_id, period_from: report.period_from,
    period_to: report.period_to, currency: places.currency as BatchReport['currency'],
    gross_minor: shown.gross_minor, tax_included: facts.some((one) => one.tax_included),
    performances_held: nights ? nights.length : facts[0]!.performances ?? (report.scope === 'performance' ? 1 : null),
    paid_admissions: paid, complimentary: sum((one) => one.complimentary),
    capacity_available: sum((one) => one.capacity), capacity_ppm: nights ? null : facts[0]!.capacity_ppm,
    running_costs_minor: null, attachment_ids: [],
    deductions: DEDUCTION_TYPES.flatMap((type) => {
      const amount_minor = facts.flatMap((one) => one.deductions).filter((one) => one.type === type)
        .reduce((all, one) => all + one.amount_minor, 0);
      return amount_minor === 0 ? [] : [{ type, amount_minor, note: '' }];
    }),
    rows: (nights ?? []).map((night, n) => ({ performance_id: night.id, seats_sold: facts[n]!.attendance ?? 0,
      comps: facts[n]!.complimentary ?? 0, gross_minor: facts[n]!.gross_minor, price_bands: [] })),
  };
  return { ...shown, outcome: reported ? 'reported' : 'ready', report: reported ? null : figures,
    reason: reported ? 'The same figures are with us already' : null };
}
