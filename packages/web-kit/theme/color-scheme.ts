/**
 * Dark mode: off until someone switches it on, remembered in the browser under `darkMode` (SPEC.md 4 and 9, gaps G60).
 * `apps/web/public/color-scheme.js` reads the same key before the first paint, so that a dark page never flashes.
 */
import type { MantineColorSchemeManager } from '@mantine/core';

export const DARK_MODE_KEY = 'darkMode';

/** Whether dark mode is remembered; a browser that refuses storage counts as light. */
export function storedDarkMode(): boolean {
  try {
    return window.localStorage.getItem(DARK_MODE_KEY) === 'true';
  } catch {
    return false;
  }
}

function store(dark: boolean): void {
  try {
    window.localStorage.setItem(DARK_MODE_KEY, String(dark));
  } catch {
    // A private window may refuse storage: the choice then lasts for this page only.
  }
}

/** Mantine's view of that key; another tab's choice is followed at once. */
export function darkModeManager(): MantineColorSchemeManager {
  let listener: ((event: StorageEvent) => void) | null = null;
  return {
    get: () => (storedDarkMode() ? 'dark' : 'light'),
    set: (value) => store(value === 'dark'),
    subscribe: (onUpdate) => {
      listener = (event) => {
        if (event.key === DARK_MODE_KEY) onUpdate(event.newValue === 'true' ? 'dark' : 'light');
      };
      window.addEventListener('storage', listener);
    },
    unsubscribe: () => {
      if (listener) window.removeEventListener('storage', listener);
      listener = null;
    },
    clear: () => window.localStorage.removeItem(DARK_MODE_KEY),
  };
}
