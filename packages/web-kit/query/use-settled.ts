/** A value that has not changed for `wait` ms: live prices and checks ask once per pause, not per keystroke. */
import { useEffect, useState } from 'react';

export function useSettled<T>(value: T, wait: number): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), wait);
    return () => clearTimeout(timer);
  }, [text, wait]);
  return settled;
}
