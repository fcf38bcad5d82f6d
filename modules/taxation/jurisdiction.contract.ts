/** Places as taxation writes them: a country, in the US a state and what lies in it. */
import * as z from 'zod';
import { COUNTRIES } from '#modules/reference/places/place.contract.ts';

const known = (text: string): boolean => COUNTRIES.some((country) => country.code === text.slice(0, 2));
const UNKNOWN = 'The first two letters are no country: write US-NY for New York';

/** Country or state: 'GB', 'US-NY'. */
export const stateCode = z.string().trim().regex(/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/, 'Write it as GB or US-NY')
  .refine(known, UNKNOWN);
/** Down to a locality: 'US-NY-New York'. */
export const jurisdictionCode = z.string().trim()
  .regex(/^[A-Z]{2}(-[^-]+){0,3}$/, 'Write it as GB, US-NY or US-NY-New York').refine(known, UNKNOWN);
