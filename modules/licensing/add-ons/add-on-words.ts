/** Quantity of an add-on on a license, in words: "12 people", "3 weeks", "6 performances". */
import { formatMoney, formatRate } from '#kernel/money/money.ts';
import type { LicenseAddOn } from './license-add-on.contract.ts';

const PIECES: Record<LicenseAddOn['pricing_model'], readonly [one: string, many: string] | null> = {
  flat: null, percent_stream_gross: null, per_user: ['person', 'people'], per_week: ['week', 'weeks'],
  per_performance: ['performance', 'performances'],
};

/** Null where it is bought once for all. */
export function piecesOf(row: Pick<LicenseAddOn, 'pricing_model' | 'quantity'>): string | null {
  const words = PIECES[row.pricing_model];
  return words && `${row.quantity.toLocaleString('en-US')} ${row.quantity === 1 ? words[0] : words[1]}`;
}

/** "USD 5.00 per person", "USD 95.00", "10% of what the stream takes". */
export function priceOf(row: { pricing_model: string; price_minor: number | null; share_ppm: number | null;
  currency: string }): string {
  if (row.share_ppm !== null) return `${formatRate(BigInt(row.share_ppm))} of what the stream takes`;
  if (row.price_minor === null) return '';
  const words = PIECES[row.pricing_model as LicenseAddOn['pricing_model']];
  const price = formatMoney(row.price_minor, row.currency);
  return words ? `${price} per ${words[0]}` : price;
}
