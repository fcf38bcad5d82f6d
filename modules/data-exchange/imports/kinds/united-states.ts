/** Facts about places by state or country: zip codes that begin with 0, time zones. */

/** Two letters of a state or territory -> its time zone (where most of it lives). */
const ZONES: Record<string, string> = {
  'America/New_York': 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV',
  'America/Chicago': 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI',
  'America/Denver': 'CO ID MT NM UT WY', 'America/Phoenix': 'AZ', 'America/Los_Angeles': 'CA NV OR WA',
  'America/Anchorage': 'AK', 'Pacific/Honolulu': 'HI', 'America/Puerto_Rico': 'PR VI', 'Pacific/Guam': 'GU MP',
  'Pacific/Pago_Pago': 'AS',
};
const ZONE_OF = new Map(Object.entries(ZONES).flatMap(([zone, states]) =>
  states.split(' ').map((state) => [state, zone] as const)));

const COUNTRY_ZONES: Record<string, string> = { GB: 'Europe/London', IE: 'Europe/Dublin', DE: 'Europe/Berlin',
  FR: 'Europe/Paris', ES: 'Europe/Madrid', IT: 'Europe/Rome', NL: 'Europe/Amsterdam', BE: 'Europe/Brussels',
  AT: 'Europe/Vienna', CA: 'America/Toronto', AU: 'Australia/Sydney', NZ: 'Pacific/Auckland' };

export function isState(code: string): boolean {
  return ZONE_OF.has(code);
}

export function zoneOf(country: string, state: string): string {
  return (country === 'US' ? ZONE_OF.get(state) : COUNTRY_ZONES[country]) ?? 'America/New_York';
}

/** The postal code of an address, with the zeros that a zip code lost as a number. */
export function wholePostalCode(address: { country: string; state: string; code: string }): string {
  const zip = address.country === 'US' ? zipWithItsZeros(address.code, address.state.toUpperCase()) : null;
  return zip ?? address.code;
}

/** First three digits of the zip codes that begin with 0, by state. */
const ZERO_ZIPS: readonly (readonly [state: string, first: number, last: number])[] = [
  ['NY', 5, 5], ['PR', 6, 7], ['VI', 8, 8], ['PR', 9, 9], ['MA', 10, 27], ['RI', 28, 29], ['NH', 30, 38],
  ['ME', 39, 49], ['VT', 50, 59], ['CT', 60, 69], ['NY', 63, 63], ['NJ', 70, 89]];

/** The zip code with the zeros it lost as a number; null where no zip code of the state looks like that. */
export function zipWithItsZeros(zip: string, state: string): string | null {
  if (!/^\d{3,4}$/.test(zip)) return null;
  const whole = zip.padStart(5, '0');
  const area = Number(whole.slice(0, 3));
  return ZERO_ZIPS.some(([at, first, last]) => at === state && first <= area && area <= last) ? whole : null;
}
