/** The title that somebody without an account applies for: mails carry it along, since they open anywhere. */
import { remembered } from '#web/navigation/remembered-location.ts';

const PLACE = /^\/apply\/[A-Z0-9][A-Z0-9-]{0,23}(\?country=[A-Z]{2})?$/;

/** Only a title of the catalog; null for every other address. */
export const placeToApply = (text: string | null): string | null => (text !== null && PLACE.test(text) ? text : null);

/** Body of a call whose mail leads back to the title; empty where there is none. */
export function applyingFor(): { next?: string } {
  const next = placeToApply(remembered());
  return next === null ? {} : { next };
}

/** Country of the visitor in the public catalog; null where it is not known. */
export const countryOfVisit = (): string | null => /country=([A-Z]{2})$/.exec(applyingFor().next ?? '')?.[1] ?? null;
