/** A report while it is typed: a grid of performances or one total, and what the call takes of it. */
import { spell } from '#kernel/text/english.ts';
import type { PerformanceRow } from '../licenses/performances/performance.contract.ts';
import type { ReportDetail, ReportInput, ReportRow } from './box-office.contract.ts';

export interface GridRow { performance_id: number; seats: number | null; comps: number | null; gross: number | null }
export interface DeductionDraft { key: number; type: string | null; amount: number | null; note: string }

export interface ReportDraft {
  scope: ReportInput['scope'];
  venue_id: number | null;
  performance_id: number | null;
  from: string | null;
  to: string | null;
  /** The takings are known per performance; otherwise only their total. */
  by_performance: boolean;
  grid: readonly GridRow[];
  gross: number | null;
  held: number | null;
  admissions: number | null;
  /** Running costs of the week; null: not known. */
  costs: number | null;
  tax_included: boolean;
  deductions: readonly DeductionDraft[];
  certified_name: string;
}

/** Performances of the period at the venue that can have takings. */
export function performancesOf(draft: ReportDraft, all: readonly PerformanceRow[]): PerformanceRow[] {
  return all.filter((row) => row.status !== 'cancelled' && row.status !== 'postponed'
    && (draft.venue_id === null || row.license_venue_id === draft.venue_id)
    && (draft.scope !== 'performance' || row.id === draft.performance_id)
    && (draft.scope === 'performance' || (draft.from !== null && draft.to !== null
      && row.local_date >= draft.from && row.local_date <= draft.to)));
}

const EMPTY: ReportDraft = {
  scope: 'performance', venue_id: null, performance_id: null, from: null, to: null, by_performance: true, grid: [],
  gross: null, held: null, admissions: null, costs: null, tax_included: false, deductions: [], certified_name: '',
};

/** A new report, or one for a row that is expected. */
export function draftFor(expected: ReportRow | null, performances: readonly PerformanceRow[]): ReportDraft {
  if (!expected) {
    const first = performances[0];
    return first ? { ...EMPTY, performance_id: first.id, venue_id: first.license_venue_id, from: first.local_date,
      to: first.local_date } : EMPTY;
  }
  return { ...EMPTY, scope: expected.scope, venue_id: expected.license_venue_id,
    performance_id: expected.performance_id,
    from: expected.period_from, to: expected.period_to };
}

/** A report that is there already, to be typed again. */
export function draftFrom(report: ReportDetail): ReportDraft {
  return {
    scope: report.scope, venue_id: report.license_venue_id, performance_id: report.performance_id,
      from: report.period_from,
    to: report.period_to, by_performance: report.rows.length > 0,
    grid: report.rows.map((row) => ({ performance_id: row.performance_id, seats: row.seats_sold, comps: row.comps,
      gross: row.gross_minor })),
    gross: report.gross_minor, held: report.performances_held, admissions: report.paid_admissions,
    costs: report.running_costs_minor, tax_included: report.tax_included, certified_name: report.certified_name ?? '',
    deductions: report.deductions.map((one, key) => ({ key, type: one.type, amount: one.amount_minor,
      note: one.note })),
  };
}

export function gridRow(draft: ReportDraft, performanceId: number): GridRow {
  return draft.grid.find((row) => row.performance_id === performanceId)
    ?? { performance_id: performanceId, seats: null, comps: null, gross: null };
}

export function withGridRow(draft: ReportDraft, performanceId: number, change: Partial<GridRow>): ReportDraft {
  const next = { ...gridRow(draft, performanceId), ...change };
  return { ...draft, grid: [...draft.grid.filter((row) => row.performance_id !== performanceId), next] };
}

export interface GridTotals { seats: number; comps: number; gross: number }
export function gridTotals(draft: ReportDraft, shown: readonly PerformanceRow[]): GridTotals {
  return shown.map((row) => gridRow(draft, row.id)).reduce<GridTotals>((sum, row) => ({
    seats: sum.seats + (row.seats ?? 0), comps: sum.comps + (row.comps ?? 0), gross: sum.gross + (row.gross ?? 0),
  }), { seats: 0, comps: 0, gross: 0 });
}

/** Next thing still missing, in the order of the form. */
export function missingIn(draft: ReportDraft, shown: readonly PerformanceRow[]): string | undefined {
  if (draft.scope === 'performance' && draft.performance_id === null) return 'Choose the performance';
  if (!draft.from || !draft.to) return 'Enter the period';
  if (!draft.by_performance) return draft.gross === null ? spell`Enter the gross receipts` : undefined;
  if (shown.length === 0) return 'There is no performance in this period';
  return shown.some((row) => gridRow(draft, row.id).gross === null)
    ? spell`Enter the gross receipts of every performance` : undefined;
}

/** The figures of a report, as both calls take them. */
export type ReportFigures = Omit<ReportInput, 'add' | 'replaces_report_id'>;

/** The body of the call, minor units throughout. */
export function reportBody(draft: ReportDraft, shown: readonly PerformanceRow[], currency: string): ReportFigures {
  const totals = gridTotals(draft, shown);
  const rows = draft.by_performance ? shown.map((one) => {
    const row = gridRow(draft, one.id);
    return { performance_id: one.id, seats_sold: row.seats ?? 0, comps: row.comps ?? 0, gross_minor: row.gross ?? 0,
      price_bands: [] };
  }) : [];
  return {
    scope: draft.scope, license_venue_id: draft.venue_id, performance_id: draft.scope === 'performance'
      ? draft.performance_id : null,
    period_from: draft.from ?? '', period_to: draft.to ?? '', currency: currency as ReportInput['currency'],
    gross_minor: draft.by_performance ? totals.gross : draft.gross ?? 0, tax_included: draft.tax_included,
    running_costs_minor: draft.scope === 'week' ? draft.costs : null,
    performances_held: draft.by_performance ? shown.length : draft.held,
    paid_admissions: draft.by_performance ? totals.seats : draft.admissions,
    complimentary: draft.by_performance ? totals.comps : null,
    deductions: draft.deductions.flatMap((one) => (one.type && one.amount
      ? [{ type: one.type as ReportInput['deductions'][number]['type'], amount_minor: one.amount, note: one.note }]
        : [])),
    rows, attachment_ids: [], certified_name: draft.certified_name.trim() || null,
  };
}
