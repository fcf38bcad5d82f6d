/**
 * The rules of an address, pure: required fields with their texts (R3-R8, M26-M28), which suggestions are offered
 * (R26, gap G55), how a place becomes an address (R27, gap G54), and the words of each country.
 */
import type { PlaceComponent, PlaceSuggestion } from './places-port.ts';

export type Address = {
  country_code: string;
  thoroughfare: string;
  premise?: string | undefined;
  locality: string;
  administrative_area: string;
  postal_code: string;
};
export type AddressErrors = Partial<Record<keyof Address, string>>;

export const EMPTY_ADDRESS: Readonly<Address> = {
  country_code: 'US', thoroughfare: '', premise: '', locality: '', administrative_area: '', postal_code: '',
};

/** Errors of an address; empty when there are none. A field that holds only spaces is empty. */
export function addressErrors(address: Address): AddressErrors {
  const errors: AddressErrors = {};
  if (address.thoroughfare.trim() === '') errors.thoroughfare = 'Address 1 is required';
  if (address.locality.trim() === '') errors.locality = 'City is required';
  if (address.postal_code.trim() === '') errors.postal_code = 'Postal code is required';
  return errors;
}

/** Types that say no more than "somewhere here" (gap G55). */
const VAGUE = new Set([
  'geocode', 'route', 'political', 'country', 'locality', 'sublocality', 'neighborhood', 'colloquial_area',
  'postal_code', 'postal_town',
]);

function isVague(type: string): boolean {
  return VAGUE.has(type) || /^(administrative_area|sublocality)_level_\d$/.test(type);
}

/** Street addresses, and whatever is more specific than a geocode or a route. */
export function offeredSuggestions(suggestions: readonly PlaceSuggestion[]): PlaceSuggestion[] {
  return suggestions.filter(({ types }) => types.includes('street_address') || types.some((type) => !isVague(type)));
}

/** The address of a place; parts the place does not have become empty. `premise` is the customer's own and stays. */
export function addressOfPlace(components: readonly PlaceComponent[], former: Address): Address {
  const part = (type: string) => components.find((component) => component.types.includes(type));
  const long = (type: string) => part(type)?.long_name ?? '';
  const postal = [long('postal_code'), long('postal_code_suffix')];
  return {
    ...former,
    country_code: part('country')?.short_name ?? former.country_code,
    thoroughfare: [long('street_number'), long('route')].filter(Boolean).join(' '),
    locality: long('locality') || long('sublocality_level_1'),
    administrative_area: part('administrative_area_level_1')?.short_name ?? '',
    postal_code: postal[0] ? postal.filter(Boolean).join('-') : '',
  };
}

export type AddressWords = { locality: string; area: string; postal: string };
const WORDS: Record<string, AddressWords> = {
  US: { locality: 'City', area: 'State', postal: 'ZIP code' },
  GB: { locality: 'Town or city', area: 'County', postal: 'Postcode' },
  IE: { locality: 'Town or city', area: 'County', postal: 'Eircode' },
  CA: { locality: 'City', area: 'Province', postal: 'Postal code' },
  AU: { locality: 'Suburb', area: 'State', postal: 'Postcode' },
  NZ: { locality: 'City', area: 'Region', postal: 'Postcode' },
};
const OTHERS: AddressWords = { locality: 'City', area: 'State or region', postal: 'Postal code' };

/** Labels of city, state and postal code as that country says them. */
export function addressWords(countryCode: string): AddressWords {
  return WORDS[countryCode] ?? OTHERS;
}
