/** Text of a changed field from the audit trail, as shown on screens (U24). */
import { formatDay, formatInstant } from './date-text.tsx';
import { formatAmount } from './money.tsx';

/** 'price_usd_minor' as 'Price USD', 'retired_on' as 'Retired on'; a list that was set as a whole has no name. */
function fieldWords(field: string): string {
  if (field === 'all') return '';
  const words = field.replace(/_(minor|ppm|id|at)$/, '').replaceAll('_', ' ')
    .replaceAll(/\b(usd|eur|gbp|vat|iban|bic|pdf)\b/g, (short) => short.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Minor units, millionths, days, instants and ticks as they stand on screens; other text as it is. */
function valueWords(field: string, value: string): string {
  if (value === 'true' || value === 'false') return value === 'true' ? 'yes' : 'no';
  if (field.endsWith('_minor') && /^-?\d+$/.test(value)) return formatAmount(BigInt(value));
  if (field.endsWith('_ppm') && /^-?\d+$/.test(value)) return `${Number(value) / 10_000}%`;
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return formatDay(value);
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value)) return formatInstant(value);
  return value;
}

export interface RecordedChange { field: string; before: string; after: string }

export function changeWords({ field, before, after }: RecordedChange): RecordedChange {
  return { field: fieldWords(field), before: valueWords(field, before), after: valueWords(field, after) };
}
