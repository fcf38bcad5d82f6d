/** Days by the reader's own calendar (U37). Days that the house reckons with come from the server, in its zone. */

function isoDay(date: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The reader's calendar day, 'YYYY-MM-DD'. */
export function today(): string {
  return isoDay(new Date());
}

/**
 * The reader's day of an instant ('2026-11-23T23:30:00Z' is Nov 24 in Auckland); a day ('2026-11-23') is that day
 * everywhere; nothing, or what is no instant, is null.
 */
export function dayOf(value: string | null | undefined): string | null {
  if (!value) return null;
  if (value.length === 10) return value;
  if (!/^\d{4}-\d{2}-\d{2}T/.test(value)) return null;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? null : isoDay(date);
}
