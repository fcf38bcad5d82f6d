/** The address of a venue as a list writes it: taken apart, put right where only one reading is left. Pure. */
import { knownAddress, type Address } from '#kit/field.ts';
import { fail } from '../read-cell.ts';
import type { Cells } from './cells.ts';
import { isState, zipWithItsZeros } from './united-states.ts';
import type { Note } from './record-work.server.ts';

const UK_CODE = /\b([A-Z]{1,2}\d[A-Z\d]?)\s*(\d[A-Z]{2})\b\s*$/i;

export interface VenueAddress {
  /** None where the row names neither street nor town. */
  address: Address | null;
  repair: Note | null;
}

export function venueAddress(cells: Cells): VenueAddress {
  const country = cells.country('country_code');
  const parts = { ...oneLine(cells), ...given(cells) };
  const [town, ofTown] = country === 'US' ? townAndState(parts.locality) : [parts.locality];
  const state = parts.administrative_area || ofTown || '';
  if (town === '' && parts.thoroughfare === '' && parts.postal_code === '') return { address: null, repair: null };
  const zip = country === 'US' ? stateAndZip(cells, { town, state, zip: parts.postal_code })
    : { code: parts.postal_code, repair: null };
  const premise = cells.optional('premise');
  const address = cells.checked(knownAddress, { country_code: country, thoroughfare: parts.thoroughfare,
    ...(premise === null ? {} : { premise }), locality: town, administrative_area: state, postal_code: zip.code });
  return { address: address as Address, repair: zip.repair };
}

interface Parts { thoroughfare: string; locality: string; administrative_area: string; postal_code: string }

function given(cells: Cells): Partial<Parts> {
  const fields = ['thoroughfare', 'locality', 'administrative_area', 'postal_code'] as const;
  const own = fields.map((field) => [field, cells.text(field)] as const);
  return Object.fromEntries(own.filter(([field, text]) => text !== '' || cells.text('address_line') === ''
    || field === 'administrative_area'));
}

/** "49 Aldwych, London WC2B 4DF": the postal code ends it, the town stands before, the street is the rest. */
function oneLine(cells: Cells): Parts {
  const line = cells.text('address_line');
  const code = UK_CODE.exec(line);
  const rest = (code ? line.slice(0, code.index) : line).replace(/[\s,]+$/, '');
  const cut = rest.lastIndexOf(',');
  return { thoroughfare: cut < 0 ? '' : rest.slice(0, cut).trim(), locality: rest.slice(cut + 1).trim(),
    administrative_area: '', postal_code: code ? `${code[1]} ${code[2]}`.toUpperCase() : '' };
}

/** "Worcester, MA" is a town and its state. */
function townAndState(text: string): [town: string, state?: string] {
  const match = /^(.+?),\s*([A-Z]{2})$/.exec(text);
  return match && isState(match[2]!) ? [match[1]!, match[2]!] : [text];
}

function stateAndZip(
  cells: Cells, { town, state, zip }: { town: string; state: string; zip: string },
): { code: string; repair: Note | null } {
  if (state === '' && !cells.says('country_code')) {
    fail('missing_state', `${town || 'The row'} has no state: name it, or the country if it is not the United States`,
      'administrative_area', town);
  }
  if (state !== '' && !isState(state)) {
    fail('unknown_state', `"${state.slice(0, 40)}" is no state of the United States`, 'administrative_area', state);
  }
  if (zip === '' || /^\d{5}(-\d{4})?$/.test(zip)) return { code: zip, repair: null };
  const whole = zipWithItsZeros(zip, state);
  if (whole !== null) {
    return { code: whole, repair: { code: 'zip_repaired', text: `${zip} is read as ${whole}: zip codes of ${state} `
      + 'begin with 0' } };
  }
  return fail('wrong_zip', /^\d{3,4}$/.test(zip)
    ? `"${zip}" has too few digits, and no zip code of ${state} is ${zip.padStart(5, '0')}`
    : `"${zip.slice(0, 40)}" is no zip code`, 'postal_code', zip);
}
