/** Whether a file of a licence may be downloaded now, or an add-on used (domain.md 4: digital entitlement). */
import { spell } from '../text/english.ts';
import { addDays, dateInWords, type IsoDate } from '../calendar/calendar.ts';

/** After the closing night files stay open so long. */
export const DOWNLOAD_GRACE_DAYS = 14;
const VALID: readonly string[] = ['licensed', 'in_production', 'settlement', 'closed'];

export interface EntitlementFacts {
  /** Of the licence. */
  phase: string;
  on_hold: boolean;
  /** The first and the last day of it; null while the licence has no dates. */
  opens_on: IsoDate | null;
  closes_on: IsoDate | null;
  today: IsoDate;
}

export interface DownloadFacts extends EntitlementFacts {
  limit: number;
  /** Downloads since staff allowed it anew. */
  used: number;
}

export const ENTITLEMENT_REFUSALS = ['cancelled', 'not_valid', 'on_hold', 'not_open', 'over'] as const;
export type EntitlementRefusal = (typeof ENTITLEMENT_REFUSALS)[number];
export const DOWNLOAD_REFUSALS = [...ENTITLEMENT_REFUSALS, 'used_up'] as const;
export type DownloadRefusal = (typeof DOWNLOAD_REFUSALS)[number];

/** `code` for programs, `message` in words for the customer. */
export interface Refusal<Code> { code: Code; message: string }

/** The last day of something of a licence, so many days after its closing night; null without dates. */
export function entitledUntil(lastPerformance: IsoDate | null, graceDays: number): IsoDate | null {
  return lastPerformance === null ? null : addDays(lastPerformance, graceDays);
}

/** Kinds of add-ons that are used during the run: what is streamed or recorded is a performance. */
const DURING_THE_RUN: readonly string[] = ['streaming_license', 'video_archival', 'scenic_projection'];

/** The days of an add-on on a licence: from its first night or, where it is worked with before, from its shipping. */
export function addOnDays(
  addOn: { kind: string; grace_days: number },
  license: { first_performance_on: IsoDate | null; last_performance_on: IsoDate | null; ship_on: IsoDate | null },
): { opens_on: IsoDate | null; closes_on: IsoDate | null } {
  return { opens_on: DURING_THE_RUN.includes(addOn.kind) ? license.first_performance_on : license.ship_on,
    closes_on: entitledUntil(license.last_performance_on, addOn.grace_days) };
}

interface Words { cancelled: string; not_valid: string; on_hold: string; opens: string; over: string }
const OF_FILES: Words = {
  cancelled: 'This license was canceled, and its files were withdrawn with it.',
  not_valid: 'Its files open once the license is valid.',
  on_hold: 'This license is on hold; its files open again when that is settled.',
  opens: 'This file opens on', over: 'The time to download it ended on',
};
const OF_ADD_ONS: Words = {
  cancelled: 'This license was canceled, and its add-ons ended with it.',
  not_valid: 'It may be used once the license is valid.',
  on_hold: 'This license is on hold; it may be used again when that is settled.',
  opens: 'It may be used from', over: 'The time to use it ended on',
};

/** Null: it may be used. Otherwise why not; the first reason that holds. */
export function whyNoUse(facts: EntitlementFacts, words: Words = OF_ADD_ONS): Refusal<EntitlementRefusal> | null {
  if (facts.phase === 'cancelled') return { code: 'cancelled', message: spell(words.cancelled) };
  if (!VALID.includes(facts.phase)) return { code: 'not_valid', message: spell(words.not_valid) };
  if (facts.on_hold) return { code: 'on_hold', message: spell(words.on_hold) };
  if (facts.opens_on !== null && facts.today < facts.opens_on) {
    return { code: 'not_open', message: `${words.opens} ${dateInWords(facts.opens_on)}.` };
  }
  if (facts.closes_on !== null && facts.today > facts.closes_on) {
    return { code: 'over', message: `${words.over} ${dateInWords(facts.closes_on)}.` };
  }
  return null;
}

/** Null: it may be downloaded. Otherwise why not; the first reason that holds. */
export function whyNoDownload(facts: DownloadFacts): Refusal<DownloadRefusal> | null {
  const refused = whyNoUse(facts, OF_FILES);
  if (refused || facts.used < facts.limit) return refused;
  const times = facts.limit === 1 ? 'once' : `${facts.limit} times`;
  return { code: 'used_up', message: spell`It was downloaded ${times}, as often as the license allows. Ask us for
    more.` };
}
