/** Rows of the tables of seats and prices on papers: bands by type of performance, what a venue takes off. Pure. */
import { formatMinor, formatRate } from '#kernel/money/money.ts';
import { performancesOfType } from '#kernel/pricing/price-bands.ts';
import { deductionWords } from '#kernel/pricing/deduction-words.ts';
import { styleOf } from './offer-price.ts';
import type { OfferSnapshot, OfferVenue } from './offer-snapshot.server.ts';

/** [band, seats, price]; a band of one type of performance says so. */
export function seatRows(venue: OfferVenue, unnamed: string): string[][] {
  return venue.ticketing.map((row, index) => {
    const name = row.label || `${unnamed} ${index + 1}`;
    const type = row.performance_type ? `, ${performancesOfType(row.performance_type)}` : '';
    return [`${name}${type}`, String(row.number_of_seats), formatMinor(BigInt(row.price_minor))];
  });
}

/** Deductions of the deal that the venue takes, at most; nothing if only the deal states them. */
export function venueDeductionRows(offer: OfferSnapshot, venue: OfferVenue): string[][] {
  const { language } = styleOf(offer);
  return (venue.deductions ?? []).flatMap((own) => {
    const rule = offer.promise?.deductions.find((one) => one.type === own.type);
    if (!rule) return [];
    const cap = rule.cap_ppm === null ? own.cap_ppm : Math.min(rule.cap_ppm, own.cap_ppm);
    return [[`Deducted from gross: ${deductionWords(own.type, language)}`, '', `at most ${formatRate(BigInt(cap))}`]];
  });
}
