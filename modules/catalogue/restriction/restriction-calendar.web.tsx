/** The availability calendar: a month of a show with the reasons why a day is closed (LOOK.md 9). */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { addDays, addMonths, dayOfWeek, endOfMonth, startOfMonth } from '#kernel/calendar/calendar.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { IconButton } from '#web/controls/button/button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { today } from '#web/data/local-day.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { COUNTRIES } from '#modules/reference/places/place.contract.ts';
import { CATEGORY_LABELS } from '../catalogue-labels.web.ts';
import catalogue from '../catalogue.module.css';
import { restrictionEndpoints, type CalendarDay, type DayVerdict } from './restriction.contract.ts';
import styles from './restriction-calendar.module.css';

const VERDICT_LABELS: Record<DayVerdict, string> = {
  clear: 'Free', partly: 'In part', limited: 'Limited', needs_clearance: 'Ask first', blocked: 'Closed',
};
const COUNTRY_OPTIONS = COUNTRIES.map((country) => ({ value: country.code, label: country.name }));
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

type Division = 'US' | 'EU' | 'UK' | 'PROD';

function monthName(first: string): string {
  return new Date(`${first}T12:00:00Z`)
    .toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

export function AvailabilityCalendar({ showId }: { showId: number }) {
  const [first, setFirst] = useState(() => startOfMonth(today()));
  const [division, setDivision] = useState<string | null>(null);
  const [category, setCategory] = useState<string | null>(null);
  const [country, setCountry] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const read = useEndpoint(restrictionEndpoints.calendar, { params: { showId }, query: {
    from: first, to: endOfMonth(first),
    ...(division ? { division: division as Division } : {}),
    ...(category ? { category: category as 'Amateur' | 'Pro' } : {}), ...(country ? { country } : {}),
  } });
  const days = read.data?.data;
  const open = days?.find((day) => day.date === chosen) ?? null;
  return (
    <>
      <div className={styles.head}>
        <IconButton label="Month before" icon={<Glyph icon={ChevronLeft} />}
          onClick={() => setFirst(addMonths(first, -1))} />
        <p className={styles.month} aria-live="polite">{monthName(first)}</p>
        <IconButton label="Next month" icon={<Glyph icon={ChevronRight} />}
          onClick={() => setFirst(addMonths(first, 1))} />
      </div>
      <div className={catalogue.filters}>
        <AsyncSelect label="Division" clearable placeholder="Any" options={optionsOf(DIVISION_LABELS)} value={division}
          onChange={setDivision} />
        <AsyncSelect label="Category" clearable placeholder="Any" options={optionsOf(CATEGORY_LABELS)} value={category}
          onChange={setCategory} />
        <AsyncSelect label="Country" clearable placeholder="Anywhere" options={COUNTRY_OPTIONS} value={country}
          onChange={setCountry} />
      </div>
      <ul className={catalogue.legend} aria-label="Key to the calendar">
        {(Object.keys(VERDICT_LABELS) as DayVerdict[]).map((verdict) => (
          <li key={verdict}><span className={styles.swatch} data-verdict={verdict} />{VERDICT_LABELS[verdict]}</li>
        ))}
      </ul>
      <Days first={first} days={days} chosen={chosen} onChoose={setChosen} />
      {open && <Reasons day={open} />}
    </>
  );
}

interface DaysProps {
  first: string;
  days: readonly CalendarDay[] | undefined;
  chosen: string | null;
  onChoose: (date: string | null) => void;
}

function Days({ first, days, chosen, onChoose }: DaysProps) {
  const length = Number(endOfMonth(first).slice(8));
  const dates = Array.from({ length }, (_, index) => addDays(first, index));
  return (
    <ul className={styles.grid} aria-busy={!days}>
      {WEEKDAYS.map((name) => <li key={name} className={styles.weekday} aria-hidden="true">{name}</li>)}
      {dates.map((date, index) => {
        const day = days?.find((one) => one.date === date);
        const verdict = day?.verdict ?? 'clear';
        const reason = day?.reasons[0];
        return (
          <li key={date} style={index === 0 ? { gridColumnStart: dayOfWeek(date) + 1 } : undefined}>
            <button type="button" className={styles.day} data-verdict={verdict} aria-pressed={chosen === date}
              aria-label={`${formatDay(date)}: ${VERDICT_LABELS[verdict]}`} title={reason?.reason_public}
              onClick={() => onChoose(chosen === date ? null : date)}>
              <span>{Number(date.slice(8))}</span>
              {verdict !== 'clear' && <small>{VERDICT_LABELS[verdict]}</small>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Reasons({ day }: { day: CalendarDay }) {
  return (
    <div className={styles.reasons} aria-live="polite">
      <Callout tone={day.verdict === 'clear' ? 'ok' : day.verdict === 'blocked' ? 'error' : 'warn'}
        title={`${formatDay(day.date)}: ${VERDICT_LABELS[day.verdict].toLowerCase()}`}>
        {day.reasons.length === 0 ? 'No restriction on this day.' : day.reasons.map((reason) => (
          <p key={`${reason.restriction_id}`} className={catalogue.entryText}>
            {`${reason.reason_public} (${reason.scope})`}
            {reason.reason_internal && ` Internal: ${reason.reason_internal}`}
          </p>
        ))}
      </Callout>
    </div>
  );
}
