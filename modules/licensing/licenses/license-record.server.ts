/** The stored licence as domain code reads it, and the lock under which every change of it runs. */
import { refuse } from '#kit/errors.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import type { LicensePhase } from '#kernel/licensing/license-machine.ts';
import type { ExecutionPolicy } from '#kernel/pricing/rate-card.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { empty, sql } from '#server/sql.ts';

export type FreeRule =
  | { kind: 'min' } | { kind: 'percent_of_min'; ppm: number } | { kind: 'flat'; amount_minor: number };

/** Tiers, bands and other parts of the terms that are read whole (licenses.fee_terms); amounts in minor units. */
export interface FeeTerms {
  greater_of?: [string, string] | null;
  performance_tiers?: { from_n: number; amount_minor: number }[];
  seat_bands?: { from_seats: number; to_seats: number | null; amount_minor: number }[];
  gross_tiers?: { from_gross_minor: number; rate_ppm: number; mode: 'marginal' | 'retroactive';
    after_recoupment: boolean }[];
  flat_run_minor?: number;
  box_office_deductions?: { type: string; cap_ppm: number | null }[];
  free_admission_rule?: FreeRule | null;
  /** Per performance, where fee_method is negotiated. */
  negotiated_fee_minor?: number;
  deposit_kind?: 'security' | 'on_account' | null;
}

export interface License {
  id: number;
  number: string;
  license_number: string | null;
  customer_id: number;
  license_application_id: number | null;
  show_id: number;
  show_code: string;
  show_type: 'play' | 'musical';
  category: 'Amateur' | 'Pro';
  phase: LicensePhase;
  division: Division;
  currency: Currency;
  customer_classification_id: number | null;
  license_rep_id: number | null;
  title_on_license: string;
  producing_organisation: string;
  first_performance_on: string | null;
  last_performance_on: string | null;
  number_of_performances: number;
  cast_size: number | null;
  orchestration: 'full' | 'reduced' | 'piano' | 'tracks' | null;
  on_hold: boolean;
  hold_reason: string | null;
  postponed: boolean;
  restricted_clearance: boolean;
  dispute: boolean;
  rate_card_id: number | null;
  fee_method: string | null;
  rate_ppm: number | null;
  gross_basis: 'capacity' | 'weighted' | 'expected' | 'top_price' | null;
  guarantee_scope: 'performance' | 'run' | 'week' | null;
  round_up_to_minor: number | null;
  round_up_scope: 'performance' | 'run' | null;
  min_per_performance_minor: number | null;
  min_per_run_minor: number | null;
  min_per_week_minor: number | null;
  min_performances: number | null;
  full_week_performances: number | null;
  empty_week_owes_minimum: boolean | null;
  minimum_counts_toward_advance: boolean | null;
  week_start: number | null;
  advance_minor: number | null;
  true_up: string | null;
  recoupment_declared_on: string | null;
  fee_terms: FeeTerms | null;
  negotiated_reason: string | null;
  execution_policy: ExecutionPolicy;
  execution_policy_reason: string | null;
  purchase_order_no: string | null;
  discount_type: 'amount' | 'percent' | null;
  discount_ppm: number | null;
  discount_amount_minor: number | null;
  discount_reason: string | null;
  discount_internal_reason: string;
  discount_approved_by_id: number | null;
  royalty_total_minor: number;
  materials_total_minor: number;
  tax_total_minor: number;
  deposit_minor: number;
  grand_total_minor: number;
  invoiced_minor: number;
  paid_minor: number;
  balance_minor: number;
  offer_version: number;
  offer_sent_at: string | null;
  covering_note: string | null;
  offer_expires_at: string | null;
  accepted_at: string | null;
  pay_by: string | null;
  executed_at: string | null;
  settlement_due_on: string | null;
  ship_on: string | null;
  return_due_on: string | null;
  closed_at: string | null;
  availability_result: { verdict: string } | null;
  availability_override_reason: string | null;
  availability_override_by_id: number | null;
  calculation_trace: unknown;
  priced_at: string | null;
  created_by_id: number | null;
  version: number;
  updated_at: string;
  deleted_at: string | null;
}

export async function findLicense(db: Queryable, licenseId: number, lock = false): Promise<License> {
  const row = await db.maybeOne<License>(sql`
    select * from licenses where id = ${licenseId} and deleted_at is null ${lock ? sql`for update` : empty}`);
  if (!row) throw refuse('not_found');
  return row;
}

/** The row under FOR UPDATE; 412 where the caller saw another version (domain.md 1.1). null: the caller saw none. */
export async function lockLicense(db: Queryable, licenseId: number, version: number | null): Promise<License> {
  const license = await findLicense(db, licenseId, true);
  if (version !== null && license.version !== version) throw stale(license);
  return license;
}

/** A licence of this customer that is no draft; anything else is indistinguishable from a missing one. */
export async function findCustomerLicense(
  db: Queryable, customerId: number, licenseId: number, lock = false,
): Promise<License> {
  const license = await findLicense(db, licenseId, lock);
  if (license.customer_id !== customerId || license.phase === 'draft') throw refuse('not_found');
  return license;
}
