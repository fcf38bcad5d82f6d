/** Papers and mails are in the words of the record's division: American in US and PROD, British in UK and EU. */
const US_DIVISIONS: readonly string[] = ['US', 'PROD'];

/** 'license' in documents of US divisions, 'licence' in the UK and EU ones. */
export function licenceWord(division: string): 'license' | 'licence' {
  return US_DIVISIONS.includes(division) ? 'license' : 'licence';
}

export function documentLanguage(division: string): 'en-US' | 'en-GB' {
  return US_DIVISIONS.includes(division) ? 'en-US' : 'en-GB';
}
