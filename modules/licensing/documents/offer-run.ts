/** The days of an offer in words. Pure. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { styleOf } from './offer-price.ts';
import type { OfferSnapshot } from './offer-snapshot.server.ts';

/** '3 April 2026 to 11 April 2026', or the one day; American papers write 'April 3, 2026'. */
export function runInWords(offer: OfferSnapshot): string {
  const days = offer.venues.flatMap((venue) => venue.performances.map((row) => row.local_date)).sort();
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return 'dates to be agreed';
  const { language } = styleOf(offer);
  return first === last ? dateFor(language, first) : `${dateFor(language, first)} to ${dateFor(language, last)}`;
}
