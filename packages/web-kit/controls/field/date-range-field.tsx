/**
 * First and last day of a span, both inclusive, ISO at the edge: two typed dates and one calendar. A last day before
 * the first is said at the field; the two days are never swapped behind the user's back.
 */
import { useState } from 'react';
import { today } from '#web/data/local-day.ts';
import { CalendarButton, calendarProps } from '../button/calendar-button.tsx';
import { readDate, dateHint } from './date-field.tsx';
import { datePattern, dateToText } from '#kernel/calendar/date-text.ts';
import { FieldFrame, frameOf, type FieldAria, type FieldFrameProps } from './field-frame.tsx';
import { useDraftText } from './use-draft-text.ts';
import styles from './calendar.module.css';
import fieldStyles from './field-frame.module.css';

export type DateRange = { from: string | null; to: string | null };

export type DateRangeFieldProps = FieldFrameProps & {
  value: DateRange;
  onChange: (value: DateRange) => void;
  min?: string | undefined;
  max?: string | undefined;
  today?: string | undefined;
  disabled?: boolean | undefined;
  /** Path of the field; the inputs are `${name}.from` and `${name}.to`. */
  name?: string | undefined;
  id?: string | undefined;
};

type EndProps = DateRangeFieldProps & { end: keyof DateRange; aria: FieldAria; onUnreadable: (is: boolean) => void };

function RangeEnd(props: EndProps) {
  const { end, value, onChange, aria, onUnreadable } = props;
  const draft = useDraftText(value[end], (day) => onChange({ ...value, [end]: day }), {
    show: dateToText, parse: (text) => readDate(text, props),
  });
  return (
    <input {...aria} aria-required={undefined} type="text" autoComplete="off" placeholder={datePattern()}
      id={end === 'from' ? aria.id : `${aria.id}-to`} required={props.required} disabled={props.disabled}
      name={props.name && `${props.name}.${end}`}
      aria-label={`${props.label}: ${end === 'from' ? 'first day' : 'last day'}`} value={draft.text}
      data-unreadable={draft.unreadable || undefined} className={fieldStyles.input}
      onFocus={draft.onFocus} onChange={(event) => draft.onText(event.currentTarget.value)}
      onBlur={(event) => {
        draft.onBlur();
        onUnreadable(readDate(event.currentTarget.value, props) === undefined);
      }} />
  );
}

export function DateRangeField(props: DateRangeFieldProps) {
  const { value, onChange, min, max, today: given = today() } = props;
  const [open, setOpen] = useState(false);
  const [unreadable, setUnreadable] = useState<Record<keyof DateRange, boolean>>({ from: false, to: false });
  const backwards = value.from !== null && value.to !== null && value.to < value.from;
  const error = unreadable.from || unreadable.to ? dateHint(min, max)
    : backwards ? 'The last day is before the first day' : props.error;
  return (
    <FieldFrame {...frameOf(props)} error={error} id={props.id} group>
      {(aria, labelId) => (
        <div role="group" aria-labelledby={labelId} className={styles.range}>
          <RangeEnd {...props} aria={aria} end="from"
            onUnreadable={(is) => setUnreadable((was) => ({ ...was, from: is }))} />
          <span>to</span>
          <RangeEnd {...props} aria={aria} end="to"
            onUnreadable={(is) => setUnreadable((was) => ({ ...was, to: is }))} />
          <CalendarButton label={props.label} open={open} onOpen={setOpen} disabled={props.disabled}>
            {({ DatePicker }) => (
              <DatePicker {...calendarProps} type="range" allowSingleDateInRange value={[value.from, value.to]}
                defaultDate={value.from ?? given} highlightToday
                {...(min && { minDate: min })} {...(max && { maxDate: max })}
                onChange={([from, to]) => {
                  onChange({ from, to });
                  if (from && to) setOpen(false);
                }} />
            )}
          </CalendarButton>
        </div>
      )}
    </FieldFrame>
  );
}
