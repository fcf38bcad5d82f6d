/** An amendment while it is typed: what moves, goes or comes, and nothing that stays. */
import { addDays, diffDays } from '#kernel/calendar/calendar.ts';
import type { PerformanceRow } from '../licenses/performances/performance.contract.ts';
import type { AmendmentChanges } from './amendment.contract.ts';

export interface Draft {
  key: string; id: number | null; venueId: number; date: string | null; time: string | null; cancel: boolean;
}

export const draftOf = (row: PerformanceRow): Draft => ({
  key: `p${row.id}`, id: row.id, venueId: row.license_venue_id, date: row.local_date, time: row.local_time.slice(0, 5),
    cancel: false,
});

/** Moves every performance so that the first one is on `day`. */
export function shifted(drafts: readonly Draft[], day: string | null): readonly Draft[] {
  const first = drafts.find((draft) => draft.date !== null)?.date;
  if (!day || !first) return drafts;
  const days = diffDays(first, day);
  return drafts.map((draft) => (draft.date === null ? draft : { ...draft, date: addDays(draft.date, days) }));
}

/** Only what differs from what is licensed. */
export function changesOf(drafts: readonly Draft[], rows: readonly PerformanceRow[]): AmendmentChanges | null {
  const changes = drafts.flatMap((draft): NonNullable<AmendmentChanges['performances']> => {
    const row = rows.find((one) => one.id === draft.id);
    if (draft.id === null) {
      return draft.date && draft.time
        ? [{ license_venue_id: draft.venueId, local_date: draft.date, local_time: draft.time }] : [];
    }
    if (draft.cancel) return [{ id: draft.id, cancel: true }];
    if (!row || !draft.date || !draft.time) return [];
    const moved = draft.date !== row.local_date || draft.time !== row.local_time.slice(0, 5);
    return moved ? [{ id: draft.id, local_date: draft.date, local_time: draft.time }] : [];
  });
  return changes.length > 0 ? { performances: changes } : null;
}
