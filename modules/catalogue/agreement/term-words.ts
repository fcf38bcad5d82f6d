/** A term as people say it: "80% of receipts from royalty, for Amateur in the US division". Pure. */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { formatMinor, formatRate } from '#kernel/money/money.ts';
import { pointsInWords } from '#kernel/royalties/pool-share.ts';
import type { RoyaltyBasis } from '#kernel/royalties/terms.ts';
import type { TermInput } from './agreement.contract.ts';

const BASIS: Record<RoyaltyBasis, string> = {
  receipts: 'of receipts', after_house_commission: 'after the house commission', net_after_costs: 'net after costs',
  per_performance_amount: 'per performance', per_unit: 'per unit', at_source: 'of receipts at source',
  pool_points: 'of the week to the pool',
};

export interface TermNames {
  add_on_name?: string | null;
  classification_name?: string | null;
}

/** Rate and condition in one sentence without a full stop. */
export function termInWords(term: TermInput & TermNames): string {
  const when = conditions(term);
  return [rate(term), ...(when.length === 0 ? ['on everything'] : when), ...extras(term)].join(', ');
}

function rate(term: TermInput): string {
  if (term.unit_amount_minor !== null) return `${formatMinor(BigInt(term.unit_amount_minor))} ${BASIS[term.basis]}`;
  const first = `${formatRate(BigInt(term.rate_ppm))} ${BASIS[term.basis]}`;
  const steps = [...term.tiers].sort((a, b) => a.from_minor - b.from_minor).map((tier) =>
    formatRate(BigInt(tier.rate_ppm))
      + (term.basis === 'pool_points' ? '' : ` from ${formatMinor(BigInt(tier.from_minor))} on`)
      + (tier.after_recoupment ? ' once recouped' : ''));
  if (term.basis === 'pool_points') return [poolRate(term), ...steps].join(', ');
  const cut = term.source_commission_ppm === null ? ''
    : ` before a sub-agent's ${formatRate(BigInt(term.source_commission_ppm))}`;
  return [`${first}${cut}`, ...steps].join(', ');
}

/** "35% of the week's operating profit to a pool, 6 of 15 points, at least 200.00 per point". */
function poolRate(term: TermInput): string {
  const points = (x100: number | null): string => pointsInWords(BigInt(x100 ?? 0));
  const week = term.pool_of === 'gross' ? 'the week\'s gross' : 'the week\'s operating profit';
  const least = term.pool_min_per_point_minor ?? 0;
  return [`${formatRate(BigInt(term.rate_ppm))} of ${week} to a pool`,
    `${points(term.pool_points_x100)} of ${points(term.pool_total_points_x100)} points`,
    ...(least > 0 ? [`at least ${formatMinor(BigInt(least))} per point`] : [])].join(', ');
}

/** Conditions the term sets for a line, one text per match field. */
export function conditions(term: TermInput & TermNames): string[] {
  const list = (values: readonly string[]): string => values.map((value) => value.replaceAll('_', ' ')).join(' or ');
  const texts: (string | false)[] = [
    term.match_income_types.length > 0 && `from ${list(term.match_income_types)}`,
    term.match_categories.length > 0 && `for ${list(term.match_categories)}`,
    term.match_divisions.length > 0 && `in the ${list(term.match_divisions)} division`,
    (term.match_countries.length > 0 || term.match_territory_group !== null)
      && `in ${[...term.match_countries, term.match_territory_group].filter(Boolean).join(' or ')}`,
    term.match_material_category !== null && `of ${term.match_material_category}`,
    term.match_material_sub_category !== null && `of ${term.match_material_sub_category}`,
    term.match_item_number !== null && `for item ${term.match_item_number}`,
    term.match_add_on_id !== null && `for ${term.add_on_name ?? 'one add-on'}`,
    dates(term),
    term.match_customer_classification_id !== null && `for ${term.classification_name ?? 'one classification'}`,
  ];
  return texts.filter((text) => text !== false);
}

function dates({ match_date_from: from, match_date_to: to }: TermInput): string | false {
  if (from !== null && to !== null) return `from ${dateInWords(from)} to ${dateInWords(to)}`;
  if (from !== null) return `from ${dateInWords(from)} on`;
  return to !== null && `until ${dateInWords(to)}`;
}

function extras(term: TermInput): string[] {
  const texts: (string | false)[] = [
    term.share_points !== 1 && `${term.share_points} points`,
    term.min_per_performance_minor !== null
      && `at least ${formatMinor(BigInt(term.min_per_performance_minor))} per performance`,
    term.annual_min_minor !== null && `at least ${formatMinor(BigInt(term.annual_min_minor))} a year`,
    term.reserve_ppm > 0 && `${formatRate(BigInt(term.reserve_ppm))} held in reserve`,
    !term.recoupable && 'not set against the advance',
  ];
  return texts.filter((text) => text !== false);
}
