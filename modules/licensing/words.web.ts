/** Words of licensing on screen: what the wire's short names are called for people (en-US, sentence case). */
import { diffDays, timeFor } from '#kernel/calendar/calendar.ts';
import { formatRate } from '#kernel/money/money.ts';
import { PHASE_LABELS } from '#kernel/licensing/license-machine.ts';
import { readerLanguage, spell } from '#kernel/text/english.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { dayOf } from '#web/data/local-day.ts';
import type { Tone } from '#web/data/badge.tsx';

type Words = Readonly<Record<string, string>>;

export const CATEGORY_CHOICES = [
  { value: 'Amateur', label: 'Amateur' }, { value: 'Pro', label: 'Professional' },
] as const;

export const ORCHESTRATION_WORDS: Words = {
  full: 'full orchestration', reduced: 'reduced orchestration', piano: 'piano', tracks: 'tracks',
};
export const PRODUCTION_TYPE_WORDS: Words = {
  run: 'Run', tour: 'Tour', competition: 'Competition', concert: 'Concert', reading: 'Reading', stream: 'Stream',
};
export const POLICY_WORDS: Words = {
  paid_in_full: 'Paid in full', deposit_paid: 'Deposit paid', advance_paid: 'Advance paid',
  purchase_order: 'Purchase order', signature_only: 'Signature alone',
};
export const APPLICATION_DECLINE_WORDS: Words = {
  rights_unavailable: 'Rights are not available', professional_conflict: 'A professional production holds the rights',
  proximity: 'Another production nearby', dates_too_soon: 'The dates are too soon', incomplete: 'Information missing',
  arrears: 'Earlier invoices unpaid', not_eligible: 'Not eligible', other: 'Other',
};
export const PERFORMANCE_TYPE_WORDS: Words = {
  public: 'Public', preview: 'Preview', matinee: 'Matinee', school: 'School', dress_invited: 'Invited dress',
  gala: 'Gala', competition: 'Competition', stream_live: 'Live stream', stream_vod: 'On demand',
};
export const PERFORMANCE_STATUS_WORDS: Words = {
  planned: 'Planned', performed: 'Performed', cancelled: spell`Canceled`, postponed: 'Postponed',
};
export const ORGANISATION_WORDS: Words = {
  school_k12: 'School', university: 'University', community: spell`Community theater`, youth: spell`Youth theater`,
  professional: 'Professional company', church: 'Church', camp: 'Camp', other: 'Other',
};
export const PURPOSE_WORDS: Words = {
  season: 'Season', competition: 'Competition', fundraiser: 'Fundraiser', camp: 'Camp', excerpt: 'Excerpt',
};
export const FEE_METHOD_WORDS: Words = {
  flat: 'Amount per performance', seat_band: 'By seats', percent_potential: 'Percentage of the potential',
  percent_actual: 'Percentage of gross box office', greater_of: 'The greater of two',
  flat_run: 'One amount for the run',
  negotiated: 'Negotiated',
};
export const LINE_KIND_WORDS: Words = {
  royalty: 'Royalty', rental: 'Rental', extra_week: 'Extra weeks', sale: 'Sales', digital: 'Digital', add_on: 'Add-ons',
  shipping: 'Shipping', fee: 'Fees', advance: 'Advance', minimum: 'Minimum',
};

/** 'Total USD'; where a percentage follows it is what is guaranteed, and says so. */
export function totalWords({ currency,
  percentage_ppm: ppm }: { currency: string; percentage_ppm: number | null }): string {
  return ppm === null ? `Total ${currency}` : `Guaranteed ${currency}, plus ${formatRate(BigInt(ppm))}`;
}

/** '11% of gross' beside a guaranteed amount; '' where the price is the whole price. */
export function plusWords({ percentage_ppm: ppm }: { percentage_ppm: number | null }): string {
  return ppm === null ? '' : `plus ${formatRate(BigInt(ppm))} of gross`;
}

