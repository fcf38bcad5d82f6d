/** Changes between the offer that somebody read and the one that is out now, in sentences. Pure. */
import { dateFor, timeFor } from '#kernel/calendar/calendar.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { promiseHeadline } from '#kernel/pricing/promise-words.ts';
import { differencesOf, type Night } from '../amendments/amendment-differences.ts';
import { canonicalJson } from './canonical-json.ts';
import { offerTotals, styleOf } from './offer-price.ts';
import type { OfferSnapshot } from './offer-snapshot.server.ts';

export function offerChanges(before: OfferSnapshot, after: OfferSnapshot): string[] {
  const style = styleOf(after);
  const { added, removed } = differencesOf(before, after);
  const night = (row: Night): string => `${dateFor(style.language, row.local_date)}, ${timeFor(style.language,
    row.local_time)}, ${row.venue_name}`;
  const total = (offer: OfferSnapshot): string => formatMoney(offerTotals(offer.totals).total_minor, offer.currency);
  const deposit = (offer: OfferSnapshot): string =>
    formatMoney(offerTotals(offer.totals).deposit_beside_minor, offer.currency);
  const promise = (offer: OfferSnapshot): string => (offer.promise ? promiseHeadline(offer.promise, style) : 'none');
  const differ = (...parts: readonly (keyof OfferSnapshot)[]): boolean =>
    parts.some((part) => canonicalJson(before[part]) !== canonicalJson(after[part]));
  const seats = (offer: OfferSnapshot): string => canonicalJson(offer.venues.map((venue) => venue.ticketing));
  return [
    total(before) === total(after) ? '' : `Price: ${total(after)} (before: ${total(before)})`,
    promise(before) === promise(after) ? '' : `Royalty: ${promise(after)} (before: ${promise(before)})`,
    deposit(before) === deposit(after) ? '' : `Refundable deposit: ${deposit(after)} (before: ${deposit(before)})`,
    ...added.map((row) => `Performance added: ${night(row)}`),
    ...removed.map((row) => `Performance removed: ${night(row)}`),
    seats(before) === seats(after) ? '' : 'Seats or ticket prices',
    differ('payment_plan') ? 'Payment plan' : '',
    differ('terms', 'billing', 'execution_policy') ? 'Terms or credits' : '',
    canonicalJson(before.contract?.clauses) === canonicalJson(after.contract?.clauses) ? '' : 'Text of the contract',
    before.expires_on === after.expires_on ? '' : `Offer open until ${dateFor(style.language, after.expires_on)}`,
  ].filter((line) => line !== '');
}
