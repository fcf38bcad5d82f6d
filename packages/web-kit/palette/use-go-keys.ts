/** `g` and then a letter leads to a section (U3): `g l` to the licences. Off while someone types, or switched off. */
import { useEffect, useRef } from 'react';
import { isTyping, singleKeysOff } from '#web/data/use-row-keys.ts';
import { useNavigation } from '#web/navigation/navigation.tsx';

/** ms that the letter may come after the g. */
const WAIT = 1200;

/** @param places addresses by their letter; only those that the person may open */
export function useGoKeys(places: Readonly<Record<string, string>>): void {
  const { go } = useNavigation();
  const latest = useRef({ places, go });
  latest.current = { places, go };
  useEffect(() => {
    let pressed = -Infinity;
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || singleKeysOff()) return;
      const waiting = event.timeStamp - pressed < WAIT;
      pressed = !waiting && event.key === 'g' ? event.timeStamp : -Infinity;
      const href = waiting ? latest.current.places[event.key] : undefined;
      if (href === undefined) return;
      // Before the keys of the list: `g k` is no step up.
      event.preventDefault();
      latest.current.go(href);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
}
