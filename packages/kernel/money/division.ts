/** The four sets of books of the house; PROD is shown as Production and keeps its books in USD. */
export const DIVISIONS = ['US', 'EU', 'UK', 'PROD'] as const;
export type Division = (typeof DIVISIONS)[number];

/** Language of a paper or a mail: that of the record's division, American in US and PROD, British in UK and EU. */
export const LANGUAGES = ['en-US', 'en-GB'] as const;
export type Language = (typeof LANGUAGES)[number];

export function documentLanguage(division: string): Language {
  return division === 'UK' || division === 'EU' ? 'en-GB' : 'en-US';
}
