/** The agreements of shows with their terms, as the kernel shares by them (domain.md 3.2). */
import type { AccrualAgreement } from '#kernel/royalties/accrual-types.ts';
import { presentationOf, type Presentation } from '#kernel/royalties/entitlement.ts';
import { matchDate, matchTerm, type LineDimensions, type RoyaltyTerm } from '#kernel/royalties/terms.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

export interface ShowAgreements {
  presentation: Presentation;
  /** Parties that earn; the house's own agreement is not one of them. */
  parties: readonly AccrualAgreement[];
  /** An agreement in the role house states the commission that "after house commission" means. */
  house: readonly AccrualAgreement[];
}

interface AgreementRow {
  id: number; show_id: number; royaltor_id: number; royaltor_name: string; role: string;
  accrual_basis: AccrualAgreement['accrual_basis']; date_basis: AccrualAgreement['date_basis'];
  term_from: string | null; term_to: string | null; royalty_presentation: Presentation; show_presentation: Presentation;
}

type TermRow = { show_royaltor_id: number; tiers: { from_minor: number; rate_ppm: number;
  after_recoupment: boolean }[]; rate_ppm: number; share_points: number; unit_amount_minor: number | null;
  source_commission_ppm: number | null; pool_min_per_point_minor: number | null; pool_points_x100: number | null;
  pool_total_points_x100: number | null; min_per_performance_minor: number | null; annual_min_minor: number | null;
  reserve_ppm: number } & Omit<RoyaltyTerm, 'tiers' | 'rate_ppm' | 'share_points' | 'unit_amount_minor'
    | 'source_commission_ppm' | 'pool_min_per_point_minor' | 'pool_points_x100' | 'pool_total_points_x100'
    | 'min_per_performance_minor' | 'annual_min_minor' | 'reserve_ppm'>;

/** Active and ended agreements: an agreement's own dates say whether a line falls into it. */
export async function agreementsOf(db: Queryable, showIds: readonly number[]): Promise<Map<number, ShowAgreements>> {
  const rows = await db.query<AgreementRow>(sql`
    select a.id, a.show_id, a.royaltor_id, r.name as royaltor_name, a.role, a.accrual_basis, a.date_basis,
      a.term_from, a.term_to, a.royalty_presentation, s.royalty_presentation as show_presentation
    from show_royaltors a join royaltors r on r.id = a.royaltor_id join shows s on s.id = a.show_id
    where a.show_id = any(${[...showIds]}::bigint[]) and a.status <> 'draft' and a.deleted_at is null order by a.id`);
  const terms = await termsOf(db, rows.map((row) => row.id));
  const known = new Map<number, ShowAgreements>();
  for (const [showId, own] of Map.groupBy(rows, (row) => row.show_id)) {
    const all = own.map((row) => ({ row, agreement: agreementOf(row, terms.get(row.id) ?? []) }));
    const parties = all.filter(({ row }) => row.role !== 'house');
    known.set(showId, {
      presentation: presentationOf(parties.map(({ row }) => row.royalty_presentation), own[0]!.show_presentation),
      parties: parties.map(({ agreement }) => agreement),
      house: all.filter(({ row }) => row.role === 'house').map(({ agreement }) => agreement),
    });
  }
  return known;
}

async function termsOf(db: Queryable, agreementIds: readonly number[]): Promise<Map<number, RoyaltyTerm[]>> {
  const rows = await db.query<TermRow>(sql`
    select t.id, t.show_royaltor_id, t.priority, t.match_income_types, t.match_categories, t.match_divisions,
      t.match_countries, t.match_territory_group, t.match_material_category, t.match_material_sub_category,
      t.match_item_number, t.match_add_on_id, t.match_date_from, t.match_date_to,
      t.match_customer_classification_id, t.rate_ppm, t.share_points, t.basis, t.unit_amount_minor,
      t.source_commission_ppm, t.pool_of, t.pool_min_per_point_minor, t.pool_points_x100, t.pool_total_points_x100,
      t.min_per_performance_minor, t.annual_min_minor, t.reserve_ppm, t.recoupable,
      coalesce((select jsonb_agg(jsonb_build_object('from_minor', from_minor, 'rate_ppm', rate_ppm,
        'after_recoupment', after_recoupment) order by from_minor) from royalty_term_tiers
        where royalty_term_id = t.id), '[]') as tiers
    from royalty_terms t where t.show_royaltor_id = any(${[...agreementIds]}::bigint[]) order by t.id`);
  const byAgreement = new Map<number, RoyaltyTerm[]>();
  for (const row of rows) {
    byAgreement.set(row.show_royaltor_id, [...(byAgreement.get(row.show_royaltor_id) ?? []), termOf(row)]);
  }
  return byAgreement;
}

function termOf(row: TermRow): RoyaltyTerm {
  const big = (value: number | null): bigint | null => (value === null ? null : BigInt(value));
  return {
    ...row, rate_ppm: BigInt(row.rate_ppm), share_points: BigInt(row.share_points),
    unit_amount_minor: big(row.unit_amount_minor), source_commission_ppm: big(row.source_commission_ppm),
    pool_min_per_point_minor: big(row.pool_min_per_point_minor), pool_points_x100: big(row.pool_points_x100),
    pool_total_points_x100: big(row.pool_total_points_x100),
    min_per_performance_minor: big(row.min_per_performance_minor), annual_min_minor: big(row.annual_min_minor),
    reserve_ppm: BigInt(row.reserve_ppm),
    tiers: row.tiers.map((tier) => ({ from_minor: BigInt(tier.from_minor), rate_ppm: BigInt(tier.rate_ppm),
      after_recoupment: tier.after_recoupment })),
  };
}

function agreementOf(row: AgreementRow, terms: readonly RoyaltyTerm[]): AccrualAgreement {
  return {
    show_royaltor_id: row.id, royaltor_id: row.royaltor_id, royaltor_name: row.royaltor_name,
    accrual_basis: row.accrual_basis, date_basis: row.date_basis, term_from: row.term_from, term_to: row.term_to, terms,
  };
}

/** The rate of the house's own agreement that matches the line; 0 where it has none. */
export function houseCommission(
  house: readonly AccrualAgreement[],
  line: Omit<LineDimensions, 'date'> & { performance_on: string | null; tax_point_on: string;
    received_on: string | null },
): bigint {
  for (const agreement of house) {
    const { term } = matchTerm({ ...line, date: matchDate(agreement.date_basis, line) }, agreement.terms);
    if (term) return term.rate_ppm;
  }
  return 0n;
}
