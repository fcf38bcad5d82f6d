/** Maps and places with a stand-in for the service: loader, cached suggestions, clusters. */
import { Clusterer } from '@react-google-maps/marker-clusterer';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { noPlaces, type PlacesPort } from '#web/controls/address/places-port.ts';
import { settled } from '#web/controls/stage.tsx';
import { ThemeProvider } from '#web/theme/theme-provider.tsx';
import { googlePlaces, installedPlaces } from './google-maps.ts';
import { createMapsLoader, MAPS_LOADER_RETRIES, retryDelay, type MapsLoaderState } from './maps-loader.ts';
import PlaceMap, { type MapPlace } from './place-map.tsx';
import {
  PLACES_CACHE_KEY, PLACES_CACHE_TTL, PLACES_DEBOUNCE, usePlacesAutocomplete,
} from './use-places-autocomplete.ts';

beforeEach(() => {
  window.sessionStorage.clear();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => { vi.useRealTimers(); vi.restoreAllMocks(); vi.unstubAllGlobals(); });

test('[S62] [S63] [S64] [C31] the loader is initialized, then loading, then success; it loads once', async () => {
  let finish = () => {};
  const add = vi.fn(() => new Promise<void>((resolve) => { finish = resolve; }));
  const loader = createMapsLoader(add);
  const seen: MapsLoaderState[] = [loader.state()];
  const first = loader.load();
  const second = loader.load();
  seen.push(loader.state());
  finish();
  expect([await first, await second]).toEqual([true, true]);
  seen.push(loader.state());
  expect(seen).toEqual(['initialized', 'loading', 'success']);
  expect(await loader.load()).toBe(true);
  expect(add).toHaveBeenCalledTimes(1);
});

test('[S65] [S66] [C32] [C33] three retries, the n-th after n * 2^n ms, then failure, only logged', async () => {
  const add = vi.fn(() => Promise.reject(new Error('offline')));
  const loader = createMapsLoader(add);
  const answer = loader.load();
  expect([1, 2, 3].map(retryDelay)).toEqual([2, 8, 24]);
  for (const [attempt, wait] of [2, 8, 24].entries()) {
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(add).toHaveBeenCalledTimes(attempt + 1);
    expect(loader.state()).toBe('loading');
    await vi.advanceTimersByTimeAsync(1);
    expect(add).toHaveBeenCalledTimes(attempt + 2);
  }
  expect(await answer).toBe(false);
  expect([loader.state(), add.mock.calls.length]).toEqual(['failure', MAPS_LOADER_RETRIES + 1]);
  expect(console.warn).toHaveBeenCalledTimes(1);
});

const found = { status: 'OK', suggestions: [{ place_id: 'p1', description: 'Astoria, Queens', types: ['locality'] }] };
const port = (suggest = vi.fn(() => Promise.resolve(found))): PlacesPort & { suggest: typeof suggest } =>
  ({ ...noPlaces, suggest });

function Box({ places: from }: { places: PlacesPort }) {
  const search = usePlacesAutocomplete(from);
  return (
    <>
      <input aria-label="Near" onChange={(event) => search.ask(event.currentTarget.value)} />
      {search.suggestions.map((one) => <p key={one.place_id}>{one.description}</p>)}
    </>
  );
}

/** As a keystroke does, but in no time: the browser's own typing lets the controlled clock run on a slow machine. */
function type(box: HTMLInputElement, text: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(box, text);
  box.dispatchEvent(new Event('input', { bubbles: true }));
}

test('[S60] [C69] places are asked for 200 ms after the last keystroke', async () => {
  const service = port();
  await render(<Box places={service} />);
  const box = page.getByRole('textbox').element() as HTMLInputElement;
  type(box, 'Ast');
  await vi.advanceTimersByTimeAsync(PLACES_DEBOUNCE - 1);
  type(box, 'Astoria');
  await vi.advanceTimersByTimeAsync(PLACES_DEBOUNCE - 1);
  expect(service.suggest).toHaveBeenCalledTimes(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(service.suggest).toHaveBeenCalledTimes(1);
  expect(PLACES_DEBOUNCE).toBe(200);
});

test('[S61] [C70] [C71] what was asked less than 24 hours ago comes from session storage under upa', async () => {
  const service = port();
  const screen = await render(<Box places={service} />);
  const ask = async (text: string) => {
    await userEvent.fill(page.getByRole('textbox'), text);
    await vi.advanceTimersByTimeAsync(PLACES_DEBOUNCE);
    await settled();
  };
  await ask('Astoria');
  expect(JSON.parse(window.sessionStorage.getItem('upa') ?? '{}')).toHaveProperty('Astoria');
  await ask('');
  await ask('Astoria');
  expect(screen.container.textContent).toContain('Astoria, Queens');
  expect(service.suggest).toHaveBeenCalledTimes(1);
  const { at } = (JSON.parse(window.sessionStorage.getItem('upa') ?? '{}') as Record<string, { at: number }>).Astoria!;
  // A second before the day is over, counted to when the answer is looked up, and a moment after.
  await ask('');
  vi.setSystemTime(at + 24 * 60 * 60 * 1000 - 1000 - PLACES_DEBOUNCE);
  await ask('Astoria');
  expect(service.suggest).toHaveBeenCalledTimes(1);
  await ask('');
  vi.setSystemTime(at + 24 * 60 * 60 * 1000 - PLACES_DEBOUNCE);
  await ask('Astoria');
  expect(service.suggest).toHaveBeenCalledTimes(2);
  expect([PLACES_CACHE_KEY, PLACES_CACHE_TTL]).toEqual(['upa', 86_400_000]);
});

test('a failed search only logs, and an installation without a key suggests nothing', async () => {
  vi.spyOn(console, 'info').mockImplementation(() => {});
  await render(<Box places={port(vi.fn(() => Promise.reject(new Error('quota'))))} />);
  await userEvent.fill(page.getByRole('textbox'), 'Astoria');
  await vi.advanceTimersByTimeAsync(PLACES_DEBOUNCE);
  await settled();
  expect(console.warn).toHaveBeenCalledTimes(1);
  expect(installedPlaces()).toBe(noPlaces);
});

const there = () => createMapsLoader(() => Promise.resolve());
const { signal } = new AbortController();

test('[S56] [C24] the service is asked in English, in one country where one is set; its parts are those of a place',
  async () => {
    const asked = vi.fn(() => Promise.resolve({ suggestions: [{ placePrediction: { placeId: 'p1',
      text: { text: '31-05 Vernon Blvd' }, types: ['street_address'] } }, { placePrediction: null }] }));
    const fetchFields = vi.fn(() => Promise.resolve({ place: { addressComponents: [
      { types: ['country'], longText: 'United States', shortText: 'US' }, { types: ['route'], longText: null }] } }));
    const Place = vi.fn(class { fetchFields = fetchFields; });
    vi.stubGlobal('google', { maps: { places: { Place,
      AutocompleteSuggestion: { fetchAutocompleteSuggestions: asked } } } });
    const places = googlePlaces(there());
    expect(await places.suggest('31', 'GB', signal)).toEqual({ status: 'OK',
      suggestions: [{ place_id: 'p1', description: '31-05 Vernon Blvd', types: ['street_address'] }] });
    await places.suggest('31', null, signal);
    expect(asked.mock.calls).toEqual([[{ input: '31', language: 'en-US', includedRegionCodes: ['gb'] }],
      [{ input: '31', language: 'en-US' }]]);
    expect(await places.details('p1', signal)).toEqual([
      { types: ['country'], long_name: 'United States', short_name: 'US' },
      { types: ['route'], long_name: '', short_name: '' }]);
    expect(Place).toHaveBeenCalledExactlyOnceWith({ id: 'p1' });
    expect(fetchFields).toHaveBeenCalledExactlyOnceWith({ fields: ['addressComponents'] });
  });

/** A double of the maps script: what it leaves on the page once it has run, with the calls that reached it. */
function mapsScript() {
  const asked: object[] = [];
  const details: object[] = [];
  const prediction = { placeId: 'p1', text: { text: '31-05 Vernon Blvd, Queens, NY' }, types: ['street_address'] };
  class Place {
    #id: string;
    constructor({ id }: { id: string }) { this.#id = id; }
    fetchFields(wanted: object) {
      details.push({ id: this.#id, ...wanted });
      return Promise.resolve({ place: { addressComponents: [
        { types: ['street_number'], longText: '31-05', shortText: '31-05' },
        { types: ['route'], longText: 'Vernon Boulevard', shortText: 'Vernon Blvd' },
        { types: ['administrative_area_level_1', 'political'], longText: 'New York', shortText: 'NY' }] } });
    }
  }
  const AutocompleteSuggestion = { fetchAutocompleteSuggestions: (question: object) => {
    asked.push(question);
    return Promise.resolve({ suggestions: [{ placePrediction: prediction }] });
  } };
  const run = (): Promise<void> => {
    vi.stubGlobal('google', { maps: { places: { Place, AutocompleteSuggestion } } });
    return Promise.resolve();
  };
  return { asked, details, run };
}

test('[A404] [A405] suggestions of one country with id, text and types; the address of a place by its id', async () => {
  const script = mapsScript();
  const loader = createMapsLoader(script.run);
  const places = googlePlaces(loader);
  expect(await places.suggest('31-05', 'US', signal)).toEqual({ status: 'OK', suggestions: [
    { place_id: 'p1', description: '31-05 Vernon Blvd, Queens, NY', types: ['street_address'] }] });
  expect(loader.state()).toBe('success');
  expect(await places.details('p1', signal)).toContainEqual(
    { types: ['administrative_area_level_1', 'political'], long_name: 'New York', short_name: 'NY' });
  expect(script.asked).toEqual([{ input: '31-05', language: 'en-US', includedRegionCodes: ['us'] }]);
  expect(script.details).toEqual([{ id: 'p1', fields: ['addressComponents'] }]);
});

test('[A406] a search box asks the script once for a text, in any country, and then its session storage', async () => {
  const script = mapsScript();
  const screen = await render(<Box places={googlePlaces(createMapsLoader(script.run))} />);
  const box = page.getByRole('textbox').element() as HTMLInputElement;
  for (const text of ['Astoria', '', 'Astoria']) {
    type(box, text);
    await vi.advanceTimersByTimeAsync(PLACES_DEBOUNCE);
    await settled();
  }
  expect(screen.container.textContent).toContain('31-05 Vernon Blvd, Queens, NY');
  expect(script.asked).toEqual([{ input: 'Astoria', language: 'en-US' }]);
  expect(script.details).toEqual([]);
});

test('[S58] where the script cannot be had there are no suggestions, no places, only a line in the log', async () => {
  const places = googlePlaces(createMapsLoader(() => Promise.reject(new Error('offline'))));
  const answers = [places.suggest('31', 'US', signal), places.details('p1', signal), places.locate('p1')];
  await vi.advanceTimersByTimeAsync(2 + 8 + 24);
  expect(await Promise.all(answers)).toEqual([{ status: 'UNAVAILABLE', suggestions: [] }, [], null]);
  expect(console.warn).toHaveBeenCalledTimes(1);
});

test('[S58] a script without the library of places only logs', async () => {
  vi.stubGlobal('google', { maps: {} });
  await render(<Box places={googlePlaces(there())} />);
  await userEvent.fill(page.getByRole('textbox'), 'Astoria');
  await vi.advanceTimersByTimeAsync(PLACES_DEBOUNCE);
  await settled();
  expect(console.warn).toHaveBeenCalledTimes(1);
  expect(page.getByRole('paragraph').elements()).toHaveLength(0);
});

const VENUES: MapPlace[] = [
  { id: 1, name: 'Town Hall', note: 'Astoria', href: '/admin/venues/1', lat: 40.7, lng: -73.9 },
  { id: 2, name: 'Opera House', note: 'Buxton', href: '/admin/venues/2', lat: 53.2, lng: -1.9 },
];

/** The part of the service that the map and the clusterer speak to. */
function serviceStub() {
  class Point { extend() { return this; } }
  class Overlay { setMap() {} getMap() { return null; } }
  class Marker { addListener() {} getDraggable() { return false; } setMap() {} }
  class GoogleMap { fitBounds() {} setCenter() {} setZoom() {} }
  return { maps: { Map: GoogleMap, Marker, LatLngBounds: Point, OverlayView: Overlay,
    event: { addListener: () => ({}), trigger: () => {} } } };
}

test('[S67] [C72] [C73] [C74] [C75] clusters: grid 60, two at least, 2,000 at a time, a click zooms in', async () => {
  vi.useRealTimers();
  vi.stubGlobal('google', serviceStub());
  const loader = createMapsLoader(() => Promise.resolve());
  // The map's own clusterer, caught where the map names it.
  const named = vi.spyOn(Clusterer.prototype, 'setTitle');
  await render(<ThemeProvider><PlaceMap label="Map of venues" places={VENUES} loader={loader} port={port()} />
  </ThemeProvider>);
  await expect.element(page.getByRole('region', { name: 'Map of venues' })).toBeVisible();
  await expect.poll(() => named.mock.contexts.length).toBe(1);
  const clusterer = named.mock.contexts[0] as Clusterer;
  expect([clusterer.getGridSize(), clusterer.getMinimumClusterSize(), clusterer.batchSize, clusterer.getZoomOnClick()])
    .toEqual([60, 2, 2000, true]);
  expect(clusterer.getMarkers()).toHaveLength(VENUES.length);
  await expect.element(page.getByRole('link', { name: 'Opera House' })).toHaveAttribute('href', '/admin/venues/2');
});

test('where the service cannot be reached the places are a list', async () => {
  vi.useRealTimers();
  const loader = createMapsLoader(() => Promise.reject(new Error('offline')));
  await render(<ThemeProvider><PlaceMap label="Map of venues" places={VENUES} loader={loader} port={port()} />
  </ThemeProvider>);
  await expect.element(page.getByText('The map cannot be reached')).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Town Hall' })).toBeVisible();
});
