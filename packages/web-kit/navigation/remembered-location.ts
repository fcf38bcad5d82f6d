/** Location requested before signing in; followed afterwards, only inside this origin (gaps G80). */
import { safeLocation } from '#kit/page.ts';

const KEY = 'remembered-location';

export function remember(href: string): void {
  try {
    window.sessionStorage.setItem(KEY, href);
  } catch {
    // Without storage the person lands on the home page.
  }
}

/** The remembered address, which stays remembered. */
export function remembered(): string | null {
  try {
    return safeLocation(window.sessionStorage.getItem(KEY), window.location.origin);
  } catch {
    return null;
  }
}

/** The remembered address, once; null where there is none or it leads elsewhere. */
export function takeRemembered(): string | null {
  try {
    const text = window.sessionStorage.getItem(KEY);
    window.sessionStorage.removeItem(KEY);
    return safeLocation(text, window.location.origin);
  } catch {
    return null;
  }
}
