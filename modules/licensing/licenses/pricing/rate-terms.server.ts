/**
 * Selects the applicable rate card and the terms a license keeps of it (domain.md 2.2): a later card never alters a
 * license.
 */
import {
  NO_RATE_TERMS, resolveRateCard, type AllowedDeduction, type FreeAdmissionRule, type RateCard, type RateQuery,
  type RateTerms, type SimpleFeeMethod,
} from '#kernel/pricing/rate-card.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { FeeTerms, FreeRule, License } from '../license-record.server.ts';

/** A card with what pricing needs beside the kernel's terms. */
export interface LoadedCard extends RateCard {
  readonly show_package_id: number | null;
  readonly week_start: number;
  readonly true_up: string;
  readonly minimum_counts_toward_advance: boolean;
  readonly gross_tier_rows: NonNullable<FeeTerms['gross_tiers']>;
}

interface CardRow {
  id: number; show_id: number | null; category: 'Amateur' | 'Pro'; division: LoadedCard['division'];
  customer_classification_id: number | null; effective_from: string; effective_to: string | null;
  status: 'approved'; currency: LoadedCard['currency']; fee_method: RateTerms['fee_method'];
  greater_of_first: SimpleFeeMethod | null; greater_of_second: SimpleFeeMethod | null; rate_ppm: number | null;
  gross_basis: RateTerms['gross_basis']; flat_run_minor: number | null; min_per_performance_minor: number;
  min_per_run_minor: number; min_per_week_minor: number; min_performances: number;
  guarantee_scope: RateTerms['guarantee_scope']; full_week_performances: number | null;
  empty_week_owes_minimum: boolean;
  minimum_counts_toward_advance: boolean; week_start: number; round_up_to_minor: number;
  round_up_scope: RateTerms['round_up_scope']; advance_minor: number; true_up: string;
  free_admission_kind: 'min' | 'percent_of_min' | 'flat' | null; free_admission_ppm: number | null;
  free_admission_minor: number | null; show_package_id: number | null;
  deposit_kind: 'security' | 'on_account' | null; deposit_minor: number;
  execution_policy: LoadedCard['execution_policy'];
  tiers: { from_n: number; amount_minor: number }[];
  bands: { from_seats: number; to_seats: number | null; amount_minor: number }[];
  gross_tiers: NonNullable<FeeTerms['gross_tiers']>;
  deductions: { type: string; cap_ppm: number | null }[];
}

/** The approved card in force on the first performance; the most specific wins. null: quote by hand. */
export async function findRateCard(db: Queryable, query: RateQuery): Promise<LoadedCard | null> {
  const rows = await db.query<CardRow>(sql`
    select c.*,
      coalesce((select jsonb_agg(jsonb_build_object('from_n', from_n, 'amount_minor', amount_minor) order by from_n)
        from rate_card_performance_tiers where rate_card_id = c.id), '[]') as tiers,
      coalesce((select jsonb_agg(jsonb_build_object('from_seats', from_seats, 'to_seats', to_seats, 'amount_minor',
        amount_minor) order by from_seats) from rate_card_seat_bands where rate_card_id = c.id), '[]') as bands,
      coalesce((select jsonb_agg(jsonb_build_object('from_gross_minor', from_gross_minor, 'rate_ppm', rate_ppm,
        'mode', mode, 'after_recoupment', after_recoupment) order by from_gross_minor)
        from rate_card_gross_tiers where rate_card_id = c.id), '[]') as gross_tiers,
      coalesce((select jsonb_agg(jsonb_build_object('type', type, 'cap_ppm', cap_ppm) order by type)
        from rate_card_deductions where rate_card_id = c.id), '[]') as deductions
    from rate_cards c
    where c.status = 'approved' and c.category = ${query.category} and c.division = ${query.division}
      and c.currency = ${query.currency} and (c.show_id is null or c.show_id = ${query.show_id})
      and (c.customer_classification_id is null or c.customer_classification_id = ${query.classification_id})
      and c.effective_from <= ${query.first_performance_on}
      and (c.effective_to is null or c.effective_to >= ${query.first_performance_on})`);
  return resolveRateCard(rows.map(cardOf), query);
}

function cardOf(row: CardRow): LoadedCard {
  const big = (value: number | null): bigint => BigInt(value ?? 0);
  return {
    ...termsFrom({
      greater_of: row.greater_of_first && row.greater_of_second ? [row.greater_of_first, row.greater_of_second] : null,
      performance_tiers: row.tiers, seat_bands: row.bands, gross_tiers: row.gross_tiers,
      flat_run_minor: row.flat_run_minor ?? 0, box_office_deductions: row.deductions,
      free_admission_rule: freeRule(row),
    }, null),
    fee_method: row.fee_method, rate_ppm: big(row.rate_ppm), gross_basis: row.gross_basis,
    min_per_performance_minor: big(row.min_per_performance_minor), min_per_run_minor: big(row.min_per_run_minor),
    min_per_week_minor: big(row.min_per_week_minor), min_performances: row.min_performances,
    guarantee_scope: row.guarantee_scope, round_up_to_minor: big(row.round_up_to_minor),
    round_up_scope: row.round_up_scope, advance_minor: big(row.advance_minor),
    id: row.id, show_id: row.show_id, category: row.category, division: row.division,
    classification_id: row.customer_classification_id, currency: row.currency, effective_from: row.effective_from,
    effective_to: row.effective_to, status: row.status, deposit_minor: big(row.deposit_minor),
    deposit_kind: row.deposit_kind ?? 'security', execution_policy: row.execution_policy,
    show_package_id: row.show_package_id, week_start: row.week_start, true_up: row.true_up,
    full_week_performances: row.full_week_performances, empty_week_owes_minimum: row.empty_week_owes_minimum,
    minimum_counts_toward_advance: row.minimum_counts_toward_advance, gross_tier_rows: row.gross_tiers,
  };
}

