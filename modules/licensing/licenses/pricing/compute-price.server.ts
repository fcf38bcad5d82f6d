/** One price: terms, charges and tax from the database, the arithmetic from the kernel (domain.md 2.11). */
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import {
  professionalPlan, PLAN_FIXED_FEE, PLAN_PAID_IN_FULL, PLAN_VARIABLE_FEE, type InstalmentRule,
} from '#kernel/pricing/payment-plan.ts';
import { PriceError } from '#kernel/pricing/price-error.ts';
import type { Discount, PriceResult, PriceVenue } from '#kernel/pricing/price-types.ts';
import { price } from '#kernel/pricing/price.ts';
import { settlementKind } from '#kernel/pricing/promised-terms.ts';
import { NO_RATE_TERMS, type ExecutionPolicy, type RateTerms } from '#kernel/pricing/rate-card.ts';
import type { Queryable } from '#server/db.ts';
import { chargesFor, type ChargeMeta, type Selection } from './price-charges.server.ts';
import { findRateCard, type LoadedCard } from './rate-terms.server.ts';
import { taxResolver } from './tax-resolver.server.ts';

export interface PriceQuestion {
  /** Of a stored licence: its charged materials are lines of the price. */
  license_id?: number;
  show_id: number;
  category: 'Amateur' | 'Pro';
  division: Division;
  currency: Currency;
  classification_id: number | null;
  customer_id: number | null;
  venues: readonly PriceVenue[];
  addresses: ReadonlyMap<number, Record<string, string> | null>;
  selection: Selection;
  discount: Discount | null;
  negotiated: { fee_per_performance_minor: number; reason: string } | null;
  /** Terms a licence already carries (an amendment); without them the card in force is looked up. */
  frozen?: { terms: RateTerms; rule_id: string;
    deposit: { kind: 'security' | 'on_account'; amount_minor: bigint } | null;
    show_package_id: number | null };
  /** null: as the card says. */
  execution_policy: ExecutionPolicy | null;
  today: string;
}

export interface ComputedPrice {
  result: PriceResult;
  terms: RateTerms;
  card: LoadedCard | null;
  meta: ReadonlyMap<string, ChargeMeta>;
  plan: readonly InstalmentRule[];
  execution_policy: ExecutionPolicy;
  deposit: { kind: 'security' | 'on_account'; amount_minor: bigint } | null;
}

/** There is no rate card for it: code `rate.none`. */
export class NoRateError extends Error {
  readonly code = 'rate.none';
}

/** Throws PriceError or NoRateError with plain words when no price can be made. */
export async function computePrice(db: Queryable, question: PriceQuestion): Promise<ComputedPrice> {
  const firstOn = firstDay(question.venues);
  if (firstOn === null) throw new PriceError('price.no_performances', 'Add a venue with at least one performance.');
  const card = question.frozen ? null : await findRateCard(db, {
    show_id: question.show_id, category: question.category, division: question.division,
    classification_id: question.classification_id, currency: question.currency, first_performance_on: firstOn,
  });
  if (!card && !question.frozen && !question.negotiated) {
    throw new NoRateError('There is no rate for this show, category, place and date yet: it is quoted by hand.');
  }
  const terms = termsFor(question, card);
  const policy = question.execution_policy ?? card?.execution_policy ?? defaultPolicy(question);
  const deposit = question.frozen ? question.frozen.deposit : depositOf(card);
  const { charges, meta } = await chargesFor(db, { ...question, performances: countOf(question.venues),
    first_performance_on: firstOn,
    show_package_id: question.frozen?.show_package_id ?? card?.show_package_id ?? null });
  const plan = planFor(policy, terms);
  const tax = await taxResolver(db, { division: question.division, customer_id: question.customer_id,
    tax_point_on: question.today, venues: question.addresses });
  const result = price({
    currency: question.currency, terms, rule_id: ruleOf(question, card), venues: withFees(question),
    week_start: (card?.week_start ?? 1) as 0 | 1 | 2 | 3 | 4 | 5 | 6, discount: question.discount, charges, tax,
      deposit,
    plan: needsOthers(plan, charges.length > 0),
  });
  return { result, terms, card, meta, plan, execution_policy: policy, deposit };
}

function firstDay(venues: readonly PriceVenue[]): string | null {
  const days = counted(venues).map((performance) => performance.local_date).sort();
  return days[0] ?? null;
}

function counted(venues: readonly PriceVenue[]) {
  return venues.flatMap((venue) => venue.performances)
    .filter((performance) => performance.status === 'planned' || performance.status === 'performed');
}

function countOf(venues: readonly PriceVenue[]): number {
  return counted(venues).length;
}

function termsFor(question: PriceQuestion, card: LoadedCard | null): RateTerms {
  if (question.negotiated) return { ...NO_RATE_TERMS, fee_method: 'negotiated' };
  return question.frozen?.terms ?? card!;
}

function ruleOf(question: PriceQuestion, card: LoadedCard | null): string {
  if (question.negotiated) return 'negotiated';
  return question.frozen?.rule_id ?? `rate_card:${card!.id}`;
}

function withFees(question: PriceQuestion): readonly PriceVenue[] {
  if (!question.negotiated) return question.venues;
  const fee = BigInt(question.negotiated.fee_per_performance_minor);
  return question.venues.map((venue) => ({ ...venue,
    performances: venue.performances.map((performance) => ({ ...performance, negotiated_fee_minor: fee })) }));
}

function depositOf(card: LoadedCard | null): ComputedPrice['deposit'] {
  return card && card.deposit_minor > 0n ? { kind: card.deposit_kind, amount_minor: card.deposit_minor } : null;
}

function defaultPolicy(question: PriceQuestion): ExecutionPolicy {
  if (question.category === 'Pro') return 'advance_paid';
  return question.division === 'UK' || question.division === 'EU' ? 'deposit_paid' : 'paid_in_full';
}

/** Defaults of domain.md 2.11: amateur US before execution, UK in steps, professional advance first. */
function planFor(policy: ExecutionPolicy, terms: RateTerms): readonly InstalmentRule[] {
  if (policy === 'deposit_paid') return settlementKind(terms) === 'true_up' ? PLAN_FIXED_FEE : PLAN_VARIABLE_FEE;
  if (policy === 'advance_paid' && terms.advance_minor > 0n) return professionalPlan(terms.advance_minor);
  return PLAN_PAID_IN_FULL;
}

/** The rule of the other lines is left out where there are none, so that the kernel finds no empty set. */
function needsOthers(plan: readonly InstalmentRule[], others: boolean): readonly InstalmentRule[] {
  return others ? plan : plan.filter((rule) => rule.line_kinds.length === 0 || rule.line_kinds.includes('royalty'));
}
