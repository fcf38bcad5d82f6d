/** The phase line of a licence: what is past, where it stands, what is to come and when (picture 02). */
import { addDays } from '#kernel/calendar/calendar.ts';
import { PHASES } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import type { Step } from '#web/layout/stepper.tsx';
import type { LicenseRow } from '../license.contract.ts';

const LINE = ['draft', 'sent', 'accepted', 'licensed', 'in_production', 'settlement', 'closed'] as const;
type LinePhase = (typeof LINE)[number];

function dayOf(license: LicenseRow, phase: LinePhase): string | null {
  const days: Record<LinePhase, string | null> = {
    draft: license.created_at, sent: license.offer_sent_at, accepted: license.accepted_at,
    licensed: license.executed_at, in_production: license.first_performance_on,
    settlement: license.last_performance_on && addDays(license.last_performance_on, 1), closed: license.closed_at,
  };
  return days[phase];
}

/** 'Feb 11' this year, 'Feb 11, 2027' in another one. */
function shortDay(day: string | null, today: string): string {
  if (!day) return '';
  return formatDay(day, day.slice(0, 4) === today.slice(0, 4) ? 'short' : 'full');
}

function noteOf(license: LicenseRow, phase: LinePhase, today: string): string {
  const day = dayOf(license, phase);
  if (!day && phase === 'closed' && license.settlement_due_on) {
    return `about ${shortDay(license.settlement_due_on, today)}`;
  }
  return shortDay(day, today);
}

/** Steps of the line. An offer that ended (expired, declined, cancelled) stops at its end. */
export function stepsOf(license: LicenseRow, today: string): Step[] {
  const place = (LINE as readonly string[]).indexOf(license.phase);
  if (place >= 0) {
    return LINE.map((phase, index) => ({
      label: PHASES[phase].label, note: noteOf(license, phase, today), icon: PHASES[phase].icon,
      state: index < place ? 'past' : index === place ? 'current' : 'future',
    }));
  }
  const reached = LINE.filter((phase) => phase === 'draft'
    || (['sent', 'accepted', 'licensed'].includes(phase) && dayOf(license, phase) !== null));
  const look = PHASES[license.phase];
  return [
    ...reached.map((phase): Step => ({
      label: PHASES[phase].label, note: noteOf(license, phase, today), state: 'past',
    })),
    { label: look.label, state: 'current', icon: look.icon,
      note: shortDay(license.cancelled_at ?? license.offer_expires_on ?? license.updated_at, today) },
  ];
}