function freeRule(row: CardRow): FreeRule | null {
  if (row.free_admission_kind === 'percent_of_min') return { kind: 'percent_of_min', ppm: row.free_admission_ppm ?? 0 };
  if (row.free_admission_kind === 'flat') return { kind: 'flat', amount_minor: row.free_admission_minor ?? 0 };
  return row.free_admission_kind === 'min' ? { kind: 'min' } : null;
}

/** The parts that are stored whole, as the kernel reads them; `recoupedOn` dates the tiers that wait for it. */
function termsFrom(parts: FeeTerms, recoupedOn: string | null): RateTerms {
  return {
    ...NO_RATE_TERMS,
    greater_of: (parts.greater_of as [SimpleFeeMethod, SimpleFeeMethod] | null | undefined) ?? null,
    performance_tiers: (parts.performance_tiers ?? [])
      .map((row) => ({ from_n: row.from_n, amount_minor: BigInt(row.amount_minor) })),
    seat_bands: (parts.seat_bands ?? []).map((row) => ({ ...row, amount_minor: BigInt(row.amount_minor) })),
    gross_tiers: (parts.gross_tiers ?? [])
      .filter((row) => !row.after_recoupment || recoupedOn !== null)
      .map((row) => ({ from_gross_minor: BigInt(row.from_gross_minor), rate_ppm: BigInt(row.rate_ppm), mode: row.mode,
        after_recoupment_on: row.after_recoupment ? recoupedOn : null })),
    flat_run_minor: BigInt(parts.flat_run_minor ?? 0),
    box_office_deductions: (parts.box_office_deductions ?? []).map((row) => ({
      type: row.type as AllowedDeduction['type'], cap_ppm: row.cap_ppm === null ? null : BigInt(row.cap_ppm) })),
    free_admission_rule: freeAdmission(parts.free_admission_rule ?? null),
  };
}

function freeAdmission(rule: FreeRule | null): FreeAdmissionRule | null {
  if (!rule || rule.kind === 'min') return rule ? { kind: 'min' } : null;
  if (rule.kind === 'percent_of_min') return { kind: 'percent_of_min', ppm: BigInt(rule.ppm) };
  return { kind: 'flat', amount_minor: BigInt(rule.amount_minor) };
}

type TermColumns = Pick<License, 'fee_method' | 'rate_ppm' | 'gross_basis' | 'guarantee_scope' | 'round_up_to_minor'
  | 'round_up_scope' | 'min_per_performance_minor' | 'min_per_run_minor' | 'min_per_week_minor' | 'min_performances'
  | 'full_week_performances' | 'empty_week_owes_minimum' | 'advance_minor' | 'recoupment_declared_on' | 'fee_terms'>;

/** The terms a priced licence carries, as the kernel computes with them: quotes, amendments, box-office reports. */
export function termsOfLicense(license: TermColumns): RateTerms {
  const big = (value: number | null): bigint => BigInt(value ?? 0);
  return {
    ...termsFrom(license.fee_terms ?? {}, license.recoupment_declared_on),
    fee_method: (license.fee_method ?? 'percent_potential') as RateTerms['fee_method'],
    rate_ppm: big(license.rate_ppm), gross_basis: license.gross_basis ?? 'weighted',
    min_per_performance_minor: big(license.min_per_performance_minor),
    min_per_run_minor: big(license.min_per_run_minor), min_per_week_minor: big(license.min_per_week_minor),
    min_performances: license.min_performances ?? 0, guarantee_scope: license.guarantee_scope ?? 'run',
    round_up_to_minor: big(license.round_up_to_minor), round_up_scope: license.round_up_scope ?? 'performance',
    full_week_performances: license.full_week_performances,
    empty_week_owes_minimum: license.empty_week_owes_minimum ?? false, advance_minor: big(license.advance_minor),
  };
}

/** Terms of a card that are kept in licenses.fee_terms. */
export function feeTermsOf(card: LoadedCard): FeeTerms {
  const plain = (value: bigint): number => Number(value);
  return {
    greater_of: card.greater_of ? [card.greater_of[0], card.greater_of[1]] : null,
    performance_tiers: card.performance_tiers
      .map((row) => ({ from_n: row.from_n, amount_minor: plain(row.amount_minor) })),
    seat_bands: card.seat_bands.map((row) => ({ ...row, amount_minor: plain(row.amount_minor) })),
    gross_tiers: card.gross_tier_rows,
    flat_run_minor: plain(card.flat_run_minor),
    box_office_deductions: card.box_office_deductions
      .map((row) => ({ type: row.type, cap_ppm: row.cap_ppm === null ? null : plain(row.cap_ppm) })),
    free_admission_rule: frozenFreeRule(card.free_admission_rule),
    deposit_kind: card.deposit_minor > 0n ? card.deposit_kind : null,
  };
}

function frozenFreeRule(rule: FreeAdmissionRule | null): FreeRule | null {
  if (rule === null || rule.kind === 'min') return rule;
  if (rule.kind === 'percent_of_min') return { kind: 'percent_of_min', ppm: Number(rule.ppm) };
  return { kind: 'flat', amount_minor: Number(rule.amount_minor) };
}
