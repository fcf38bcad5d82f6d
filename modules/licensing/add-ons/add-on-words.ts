/** How much of an add-on a licence has, in words: "12 people", "3 weeks", "6 performances". */
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

/** What the price of one is for: "per person"; null where it is for all of it. */
export function priceFor(model: LicenseAddOn['pricing_model']): string | null {
  const words = PIECES[model];
  return words && `per ${words[0]}`;
}
