/** A price from what somebody typed, without storing anything: staff and portal share it with the quote (X13, X152). */
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { PriceError } from '#kernel/pricing/price-error.ts';
import type { PriceVenue } from '#kernel/pricing/price-types.ts';
import { invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import type { VenueInput } from '../venues/license-venue.contract.ts';
import { placeOf, priceMinor } from '../venues/save-venues.server.ts';
import { computePrice, NoRateError, type PriceQuestion } from './compute-price.server.ts';
import { priceAnswerOf, unpriced } from './price-answer.server.ts';
import type { PriceAnswer } from './pricing.contract.ts';
import { withBands } from './priced-venues.server.ts';
import { promiseOfPrice } from './promise.server.ts';
import type { AddOnChoice } from './offered-add-ons.server.ts';
import { requestedAddOns } from './requested-add-ons.server.ts';

export interface PreviewInput {
  show_id: number;
  category: 'Amateur' | 'Pro';
  division: Division;
  currency?: Currency | undefined;
  customer_id: number | null;
  classification_id: number | null;
  license_venues: readonly VenueInput[];
  add_ons?: readonly { add_on_id: number; quantity: number }[] | undefined;
  needs_video?: boolean | undefined;
  needs_streaming?: boolean | undefined;
  with_package?: boolean | undefined;
  extra_periods?: number | undefined;
  discount?: PriceQuestion['discount'];
  negotiated?: PriceQuestion['negotiated'];
}

/** Always answers: an incomplete form gets `priced: false` with what is missing. 422 only for what does not exist. */
export async function previewPrice(ctx: WorkContext, input: PreviewInput): Promise<PriceAnswer> {
  const show = await ctx.db.maybeOne(sql`select 1 from shows where id = ${input.show_id} and deleted_at is null`);
  if (!show) throw invalidField('show_id', 'This show does not exist');
  const currency = input.currency ?? (await ctx.db.one<{ functional_currency: Currency }>(sql`
    select functional_currency from divisions where code = ${input.division}`)).functional_currency;
  const { venues, addresses } = await typedVenues(ctx, input.license_venues);
  try {
    const addOns = await wantedAddOns(ctx, input, currency);
    const question: PriceQuestion = {
      show_id: input.show_id, category: input.category, division: input.division, currency,
      classification_id: input.classification_id, customer_id: input.customer_id, venues, addresses,
      selection: { with_package: input.with_package ?? true, extra_periods: input.extra_periods ?? 0,
        add_ons: addOns, fees: [] },
      discount: input.discount ?? null, negotiated: input.negotiated ?? null, execution_policy: null,
      today: await ctx.today(input.division),
    };
    const computed = await computePrice(ctx.db, question);
    return priceAnswerOf(computed, await promiseOfPrice(ctx.db, computed, question), input.division);
  } catch (error) {
    if (error instanceof PriceError || error instanceof NoRateError) return unpriced(currency, error.code,
      error.message);
    throw error;
  }
}

async function wantedAddOns(ctx: WorkContext, input: PreviewInput, currency: Currency): Promise<AddOnChoice[]> {
  const { needs_video = false, needs_streaming = false, add_ons: chosen = [] } = input;
  if (!needs_video && !needs_streaming) return [...chosen];
  const days = input.license_venues.flatMap((venue) => (venue.performances ?? []).map((row) => row.local_date));
  const { add_ons } = await requestedAddOns(ctx.db, { ...input, currency, chosen, needs_video, needs_streaming,
    first_performance_on: days.toSorted()[0] ?? null });
  return add_ons;
}

/** Typed venues as the kernel reads them; ids are only places in the list. */
export async function typedVenues(
  ctx: WorkContext, inputs: readonly VenueInput[],
): Promise<{ venues: PriceVenue[]; addresses: Map<number, Record<string, string> | null> }> {
  const venues: PriceVenue[] = [];
  const addresses = new Map<number, Record<string, string> | null>();
  let performanceId = 0;
  for (const [index, input] of inputs.entries()) {
    const named = { ...input, name: input.name || `Venue ${index + 1}` };
    const place = await placeOf(ctx.db, input.venue_id && !input.name ? input : named,
      (field) => `license_venues.${index}.${field}`);
    addresses.set(index + 1, place.address);
    const rows = input.performances ?? [];
    const instants = await instantsOf(ctx, rows, place.time_zone);
    venues.push(withBands({
      id: index + 1, name: place.name, expected_attendance: place.expected_attendance,
      tickets: (input.ticketing ?? []).map((row) => ({ number_of_seats: row.number_of_seats,
        price_minor: priceMinor(row.price), weight: row.weight, performance_type: row.performance_type ?? null })),
      performances: rows.map((row, at) => ({ id: performanceId += 1, type: row.type, tickets: [],
        starts_at: instants[at]!, local_date: row.local_date, is_free: row.is_free,
        status: 'planned' as const, expected_attendance: row.expected_attendance ?? null })),
    }));
  }
  return { venues, addresses };
}

/** In the order of a run the instants count, not the clocks of its places. */
async function instantsOf(
  ctx: WorkContext, rows: readonly { local_date: string; local_time: string }[], zone: string,
): Promise<string[]> {
  if (rows.length === 0) return [];
  const found = await ctx.db.query<{ starts_at: string }>(sql`
    select to_char((r.d + r.t) at time zone ${zone} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as starts_at
    from unnest(${rows.map((row) => row.local_date)}::date[], ${rows.map((row) => row.local_time)}::time[])
      with ordinality as r (d, t, n) order by r.n`);
  return found.map((row) => row.starts_at);
}
