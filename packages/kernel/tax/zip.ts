/** ZIP codes as local rates know them: five digits, whatever an address holds. */

/**
 * The five digits of a ZIP code or ZIP+4; a spreadsheet's lost zeros are put back ("2115" is 02115, "2115-1203" too).
 * Null where the text is none.
 */
export function zipOf(text: string | null | undefined): string | null {
  const match = /^(\d{3,5})(?:[-\s]?(\d{4}))?$/.exec((text ?? '').trim());
  return match ? match[1]!.padStart(5, '0') : null;
}

/** State and county in the spelling of a tax line: US-NY-Queens, its district US-NY-Queens-district. */
export function localJurisdiction(state: string, county: string, level: 'county' | 'city' | 'district'): string {
  return `US-${state}-${county.replaceAll('-', ' ')}${level === 'county' ? '' : `-${level}`}`;
}

/** First three digits of ZIP codes by state, each row the last one of its span: USPS's list of three-digit prefixes. */
const PREFIXES: readonly (readonly [last: number, state: string | null])[] = [
  [4, null], [5, 'NY'], [7, 'PR'], [8, 'VI'], [9, 'PR'], [27, 'MA'], [29, 'RI'], [38, 'NH'], [49, 'ME'], [54, 'VT'],
  [55, null], [59, 'VT'], [69, 'CT'], [89, 'NJ'], [99, null], [149, 'NY'], [196, 'PA'], [199, 'DE'], [200, 'DC'],
  [201, 'VA'], [205, 'DC'], [219, 'MD'], [246, 'VA'], [268, 'WV'], [269, null], [289, 'NC'], [299, 'SC'], [319, 'GA'],
  [339, 'FL'], [340, null], [349, 'FL'], [369, 'AL'], [385, 'TN'], [397, 'MS'], [399, 'GA'], [427, 'KY'],
  [429, null], [459, 'OH'], [479, 'IN'], [499, 'MI'], [528, 'IA'], [529, null], [549, 'WI'], [567, 'MN'], [568, null],
  [569, 'DC'], [577, 'SD'], [579, null], [588, 'ND'], [589, null], [599, 'MT'], [629, 'IL'], [658, 'MO'], [659, null],
  [679, 'KS'], [693, 'NE'], [699, null], [714, 'LA'], [715, null], [729, 'AR'], [732, 'OK'], [733, null], [749, 'OK'],
  [799, 'TX'], [816, 'CO'], [819, null], [831, 'WY'], [839, 'ID'], [847, 'UT'], [849, null], [865, 'AZ'],
  [869, null], [884, 'NM'], [885, 'TX'], [888, null], [898, 'NV'], [899, null], [961, 'CA'], [966, null], [968, 'HI'],
  [969, null], [979, 'OR'], [994, 'WA'], [999, 'AK'],
];
/** ZIP codes where five digits determine more than three. */
const EXCEPTIONS: readonly (readonly [zips: RegExp, state: string])[] = [
  [/^055(01|44)$/, 'MA'], [/^733(01|44)$/, 'TX'], [/^06390$/, 'NY'], [/^39901$/, 'GA'], [/^83414$/, 'WY'],
  [/^96799$/, 'AS'], [/^969([12]\d|3[12])$/, 'GU'], [/^9695[0-2]$/, 'MP'],
];

/** State or territory of a five-digit ZIP code; null for military mail and for what was never given out. */
export function stateOfZip(zip: string): string | null {
  const special = EXCEPTIONS.find(([zips]) => zips.test(zip));
  const prefix = Number(zip.slice(0, 3));
  return special?.[1] ?? PREFIXES.find(([last]) => prefix <= last)?.[1] ?? null;
}

/** A local rate over a span of ZIP codes, in parts per million. */
export interface LocalSpan { readonly zip_from: string; readonly zip_to: string; readonly rate_ppm: number }

/** Average of what the spans charge together, over the ZIP codes that they cover; 0 where there are none. */
export function averageLocalPpm(spans: readonly LocalSpan[]): number {
  let charged = 0;
  let covered = 0;
  let reached = -1;
  for (const span of spans.toSorted((a, b) => a.zip_from.localeCompare(b.zip_from))) {
    const [from, to] = [Number(span.zip_from), Number(span.zip_to)];
    charged += span.rate_ppm * (to - from + 1);
    covered += Math.max(0, to - Math.max(from, reached + 1) + 1);
    reached = Math.max(reached, to);
  }
  return covered === 0 ? 0 : Math.round(charged / covered);
}
