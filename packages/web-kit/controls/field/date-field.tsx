/**
 * A day: typed or picked, ISO 'YYYY-MM-DD' at the edge. Typing takes every usual way to write a date; the calendar is
 * the second way, opened by its button or Alt+Down. Source: states S105, constants C79, C80.
 */
import { useState } from 'react';
import { today } from '#web/data/local-day.ts';
import { CalendarButton, calendarProps } from '../button/calendar-button.tsx';
import { dateFromText, datePattern, dateToText } from '#kernel/calendar/date-text.ts';
import { DraftInput, type DraftFieldProps } from './draft-input.tsx';
import { useDraftText } from './use-draft-text.ts';

export type DateFieldProps = Omit<DraftFieldProps, 'suffix' | 'prefix'> & {
  /** ISO date, null for none. */
  value: string | null;
  onChange: (value: string | null) => void;
  /** First and last day that can be chosen, ISO. */
  min?: string | undefined;
  max?: string | undefined;
  /** The day a missing year and the calendar's mark refer to; the machine's own day where not given. */
  today?: string | undefined;
};

/** Reads a typed date: it must be readable and within the limits. */
export function readDate(
  text: string, props: Pick<DateFieldProps, 'min' | 'max' | 'today'>,
): string | null | undefined {
  const day = dateFromText(text, props.today ?? today());
  if (!day) return day;
  return (props.min && day < props.min) || (props.max && day > props.max) ? undefined : day;
}

/** Words for a date that was not taken. */
export function dateHint(min: string | undefined, max: string | undefined): string {
  if (min && max) return `Enter a date from ${dateToText(min)} to ${dateToText(max)}`;
  if (min) return `Enter a date on or after ${dateToText(min)}`;
  if (max) return `Enter a date on or before ${dateToText(max)}`;
  return `Enter a date, such as ${dateToText('2027-03-12')}`;
}

export function DateField(props: DateFieldProps) {
  const { value, onChange, min, max, today: given = today(), ...field } = props;
  const [open, setOpen] = useState(false);
  const draft = useDraftText(value, onChange, { show: dateToText, parse: (text) => readDate(text, props) });
  const calendar = (
    <CalendarButton label={props.label} open={open} onOpen={setOpen} disabled={props.disabled ?? props.readOnly}>
      {({ DatePicker }) => (
        <DatePicker {...calendarProps} value={value} defaultDate={value ?? given} highlightToday
          {...(min && { minDate: min })} {...(max && { maxDate: max })}
          onChange={(day) => { onChange(day); setOpen(false); }} />
      )}
    </CalendarButton>
  );
  return (
    <DraftInput {...field} draft={draft} suffix={calendar} placeholder={datePattern()} hint={dateHint(min, max)}
      onKeyDown={(event) => {
        if (event.altKey && event.key === 'ArrowDown') { event.preventDefault(); setOpen(true); }
      }} />
  );
}
