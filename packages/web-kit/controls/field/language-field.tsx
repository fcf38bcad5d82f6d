/** The English of the screens, as a field of one's profile. */
import type { Language } from '#kernel/money/division.ts';
import { AsyncSelect } from '../select/async-select.tsx';

export type LanguageChoice = Language | 'default';

/** For the body of a call: no choice is null. */
export const languageOf = (choice: LanguageChoice): Language | null => (choice === 'default' ? null : choice);

export function LanguageField({ byDefault, value, onChange, ...field }: {
  /** Words for no choice of one's own. */
  byDefault: string; value: LanguageChoice; onChange: (choice: LanguageChoice) => void;
  disabled?: boolean | undefined; error?: string | undefined; name?: string | undefined;
}) {
  return (
    <AsyncSelect label="Language" {...field} value={value} onChange={(choice) => onChange(choice ?? 'default')}
      caption="Spelling, dates and times on screens. Documents follow the division of each record."
      options={[{ value: 'default', label: byDefault }, { value: 'en-US', label: 'American English' },
        { value: 'en-GB', label: 'British English' }]} />
  );
}
