/** When the parts of a production's material leave the house (domain.md 4). */
import { addDays, maxDate, type IsoDate } from '../calendar/calendar.ts';
import type { ShipGroup } from './explode.ts';

/** The orchestra rehearses last: its parts go four weeks before the opening. */
export const ORCHESTRA_LEAD_DAYS = 28;

/**
 * The day a line is sent: its own lead before the opening where it has one; the orchestra four weeks before; all else
 * with the licence's shipping day. Never before that day, which is not before the licence is valid. Null: no date yet.
 */
export function lineShipsOn(
  line: { ship_group: ShipGroup; lead_days: number }, opening: IsoDate | null, licenceShipsOn: IsoDate | null,
): IsoDate | null {
  if (opening === null || licenceShipsOn === null) return licenceShipsOn;
  const lead = line.lead_days > 0 ? line.lead_days : line.ship_group === 'orchestra' ? ORCHESTRA_LEAD_DAYS : null;
  return lead === null ? licenceShipsOn : maxDate(licenceShipsOn, addDays(opening, -lead));
}

/** Weeks of a run, the first one begun counts whole; 0 without dates. */
export function weeksOf(first: IsoDate | null, last: IsoDate | null, days: (a: IsoDate, b: IsoDate) => number): number {
  return first === null || last === null ? 0 : Math.floor(days(first, last) / 7) + 1;
}
