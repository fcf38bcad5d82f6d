/**
 * Agreement terms: "if these match, then this rate" (domain.md 3.2).
 *
 * The term with the most non-empty match fields wins; a tie goes to the higher priority, then to the lower id. An
 * empty field matches all; a field that the line has no value for does not match. Dates count as one field, country
 * and territory group as one, the three material fields as three.
 */
import { dateInWords, type IsoDate } from '../calendar/calendar.ts';
import type { Division } from '../money/division.ts';

export const INCOME_TYPES = [
  'royalty', 'rental', 'sale', 'digital', 'add_on', 'streaming', 'video', 'perusal', 'late_fee', 'advance',
  'breakage', 'cancellation_fee',
] as const;
export type IncomeType = (typeof INCOME_TYPES)[number];

/** Income never shared with royaltors, regardless of the terms (domain.md 3.2). */
export const NEVER_ROYALTY_BEARING = ['tax', 'shipping', 'deposit', 'bank_fee'] as const;

export const ROYALTY_BASES = [
  'receipts', 'after_house_commission', 'net_after_costs', 'per_performance_amount', 'per_unit', 'at_source',
  'pool_points',
] as const;
export type RoyaltyBasis = (typeof ROYALTY_BASES)[number];

/** Base of a royalty pool: the week's gross, or its gross less the running costs. */
export const POOL_KINDS = ['operating_profit', 'gross'] as const;
export type PoolKind = (typeof POOL_KINDS)[number];

export interface TermTier {
  /** Reached when the cumulative base is at or above this; minor units. */
  readonly from_minor: bigint;
  readonly rate_ppm: bigint;
  /** Counts only once the producer has declared recoupment. */
  readonly after_recoupment: boolean;
}

/** One row of royalty_terms. Empty arrays and nulls match all. */
export interface RoyaltyTerm {
  readonly id: number;
  readonly priority: number;
  readonly match_income_types: readonly IncomeType[];
  readonly match_categories: readonly ('Amateur' | 'Pro')[];
  readonly match_divisions: readonly Division[];
  readonly match_countries: readonly string[];
  readonly match_territory_group: string | null;
  readonly match_material_category: string | null;
  readonly match_material_sub_category: string | null;
  readonly match_item_number: string | null;
  readonly match_add_on_id: number | null;
  readonly match_date_from: IsoDate | null;
  readonly match_date_to: IsoDate | null;
  readonly match_customer_classification_id: number | null;
  readonly rate_ppm: bigint;
  readonly share_points: bigint;
  readonly basis: RoyaltyBasis;
  readonly unit_amount_minor: bigint | null;
  readonly source_commission_ppm: bigint | null;
  /** Of the basis pool_points, null on all others: `rate_ppm` is the pool's part of the week. */
  readonly pool_of: PoolKind | null;
  /** Guaranteed for each point and week. */
  readonly pool_min_per_point_minor: bigint | null;
  /** Points x 100 of this party, and of the whole pool with those whom others pay. */
  readonly pool_points_x100: bigint | null;
  readonly pool_total_points_x100: bigint | null;
  readonly min_per_performance_minor: bigint | null;
  readonly annual_min_minor: bigint | null;
  readonly reserve_ppm: bigint;
  readonly recoupable: boolean;
  readonly tiers: readonly TermTier[];
}

/** Dimensions of a line of income; null where it has no value. */
export interface LineDimensions {
  readonly income_type: IncomeType;
  readonly category: 'Amateur' | 'Pro' | null;
  readonly division: Division | null;
  readonly country: string | null;
  readonly territory_groups: readonly string[];
  readonly material_category: string | null;
  readonly material_sub_category: string | null;
  readonly item_number: string | null;
  readonly add_on_id: number | null;
  readonly customer_classification_id: number | null;
  /** The day that the agreement's date basis asks for; see {@link matchDate}. */
  readonly date: IsoDate | null;
  /** It bills the return of a week: only such a line has a royalty pool. */
  readonly weekly_return?: boolean;
}

export interface FieldFact {
  readonly field: string;
  readonly label: string;
  readonly wanted: string;
  readonly found: string;
  readonly matched: boolean;
}

export interface TermFact {
  readonly term_id: number;
  readonly priority: number;
  /** Fields of the term that the line meets, of the fields that the term names: "3 of 3". */
  readonly matched: number;
  readonly of: number;
  readonly fields: readonly FieldFact[];
}

export interface LosingTerm extends TermFact {
  readonly reason: string;
}

export interface TermMatch {
  readonly term: RoyaltyTerm;
  readonly winner: TermFact;
  readonly losers: readonly LosingTerm[];
}

