/** Whether a file of a licence may be downloaded now (domain.md 4: digital entitlement). */
import { addDays, dateInWords, type IsoDate } from '../calendar/calendar.ts';

/** After the closing night files stay open so long. */
const DOWNLOAD_GRACE_DAYS = 14;
const VALID: readonly string[] = ['licensed', 'in_production', 'settlement', 'closed'];

export interface DownloadFacts {
  /** Of the licence. */
  phase: string;
  on_hold: boolean;
  /** The day its group is sent; null while the licence has no dates. */
  opens_on: IsoDate | null;
  last_performance_on: IsoDate | null;
  today: IsoDate;
  limit: number;
  /** Downloads since staff allowed it anew. */
  used: number;
}

export const DOWNLOAD_REFUSALS = ['cancelled', 'not_valid', 'on_hold', 'not_open', 'over', 'used_up'] as const;
export type DownloadRefusal = (typeof DOWNLOAD_REFUSALS)[number];

/** The last day on which a file of the licence opens; null without dates. */
export function downloadsUntil(lastPerformance: IsoDate | null): IsoDate | null {
  return lastPerformance === null ? null : addDays(lastPerformance, DOWNLOAD_GRACE_DAYS);
}

/** Null: it may be. Otherwise why not, in words for the customer; the first reason that holds. */
export function whyNoDownload(facts: DownloadFacts): { code: DownloadRefusal; message: string } | null {
  const until = downloadsUntil(facts.last_performance_on);
  if (facts.phase === 'cancelled') {
    return { code: 'cancelled', message: 'This licence was cancelled, and its files were withdrawn with it.' };
  }
  if (!VALID.includes(facts.phase)) {
    return { code: 'not_valid', message: 'Its files open once the licence is valid.' };
  }
  if (facts.on_hold) {
    return { code: 'on_hold', message: 'This licence is on hold; its files open again when that is settled.' };
  }
  if (facts.opens_on !== null && facts.today < facts.opens_on) {
    return { code: 'not_open', message: `This file opens on ${dateInWords(facts.opens_on)}.` };
  }
  if (until !== null && facts.today > until) {
    return { code: 'over', message: `The time to download it ended on ${dateInWords(until)}.` };
  }
  if (facts.used < facts.limit) return null;
  const times = facts.limit === 1 ? 'once' : `${facts.limit} times`;
  return { code: 'used_up', message: `It was downloaded ${times}, as often as the licence allows. Ask us for more.` };
}
