/**
 * The time zone of a place that was only written down: by country and, where a country has several, by its state or
 * province. A state with two zones has the one that most of its people live in; staff correct the rest.
 */

const COUNTRIES: Readonly<Record<string, string>> = {
  AT: 'Europe/Vienna', AU: 'Australia/Sydney', BE: 'Europe/Brussels', BG: 'Europe/Sofia', CA: 'America/Toronto',
  CH: 'Europe/Zurich', CY: 'Asia/Nicosia', CZ: 'Europe/Prague', DE: 'Europe/Berlin', DK: 'Europe/Copenhagen',
  EE: 'Europe/Tallinn', ES: 'Europe/Madrid', FI: 'Europe/Helsinki', FR: 'Europe/Paris', GB: 'Europe/London',
  GR: 'Europe/Athens', HR: 'Europe/Zagreb', HU: 'Europe/Budapest', IE: 'Europe/Dublin', IS: 'Atlantic/Reykjavik',
  IT: 'Europe/Rome', JP: 'Asia/Tokyo', LT: 'Europe/Vilnius', LU: 'Europe/Luxembourg', LV: 'Europe/Riga',
  MT: 'Europe/Malta', NL: 'Europe/Amsterdam', NO: 'Europe/Oslo', NZ: 'Pacific/Auckland', PL: 'Europe/Warsaw',
  PT: 'Europe/Lisbon', RO: 'Europe/Bucharest', SE: 'Europe/Stockholm', SI: 'Europe/Ljubljana',
  SK: 'Europe/Bratislava', US: 'America/New_York', ZA: 'Africa/Johannesburg',
};

const ZONES: Readonly<Record<string, string>> = {
  'America/Chicago': 'US-AL US-AR US-IL US-IA US-KS US-LA US-MN US-MS US-MO US-NE US-ND US-OK US-SD US-TN US-TX US-WI',
  'America/Denver': 'US-CO US-ID US-MT US-NM US-UT US-WY', 'America/Phoenix': 'US-AZ',
  'America/Los_Angeles': 'US-CA US-NV US-OR US-WA', 'America/Anchorage': 'US-AK', 'Pacific/Honolulu': 'US-HI',
  'America/Puerto_Rico': 'US-PR US-VI', 'Pacific/Guam': 'US-GU', 'America/Vancouver': 'CA-BC CA-YT',
  'America/Edmonton': 'CA-AB CA-NT', 'America/Regina': 'CA-SK', 'America/Winnipeg': 'CA-MB',
  'America/Halifax': 'CA-NS CA-NB CA-PE', 'America/St_Johns': 'CA-NL', 'Australia/Brisbane': 'AU-QLD',
  'Australia/Adelaide': 'AU-SA', 'Australia/Darwin': 'AU-NT', 'Australia/Perth': 'AU-WA',
  'Australia/Hobart': 'AU-TAS', 'Australia/Melbourne': 'AU-VIC',
};
const REGIONS = new Map(Object.entries(ZONES).flatMap(([zone, places]) =>
  places.split(' ').map((place) => [place, zone] as const)));

/** IANA name; null for a country that is not known. */
export function zoneOfPlace(
  address: { readonly country_code?: string; readonly administrative_area?: string } | null,
): string | null {
  const country = address?.country_code?.toUpperCase() ?? '';
  const region = address?.administrative_area?.trim().toUpperCase() ?? '';
  return REGIONS.get(`${country}-${region}`) ?? COUNTRIES[country] ?? null;
}
