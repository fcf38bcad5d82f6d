import { expect, it } from 'vitest';
import { addressLine, addressLines, countryName, inCountry } from './address-lines.ts';

const at = (country_code: string, locality: string, administrative_area: string, postal_code: string) =>
  ({ country_code, thoroughfare: '1 Curtain Road', premise: '', locality, administrative_area, postal_code });

it.each([
  [at('US', 'Long Island City', 'NY', '11106'), ['Long Island City, NY 11106']],
  [at('US', 'Long Island City', '', '11106'), ['Long Island City, 11106']],
  [at('CA', 'Toronto', 'ON', 'M5V 2T6'), ['Toronto ON M5V 2T6']],
  [at('GB', 'London', '', 'SE1 9PX'), ['London', 'SE1 9PX']],
  [at('GB', 'Lewes', 'East Sussex', 'BN7 2DD'), ['Lewes, East Sussex', 'BN7 2DD']],
  [at('DE', 'Berlin', '', '10115'), ['10115 Berlin']],
  [at('IT', 'Milano', 'MI', '20121'), ['20121 Milano, MI']],
])('the town of %j', (address, town) => {
  expect(addressLines(address, address.country_code)).toEqual(['1 Curtain Road', ...town]);
});

it('names the country where the letter comes from another', () => {
  const berlin = at('DE', 'Berlin', '', '10115');
  expect(addressLines(berlin, 'US').at(-1)).toBe('Germany');
  expect(addressLines(berlin, 'DE').at(-1)).toBe('10115 Berlin');
  expect(addressLines(berlin).at(-1)).toBe('Germany');
});

it('is one line of a list, with what is known of it', () => {
  expect(addressLine({ ...at('US', 'Long Island City', 'NY', '11106'), premise: 'Stage door' }))
    .toBe('1 Curtain Road, Stage door, Long Island City, NY 11106');
  expect(addressLine({ country_code: 'GB', locality: 'London' })).toBe('London, United Kingdom');
  expect(addressLine({ country_code: 'US', locality: '  ' })).toBe('');
  expect(addressLine(null)).toBe('');
});

it('a code that is no country stands for itself', () => {
  expect([countryName('FR'), countryName('United')]).toEqual(['France', 'United']);
});

it('a country takes its article in a sentence', () => {
  expect(['GB', 'US', 'NL', 'GM', 'DE', 'IE'].map(inCountry)).toEqual(['the United Kingdom', 'the United States',
    'the Netherlands', 'the Gambia', 'Germany', 'Ireland']);
});
