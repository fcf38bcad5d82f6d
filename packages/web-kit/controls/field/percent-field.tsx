/** A rate: percent text in, parts per million out (12.5% is 125,000 ppm; at most four decimals of a percent). */
import { scaledFromText, scaledToText } from './decimal-text.ts';
import { DraftInput, type DraftFieldProps } from './draft-input.tsx';
import { useDraftText } from './use-draft-text.ts';

/** Decimals of a percent that one part per million can carry. */
const DECIMALS = 4;

export type PercentFieldProps = Omit<DraftFieldProps, 'suffix' | 'prefix'> & {
  /** Parts per million, null for none. */
  value: number | null;
  onChange: (ppm: number | null) => void;
  allowNegative?: boolean | undefined;
};

export function PercentField(props: PercentFieldProps) {
  const { value, onChange, allowNegative = false, ...field } = props;
  const draft = useDraftText(value, onChange, {
    show: (ppm) => scaledToText(ppm, DECIMALS),
    parse: (text) => scaledFromText(text, DECIMALS),
    accepts: (text) => allowNegative || !/[-(]/.test(text),
  });
  return (
    <DraftInput {...field} draft={draft} numeric inputMode="decimal" suffix="%" suffixWidth={32}
      hint="Enter a percentage, such as 12.5" />
  );
}
