/** The calendar of nights: every day says whether it is free; a day that is not says why and offers two ways on. */
import { ArrowLeft, ArrowRight } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { addMonths, dayOfWeek, endOfMonth, startOfMonth } from '#kernel/calendar/calendar.ts';
import { IconButton } from '#web/controls/button/button.tsx';
import { Callout } from '#web/data/callout.tsx';
import { daySpan, formatDay } from '#web/data/date-text.tsx';
import { today } from '#web/data/local-day.ts';
import { Glyph } from '#web/layout/icons.tsx';
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
  blocked: 'not available', needs_clearance: 'subject to approval', past: 'in the past', free: 'free',
};

/** Few days are taken: what says why comes when one of them is pressed. */
const NightPopover = lazy(() => import('./night-popover.web.tsx')
  .then((file) => ({ default: file.NightPopover })));

function Month({ first, chosen, stretches, onDay }: {
  first: string; chosen: readonly string[]; stretches: readonly Stretch[];
  onDay: (day: string, at: HTMLElement) => void;
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
              aria-disabled={state === 'past' || undefined} data-day={day}
              onClick={(event) => state !== 'past' && onDay(day, event.currentTarget)}>
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
    ...(hold ? [['needs_clearance', 'Subject to approval']] : [])] as const;
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
  /** false where the page itself says what stands against the chosen nights. */
  tells?: boolean | undefined;
  onChange: (days: string[]) => void;
}

interface OpenDay { stretch: Stretch; day: string; at: HTMLElement }

function Arrows({ onMove }: { onMove: (months: number) => void }) {
  return (
    <span className={calendar.arrows}>
      <IconButton variant="secondary" size="large" label="Earlier months"
        icon={<Glyph icon={ArrowLeft} size={18} />} onClick={() => onMove(-1)} />
      <IconButton variant="secondary" size="large" label="Later months" icon={<Glyph icon={ArrowRight} size={18} />}
        onClick={() => onMove(1)} />
    </span>
  );
}

export function NightsCalendar({ customerId, base, showId, place, chosen, tells = true, onChange,
}: NightsCalendarProps) {
  const [first, setFirst] = useState(() => startOfMonth(chosen[0] ?? addMonths(today(), 2)));
  const [asked, setAsked] = useState<OpenDay | null>(null);
  const [told, setTold] = useState<Stretch | null>(null);
  const [wanted, setWanted] = useState<string | null>(null);
  const months = useRef<HTMLDivElement>(null);
  const second = addMonths(first, 1);
  const read = useBlockedDays(customerId, showId, first, endOfMonth(second), place);
  const stretches = read.data?.data ?? [];
  const onDay = (day: string, at: HTMLElement) => {
    const stretch = stretches.find((one) => one.from <= day && day <= one.to);
    const mine = chosen.includes(day);
    if (stretch?.verdict === 'blocked' && !mine) { setAsked({ stretch, day, at }); return; }
    setTold(tells && !mine && stretch ? stretch : null);
    onChange(mine ? chosen.filter((one) => one !== day) : [...chosen, day].toSorted());
  };
  const close = () => { asked?.at.focus(); setAsked(null); };
  const showDay = (day: string) => { setAsked(null); setFirst(startOfMonth(day)); setWanted(day); };
  useEffect(() => {
    if (wanted) months.current?.querySelector<HTMLElement>(`[data-day='${wanted}']`)?.focus();
  }, [wanted]);
  return (
    <div className={styles.stack}>
      <Legend hold={stretches.some((one) => one.verdict === 'needs_clearance')} />
      <div ref={months} className={calendar.months} aria-busy={read.isFetching || undefined}>
        <Arrows onMove={(by) => { setAsked(null); setFirst(addMonths(first, by)); }} />
        {[first, second].map((month) => (
          <Month key={month} first={month} chosen={chosen} stretches={stretches} onDay={onDay} />
        ))}
      </div>
      {read.isError && <Callout tone="warn" live title="The days could not be checked">{read.error.message}</Callout>}
      {told && (
        <Callout tone="warn" live title={`Subject to approval, ${daySpan(told.from, told.to)}`}>
          {told.reason_public}</Callout>
      )}
      {asked && (
        <Suspense fallback={null}>
          <NightPopover customerId={customerId} base={base} showId={showId} place={place} {...{ ...asked,
            anchor: asked.at }} onClose={close} onShow={showDay} />
        </Suspense>
      )}
    </div>
  );
}
