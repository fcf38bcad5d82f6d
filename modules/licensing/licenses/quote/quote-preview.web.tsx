/** Rights and price of a quote that is still being typed; nothing is stored. */
import { Callout } from '#web/data/callout.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Trace } from '#web/data/trace.tsx';
import type { Division } from '#web/layout/division.ts';
import { AvailabilityPanel } from '../../availability/availability-panel.web.tsx';
import { availabilityEndpoints } from '../../availability/availability.contract.ts';
import type { VenueInput } from '../venues/license-venue.contract.ts';
import { DepositBeside, PriceRows, PromiseFacts, sumLabel } from '../pricing/price-rows.web.tsx';
import { traceSteps } from '../pricing/price-trace.web.ts';
import { pricingEndpoints } from '../pricing/pricing.contract.ts';
import { usePreview } from '#web/query/use-preview.ts';
import type { QuoteDraft } from './quote-draft.web.ts';
import styles from '../../licensing.module.css';

function runOf(places: readonly VenueInput[]): { from: string; to: string } | null {
  const days = places.flatMap((place) => (place.performances ?? []).map((one) => one.local_date)).sort();
  const [from] = days;
  const to = days.at(-1);
  return from && to ? { from, to } : null;
}

export function QuotePreview({ draft, places,
  division }: { draft: QuoteDraft; places: readonly VenueInput[]; division: Division }) {
  const run = runOf(places);
  const venueId = places.find((place) => place.venue_id)?.venue_id;
  const rights = usePreview(availabilityEndpoints.check, draft.show_id && run ? { query: {
    show_id: draft.show_id, ...run, category: draft.category, division, ...(venueId ? { venue_id: venueId } : {}) } }
      : null);
  const price = usePreview(pricingEndpoints.preview, draft.show_id && run ? { body: {
    show_id: draft.show_id, category: draft.category, division, license_venues: [...places],
    ...(draft.customer_id ? { customer_id: draft.customer_id } : {}) } } : null);
  const answer = price.data?.data;
  return (
    <div className={styles.stack} aria-live="polite">
      <h2 className={styles.venueName}>Rights</h2>
      {!run || !draft.show_id ? <p
        className={styles.muted}>Choose a show and enter dates to see whether the rights are free.</p>
        : rights.error ? <Callout tone="error">{rights.error}</Callout>
          : rights.data ? <AvailabilityPanel answer={rights.data.data} /> : <Skeleton height={40} />}
      <h2 className={styles.venueName}>Price</h2>
      {!run || !draft.show_id ? <p className={styles.muted}>Price is calculated from venue, ticket prices and dates.</p>
        : price.error ? <Callout tone="error">{price.error}</Callout>
          : !answer ? <Skeleton height={80} />
            : !answer.priced ? <Callout tone="info" title="No price yet">{answer.message}</Callout> : (
              <div className={styles.stack} data-stale={price.stale || undefined}>
                <div className={styles.between}>
                  <span className={styles.muted}>{sumLabel(answer)}</span>
                  <span className={styles.bigSum}>{formatAmount(answer.totals.total_minor)}</span>
                </div>
                <PriceRows rows={answer.rows} promise={answer.promise} taxMinor={answer.totals.tax_minor} />
                <DepositBeside minor={answer.totals.security_deposit_minor} currency={answer.currency} />
                <PromiseFacts promise={answer.promise} />
                {answer.problems.map((problem) => <Callout key={problem} tone="warn">{problem}</Callout>)}
                <Trace steps={traceSteps(answer.trace)} />
              </div>
            )}
    </div>
  );
}
