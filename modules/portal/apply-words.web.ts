/** Words of an application, as the form and its page say them; pure. */
import { formatRate } from '#kernel/money/money.ts';
import { deductionLabel } from '#kernel/pricing/deduction-words.ts';
import { performancesOfType } from '#kernel/pricing/price-bands.ts';
import type { DeductionType } from '#kernel/pricing/rate-card.ts';
import { spell } from '#kernel/text/english.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import type { PerformanceType } from './apply-values.web.ts';
import { clock, sentence } from './portal-words.web.ts';

export const TYPE_OPTIONS: readonly { value: PerformanceType; label: string }[] = [
  { value: 'public', label: 'Evening' }, { value: 'matinee', label: 'Matinee' }, { value: 'preview', label: 'Preview' },
  { value: 'school', label: 'School performance' }, { value: 'dress_invited', label: 'Invited dress rehearsal' },
  { value: 'gala', label: 'Gala' }, { value: 'competition', label: 'Competition' },
];

/** '2:00 PM, matinee'; an evening is not named. */
export function hourText(time: string | null, type: string): string {
  const label = TYPE_OPTIONS.find((one) => one.value === type)?.label ?? sentence(type.replaceAll('_', ' '));
  return [time === null ? '' : clock(time), type === 'public' ? '' : label.toLowerCase()].filter(Boolean).join(', ');
}

/** 'Sat, Mar 13, 2027, 2:00 PM, matinee' */
export function nightText(day: string, time: string | null, type: string): string {
  return [formatDay(day, 'weekday'), hourText(time, type)].filter(Boolean).join(', ');
}

export function deductionText(type: DeductionType, capPpm: number): string {
  return `${deductionLabel(type)}, at most ${formatRate(BigInt(capPpm))}`;
}

/** 'Orchestra, matinees: 250 at USD 9.00' */
export function bandText(
  band: { label: string; seats: number; price_minor: number; type: string | null }, currency: string,
): string {
  const type = band.type === null ? '' : `, ${performancesOfType(band.type)}`;
  return `${band.label || 'Seats'}${type}: ${band.seats.toLocaleString('en-US')} at ${
    formatAmount(band.price_minor, currency)}`;
}

export const PURPOSES = [
  { value: 'season', label: 'Part of our season' }, { value: 'competition', label: 'A competition' },
  { value: 'fundraiser', label: 'A fundraiser' }, { value: 'camp', label: 'A camp' },
  { value: 'excerpt', label: 'An excerpt' },
];
export const UNIONS = [
  { value: 'none', label: 'No union contract' }, { value: 'AEA', label: 'Actors’ Equity' },
  { value: 'SPT', label: spell`Small professional theater` }, { value: 'guest_artist', label: 'Guest artist' },
  { value: 'LORT', label: 'LORT' }, { value: 'Equity UK', label: 'Equity UK' },
];
export const purposeLabel = (value: string): string => PURPOSES.find((one) => one.value === value)?.label ?? value;
export const unionLabel = (value: string): string => UNIONS.find((one) => one.value === value)?.label ?? value;

const PER: Readonly<Record<string, string>> = { per_performance: ' per performance', per_week: ' per week',
  per_user: ' per person' };

/** 'USD 40.00 per performance', '15% of the stream’s gross'. */
export function addOnPrice(
  addOn: { pricing_model: string; price_minor: number | null; share_ppm: number | null }, currency: string,
): string {
  if (addOn.share_ppm !== null) return `${formatRate(BigInt(addOn.share_ppm))} of the stream’s gross`;
  return addOn.price_minor === null ? 'Price with our offer'
    : `${formatAmount(addOn.price_minor, currency)}${PER[addOn.pricing_model] ?? ''}`;
}
