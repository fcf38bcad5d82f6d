/**
 * The focus goes to the h1 of every new address, so that a reader hears where it is (WCAG 2.4.3). The screen may still
 * be loading: its heading is waited for, but never takes the focus from what somebody turned to meanwhile, be it a
 * field, a menu or a dialog: it would close under the hand.
 */
import { useEffect, useRef } from 'react';

const EVERY_MS = 50;
const AT_MOST_MS = 10_000;

function isHeld(acted: boolean): boolean {
  const at = document.activeElement;
  if (!at || at === document.body) return false;
  return acted || at.matches('input, textarea, select');
}

/**
 * `asked`: the path that was last asked for; `shown`: the one whose screen is up. Presses of a key or a pointer count
 * from the moment the path was asked for.
 */
export function useFocusOnHeading(asked: string, shown: string): void {
  const acted = useRef(false);
  useEffect(() => {
    acted.current = false;
    const onAct = () => { acted.current = true; };
    document.addEventListener('pointerdown', onAct, true);
    document.addEventListener('keydown', onAct, true);
    return () => {
      document.removeEventListener('pointerdown', onAct, true);
      document.removeEventListener('keydown', onAct, true);
    };
  }, [asked]);
  useEffect(() => {
    let waited = 0;
    const timer = setInterval(() => {
      waited += EVERY_MS;
      const heading = document.querySelector<HTMLElement>('main h1');
      if (heading && !isHeld(acted.current)) {
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }
      if (heading || waited >= AT_MOST_MS) clearInterval(timer);
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [shown]);
}
