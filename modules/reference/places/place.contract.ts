/**
 * Countries (ISO 3166-1) and the subdivisions that addresses of a country are written with (ISO 3166-2), for the
 * address form. Where a country's addresses need none, or the official list is not what people write (the United
 * Kingdom's mixes nations and councils), the list is empty and the form takes free text.
 */
import * as z from 'zod';
import { countryName } from '#kernel/address/address-lines.ts';
import { open } from '#kit/auth.ts';
import { all, endpoint } from '#kit/endpoint.ts';

export interface Place {
  code: string;
  name: string;
}

const CODES = `
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.trim().split(/\s+/);

/** All countries by their English names. */
export const COUNTRIES: readonly Place[] = CODES
  .map((code) => ({ code, name: countryName(code) }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en-US'));

const KNOWN = new Set(CODES);
/** ISO 3166-1, alpha-2. */
export const isCountry = (text: string): boolean => KNOWN.has(text);

const TERRITORIES: Record<string, string> = {
  US: `AL Alabama | AK Alaska | AZ Arizona | AR Arkansas | CA California | CO Colorado | CT Connecticut | DE Delaware |
DC District of Columbia | FL Florida | GA Georgia | HI Hawaii | ID Idaho | IL Illinois | IN Indiana | IA Iowa |
KS Kansas | KY Kentucky | LA Louisiana | ME Maine | MD Maryland | MA Massachusetts | MI Michigan | MN Minnesota |
MS Mississippi | MO Missouri | MT Montana | NE Nebraska | NV Nevada | NH New Hampshire | NJ New Jersey |
NM New Mexico | NY New York | NC North Carolina | ND North Dakota | OH Ohio | OK Oklahoma | OR Oregon |
PA Pennsylvania | RI Rhode Island | SC South Carolina | SD South Dakota | TN Tennessee | TX Texas | UT Utah |
VT Vermont | VA Virginia | WA Washington | WV West Virginia | WI Wisconsin | WY Wyoming | AS American Samoa |
GU Guam | MP Northern Mariana Islands | PR Puerto Rico | VI Virgin Islands`,
  CA: `AB Alberta | BC British Columbia | MB Manitoba | NB New Brunswick | NL Newfoundland and Labrador | NS Nova Scotia
| NT Northwest Territories | NU Nunavut | ON Ontario | PE Prince Edward Island | QC Quebec | SK Saskatchewan |
YT Yukon`,
  AU: `ACT Australian Capital Territory | NSW New South Wales | NT Northern Territory | QLD Queensland |
SA South Australia | TAS Tasmania | VIC Victoria | WA Western Australia`,
};

/** Subdivisions of a country; empty where addresses are written without one. */
export function territoriesOf(country: string): readonly Place[] {
  return (TERRITORIES[country] ?? '').split('|').map((entry) => entry.trim().replace(/\s+/g, ' '))
    .filter((entry) => entry !== '')
    .map((entry) => ({ code: entry.slice(0, entry.indexOf(' ')), name: entry.slice(entry.indexOf(' ') + 1) }));
}

const place = z.object({ code: z.string(), name: z.string() });

export const placeEndpoints = {
  countries: endpoint({ method: 'GET', path: '/api/utilities/countries', auth: open, summary: 'Countries',
    response: all(place) }),
  territories: endpoint({ method: 'GET', path: '/api/utilities/territories', auth: open,
    summary: 'Subdivisions of a country, for addresses', query: z.strictObject({ country: z.string().length(2) }),
    response: all(place) }),
};
