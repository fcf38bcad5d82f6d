/** Time of day: typed in any usual way, shown as 7:30 PM or 7.30pm, 'HH:MM' at the edge. Arrow keys move 15 minutes. */
import { DraftInput, type DraftFieldProps } from './draft-input.tsx';
import { shiftTime, timeFromText, timeToText } from './time-text.ts';
import { useDraftText } from './use-draft-text.ts';

const STEP_MINUTES = 15;

export type TimeFieldProps = Omit<DraftFieldProps, 'suffix' | 'prefix'> & {
  /** 'HH:MM', 24 hours, null for none. */
  value: string | null;
  onChange: (value: string | null) => void;
};

export function TimeField(props: TimeFieldProps) {
  const { value, onChange, ...field } = props;
  const draft = useDraftText(value, onChange, { show: timeToText, parse: timeFromText });
  return (
    <DraftInput {...field} draft={draft} placeholder={timeToText('19:30')}
      hint={`Enter a time, such as ${timeToText('19:30')}`}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowUp' ? STEP_MINUTES : event.key === 'ArrowDown' ? -STEP_MINUTES : 0;
        if (step === 0 || value === null) return;
        event.preventDefault();
        onChange(shiftTime(value, step));
      }} />
  );
}
