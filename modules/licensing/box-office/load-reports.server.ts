/** Stored reports as the settlement reads them, locked in the order in which they are settled. */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { HOLDS_MINIMUM } from './report-questions.server.ts';
import type { Takings } from './takings.ts';

export interface LoadedReport {
  id: number;
  license_id: number;
  license_venue_id: number | null;
  division: string;
  currency: string;
  scope: Takings['scope'];
  period_from: string;
  period_to: string;
  due_on: string | null;
  status: string;
  version: number;
  replaces_report_id: number | null;
  /** The return that takes the place of this one. */
  replaced_by_id: number | null;
  held: boolean;
  invoice_id: number | null;
  minimum_waits: boolean;
  takings: Takings;
  /** Settled before: by an estimate of this report, and by the reports it takes the place of. */
  prior: { recouped: bigint; due: bigint };
}

interface Row extends Omit<LoadedReport, 'takings' | 'prior'> {
  gross_minor: number; tax_included: boolean; performances_held: number | null; paid_admissions: number | null;
  deductions: { type: string; amount_minor: number }[] | null;
  rows: { local_date: string; gross_minor: number }[] | null;
  covered: string[] | null; prior_earned: number | null; prior_recouped: number | null;
}

/** In the order of licence, period and id; without a lock for what is only read. */
export async function loadReports(db: Queryable, ids: readonly number[], lock = true): Promise<LoadedReport[]> {
  if (ids.length === 0) return [];
  if (lock) {
    await db.query(sql`select 1 from box_office_reports where id = any(${[...ids]}::bigint[]) order by id for update`);
  }
  const rows = await db.query<Row>(sql`
    select b.id, b.license_id, b.license_venue_id, b.division, b.currency, b.scope, b.period_from, b.period_to,
      b.due_on, b.status, b.version, b.replaces_report_id, b.replaced_by_id, b.held,
      b.invoice_id, b.gross_minor, b.tax_included, b.performances_held, b.paid_admissions,
      b.open_questions > 0 and exists (select 1 from box_office_questions q where q.box_office_report_id = b.id
        and q.answered_at is null and q.kind = any(${[...HOLDS_MINIMUM]}::text[])) as minimum_waits,
      case when b.deductions_minor > 0 or b.open_questions > 0 then (select jsonb_agg(jsonb_build_object('type', d.type,
        'amount_minor', d.amount_minor) order by d.id) from box_office_deductions d
        where d.box_office_report_id = b.id) end as deductions,
      (select jsonb_agg(jsonb_build_object('local_date', p.local_date, 'gross_minor', r.gross_minor)
        order by p.starts_at, p.id) from box_office_rows r join performances p on p.id = r.performance_id
        where r.box_office_report_id = b.id) as rows,
      case when b.covers_performances then (select jsonb_agg(p.local_date order by p.starts_at, p.id)
        from performances p where p.id in (select * from performances_of_return(b.license_id, b.license_venue_id,
          b.performance_id, b.period_from, b.period_to))) end as covered,
      coalesce(b.earned_minor, 0) + coalesce(o.earned, 0) as prior_earned,
      coalesce(b.recouped_minor, 0) + coalesce(o.recouped, 0) as prior_recouped
    from box_office_reports b left join lateral (select sum(r.earned_minor)::bigint as earned,
        sum(r.recouped_minor)::bigint as recouped from box_office_reports r where r.replaced_by_id = b.id) o
      on b.replaces_report_id is not null and b.status <> 'accepted'
    where b.id = any(${[...ids]}::bigint[]) order by b.license_id, b.period_to, b.id`);
  return rows.map(loaded);
}

function loaded(row: Row): LoadedReport {
  const recouped = BigInt(row.prior_recouped ?? 0);
  return {
    id: row.id, license_id: row.license_id, license_venue_id: row.license_venue_id, division: row.division,
    currency: row.currency, scope: row.scope, period_from: row.period_from, period_to: row.period_to,
    due_on: row.due_on, status: row.status, version: row.version, replaces_report_id: row.replaces_report_id,
    replaced_by_id: row.replaced_by_id, held: row.held,
    invoice_id: row.invoice_id, minimum_waits: row.minimum_waits,
    prior: { recouped, due: BigInt(row.prior_earned ?? 0) - recouped },
    takings: {
      report_id: row.id, license_venue_id: row.license_venue_id, scope: row.scope, period_from: row.period_from,
      period_to: row.period_to, gross_minor: BigInt(row.gross_minor), tax_included: row.tax_included,
      performances_held: row.performances_held ?? 0, paid_admissions: row.paid_admissions,
      deductions: (row.deductions ?? []).map((one) => ({ type: one.type, amount_minor: BigInt(one.amount_minor) })),
      rows: (row.rows ?? []).map((one) => ({ local_date: one.local_date, gross_minor: BigInt(one.gross_minor) })),
      covered: row.covered ?? [],
    },
  };
}
