/** A cell that is changed where it stands (U10): what its field shows, and what a typed text means. */
import { dateFromText, dateToText } from '#kernel/calendar/date-text.ts';
import { minorFromText, minorToEdit, numberFromText } from '#web/controls/field/decimal-text.ts';
import { today } from './local-day.ts';
import type { ColumnEdit, EditValue } from './column.ts';

type Edit = Pick<ColumnEdit<never>, 'as' | 'optional'>;

export function cellText({ as }: Edit, value: EditValue): string {
  if (as === 'money') return minorToEdit(typeof value === 'number' ? value : null);
  return as === 'date' && typeof value === 'string' ? dateToText(value) : String(value ?? '');
}

/** Hints for a text that cannot be sent; it stays in the field. */
export const CELL_HINTS: Readonly<Record<ColumnEdit<never>['as'], string>> = {
  text: 'Fill this in', select: 'Choose one', number: 'Enter a whole number',
  money: 'Enter an amount, such as 1,234.50',
  date: 'Enter a date, such as 03/12/2027',
};

/** The value of a text, undefined where it has none. */
export function readCell({ as, optional = false }: Edit, typed: string): EditValue | undefined {
  const text = typed.trim();
  if (text === '') return optional ? null : undefined;
  switch (as) {
    case 'text': case 'select': return text;
    case 'number': return numberFromText(text, 0);
    case 'money': return minorFromText(text, false);
    case 'date': return dateFromText(text, today());
  }
}
