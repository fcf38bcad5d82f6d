/**
 * A plain number, parsed as a decimal (SPEC.md 5; an empty text is null, gap G53). Unless `allowNegative`, the
 * keystroke that would make it negative is dropped and the former value stays (gap G52).
 */
import { numberFromText } from './decimal-text.ts';
import { DraftInput, type DraftFieldProps } from './draft-input.tsx';
import { useDraftText } from './use-draft-text.ts';

export type NumberFieldProps = DraftFieldProps & {
  value: number | null;
  onChange: (value: number | null) => void;
  /** Digits after the point; 0 (the default) takes whole numbers only. */
  decimals?: number | undefined;
  allowNegative?: boolean | undefined;
  /** Thousands are set apart; false for a number that is a name, such as a year. */
  grouped?: boolean | undefined;
};

export function NumberField(props: NumberFieldProps) {
  const { value, onChange, decimals = 0, allowNegative = false, grouped = true, ...field } = props;
  const draft = useDraftText(value, onChange, {
    show: (number) => (number === null ? ''
      : number.toLocaleString('en-US', { maximumFractionDigits: decimals, useGrouping: grouped })),
    edit: (number) => (number === null ? '' : String(number)),
    parse: (text) => numberFromText(text, decimals),
    accepts: (text) => allowNegative || !/[-(]/.test(text),
  });
  const hint = decimals > 0
    ? `Enter a number, such as 12.5, with at most ${decimals} decimals` : 'Enter a whole number';
  return (
    <DraftInput {...field} draft={draft} numeric inputMode={decimals > 0 ? 'decimal' : 'numeric'} hint={hint} />
  );
}
