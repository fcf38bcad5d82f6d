/** Places as taxation writes them: a country, in the US a state and what lies in it. */
import * as z from 'zod';
import { countryName } from '#kernel/address/address-lines.ts';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';

/**
 * A place by its name, the largest first: 'US-NY-Queens-city' is New York, Queens, city; 'GB' is United Kingdom. States
 * need no country beside them.
 */
export function jurisdictionName(code: string): string {
  // Of VAT numbers; no country of its own.
  if (code === 'XI') return 'Northern Ireland';
  const [country = '', state, ...within] = code.split('-');
  const name = state === undefined ? countryName(country)
    : territoriesOf(country).find((one) => one.code === state)?.name ?? state;
  const abroad = state !== undefined && country !== 'US';
  return [...(abroad ? [countryName(country)] : []), name, ...within].join(', ');
}

const known = (text: string): boolean => COUNTRIES.some((country) => country.code === text.slice(0, 2));
const UNKNOWN = 'The first two letters are no country: write US-NY for New York';

/** Country or state: 'GB', 'US-NY'. */
export const stateCode = z.string().trim().regex(/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/, 'Write it as GB or US-NY')
  .refine(known, UNKNOWN);
/** Down to a locality: 'US-NY-New York'. */
export const jurisdictionCode = z.string().trim()
  .regex(/^[A-Z]{2}(-[^-]+){0,3}$/, 'Write it as GB, US-NY or US-NY-New York').refine(known, UNKNOWN);
