/** A report of box office as its form holds it, and as it travels. */
import { spell } from '#kernel/text/english.ts';
import type { BodyIn, ResponseOf } from '#kit/endpoint.ts';
import { bandsOfType } from '#kernel/pricing/price-bands.ts';
import type { portalBoxOfficeEndpoints } from '#modules/licensing/box-office/box-office.contract.ts';
import type { ProductionDetail } from '#modules/licensing/portal/portal.contract.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import type { Performance } from './performance-row.web.ts';
import { clock } from './portal-words.web.ts';

export type Report = ResponseOf<typeof portalBoxOfficeEndpoints.show>['data'];
export type ReportBody = BodyIn<typeof portalBoxOfficeEndpoints.update>;
/** Seats sold at one price. */
export interface Band { label: string; price_minor: number; seats: number | null }
/** Figures of one night, in minor units; null: not known yet. `bands`: empty until seats are told by price. */
export interface Night { seats: number | null; comps: number | null; gross: number | null; bands: Band[] }
export interface Deduction { type: DeductionType; amount_minor: number | null; note: string }
type DeductionType = Report['deductions'][number]['type'];
/** Nights by the id of their performance: so two people who report different nights merge by themselves (U27). */
export interface ReportValues extends Record<string, unknown> {
  nights: Record<string, Night>;
  /** Takings of a period without nights. */
  whole: number | null;
  taxed: boolean;
  /** Running costs of the week, if the report asks for them. */
  costs: number | null;
  deductions: Deduction[];
  files: { file_id: number; name: string }[];
  name: string;
}

/** None where the period was reported as one sum: it is corrected as it was sent. */
export function nightsToReport(report: Report, rows: readonly Performance[]): Performance[] {
  return report.gross_minor > 0 && report.rows.length === 0 ? [] : nightsOf(report, rows);
}

/** Performances that the report covers, in the order they are played. */
function nightsOf(report: Report, rows: readonly Performance[]): Performance[] {
  return rows.filter((row) => row.local_date >= report.period_from && row.local_date <= report.period_to
    && row.status !== 'cancelled' && (report.license_venue_id === null
      || row.license_venue_id === report.license_venue_id)
    && (report.performance_id === null || row.id === report.performance_id));
}

export function reportValues(report: Report, nights: readonly Performance[]): ReportValues {
  return {
    nights: Object.fromEntries(nights.map((row) => {
      const known = report.rows.find((one) => one.performance_id === row.id);
      return [String(row.id), { seats: known?.seats_sold ?? null, comps: known?.comps ?? null,
        gross: known?.gross_minor ?? null, bands: (known?.price_bands ?? []).map((band) => ({ label: band.label,
          price_minor: band.price_minor, seats: band.seats_sold })) }];
    })),
    whole: report.gross_minor || null, taxed: report.tax_included, costs: report.running_costs_minor,
    deductions: report.deductions.map(({ type, amount_minor, note }) => ({ type, amount_minor, note })),
    files: report.attachments.map(({ file_id, name }) => ({ file_id, name })),
    name: report.certified_name ?? '',
  };
}

export function takingsOf({ nights, whole }: ReportValues): number {
  const all = Object.values(nights);
  return all.length > 0 ? all.reduce((sum, night) => sum + (night.gross ?? 0), 0) : whole ?? 0;
}

/** Nobody has typed any takings yet. */
export function isEmptyReport({ nights, whole }: ReportValues): boolean {
  const all = Object.values(nights);
  return all.length > 0 ? all.every((night) => night.gross === null) : whole === null;
}

const heldOf = (values: ReportValues) => Object.entries(values.nights)
  .filter(([, night]) => night.gross !== null || night.seats !== null);

