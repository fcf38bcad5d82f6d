/**
 * An amount: decimal text in, integer minor units out, never a floating-point number on the way. The currency stands
 * behind the amount. Out of the field the amount is grouped, a negative stands in parentheses (LOOK.md 5).
 */
import { minorFromText, minorToEdit, minorToText } from './decimal-text.ts';
import { DraftInput, type DraftFieldProps } from './draft-input.tsx';
import { useDraftText } from './use-draft-text.ts';

export type MoneyFieldProps = Omit<DraftFieldProps, 'suffix' | 'prefix'> & {
  /** Minor units (cents, pence), null for none; at most 10^12. */
  value: number | null;
  onChange: (minor: number | null) => void;
  currency: string;
  allowNegative?: boolean | undefined;
};

export function MoneyField(props: MoneyFieldProps) {
  const { value, onChange, currency, allowNegative = false, ...field } = props;
  const draft = useDraftText(value, onChange, {
    show: minorToText,
    edit: minorToEdit,
    parse: (text) => minorFromText(text, allowNegative),
    accepts: (text) => allowNegative || !/[-(]/.test(text),
  });
  return (
    <DraftInput {...field} draft={draft} numeric inputMode="decimal" suffix={currency} placeholder="0.00"
      hint="Enter an amount, such as 1,234.50" />
  );
}
