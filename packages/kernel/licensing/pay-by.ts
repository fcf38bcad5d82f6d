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
const WEEK = `within ${SHORTEST} days of signing`;
/** Business days in which the warehouse packs what has been paid. */
const PACKING_DAYS = 5;

export interface PayBy {
  readonly on: IsoDate;
  readonly reason: PayByReason;
  /** Day of the first shipment, where that is the reason. */
  readonly ships_on: IsoDate | null;
}

interface Signing { readonly accepted_on: IsoDate; readonly first_performance_on: IsoDate }

/**
 * min(acceptance + 90 days, first physical shipment - 5 business days), never before acceptance + 7 days nor after the
 * day before the first performance. `ships_on` is null where nothing is sent by the warehouse.
 */
export function payBy(input: Signing & { ships_on: IsoDate | null; holidays: readonly IsoDate[] }): PayBy {
  return payByOf({ ...input, packed_by: input.ships_on === null ? null : packedBy(input.ships_on, input.holidays) });
}

/** The day by which what ships on `ships_on` has to be paid, so that it can be packed. */
export const packedBy = (shipsOn: IsoDate, holidays: readonly IsoDate[]): IsoDate =>
  businessDaysBefore(shipsOn, PACKING_DAYS, holidays);

function payByOf(input: Signing & { ships_on: IsoDate | null; packed_by: IsoDate | null }): PayBy {
  const [earliest, latest] = [addDays(input.accepted_on, SHORTEST), addDays(input.accepted_on, LONGEST)];
  const packed = input.packed_by ?? latest;
  const wanted = minDate(latest, packed);
  const on = minDate(maxDate(wanted, earliest), addDays(input.first_performance_on, -1));
  if (on < maxDate(wanted, earliest)) return { on, reason: 'opening', ships_on: null };
  if (wanted < earliest) return { on, reason: 'soon', ships_on: null };
  return packed < latest ? { on, reason: 'shipping', ships_on: input.ships_on }
    : { on, reason: 'signed', ships_on: null };
}

function businessDaysBefore(date: IsoDate, n: number, holidays: readonly IsoDate[]): IsoDate {
  let current = date;
  for (let left = n; left > 0;) {
    current = addDays(current, -1);
    if (isBusinessDay(current, holidays)) left -= 1;
  }
  return current;
}

/** Facts of an offer about the last day to pay: the days between which it is signed, and those it depends on. */
export interface PayByOfOffer {
  readonly issued_on: IsoDate;
  readonly expires_on: IsoDate;
  readonly first_performance_on: IsoDate | null;
  readonly ships_on: IsoDate | null;
  /** {@link packedBy} of `ships_on`. */
  readonly packed_by: IsoDate | null;
}

/**
 * The last day to pay as an offer and its contract promise it: the rule of {@link payBy} without the parts that no day
 * of signing can bring about, with the days that are known. 'by January 14, 2027, so that the materials can ship on
 * January 21, 2027', 'within 90 days of signing'. Without dates of the run payment is due on signing.
 */
