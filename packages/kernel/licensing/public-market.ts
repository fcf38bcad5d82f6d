/**
 * The division that answers a visitor from a country, with its language: Europe is licensed from Dublin, the United
 * Kingdom and the islands of the Crown from London, all other countries from New York. Productions of our own are not
 * offered to the public.
 */
import { documentLanguage, type Division, type Language } from '../money/division.ts';

export type PublicDivision = Exclude<Division, 'PROD'>;
export const PUBLIC_DIVISIONS = ['US', 'EU', 'UK'] as const satisfies readonly PublicDivision[];

export interface Market {
  /** ISO 3166-1. */
  readonly country: string;
  readonly division: PublicDivision;
  readonly language: Language;
}

/** Home of the division: the address of a page that search engines keep names this country. */
export const HOME_COUNTRIES: Readonly<Record<PublicDivision, string>> = { US: 'US', EU: 'IE', UK: 'GB' };

const BRITISH = new Set(['GB', 'GG', 'IM', 'JE']);
const EUROPEAN = new Set(('AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GI GR HR HU IE IS IT LI LT LU LV '
  + 'MC MD ME MK MT NL NO PL PT RO RS SE SI SJ SK SM UA VA').split(' '));

/** @param country ISO 3166-1; whether it is one is the caller's to check */
export function marketOf(country: string): Market {
  const division: PublicDivision = BRITISH.has(country) ? 'UK' : EUROPEAN.has(country) ? 'EU' : 'US';
  return { country, division, language: documentLanguage(division) };
}
