/**
 * Suggestions for the first address line: asked 300 ms after the last keystroke, restricted to the country that is
 * set, shown when the answer's status is OK (S52-S57, C68). A failed search only logs; failed details change nothing.
 */
import { useEffect, useRef, useState } from 'react';
import { addressOfPlace, offeredSuggestions, type Address } from './address-rules.ts';
import type { PlacesPort, PlaceSuggestion } from './places-port.ts';

/** ms between the last keystroke and the question (C68). */
export const ADDRESS_SEARCH_DEBOUNCE = 300;

export type AddressSearch = {
  suggestions: readonly PlaceSuggestion[];
  ask: (text: string) => void;
  choose: (placeId: string) => void;
  close: () => void;
};

export function useAddressSearch(
  places: PlacesPort, address: Address, onChange: (address: Address) => void,
): AddressSearch {
  const [suggestions, setSuggestions] = useState<readonly PlaceSuggestion[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const running = useRef<AbortController | undefined>(undefined);
  const latest = useRef({ places, address, onChange });
  latest.current = { places, address, onChange };

  function stop() {
    clearTimeout(timer.current);
    running.current?.abort();
  }
  useEffect(() => stop, []);

  async function search(text: string) {
    running.current = new AbortController();
    const { signal } = running.current;
    try {
      const answer = await latest.current.places.suggest(text, latest.current.address.country_code || null, signal);
      if (!signal.aborted) setSuggestions(answer.status === 'OK' ? offeredSuggestions(answer.suggestions) : []);
    } catch (caught) {
      if (!signal.aborted) console.warn('Address suggestions are not available', caught);
    }
  }
  async function fill(placeId: string) {
    running.current = new AbortController();
    const { signal } = running.current;
    try {
      const components = await latest.current.places.details(placeId, signal);
      if (!signal.aborted) latest.current.onChange(addressOfPlace(components, latest.current.address));
    } catch {
      // A place-details failure is silently ignored (SPEC.md 8, S57).
    }
  }

  return {
    suggestions,
    ask: (text) => {
      stop();
      if (text.trim() === '') { setSuggestions([]); return; }
      timer.current = setTimeout(() => void search(text), ADDRESS_SEARCH_DEBOUNCE);
    },
    choose: (placeId) => { stop(); setSuggestions([]); void fill(placeId); },
    close: () => { stop(); setSuggestions([]); },
  };
}
