/** The calendar of nights: every day says whether it is free; a day that is not says why and offers two ways on. */
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { addMonths, dayOfWeek, endOfMonth, startOfMonth } from '#kernel/calendar/calendar.ts';
import { IconButton } from '#web/controls/button.tsx';
import { Callout } from '#web/data/callout.tsx';
import { daySpan, formatDay } from '#web/data/date-text.tsx';
import { today } from '#web/data/local-day.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useBlockedDays, type Place } from './use-live.web.ts';
import calendar from './calendar.module.css';
import styles from './portal.module.css';

const WEEKDAYS = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October',
  'November', 'December'];
interface Stretch { from: string; to: string; verdict: 'clear' | 'needs_clearance' | 'blocked'; reason_public: string }

/** The days of a month; null pads the first week. Weeks start on Sunday (C79). */
export function monthDays(first: string): (string | null)[] {
  const pad = Array.from({ length: dayOfWeek(first) % 7 }, () => null);
  const count = Number(endOfMonth(first).slice(8));
  return [...pad, ...Array.from({ length: count }, (_, at) =>
    `${first.slice(0, 8)}${String(at + 1).padStart(2, '0')}`)];
}

const WORDS: Record<string, string> = {
  blocked: 'not available', needs_clearance: 'on hold', past: 'in the past', free: 'free',
};

const ASKED = { blocked: 'Not available', needs_clearance: 'We have to ask first', clear: 'Free' };

function Month({ first, chosen, stretches, onDay }: {
  first: string; chosen: readonly string[]; stretches: readonly Stretch[]; onDay: (day: string) => void;
}) {
  const on = today();
  const stateOf = (day: string): string => (day <= on ? 'past'
    : stretches.find((one) => one.from <= day && day <= one.to)?.verdict ?? 'free');
  return (
    <div className={calendar.month}>
      <h3>{MONTHS[Number(first.slice(5, 7)) - 1]} {first.slice(0, 4)}</h3>
      <div className={calendar.grid}>
        {WEEKDAYS.map((day) => <span key={day} className={calendar.weekday} aria-hidden="true">{day}</span>)}
        {monthDays(first).map((day, index) => {
          if (day === null) return <span key={`pad${index}`} />;
          const state = stateOf(day);
          const mine = chosen.includes(day);
          return (
            <button key={day} type="button" className={calendar.day} data-state={state}
              aria-label={`${formatDay(day, 'weekday')}, ${mine ? 'your night' : WORDS[state]}`} aria-pressed={mine}
              aria-disabled={state === 'past' || undefined} onClick={() => state !== 'past' && onDay(day)}>
              {Number(day.slice(8))}
            </button>
          );
        })}
      </div>
    </div>
  );
}

function Legend({ hold }: { hold: boolean }) {
  const entries = [['yours', 'Your nights'], ['free', 'Free'], ['blocked', 'Not available'],
    ...(hold ? [['needs_clearance', 'We have to ask first']] : [])] as const;
  return (
    <ul className={calendar.legend}>
      {entries.map(([state, text]) => (
        <li key={state}><span className={`${calendar.day} ${calendar.swatch}`} data-state={state} />{text}</li>
      ))}
    </ul>
  );
}

export interface NightsCalendarProps {
  customerId: number;
  base: string;
  showId: number;
  place: Place;
  chosen: readonly string[];
  onChange: (days: string[]) => void;
}

export function NightsCalendar({ customerId, base, showId, place, chosen, onChange }: NightsCalendarProps) {
  const [first, setFirst] = useState(() => startOfMonth(chosen[0] ?? addMonths(today(), 2)));
  const [asked, setAsked] = useState<Stretch | null>(null);
  const second = addMonths(first, 1);
  const read = useBlockedDays(customerId, showId, first, endOfMonth(second), place);
  const stretches = read.data?.data ?? [];
  const onDay = (day: string) => {
    const stretch = stretches.find((one) => one.from <= day && day <= one.to) ?? null;
    setAsked(stretch);
    if (stretch?.verdict === 'blocked' && !chosen.includes(day)) return;
    onChange(chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day].toSorted());
  };
  const month = (first_: string) => (
    <Month first={first_} chosen={chosen} stretches={stretches} onDay={onDay} />
  );
  return (
    <div className={styles.stack}>
      <div className={styles.spread}>
        <Legend hold={stretches.some((one) => one.verdict === 'needs_clearance')} />
        <span className={styles.row}>
          <IconButton variant="secondary" size="large" label="Earlier months"
            icon={<Glyph icon={ArrowLeft} size={18} />}
            onClick={() => setFirst(addMonths(first, -1))} />
          <IconButton variant="secondary" size="large" label="Later months" icon={<Glyph icon={ArrowRight} size={18} />}
            onClick={() => setFirst(addMonths(first, 1))} />
        </span>
      </div>
      <div className={calendar.months} aria-busy={read.isFetching || undefined}>{month(first)}{month(second)}</div>
      {read.isError && <Callout tone="warn" live title="The days could not be checked">{read.error.message}</Callout>}
      {asked && (
        <Callout tone={asked.verdict === 'blocked' ? 'error' : 'warn'} live
          title={`${ASKED[asked.verdict]}, ${daySpan(asked.from, asked.to)}`}
          action={<AppLink className="gr-link" href={`${base}/shows`}>Other shows for these dates</AppLink>}>
          {asked.reason_public}
        </Callout>
      )}
    </div>
  );
}
