/** Address form and search: states S52-S59, rules R3-R7, constant C68, messages M25-M28. */
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { AddressForm } from './address-form.tsx';
import { EMPTY_ADDRESS, type Address } from './address-rules.ts';
import { noPlaces, type PlacesPort } from './places-port.ts';
import { settled, staged } from '../stage.tsx';
import { ADDRESS_SEARCH_DEBOUNCE } from './use-address-search.ts';

const countries = [{ code: 'US', name: 'United States' }, { code: 'GB', name: 'United Kingdom' }];
const street = { place_id: 'p1', description: '31-05 Vernon Blvd, Queens', types: ['street_address'] };
const route = { place_id: 'p2', description: 'Vernon Blvd', types: ['route', 'geocode'] };

function port(change: Partial<PlacesPort> = {}): PlacesPort {
  return {
    suggest: vi.fn(() => Promise.resolve({ status: 'OK', suggestions: [street, route] })),
    details: vi.fn(() => Promise.resolve([
      { types: ['street_number'], long_name: '31-05', short_name: '31-05' },
      { types: ['route'], long_name: 'Vernon Boulevard', short_name: 'Vernon Blvd' },
      { types: ['locality'], long_name: 'Long Island City', short_name: 'LIC' },
      { types: ['postal_code'], long_name: '11106', short_name: '11106' },
    ])),
    locate: () => Promise.resolve(null),
    ...change,
  };
}

function Held({ places, optional }: { places?: PlacesPort; optional?: boolean }) {
  const [address, setAddress] = useState<Address>({ ...EMPTY_ADDRESS });
  return <AddressForm value={address} onChange={setAddress} countries={countries} places={places}
    optional={optional} />;
}
const line = () => page.getByRole('textbox', { name: 'Address 1' });
const city = () => page.getByRole('textbox', { name: 'City' });
const suggestion = () => page.getByRole('button', { name: street.description });

afterEach(() => { vi.useRealTimers(); vi.restoreAllMocks(); });

test('[S59] country, address 1, address 2, city, state, postal code', async () => {
  await staged(<Held />);
  await expect.element(page.getByRole('combobox', { name: 'Country' })).toHaveTextContent('United States');
  for (const name of ['Address 1', 'Address 2', 'City', 'State', 'ZIP code']) {
    await expect.element(page.getByRole('textbox', { name })).toBeVisible();
  }
});

test('[R3] [R4] [R5] [R6] [M26] [M27] [M28] leaving a required field empty says so', async () => {
  await staged(<Held />);
  for (const [name, text] of [
    ['Address 1', 'Address 1 is required'], ['City', 'City is required'], ['ZIP code', 'Postal code is required'],
  ] as const) {
    await page.getByRole('textbox', { name }).click();
    await userEvent.keyboard('{Tab}');
    await expect.element(page.getByRole('textbox', { name })).toHaveAccessibleDescription(text);
  }
  await page.getByRole('textbox', { name: 'Address 2' }).click();
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByRole('textbox', { name: 'Address 2' })).not.toHaveAttribute('aria-invalid');
});

test('[R3] an address that may be left out asks for nothing until something is typed', async () => {
  await staged(<Held optional />);
  await line().click();
  await userEvent.keyboard('{Tab}');
  await expect.element(line()).not.toHaveAttribute('aria-invalid');
  await expect.element(city()).not.toBeRequired();
  await page.getByRole('textbox', { name: 'ZIP code' }).fill('11106');
  await expect.element(city()).toBeRequired();
  await expect.element(line()).toHaveAccessibleDescription('Address 1 is required');
});

test('[S56] [C68] the service is asked 300 ms after the last keystroke, restricted to the country', async () => {
  const places = port();
  await staged(<Held places={places} />);
  await line().click();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await userEvent.keyboard('31');
  vi.advanceTimersByTime(ADDRESS_SEARCH_DEBOUNCE - 1);
  await userEvent.keyboard('-');
  vi.advanceTimersByTime(ADDRESS_SEARCH_DEBOUNCE - 1);
  expect(places.suggest).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(places.suggest).toHaveBeenCalledExactlyOnceWith('31-', 'US', expect.any(AbortSignal));
  expect(ADDRESS_SEARCH_DEBOUNCE).toBe(300);
});

test('[S52] [S54] [R26] suggestions show; choosing one fills the fields', async () => {
  await staged(<Held places={port()} />);
  await userEvent.fill(line(), '31');
  await expect.element(suggestion()).toBeVisible();
  expect(page.getByRole('button', { name: 'Vernon Blvd', exact: true }).elements()).toHaveLength(0);
  await suggestion().click();
  await expect.element(line()).toHaveValue('31-05 Vernon Boulevard');
  await expect.element(city()).toHaveValue('Long Island City');
  await expect.element(page.getByRole('textbox', { name: 'ZIP code' })).toHaveValue('11106');
  expect(suggestion().elements()).toHaveLength(0);
});

test('[S53] another status shows nothing', async () => {
  const suggest = vi.fn(() => Promise.resolve({ status: 'ZERO_RESULTS', suggestions: [street] }));
  await staged(<Held places={port({ suggest })} />);
  await userEvent.fill(line(), '31');
  await expect.poll(() => suggest.mock.calls.length).toBe(1);
  await settled();
  expect(suggestion().elements()).toHaveLength(0);
});

test('[S55] [M25] Close closes the list', async () => {
  await staged(<Held places={port()} />);
  await userEvent.fill(line(), '31');
  await expect.element(suggestion()).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.element(suggestion()).not.toBeInTheDocument();
  await expect.element(line()).toHaveValue('31');
});

test('[S57] failed details change nothing and say nothing', async () => {
  const details = vi.fn(() => Promise.reject(new Error('no details')));
  const told = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'error')];
  await staged(<Held places={port({ details })} />);
  await userEvent.fill(line(), '31');
  await suggestion().click();
  await expect.poll(() => details.mock.calls.length).toBe(1);
  await settled();
  await expect.element(line()).toHaveValue('31');
  for (const name of ['Address 2', 'City', 'State', 'ZIP code']) {
    await expect.element(page.getByRole('textbox', { name })).toHaveValue('');
  }
  expect(page.getByRole('alert').elements()).toHaveLength(0);
  for (const log of told) expect(log).not.toHaveBeenCalled();
});

test('[S58] without a places service it only logs; the fields are filled by hand', async () => {
  const log = vi.spyOn(console, 'info').mockImplementation(() => {});
  await staged(<Held places={noPlaces} />);
  await userEvent.fill(line(), '1 Main St');
  await expect.poll(() => log.mock.calls.length).toBe(1);
  await userEvent.fill(city(), 'Denver');
  await expect.element(city()).toHaveValue('Denver');
  expect(page.getByRole('group', { name: 'Address suggestions' }).elements()).toHaveLength(0);
});

test('[R8] what the server says of a field stands at that field, and before the form\'s own words', async () => {
  await staged(<AddressForm value={{ ...EMPTY_ADDRESS }} onChange={() => {}} countries={countries}
    errors={{ administrative_area: 'Enter a text', locality: 'Too long' }} />);
  await expect.element(page.getByRole('textbox', { name: 'State' })).toHaveAccessibleDescription('Enter a text');
  await city().click();
  await userEvent.keyboard('{Tab}');
  await expect.element(city()).toHaveAccessibleDescription('Too long');
});

test('labels follow the country', async () => {
  await staged(<Held />);
  await page.getByRole('combobox', { name: 'Country' }).click();
  await page.getByRole('option', { name: /United Kingdom/ }).click();
  await expect.element(page.getByRole('textbox', { name: 'Postcode' })).toBeVisible();
});