/** When an instalment falls due. */
export const DUE_WORDS: Words = {
  acceptance: 'At acceptance', execution: spell`Before the license is issued`, shipment: 'When the rental begins',
  opening: 'At the opening', closing: 'After the last performance', settlement: 'At settlement',
  report: 'With each box-office report',
};

export interface StatusLook { label: string; tone: Tone }
export const APPLICATION_LOOKS: Readonly<Record<string, StatusLook>> = {
  draft: { label: 'Draft', tone: 'neutral' }, submitted: { label: 'Submitted', tone: 'info' },
  in_review: { label: 'In review', tone: 'brass' }, info_requested: { label: 'Information requested', tone: 'warn' },
  clearance: { label: 'Awaiting clearance', tone: 'violet' }, approved: { label: 'Approved', tone: 'ok' },
  converted: { label: 'Converted', tone: 'ok' }, declined: { label: 'Declined', tone: 'outline' },
  withdrawn: { label: 'Withdrawn', tone: 'outline' }, expired: { label: 'Expired', tone: 'outline' },
};
/** The customer waits for an answer; an approval is one. */
export const UNANSWERED: readonly string[] = ['submitted', 'in_review', 'info_requested', 'clearance'];
export function applicationLook(status: string): StatusLook {
  return APPLICATION_LOOKS[status] ?? { label: status, tone: 'outline' };
}

export const VERDICT_LOOKS: Readonly<Record<string, StatusLook>> = {
  clear: { label: 'Rights available', tone: 'ok' }, cleared: { label: 'Cleared by staff', tone: 'ok' },
  needs_clearance: { label: 'Needs clearance', tone: 'warn' }, blocked: { label: 'Not available', tone: 'error' },
};

/** 'seat_band' gives 'Seat band': a name that has no better words here. */
export function plainWords(name: string): string {
  const text = name.replaceAll('_', ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
export function wordsOf(words: Words, value: string | null | undefined): string {
  if (!value) return '';
  return words[value] ?? plainWords(value);
}
export function optionsOf(words: Words): { value: string; label: string }[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

/** Whether the derived status says more than the phase's own badge. */
export function derivedStatus(phase: string, status: string): string | null {
  const label = (PHASE_LABELS as Words)[phase] ?? '';
  return status && status !== 'Settling' && status.toLowerCase() !== label.toLowerCase() ? status : null;
}

/** Tone of a derived status: late is red, the countdown brass. */
export function derivedTone(status: string): Tone {
  if (/overdue|late|default/i.test(status)) return 'error';
  if (/expire|unpaid|hold|postponed/i.test(status)) return 'warn';
  return 'brass';
}

function dayWords(days: number): string {
  return days === 1 ? '1 day' : `${days.toLocaleString('en-US')} days`;
}

/** 'Opens in 83 days', 'Opens today', 'Running until Feb 14, 2027', 'Closed Feb 14, 2027'. */
export function runWords(first: string | null, last: string | null, on: string): string {
  if (!first) return '';
  const ahead = diffDays(on, first);
  if (ahead > 0) return `Opens in ${dayWords(ahead)}`;
  if (ahead === 0) return 'Opens today';
  const end = last ?? first;
  return end >= on ? `Running until ${formatDay(end)}` : `Closed ${formatDay(end)}`;
}

/** 'Today', '5 days', '3 days late' for a day that something is due on. */
export function dueWords(day: string | null, on: string): string {
  if (!day) return '';
  const days = diffDays(on, dayOf(day) ?? on);
  if (days === 0) return 'Today';
  if (days === 1) return 'Tomorrow';
  return days > 0 ? dayWords(days) : `${dayWords(-days)} late`;
}

/** '19:30' as '7:30 PM', British '7.30pm'. */
export const clockWords = (time: string): string => timeFor(readerLanguage(), time);

/** 'America/New_York' as 'New York'. */
export function zoneWords(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}
