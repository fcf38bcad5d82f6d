/**
 * Source of address suggestions. A port, because the maps service needs a key and the network: an installation
 * without one uses `noPlaces`, which yields nothing and logs once; the form is filled in by hand (S58, gap G57).
 */
export type PlaceSuggestion = { place_id: string; description: string; types: readonly string[] };
export type PlaceAnswer = { status: string; suggestions: readonly PlaceSuggestion[] };
/** One part of an address; types of C24. */
export type PlaceComponent = { types: readonly string[]; long_name: string; short_name: string };

export type PlacesPort = {
  /** Suggestions for a text, restricted to a country where one is given (ISO 3166 alpha-2). */
  suggest: (query: string, country: string | null, signal: AbortSignal) => Promise<PlaceAnswer>;
  details: (placeId: string, signal: AbortSignal) => Promise<readonly PlaceComponent[]>;
  /** Returns the location of a place; null if unknown. */
  locate: (placeId: string) => Promise<{ lat: number; lng: number } | null>;
};

let told = false;

/** The port of an installation without a places service. */
export const noPlaces: PlacesPort = {
  suggest: () => {
    if (!told) console.info('No places service is configured: addresses are typed by hand.');
    told = true;
    return Promise.resolve({ status: 'UNAVAILABLE', suggestions: [] });
  },
  details: () => Promise.resolve([]),
  locate: () => Promise.resolve(null),
};