export function payByPromise(offer: PayByOfOffer, language: Language): string {
  const { first_performance_on: first, ships_on, packed_by } = offer;
  if (first === null) return 'on signing';
  const days = diffDays(offer.issued_on, maxDate(offer.issued_on, offer.expires_on)) + 1;
  // In the order in which they come to hold as the offer is signed later and later.
  const reasons = [...new Set(Array.from({ length: days }, (_, at) => payByOf({ ships_on, packed_by,
    accepted_on: addDays(offer.issued_on, at), first_performance_on: first }).reason))];
  const has = (reason: PayByReason): boolean => reasons.includes(reason);
  const day = (date: IsoDate): string => dateFor(language, date);
  const shipping = has('shipping') ? `, so that the materials can ship on ${day(ships_on!)}` : '';
  const parts = [
    has('signed') ? `within ${LONGEST} days of signing${
      has('shipping') ? `, or by ${day(packed_by!)} if that is sooner${shipping}` : ''}`
      : has('shipping') ? `by ${day(packed_by!)}${shipping}` : '',
    has('soon') ? reasons[0] === 'soon' ? `${WEEK}, so that the materials can ship right away`
      : `or ${WEEK} if that is later` : '',
    has('opening') ? `${reasons[0] === 'opening' ? 'by' : 'but at the latest on'} ${
      day(addDays(first, -1))}, the day before the first performance` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
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

/** Why something is due on its day: the reason of the license, or the terms of an invoice in `days` from its date. */
export interface DueReason {
  readonly why: PayByReason | 'terms';
  readonly ships_on: IsoDate | null;
  readonly days: number | null;
}

/** 'January 14, 2027, so that your materials can ship on January 21, 2027': a day with its reason, where it has one. */
export const dayWithReason = (day: string, reason: string | null): string => (reason === null ? day
  : `${day}, ${reason}`);

/** null where the day needs no reason: on receipt, or as it was typed on a pro forma. */
export function dueReasonOf(due: DueFacts): DueReason | null {
  if (due.due_on === null || due.kind === 'credit_note') return null;
  if (due.kind === 'invoice') {
    const days = due.issued_on === null ? 0 : diffDays(due.issued_on, due.due_on);
    return days > 0 ? { why: 'terms', ships_on: null, days } : null;
  }
  return due.due_on === due.pay_by ? payByReasonOf(due) : null;
}

/** The reason of the day that a license keeps. */
export const payByReasonOf = (license: PayByOfLicense): DueReason | null => (license.pay_by_reason === null ? null
  : { why: license.pay_by_reason, ships_on: license.pay_by_ships_on, days: null });

/**
 * 'so that your materials can ship on January 21, 2027', to follow the day that something is due. `day` writes a day as
 * the sentence around it does; `reader` is the customer, or staff who read about one.
 */
export function reasonWords(
  reason: DueReason | null, day: (date: IsoDate) => string, reader: 'customer' | 'staff' = 'customer',
): string | null {
  if (reason === null) return null;
  const [your, signed] = reader === 'customer' ? ['your', 'you signed'] : ['the', 'signing'];
  switch (reason.why) {
    case 'terms': return invoiceTerms(reason.days ?? 0);
    case 'shipping': return `so that ${your} materials can ship on ${day(reason.ships_on!)}`;
    case 'soon': return `${SHORTEST} days after ${signed}, so that ${your} materials can ship right away`;
    case 'signed': return `${LONGEST} days after ${signed}`;
    case 'opening': return `the day before ${your} first performance`;
  }
}

/** The same on papers and in mails, in the language of the division. */
export const dueReason = (due: DueFacts, language: Language): string | null =>
  reasonWords(dueReasonOf(due), (day) => dateFor(language, day));

/** '30 days after the date of the invoice', as an invoice that has no other day is due. */
export const invoiceTerms = (days: number): string => (days <= 0 ? 'on receipt of the invoice'
  : `${days} ${days === 1 ? 'day' : 'days'} after the date of the invoice`);

/** The paid policies ask for the first amounts before the license is issued; the others invoice them once it is. */
export const isPaidBeforeIssue = (executionPolicy: string): boolean =>
  executionPolicy !== 'purchase_order' && executionPolicy !== 'signature_only';

const FIRST_EVENTS: readonly string[] = ['acceptance', 'execution'];

/** Asked for before the license is issued, or invoiced once it is. */
export const isFirstPayment = (row: { readonly due_event: string }): boolean => FIRST_EVENTS.includes(row.due_event);

/** When an instalment is invoiced. */
const EVENT_WORDS: Readonly<Record<string, string>> = {
  acceptance: 'when the license is issued', execution: 'when the license is issued',
  shipment: 'when the materials ship', opening: 'at the opening', closing: 'after the last performance',
  return_of_materials: 'when the materials are returned', settlement: 'at settlement',
  report: 'after the box-office report',
};

/** Facts of an offer about its payments besides their plan; without `pay_by` the offer is from before it said so. */
export interface PaymentTerms {
  readonly execution_policy: string;
  readonly pay_by: string | null;
  /** Terms of its invoices, in days from their date. */
  readonly invoice_days: number | null;
}

/**
 * When an instalment is due, as offer, contract and sign box say it before anything is billed: 'before issue, by
 * January 14, 2027, so that …'; 'invoiced at the opening, due on receipt of the invoice'. American spelling.
 */
export function instalmentDue(
  row: { readonly due_event: string; readonly is_deposit: boolean }, terms: PaymentTerms,
): string {
  const paidFirst = isPaidBeforeIssue(terms.execution_policy);
  const asked = isFirstPayment(row) && (paidFirst || row.is_deposit);
  if (asked && !paidFirst) return terms.pay_by ?? 'after signing';
  if (asked) return ['before issue', terms.pay_by].filter((part) => part !== null).join(', ');
  const event = EVENT_WORDS[row.due_event] ?? '';
  return terms.invoice_days === null || event === '' ? event
    : `invoiced ${event}, due ${invoiceTerms(terms.invoice_days)}`;
}
