/** Choices of a reader that stay in the browser: columns, density, a closed hint. Never anything of the business. */
import { useCallback, useState } from 'react';

function read<T>(key: string | undefined, fallback: T): T {
  if (!key) return fallback;
  try {
    const text = window.localStorage.getItem(key);
    return text ? (JSON.parse(text) as T) : fallback;
  } catch {
    return fallback;
  }
}

export function useRemembered<T>(key: string | undefined, fallback: T): [T, (value: T) => void] {
  const [held, setHeld] = useState(() => ({ key, value: read(key, fallback) }));
  // Another list or view on the same screen: its own choice, read before anything is drawn.
  let current = held;
  if (held.key !== key) {
    current = { key, value: read(key, fallback) };
    setHeld(current);
  }
  const remember = useCallback((next: T) => {
    setHeld({ key, value: next });
    if (!key) return;
    try {
      window.localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Storage refused: the choice lasts for this page.
    }
  }, [key]);
  return [current.value, remember];
}
