/** Builders for tests of the royaltor side: a term that matches everything and a plain royalty line. */
import type { LineDimensions, RoyaltyTerm } from './terms.ts';

export function term(own: Partial<RoyaltyTerm> & { readonly id: number }): RoyaltyTerm {
  return {
    priority: 0, match_income_types: [], match_categories: [], match_divisions: [], match_countries: [],
    match_territory_group: null, match_material_category: null, match_material_sub_category: null,
    match_item_number: null, match_add_on_id: null, match_date_from: null, match_date_to: null,
    match_customer_classification_id: null, rate_ppm: 100_000n, share_points: 1n, basis: 'receipts',
    unit_amount_minor: null, source_commission_ppm: null, pool_of: null, pool_min_per_point_minor: null,
    pool_points_x100: null, pool_total_points_x100: null, min_per_performance_minor: null, annual_min_minor: null,
    reserve_ppm: 0n, recoupable: true, tiers: [], ...own,
  };
}

export function line(own: Partial<LineDimensions>): LineDimensions {
  return {
    income_type: 'royalty', category: 'Amateur', division: 'US', country: 'US', territory_groups: [],
    material_category: null, material_sub_category: null, item_number: null, add_on_id: null,
    customer_classification_id: null, date: '2026-04-03', ...own,
  };
}
