/**
 * Total of the shares in a show's agreements. Refuses to save anything that would give away more than the whole for any
 * kind of line on any day (domain.md 3.2); locks the show's row meanwhile, so concurrent saves cannot both pass.
 */
import { addDays, dateInWords } from '#kernel/calendar/calendar.ts';
import { formatRate } from '#kernel/money/money.ts';
import { matrixDates, shareMatrix, type MatrixAgreement, type MatrixRow } from '#kernel/royalties/share-matrix.ts';
import { INCOME_TYPES, type LineDimensions, type RoyaltyTerm } from '#kernel/royalties/terms.ts';
import type { Division } from '#kit/field.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { TermRow } from './agreement.contract.ts';

export interface ShowAgreement extends MatrixAgreement {
  readonly status: string;
  readonly term_from: string | null;
  readonly term_to: string | null;
}

export const TERM_COLUMNS = ['match_income_types', 'match_categories', 'match_divisions', 'match_countries',
  'match_territory_group', 'match_material_category', 'match_material_sub_category', 'match_item_number',
  'match_add_on_id', 'match_date_from', 'match_date_to', 'match_customer_classification_id', 'rate_ppm',
  'share_points', 'basis', 'unit_amount_minor', 'source_commission_ppm', 'pool_of', 'pool_min_per_point_minor',
  'pool_points_x100', 'pool_total_points_x100', 'min_per_performance_minor', 'annual_min_minor', 'reserve_ppm',
  'recoupable'] as const;

/** Terms as the kernel reads them: minor units and ppm are bigint there. */
export function kernelTerm(row: TermRow): RoyaltyTerm {
  const big = (value: number | null): bigint | null => (value === null ? null : BigInt(value));
  return {
    ...row, rate_ppm: BigInt(row.rate_ppm), share_points: BigInt(row.share_points),
    reserve_ppm: BigInt(row.reserve_ppm), unit_amount_minor: big(row.unit_amount_minor),
    source_commission_ppm: big(row.source_commission_ppm),
    pool_min_per_point_minor: big(row.pool_min_per_point_minor), pool_points_x100: big(row.pool_points_x100),
    pool_total_points_x100: big(row.pool_total_points_x100),
    min_per_performance_minor: big(row.min_per_performance_minor), annual_min_minor: big(row.annual_min_minor),
    tiers: row.tiers.map((tier) =>
      ({ ...tier, from_minor: BigInt(tier.from_minor), rate_ppm: BigInt(tier.rate_ppm) })),
  };
}

/** The agreements of a show that count: the active ones, and `also` whatever its status. */
export async function showAgreements(db: Queryable, showId: number, also: number | null = null) {
  const rows = await db.query<Omit<ShowAgreement, 'terms'> & { term_rows: TermRow[] }>(sql`
    select a.id, r.name as royaltor_name, a.status, a.term_from, a.term_to,
      coalesce((select jsonb_agg(to_jsonb(x)
          || jsonb_build_object('tiers', coalesce((select jsonb_agg(jsonb_build_object(
            'from_minor', y.from_minor, 'rate_ppm', y.rate_ppm, 'after_recoupment', y.after_recoupment))
          from royalty_term_tiers y where y.royalty_term_id = x.id), '[]')) order by x.id)
        from royalty_terms x where x.show_royaltor_id = a.id), '[]') as term_rows
    from show_royaltors a join royaltors r on r.id = a.royaltor_id
    where a.show_id = ${showId} and a.deleted_at is null and (a.status = 'active' or a.id = ${also}) order by a.id`);
  return rows.map(({ term_rows, ...rest }): ShowAgreement => ({ ...rest, terms: term_rows.map(kernelTerm) }));
}

export function inForce(agreements: readonly ShowAgreement[], date: string): ShowAgreement[] {
  return agreements.filter((a) => (a.term_from === null || a.term_from <= date)
    && (a.term_to === null || date <= a.term_to));
}

