/** Fields of a weekly run: first and last day, weekdays with an evening and with a matinee, and their times. */
import type { DayOfWeek } from '#kernel/calendar/calendar.ts';
import { Checkbox } from '../field/checkbox.tsx';
import { DateField } from '../field/date-field.tsx';
import { toggled, type SeriesDraft } from './series-draft.ts';
import { TimeField } from '../field/time-field.tsx';
import styles from './series-fields.module.css';

const WEEK: readonly (readonly [DayOfWeek, string])[] = [[1, 'Mon'], [2, 'Tue'], [3, 'Wed'], [4, 'Thu'], [5, 'Fri'],
  [6, 'Sat'], [0, 'Sun']];

function Weekdays({ label, days, time, onDays, onTime }: {
  label: string; days: readonly DayOfWeek[]; time: string | null;
  onDays: (days: readonly DayOfWeek[]) => void; onTime: (time: string | null) => void;
}) {
  return (
    <fieldset className={styles.week}>
      <legend>{label}</legend>
      <div className={styles.days}>
        {WEEK.map(([day, name]) => (
          <Checkbox key={day} label={name} value={days.includes(day)}
            onChange={(on) => onDays(toggled(days, day, on))} />
        ))}
      </div>
      <TimeField label={`Time, ${label.toLowerCase()}`} value={time} disabled={days.length === 0} onChange={onTime} />
    </fieldset>
  );
}

export function SeriesFields({ value, onChange }: {
  value: SeriesDraft; onChange: (change: Partial<SeriesDraft>) => void;
}) {
  return (
    <div className={styles.series}>
      <div className={styles.span}>
        <DateField label="First day" value={value.from} onChange={(from) => onChange({ from })} />
        <DateField label="Last day" value={value.to} onChange={(to) => onChange({ to })} />
      </div>
      <Weekdays label="Evenings" days={value.evenings} time={value.evening_time}
        onDays={(evenings) => onChange({ evenings })} onTime={(time) => onChange({ evening_time: time })} />
      <Weekdays label="Matinees" days={value.matinees} time={value.matinee_time}
        onDays={(matinees) => onChange({ matinees })} onTime={(time) => onChange({ matinee_time: time })} />
    </div>
  );
}