/** The winning term of a line with the facts that explain it, or null and why every term lost. */
export function matchTerm(
  line: LineDimensions,
  terms: readonly RoyaltyTerm[],
): TermMatch | { readonly term: null; readonly winner: null; readonly losers: readonly LosingTerm[] } {
  const facts = terms.map((term) => ({ term, fact: termFact(line, term) }));
  const eligible = facts.filter(({ fact }) => fact.matched === fact.of).sort(bySpecificity);
  const best = eligible[0];
  const losers = facts
    .filter((candidate) => candidate.term !== best?.term)
    .map(({ fact }) => ({ ...fact, reason: losingReason(fact, best?.fact ?? null) }));
  if (!best) return { term: null, winner: null, losers };
  return { term: best.term, winner: best.fact, losers };
}

/** The day that a term's date range is held against: performance (else the tax point), or the receipt. */
export function matchDate(
  dateBasis: 'performance' | 'receipt',
  days: { performance_on: IsoDate | null; tax_point_on: IsoDate; received_on: IsoDate | null },
): IsoDate {
  if (dateBasis === 'receipt') return days.received_on ?? days.tax_point_on;
  return days.performance_on ?? days.tax_point_on;
}

interface Candidate {
  readonly term: RoyaltyTerm;
  readonly fact: TermFact;
}

function bySpecificity(a: Candidate, b: Candidate): number {
  return b.fact.of - a.fact.of || b.term.priority - a.term.priority || a.term.id - b.term.id;
}

function losingReason(fact: TermFact, winner: TermFact | null): string {
  const failed = fact.fields.filter((field) => !field.matched);
  if (failed.length > 0) {
    return failed.map((f) => `${f.label}: asks for ${f.wanted}, the line has ${f.found}`).join('; ');
  }
  if (!winner) return 'No term matches.';
  if (fact.of < winner.of) return `Less specific: ${counted(fact.of)} against ${winner.of}`;
  if (fact.priority < winner.priority) {
    return `As specific, but priority ${fact.priority} is below ${winner.priority}`;
  }
  return `As specific with the same priority; term ${winner.term_id} is the older one`;
}

function counted(fields: number): string {
  return fields === 1 ? '1 field' : `${fields} fields`;
}

function termFact(line: LineDimensions, term: RoyaltyTerm): TermFact {
  const fields = [
    ...listField('income_type', 'Income', term.match_income_types, line.income_type),
    ...listField('category', 'Category', term.match_categories, line.category),
    ...listField('division', 'Division', term.match_divisions, line.division),
    ...territoryField(line, term),
    ...valueField('material_category', 'Material category', term.match_material_category, line.material_category),
    ...valueField('material_sub_category', 'Material sub-category', term.match_material_sub_category,
      line.material_sub_category),
    ...valueField('item_number', 'Item', term.match_item_number, line.item_number),
    ...valueField('add_on_id', 'Add-on', term.match_add_on_id, line.add_on_id),
    ...dateField(line, term),
    ...valueField('customer_classification_id', 'Classification', term.match_customer_classification_id,
      line.customer_classification_id),
    ...poolField(line, term),
  ];
  const matched = fields.filter((field) => field.matched).length;
  return { term_id: term.id, priority: term.priority, matched, of: fields.length, fields };
}

function listField(field: string, label: string, wanted: readonly string[], found: string | null): FieldFact[] {
  if (wanted.length === 0) return [];
  const matched = found !== null && wanted.includes(found);
  return [{ field, label, wanted: wanted.join(' or '), found: found ?? 'none', matched }];
}

function valueField(
  field: string,
  label: string,
  wanted: string | number | null,
  found: string | number | null,
): FieldFact[] {
  if (wanted === null) return [];
  return [{ field, label, wanted: String(wanted), found: String(found ?? 'none'), matched: wanted === found }];
}

function territoryField(line: LineDimensions, term: RoyaltyTerm): FieldFact[] {
  if (term.match_countries.length === 0 && term.match_territory_group === null) return [];
  const byCountry = line.country !== null && term.match_countries.includes(line.country);
  const byGroup = term.match_territory_group !== null && line.territory_groups.includes(term.match_territory_group);
  const groups = term.match_territory_group === null ? [] : [term.match_territory_group];
  const wanted = [...term.match_countries, ...groups].join(' or ');
  return [{
    field: 'territory', label: 'Territory', wanted, found: line.country ?? 'none', matched: byCountry || byGroup,
  }];
}

/** A pool belongs to weeks. It is no condition that a person enters, so it counts only where it fails. */
function poolField(line: LineDimensions, term: RoyaltyTerm): FieldFact[] {
  if (term.basis !== 'pool_points' || line.weekly_return === true) return [];
  return [{ field: 'weekly_return', label: 'Box office', wanted: 'the return of a week', found: 'none',
    matched: false }];
}

function dateField(line: LineDimensions, term: RoyaltyTerm): FieldFact[] {
  const { match_date_from: from, match_date_to: to } = term;
  if (from === null && to === null) return [];
  const matched = line.date !== null && (from === null || line.date >= from) && (to === null || line.date <= to);
  const wanted = [from && `from ${dateInWords(from)}`, to && `to ${dateInWords(to)}`].filter(Boolean).join(' ');
  return [{ field: 'date', label: 'Date', wanted, found: line.date ? dateInWords(line.date) : 'none', matched }];
}
