/** The last day to pay what a license waits for, and the reason that papers, pages and mails give for it. */
import {
  addDays, dateFor, diffDays, isBusinessDay, maxDate, minDate, type IsoDate,
} from '../calendar/calendar.ts';
import type { Language } from '../money/division.ts';

export const PAY_BY_REASONS = ['signed', 'shipping', 'soon', 'opening'] as const;
export type PayByReason = (typeof PAY_BY_REASONS)[number];

/** Days from signing, at most and at least. */
const LONGEST = 90;
const SHORTEST = 7;
/** Business days in which the warehouse packs what has been paid. */
const PACKING_DAYS = 5;

export interface PayBy {
  readonly on: IsoDate;
  readonly reason: PayByReason;
  /** Day of the first shipment, where that is the reason. */
  readonly ships_on: IsoDate | null;
}

/**
 * min(acceptance + 90 days, first physical shipment - 5 business days), never before acceptance + 7 days nor after the
 * day before the first performance. `ships_on` is null where nothing is sent by the warehouse.
 */
export function payBy(input: {
  accepted_on: IsoDate; first_performance_on: IsoDate; ships_on: IsoDate | null; holidays: readonly IsoDate[];
}): PayBy {
  const { ships_on: ships } = input;
  const [earliest, latest] = [addDays(input.accepted_on, SHORTEST), addDays(input.accepted_on, LONGEST)];
  const packed = ships === null ? latest : businessDaysBefore(ships, PACKING_DAYS, input.holidays);
  const wanted = minDate(latest, packed);
  const on = minDate(maxDate(wanted, earliest), addDays(input.first_performance_on, -1));
  if (on < maxDate(wanted, earliest)) return { on, reason: 'opening', ships_on: null };
  if (wanted < earliest) return { on, reason: 'soon', ships_on: null };
  return packed < latest ? { on, reason: 'shipping', ships_on: ships } : { on, reason: 'signed', ships_on: null };
}

function businessDaysBefore(date: IsoDate, n: number, holidays: readonly IsoDate[]): IsoDate {
  let current = date;
  for (let left = n; left > 0;) {
    current = addDays(current, -1);
    if (isBusinessDay(current, holidays)) left -= 1;
  }
  return current;
}

/** As a license keeps it; nulls before it is signed, and where a document has no license. */
export interface PayByOfLicense {
  readonly pay_by: IsoDate | null;
  readonly pay_by_reason: PayByReason | null;
  readonly pay_by_ships_on: IsoDate | null;
}

export interface DueFacts extends PayByOfLicense {
  readonly kind: 'invoice' | 'proforma' | 'credit_note' | 'deposit';
  readonly issued_on: IsoDate | null;
  readonly due_on: IsoDate | null;
}

/** 'January 14, 2027, so that your materials can ship on January 21, 2027': a day with its reason, where it has one. */
export const dayWithReason = (day: string, reason: string | null): string => (reason === null ? day
  : `${day}, ${reason}`);

/**
 * 'so that your materials can ship on January 21, 2027', to follow the day that something is due; null where the day
 * needs no reason: on receipt, or as it was typed on a pro forma.
 */
export function dueReason(due: DueFacts, language: Language): string | null {
  if (due.due_on === null || due.kind === 'credit_note') return null;
  if (due.kind === 'invoice') {
    const days = due.issued_on === null ? 0 : diffDays(due.issued_on, due.due_on);
    return days > 0 ? `${days} ${days === 1 ? 'day' : 'days'} after the date of the invoice` : null;
  }
  if (due.due_on !== due.pay_by) return null;
  switch (due.pay_by_reason) {
    case 'shipping': return `so that your materials can ship on ${dateFor(language, due.pay_by_ships_on!)}`;
    case 'soon': return `${SHORTEST} days after you signed, so that your materials can ship right away`;
    case 'signed': return `${LONGEST} days after you signed`;
    case 'opening': return 'the day before your first performance';
    case null: return null;
  }
}
