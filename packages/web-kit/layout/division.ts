/** The division selector's values (SPEC.md 2, constants C3-C6): kept in the address as `division`. */
import { useEffect } from 'react';
import { useQueryValues } from '#web/navigation/navigation.tsx';

export const DIVISIONS = ['US', 'EU', 'UK', 'PROD'] as const;
export type Division = (typeof DIVISIONS)[number];
export const DIVISION_DEFAULT: Division = 'US';
export const DIVISION_PARAMETER = 'division';

/** Words for people: PROD is shown as Production. */
export function divisionLabel(division: string): string {
  return division === 'PROD' ? 'Production' : division;
}

/** 'Production · USD': whose a record is, and in what its amounts are. */
export function divisionAndCurrency({ division, currency }: { division: string; currency: string }): string {
  return `${divisionLabel(division)} · ${currency}`;
}

/** Currency a division's books are kept in, as the selector shows it. */
export const DIVISION_CURRENCY: Record<Division, string> = { US: 'USD', EU: 'EUR', UK: 'GBP', PROD: 'USD' };

/** Anything but one of the four counts as the default. */
export function readDivision(text: string | null): Division {
  return DIVISIONS.find((division) => division === text) ?? DIVISION_DEFAULT;
}

/** The division of the page and its setter, which replaces the history entry (S82). */
export function useDivision(): [Division, (division: Division) => void] {
  const { values, set } = useQueryValues();
  return [
    readDivision(values.get(DIVISION_PARAMETER)),
    (division) => set({ [DIVISION_PARAMETER]: division, page: null }),
  ];
}

/** An address that names no division we have is put right, in its own place in the history (gap G41). */
export function useKnownDivision(): void {
  const { values, set } = useQueryValues();
  const given = values.get(DIVISION_PARAMETER);
  useEffect(() => {
    if (given !== null && given !== readDivision(given)) set({ [DIVISION_PARAMETER]: readDivision(given) });
  }, [given, set]);
}

/** A link that stays in the division the reader is in: from a list to the section beside it, from a page to a menu. */
export function inDivision(href: string, query: string): string {
  const division = new URLSearchParams(query).get(DIVISION_PARAMETER);
  if (!division || new RegExp(`[?&]${DIVISION_PARAMETER}=`).test(href)) return href;
  const kept = new URLSearchParams({ [DIVISION_PARAMETER]: readDivision(division) });
  return `${href}${href.includes('?') ? '&' : '?'}${kept}`;
}
