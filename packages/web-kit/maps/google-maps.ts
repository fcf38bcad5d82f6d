/**
 * The maps service of an installation with a key (MAPS_KEY): its script, and addresses through the places port. The
 * key reaches the page in a meta tag, which the server writes only where it is set.
 */
import { noPlaces, type PlaceComponent, type PlacesPort } from '#web/controls/address/places-port.ts';
import { createMapsLoader, type MapsLoader } from './maps-loader.ts';

const content = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

/** Empty: this installation has no maps service. */
export const mapsKey = (): string => content('maps-key');

declare global {
  interface Window { grandRightsMapsReady?: () => void }
}

/** One attempt; the script calls back when all of it is there. */
function addScript(): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const query = new URLSearchParams({ key: mapsKey(), libraries: 'places', loading: 'async', v: 'quarterly',
      callback: 'grandRightsMapsReady' });
    window.grandRightsMapsReady = () => { resolve(); };
    script.src = `https://maps.googleapis.com/maps/api/js?${query.toString()}`;
    script.nonce = content('csp-nonce');
    script.addEventListener('error', () => { script.remove(); reject(new Error('The maps script did not load')); });
    document.head.append(script);
  });
}

let loader: MapsLoader | undefined;
export function mapsLoader(): MapsLoader {
  loader ??= createMapsLoader(addScript);
  return loader;
}

/** Addresses through the service; where it cannot be reached, none. */
export function googlePlaces(maps: MapsLoader): PlacesPort {
  return {
    async suggest(query, country) {
      if (!await maps.load()) return { status: 'UNAVAILABLE', suggestions: [] };
      const { suggestions } = await google.maps.places.AutocompleteSuggestion.fetchAutocompleteSuggestions({
        input: query, language: 'en-US', ...(country ? { includedRegionCodes: [country.toLowerCase()] } : {}) });
      return { status: 'OK', suggestions: suggestions.flatMap(({ placePrediction: place }) => (place
        ? [{ place_id: place.placeId, description: place.text.text, types: place.types }] : [])) };
    },
    async details(placeId) {
      if (!await maps.load()) return [];
      const asked = new google.maps.places.Place({ id: placeId });
      const { place } = await asked.fetchFields({ fields: ['addressComponents'] });
      return (place.addressComponents ?? []).map((part): PlaceComponent =>
        ({ types: part.types, long_name: part.longText ?? '', short_name: part.shortText ?? '' }));
    },
    async locate(placeId) {
      if (!await maps.load()) return null;
      const { place } = await new google.maps.places.Place({ id: placeId }).fetchFields({ fields: ['location'] });
      return place.location ? { lat: place.location.lat(), lng: place.location.lng() } : null;
    },
  };
}

let installed: PlacesPort | undefined;
/** The port of this installation, the same at every call. */
export function installedPlaces(): PlacesPort {
  installed ??= mapsKey() === '' ? noPlaces : googlePlaces(mapsLoader());
  return installed;
}
