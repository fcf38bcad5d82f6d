/** Words of papers and mails that differ between the languages of the divisions. */
import { documentLanguage } from '#kernel/money/division.ts';

/** 'license' in documents of US divisions, 'licence' in the UK and EU ones. */
export function licenceWord(division: string): 'license' | 'licence' {
  return documentLanguage(division) === 'en-US' ? 'license' : 'licence';
}
