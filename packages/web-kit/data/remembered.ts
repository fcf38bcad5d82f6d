/** Choices of a reader that stay in the browser: columns, density, a closed hint. Never anything of the business. */
import { useCallback, useState } from 'react';

export function useRemembered<T>(key: string | undefined, fallback: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    if (!key) return fallback;
    try {
      const text = window.localStorage.getItem(key);
      return text ? (JSON.parse(text) as T) : fallback;
    } catch {
      return fallback;
    }
  });
  const remember = useCallback((next: T) => {
    setValue(next);
    if (!key) return;
    try {
      window.localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // Storage refused: the choice lasts for this page.
    }
  }, [key]);
  return [value, remember];
}
