/** Agreements with their terms, a row each, in the order of the agreements and of the trying of their terms. */
import { formatRate, minorToDecimal } from '#kernel/money/money.ts';
import { pointsInWords } from '#kernel/royalties/pool-share.ts';
import type { QueryOf } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import { COUNT_CAP, compact, pageOf } from '#server/list.ts';
import { serve, type Route } from '#server/routes.ts';
import { matches, type Sql, sql, where } from '#server/sql.ts';
import { agreementShareEndpoints as endpoints, type AgreementShareRow } from './agreement-share.contract.ts';

type Stored = Omit<AgreementShareRow, 'reserve_schedule' | 'tiers' | 'pool_points' | 'pool_total_points'> & {
  pool_points: number | null;
  pool_total_points: number | null;
  reserve_schedule: number[];
  tiers: { from_minor: number; rate_ppm: number; after_recoupment: boolean }[];
};

const COLUMNS = sql`coalesce(m.id, -t.id) as id, t.id as show_royaltor_id, s.show_code, r.name as royaltor_name, t.role,
  t.share_label as share_name, t.contract_no as contract_code, t.signed_on, t.term_from, t.term_to,
  t.territory as territory_name, t.payer_division, t.currency, t.accrual_basis, t.date_basis, t.royalty_presentation,
  g.name as agent_name, t.agent_ppm, t.agent_pays, t.opening_balance_minor, t.opening_unrecouped_minor, t.opening_on,
  t.reserve_schedule_ppm as reserve_schedule, t.min_payout_minor, t.annual_minimum_minor, x.name as group_name,
  case t.status when 'active' then 'yes' when 'draft' then 'no' else t.status end as in_force,
  coalesce(m.match_income_types, '{}') as match_income_types,
  coalesce(m.match_categories, '{}') as match_categories, coalesce(m.match_divisions, '{}') as match_divisions,
  coalesce(m.match_countries, '{}') as match_countries, m.match_territory_group as territory_group_name,
  m.match_material_category as material_category_key, m.match_material_sub_category as material_sub_category_key,
  m.match_item_number as item_code, o.key as add_on_key, c.name as classification_name, m.match_date_from,
  m.match_date_to, m.rate_ppm, m.share_points, m.basis, m.unit_amount_minor, m.source_commission_ppm,
  m.pool_of, m.pool_points_x100 as pool_points, m.pool_total_points_x100 as pool_total_points,
  m.pool_min_per_point_minor,
  m.min_per_performance_minor, m.annual_min_minor, m.reserve_ppm, m.recoupable,
  coalesce((select jsonb_agg(jsonb_build_object('from_minor', y.from_minor, 'rate_ppm', y.rate_ppm,
    'after_recoupment', y.after_recoupment) order by y.from_minor, y.after_recoupment) from royalty_term_tiers y
    where y.royalty_term_id = m.id), '[]') as tiers`;

/** "5000.00: 12.5% after recoupment"; the import of agreements reads it back. */
function tierText(tier: Stored['tiers'][number]): string {
  return `${minorToDecimal(BigInt(tier.from_minor))}: ${formatRate(BigInt(tier.rate_ppm))}${
    tier.after_recoupment ? ' after recoupment' : ''}`;
}

function spoken(row: Stored): AgreementShareRow {
  const points = (x100: number | null): string | null => (x100 === null ? null : pointsInWords(BigInt(x100)));
  return { ...row, pool_points: points(row.pool_points), pool_total_points: points(row.pool_total_points),
    reserve_schedule: row.reserve_schedule.map((part) => String(part / 10_000)).join('; '),
    tiers: row.tiers.map(tierText).join('; ') };
}

/** Conditions over `t`, an agreement, of every list of agreements. */
export function agreementMatches(query: Readonly<Record<string, unknown>>): Sql[] {
  return compact([
    query.show_id !== undefined && sql`t.show_id = ${query.show_id}`,
    query.royaltor_id !== undefined && sql`t.royaltor_id = ${query.royaltor_id}`,
    query.status !== undefined && sql`t.status = ${query.status}`,
    query.cross_collateral_group_id !== undefined
      && sql`t.cross_collateral_group_id = ${query.cross_collateral_group_id}`,
    query.search !== undefined && sql`exists (select 1 from royaltors x join shows y on y.id = t.show_id
      where x.id = t.royaltor_id and (${matches(sql`x.search_text`, String(query.search))}
        or ${matches(sql`y.search_text`, String(query.search))}))`,
  ]);
}

async function shares(ctx: Ctx, query: QueryOf<typeof endpoints.shares>) {
  const filter = where([sql`t.deleted_at is null`, ...agreementMatches(query)]);
  const from = sql`show_royaltors t left join royalty_terms m on m.show_royaltor_id = t.id`;
  const { counted } = await ctx.db.one<{ counted: number }>(sql`
    select count(*)::int as counted from (select 1 from ${from} ${filter} limit ${COUNT_CAP + 1}) n`);
  const rows = await ctx.db.query<Stored>(sql`
    select ${COLUMNS} from ${from} join shows s on s.id = t.show_id join royaltors r on r.id = t.royaltor_id
    left join royaltors g on g.id = t.agent_royaltor_id
    left join cross_collateral_groups x on x.id = t.cross_collateral_group_id
    left join add_ons o on o.id = m.match_add_on_id
    left join customer_classifications c on c.id = m.match_customer_classification_id
    ${filter} order by t.id ${query.sort_direction === 'desc' ? sql`desc` : sql`asc`}, m.match_count desc,
      m.priority desc, m.id
    limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`);
  return pageOf(rows.map(spoken), counted, query, endpoints.shares.path);
}

export const agreementShareRoutes: Route[] = serve(endpoints, { shares: (ctx, { query }) => shares(ctx, query) });
