/**
 * Suggestions of places for a search box: asked 200 ms after the last keystroke, kept in session storage for 24 hours
 * under 'upa' (SPEC.md 7 and 9, S60, S61, C69 to C71). The address form has its own rules: use-address-search.ts.
 */
import { useEffect, useRef, useState } from 'react';
import type { PlacesPort, PlaceSuggestion } from '#web/controls/address/places-port.ts';

/** ms between the last keystroke and the question (C69). */
export const PLACES_DEBOUNCE = 200;
/** ms that an answer is good for: 24 hours (C70). */
export const PLACES_CACHE_TTL = 24 * 60 * 60 * 1000;
/** Name in session storage (C71). */
export const PLACES_CACHE_KEY = 'upa';

type Cached = Record<string, { at: number; suggestions: readonly PlaceSuggestion[] }>;

function readCache(): Cached {
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(PLACES_CACHE_KEY) ?? '{}') as Cached;
    const now = Date.now();
    return Object.fromEntries(Object.entries(kept).filter(([, { at }]) => now - at < PLACES_CACHE_TTL));
  } catch {
    return {};
  }
}
function writeCache(text: string, suggestions: readonly PlaceSuggestion[]): void {
  try {
    const next: Cached = { ...readCache(), [text]: { at: Date.now(), suggestions } };
    window.sessionStorage.setItem(PLACES_CACHE_KEY, JSON.stringify(next));
  } catch {
    // Storage refused or full: the next question is asked again.
  }
}

export interface PlacesAutocomplete {
  suggestions: readonly PlaceSuggestion[];
  loading: boolean;
  ask: (text: string) => void;
  clear: () => void;
}

export function usePlacesAutocomplete(port: PlacesPort): PlacesAutocomplete {
  const [state, setState] = useState<{ suggestions: readonly PlaceSuggestion[]; loading: boolean }>(
    { suggestions: [], loading: false });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const running = useRef<AbortController | undefined>(undefined);
  const stop = () => { clearTimeout(timer.current); running.current?.abort(); };
  useEffect(() => stop, []);

  async function search(text: string) {
    const kept = readCache()[text];
    if (kept) { setState({ suggestions: kept.suggestions, loading: false }); return; }
    const control = new AbortController();
    running.current = control;
    setState((old) => ({ ...old, loading: true }));
    try {
      const { status, suggestions } = await port.suggest(text, null, control.signal);
      if (control.signal.aborted) return;
      if (status === 'OK') writeCache(text, suggestions);
      setState({ suggestions: status === 'OK' ? suggestions : [], loading: false });
    } catch (caught) {
      if (control.signal.aborted) return;
      console.warn('Places are not available', caught);
      setState({ suggestions: [], loading: false });
    }
  }
  return {
    ...state,
    ask: (text) => {
      stop();
      const wanted = text.trim();
      if (wanted === '') { setState({ suggestions: [], loading: false }); return; }
      timer.current = setTimeout(() => void search(wanted), PLACES_DEBOUNCE);
    },
    clear: () => { stop(); setState({ suggestions: [], loading: false }); },
  };
}
