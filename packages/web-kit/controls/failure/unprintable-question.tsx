/** Asks whether a document goes out although some of its characters cannot be printed. */
import { Checkbox } from '../field/checkbox.tsx';
import type { FieldBinding } from '../form/use-resource-form.ts';

export const UNPRINTABLE = 'document.unprintable';

/** Shown once the server has named the characters; the refusal itself stands above it. */
export function UnprintableQuestion({ asked, ...field }: { asked: boolean } & FieldBinding<boolean>) {
  return asked ? <Checkbox label="Send it with empty boxes there" {...field} /> : null;
}
