/** Price details of an application besides the total: calculation of one performance, cost of one more. */
import { Plus } from 'lucide-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ResponseOf } from '#kit/endpoint.ts';
import type { pricingEndpoints } from '#modules/licensing/licenses/pricing/pricing.contract.ts';
import { applyPpm } from '#kernel/money/money.ts';
import { percentText } from '#kernel/pricing/trace.ts';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { nightsOf, oneMoreQuestion, priceHoldsFor, type ApplyValues } from './apply-values.web.ts';
import { counted, ordinal, sentence } from './portal-words.web.ts';
import { useLivePrice } from './use-live.web.ts';
import apply from './apply.module.css';

type Answer = ResponseOf<typeof pricingEndpoints.customerPreview>;
type Price = Answer['data'];

/**
 * '200 seats × 15.00 × 9%' where that is all there is to the fee of a performance; '' where steps or minimums moved
 * it: the whole way is told under "How this was calculated".
 */
export function formulaOf(price: Pick<Price, 'venues' | 'explanation'>): string {
  const [venue, ...more] = price.venues;
  if (!venue || more.length > 0 || !venue.unit_fee_minor) return '';
  const house = venue.weighted_gross_minor;
  if (venue.seats * venue.weighted_avg_price_minor !== house) return '';
  const rates = price.explanation.flatMap((step) => step.rate_ppm ?? []);
  const rate = rates.find((ppm) => Number(applyPpm(BigInt(house), BigInt(ppm))) === venue.unit_fee_minor);
  return rate === undefined ? '' : `${venue.seats.toLocaleString('en-US')} seats × ${
    formatAmount(venue.weighted_avg_price_minor)} × ${percentText(BigInt(rate))}%`;
}

export function FeeLine({ price }: { price: Price }) {
  const formula = formulaOf(price);
  const fee = price.venues[0]?.unit_fee_minor;
  if (formula === '' || !fee) return null;
  return (
    <p className={apply.formula}>
      <span>{formula}</span><strong>{formatAmount(fee, price.currency)} per performance</strong>
    </p>
  );
}

/** Only from two answers of the server to what is on screen now; nothing while one of them is on its way. */
export function OneMore({ customerId, showId, values, now }: {
  customerId: number; showId: number; values: ApplyValues; now: UseQueryResult<Answer>;
}) {
  const more = useLivePrice(customerId, oneMoreQuestion(values, showId));
  const [before, after] = [now.data?.data, more.data?.data];
  const nights = nightsOf(values).length;
  const countOf = (price: Price): number => price.venues.reduce((sum, venue) => sum + venue.number_of_performances, 0);
  const current = !now.isPlaceholderData && !more.isPlaceholderData && before?.priced && after?.priced
    && countOf(before) === nights && countOf(after) === nights + 1;
  // Its line stays while the next answer is on its way: nothing below moves.
  if (!current) return <p className={apply.oneMore} aria-hidden="true">&nbsp;</p>;
  const added = after.totals.total_minor - before.totals.total_minor;
  return (
    <p className={apply.oneMore}>
      <Glyph icon={Plus} size={14} />
      {`${sentence(ordinal(nights + 1))} performance would ${added > 0
        ? `raise the estimate by ${formatAmount(added, after.currency)}` : added === 0 ? 'cost nothing more'
          : `lower the estimate by ${formatAmount(-added, after.currency)}`}`}
    </p>
  );
}

/** 'No payment now. An offer made today keeps its price for 42 days.' */
export function holdWords(values: ApplyValues): string {
  const days = priceHoldsFor(values, today());
  return days === null ? 'No payment now.'
    : `No payment now. An offer made today keeps its price for ${days <= 12 ? counted(days, 'day') : `${days} days`}.`;
}
