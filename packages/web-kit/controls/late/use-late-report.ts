/** Reports text typed into a search box shortly after the last key, as long as its screen is still there. */
import { useEffect, useMemo, useRef } from 'react';
import { useNavigation } from '#web/navigation/navigation.tsx';

/** ms between the last keystroke and the report (SPEC.md 9; C56). */
export const SEARCH_DEBOUNCE = 100;

export interface LateReport {
  /** Reports this text when no other came within `SEARCH_DEBOUNCE`. */
  later: (text: string) => void;
  forget: () => void;
}

/**
 * Drops the pending report if the user follows a link first: it would write the search into the address of the next
 * screen and navigate back from it.
 */
export function useLateReport(report: (text: string) => void): LateReport {
  const { read } = useNavigation();
  const latest = useRef(report);
  latest.current = report;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useMemo(() => ({
    later: (text) => {
      const { path } = read();
      clearTimeout(timer.current);
      timer.current = setTimeout(() => { if (read().path === path) latest.current(text); }, SEARCH_DEBOUNCE);
    },
    forget: () => clearTimeout(timer.current),
  }), [read]);
}
