/** Address rules: R3-R8, R26, R27, C24, messages M26-M28, gaps G54, G55. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressErrors, addressOfPlace, addressWords, EMPTY_ADDRESS, offeredSuggestions } from './address-rules.ts';

const component = (type: string, long_name: string, short_name = long_name) =>
  ({ types: [type], long_name, short_name });
const full = [
  component('street_number', '31-05'), component('route', 'Vernon Blvd'), component('locality', 'Long Island City'),
  component('sublocality_level_1', 'Queens'), component('administrative_area_level_1', 'New York', 'NY'),
  component('country', 'United States', 'US'), component('postal_code', '11106'),
  component('postal_code_suffix', '4512'),
];

test('[R3] [R4] [R5] [R6] [M26] [M27] [M28] required fields and their texts', () => {
  expect(addressErrors({ ...EMPTY_ADDRESS, locality: '  ' })).toEqual({
    thoroughfare: 'Address 1 is required', locality: 'City is required', postal_code: 'Postal code is required',
  });
  expect(addressErrors({
    country_code: '', thoroughfare: '1 Main St', locality: 'Denver', administrative_area: '', postal_code: '80202',
  })).toEqual({});
});

test('[R27] [C24] a place fills the address; ZIP is code, dash, suffix', () => {
  expect(addressOfPlace(full, { ...EMPTY_ADDRESS, premise: 'Stage door' })).toEqual({
    country_code: 'US', thoroughfare: '31-05 Vernon Blvd', premise: 'Stage door', locality: 'Long Island City',
    administrative_area: 'NY', postal_code: '11106-4512',
  });
});

test('[R27] without a suffix there is no dash; sublocality stands in for a missing locality', () => {
  const some = full.filter(({ types }) => !['postal_code_suffix', 'locality', 'street_number'].includes(types[0]!));
  expect(addressOfPlace(some, EMPTY_ADDRESS)).toMatchObject({
    postal_code: '11106', locality: 'Queens', thoroughfare: 'Vernon Blvd',
  });
});

test('every place gives strings without stray spaces or dashes [R8]', () => {
  fc.assert(fc.property(fc.subarray(full), (parts) => {
    for (const text of Object.values(addressOfPlace(parts, EMPTY_ADDRESS))) {
      expect(text).toBe(text?.trim());
      expect(text).not.toMatch(/^-|-$/);
    }
  }));
});

test.each([
  [['street_address', 'geocode'], true], [['premise', 'geocode'], true], [['establishment', 'point_of_interest'], true],
  [['subpremise'], true], [['route', 'geocode'], false], [['locality', 'political', 'geocode'], false],
  [['geocode'], false], [['administrative_area_level_1', 'political'], false], [[], false],
])('[R26] %j is offered: %s', (types, offered) => {
  expect(offeredSuggestions([{ place_id: 'p', description: 'd', types }])).toHaveLength(offered ? 1 : 0);
});

test('labels follow the country', () => {
  expect(addressWords('US')).toEqual({ locality: 'City', area: 'State', postal: 'ZIP code' });
  expect(addressWords('GB').postal).toBe('Postcode');
  expect(addressWords('DE').area).toBe('State or region');
});