/** Every day on which the answer may change, today included. */
export function changingDays(agreements: readonly ShowAgreement[], today: string): string[] {
  const days = new Set(matrixDates(agreements, today));
  for (const { term_from: from, term_to: to } of agreements) {
    if (from !== null) days.add(from).add(addDays(from, -1));
    if (to !== null) days.add(to).add(addDays(to, 1));
  }
  return [...days].sort();
}

export function line(
  income_type: LineDimensions['income_type'], category: 'Amateur' | 'Pro', division: Division, date: string,
  more: Partial<LineDimensions> = {},
): LineDimensions {
  return { income_type, category, division, country: null, territory_groups: [], material_category: null,
    material_sub_category: null, item_number: null, add_on_id: null, customer_classification_id: null, date, ...more };
}

/**
 * The first kind of line that is promised more than the whole, or null. Values that no term names behave alike, so
 * one of them stands for all: the lines grow with the terms, not with the world.
 */
export function firstOverCommitted(agreements: readonly ShowAgreement[], today: string): MatrixRow | null {
  const terms = agreements.flatMap((agreement) => agreement.terms);
  for (const date of changingDays(agreements, today)) {
    const lines = linesFor(terms, date);
    const over = shareMatrix(inForce(agreements, date), lines).find((row) => row.over_committed);
    if (over) return over;
  }
  return null;
}

function linesFor(terms: readonly RoyaltyTerm[], date: string): LineDimensions[] {
  const named = <T>(pick: (term: RoyaltyTerm) => readonly T[]): T[] => [...new Set(terms.flatMap(pick))];
  const one = <T>(value: T | null): T[] => (value === null ? [] : [value]);
  const withOther = <T>(values: T[], every: readonly T[]): T[] =>
    [...values, ...every.filter((value) => !values.includes(value)).slice(0, 1)];
  const orNone = <T>(values: T[]): (T | null)[] => [...values, null];
  const dimensions: [keyof LineDimensions, readonly unknown[]][] = [
    ['category', withOther(named((t) => t.match_categories), ['Amateur', 'Pro'] as const)],
    ['division', withOther(named((t) => t.match_divisions), ['US', 'EU', 'UK', 'PROD'] as const)],
    ['country', orNone(named((t) => t.match_countries))],
    ['territory_groups', [[], ...named((t) => one(t.match_territory_group)).map((group) => [group])]],
    ['material_category', orNone(named((t) => one(t.match_material_category)))],
    ['material_sub_category', orNone(named((t) => one(t.match_material_sub_category)))],
    ['item_number', orNone(named((t) => one(t.match_item_number)))],
    ['add_on_id', orNone(named((t) => one(t.match_add_on_id)))],
    ['customer_classification_id', orNone(named((t) => one(t.match_customer_classification_id)))],
  ];
  const incomes = withOther(named((t) => t.match_income_types), INCOME_TYPES);
  const start = incomes.map((income) => line(income, 'Amateur', 'US', date));
  return dimensions.reduce((lines, [key, values]) =>
    lines.flatMap((row) => values.map((value) => ({ ...row, [key]: value }))), start);
}

/** Why a saving is refused, in words that say what is free. */
export function overCommittedText(row: MatrixRow): string {
  const { income_type: income, category, division, date } = row.line;
  const promised = row.shares.map((s) => `${formatRate(s.share_ppm)} to ${s.royaltor_name}`).join(', ');
  const day = date === null ? '' : ` on ${dateInWords(date)}`;
  return `Together ${formatRate(1_000_000n - row.house_ppm)} of ${income.replaceAll('_', ' ')} (${category}, `
    + `${division}${day}) would be promised: ${promised}. At most 100% can be.`;
}

/** Locks the show, so that its agreements are judged and saved one after the other. */
export async function lockShowShares(db: Queryable, showId: number): Promise<void> {
  await db.one(sql`select id from shows where id = ${showId} for update`);
}
