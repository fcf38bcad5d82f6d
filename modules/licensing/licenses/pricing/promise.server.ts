/** The promised terms of a licence, or of a price that is only asked for, from what is stored or typed. */
import { termsDays } from '#kernel/receivables/payment-terms.ts';
import type { DayOfWeek } from '#kernel/calendar/calendar.ts';
import { isIsoDate } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { promiseFacts, promiseHeadline, rateWords, type PromiseStyle } from '#kernel/pricing/promise-words.ts';
import { promisedTerms, type PromisedTerms } from '#kernel/pricing/promised-terms.ts';
import type { TrueUpMode } from '#kernel/pricing/actuals.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../license-record.server.ts';
import type { ComputedPrice, PriceQuestion } from './compute-price.server.ts';
import type { PromiseAnswer } from './pricing.contract.ts';
import { pricedVenues } from './priced-venues.server.ts';
import { termsOfLicense } from './rate-terms.server.ts';

/** Terms promised by the license's offer today; null if its price is the whole price. */
export async function promiseOfLicense(db: Queryable, license: License): Promise<PromisedTerms | null> {
  const terms = termsOfLicense(license);
  const [{ venues }, facts] = [await pricedVenues(db, license.id), await factsOf(db, license)];
  return promisedTerms({
    terms, tiers: license.fee_terms?.gross_tiers?.map((tier) => ({ ...tier })) ?? [],
    true_up: (license.true_up ?? 'none') as TrueUpMode,
    minimum_counts_toward_advance: license.minimum_counts_toward_advance ?? true,
    week_start: (license.week_start ?? 1) as DayOfWeek, venues,
    ticket_tax_ppm: new Map(facts.venues.map((venue) => [venue.id, BigInt(venue.ppm ?? 0)])),
    quoted_royalty_minor: BigInt(license.royalty_total_minor),
    advance_minor: advanceAsked(license.execution_policy, terms.fee_method) ? terms.advance_minor : 0n,
    deposit: license.deposit_minor > 0 ? { kind: license.fee_terms?.deposit_kind ?? 'security',
      amount_minor: BigInt(license.deposit_minor) } : null,
    plan: facts.plan.map((row) => ({ ...row, amount_minor: BigInt(row.amount_minor) })),
    report_frequency: facts.report_frequency, report_due_days: facts.report_due_days,
    payment_days: termsDays(facts.payment_days, license.execution_policy === 'purchase_order'),
  });
}

/** An advance is a line of its own only where it is what executes the licence. */
export function advanceAsked(policy: string, feeMethod: string): boolean {
  return policy === 'advance_paid' && feeMethod === 'percent_actual';
}

interface Facts {
  plan: { due_event: string; amount_minor: number; line_kinds: string[] }[];
  venues: { id: number; ppm: number | null }[];
  report_frequency: string; report_due_days: number; payment_days: number;
}

async function factsOf(db: Queryable, license: License): Promise<Facts> {
  return db.one<Facts>(sql`
    select coalesce((select jsonb_agg(jsonb_build_object('due_event', due_event, 'amount_minor', amount_minor,
        'line_kinds', line_kinds) order by sort, id) from license_instalments where license_id = l.id), '[]') as plan,
      coalesce((select jsonb_agg(jsonb_build_object('id', id, 'ppm', vat_on_tickets_ppm)) from license_venues
        where license_id = l.id), '[]') as venues,
      coalesce(t.report_frequency, 'run') as report_frequency, coalesce(t.report_due_days, 7) as report_due_days,
      c.payment_terms_days as payment_days
    from licenses l join customers c on c.id = l.customer_id left join license_terms t on t.license_id = l.id
    where l.id = ${license.id}`);
}

/** Of a price without a licence: reports and payment as a new licence would have them (default-terms.server.ts). */
export async function promiseOfPrice(
  db: Queryable, computed: ComputedPrice, question: Pick<PriceQuestion, 'venues' | 'category' | 'customer_id'>,
): Promise<PromisedTerms | null> {
  const { terms, card, result } = computed;
  const customer = question.customer_id === null ? null : await db.maybeOne<{ days: number }>(sql`
    select payment_terms_days as days from customers where id = ${question.customer_id}`);
  return promisedTerms({
    terms, tiers: card?.gross_tier_rows.map((tier) => ({ ...tier })) ?? [],
    true_up: (card?.true_up ?? 'none') as TrueUpMode,
    minimum_counts_toward_advance: card?.minimum_counts_toward_advance ?? true,
    week_start: (card?.week_start ?? 1) as DayOfWeek, venues: question.venues, ticket_tax_ppm: new Map(),
    quoted_royalty_minor: result.totals.royalty_minor,
    advance_minor: advanceAsked(computed.execution_policy, terms.fee_method) ? terms.advance_minor : 0n,
    deposit: computed.deposit,
    plan: result.payment_plan.map((row) => ({ due_event: isIsoDate(row.due) ? 'date' : row.due,
      amount_minor: row.amount_minor, line_kinds: row.line_kinds })),
    report_frequency: question.category === 'Pro' ? 'week' : 'run', report_due_days: 7,
    payment_days: termsDays(customer?.days ?? 0, computed.execution_policy === 'purchase_order'),
  });
}

/** As screens read it, in the words of the division. */
export function promiseAnswer(
  promise: PromisedTerms | null | undefined, record: { division: string; currency: string },
): PromiseAnswer | null {
  if (!promise) return null;
  const style: PromiseStyle = { language: documentLanguage(record.division), currency: record.currency };
  return { headline: promiseHeadline(promise, style), rate: rateWords(promise), now_minor: promise.now_minor,
    facts: promiseFacts(promise, style).map(([label, text]) => ({ label, text })) };
}