export function reportBody(report: Report, values: ReportValues, certify: boolean): ReportBody {
  const nights = Object.values(values.nights);
  const held = heldOf(values);
  const sum = (pick: (night: Night) => number | null) => nights.reduce((total, night) => total + (pick(night) ?? 0), 0);
  return {
    license_venue_id: report.license_venue_id, scope: report.scope, performance_id: report.performance_id,
    period_from: report.period_from, period_to: report.period_to, currency: report.currency,
    gross_minor: takingsOf(values), tax_included: values.taxed, running_costs_minor: values.costs,
    deductions: deductionsOf(values.deductions),
    attachment_ids: values.files.map((file) => file.file_id), version: report.version, draft: !certify,
    ...(certify && { certified_name: values.name.trim() }),
    ...(nights.length === 0 && { performances_held: report.performances_held, paid_admissions: report.paid_admissions,
      complimentary: report.complimentary, capacity_available: report.capacity_available }),
    ...(nights.length > 0 && {
      performances_held: held.length, paid_admissions: sum((night) => night.seats),
      complimentary: sum((night) => night.comps),
      rows: held.map(([id, night]) => ({ performance_id: Number(id), seats_sold: night.seats ?? 0,
        comps: night.comps ?? 0, gross_minor: night.gross ?? 0, price_bands: night.bands.map((band) => ({
          label: band.label, price_minor: band.price_minor, seats_sold: band.seats ?? 0 })) })),
    }),
  };
}

/** Without the rows that nobody filled in. */
export const deductionsOf = (rows: readonly Deduction[]) => rows.flatMap(({ type, amount_minor, note }) =>
  (amount_minor ? [{ type, amount_minor, note }] : []));

/** Seats and gross of a night follow from its seats by price. */
export function withBands(night: Night, bands: Band[]): Night {
  return { ...night, bands, seats: bands.reduce((all, band) => all + (band.seats ?? 0), 0),
    gross: bands.reduce((all, band) => all + (band.seats ?? 0) * band.price_minor, 0) };
}

/** Prices of the license at a venue for a type of performance, without seats. */
export function pricesOf(venues: ProductionDetail['license_venues'] | undefined, row: Performance): Band[] {
  const own = venues?.find((venue) => venue.id === row.license_venue_id)?.ticketing ?? [];
  return bandsOfType(own, row.type).rows.map((band) => ({ label: band.label ?? '',
    price_minor: Math.round(band.price * 100), seats: null }));
}

const FIELDS: Record<string, string> = { seats_sold: 'seats', comps: 'comps', gross_minor: 'gross' };

/** Maps server errors to form fields: `rows.0.gross_minor` is the takings of the first night that was held. */
export function reportErrors(errors: Readonly<Record<string, string>>, values: ReportValues): Record<string, string> {
  const held = heldOf(values);
  return Object.fromEntries(Object.entries(errors).map(([path, text]) => {
    const [, index, name] = /^rows\.(\d+)\.(\w+)/.exec(path) ?? [];
    const night = held[Number(index ?? -1)];
    if (night && name && FIELDS[name]) return [`nights.${night[0]}.${FIELDS[name]}`, text];
    if (path === 'gross_minor' && Object.keys(values.nights).length === 0) return ['whole', text];
    return [path === 'certified_name' ? 'name' : path === 'tax_included' ? 'taxed'
      : path === 'running_costs_minor' ? 'costs' : path, text];
  }));
}

export const nightName = (row: Performance): string =>
  `${formatDay(row.local_date, 'weekday')}, ${clock(row.local_time)}`;

/** Words of every path, for the error summary and for comparing two people's figures. */
export function reportLabels(nights: readonly Performance[]): Record<string, string> {
  const parts = { seats: 'seats sold', comps: 'free seats', gross: 'takings', bands: 'seats by price' };
  return {
    whole: spell`Gross receipts of the period`, costs: 'Running costs of the week',
    taxed: 'Gross includes ticket tax', deductions: 'Deductions', files: 'Files', name: 'Your full name',
    ...Object.fromEntries(nights.flatMap((row) => Object.entries(parts).map(([key, word]) =>
      [`nights.${row.id}.${key}`, `${nightName(row)}, ${word}`]))),
  };
}

/** Words of amounts by path. */
export function reportWords(nights: readonly Performance[], currency: string) {
  const amount = (value: unknown) => (typeof value === 'number' ? formatAmount(value, currency) : undefined);
  const paths = ['whole', 'costs', ...nights.map((row) => `nights.${row.id}.gross`)];
  return Object.fromEntries(paths.map((path) => [path, amount]));
}

/** Under the field for the name of the person who reports. */
export const CERTIFIES = 'By typing your name you certify that these figures are complete and true.';
