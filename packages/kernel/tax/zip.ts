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
