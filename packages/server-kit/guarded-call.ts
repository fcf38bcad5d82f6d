/**
 * A call of a service elsewhere, repeated with growing pauses, and a breaker for each place that stops asking one that
 * is down. A refusal is an answer: it is neither repeated nor counted.
 */
const FIRST_PAUSE_MS = 200;
/** Failures in a row after which nothing is asked, and for how long. */
const BREAKS_AFTER = 5;
const OPEN_FOR_MS = 30_000;

/** Time limit of one attempt. */
export const CALL_LIMIT_MS = 5000;

const breakers = new Map<string, { failures: number; openUntil: number }>();

function breakerOf(place: string) {
  const known = breakers.get(place) ?? { failures: 0, openUntil: 0 };
  breakers.set(place, known);
  return known;
}

export interface GuardedCall<T> {
  /** Calls of one place share a breaker. */
  place: string;
  tries: number;
  once: () => Promise<T>;
  isRefusal: (error: unknown) => boolean;
  /** Error of a place that was not asked, because it did not answer lately. */
  silent: () => Error;
  /** In ms, of a clock that never goes back. */
  now?: () => number;
}

export async function guardedCall<T>(
  { place, tries, once, isRefusal, silent, now = performance.now.bind(performance) }: GuardedCall<T>,
): Promise<T> {
  const breaker = breakerOf(place);
  if (breaker.openUntil > now()) throw silent();
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await once();
      breaker.failures = 0;
      return answer;
    } catch (error) {
      if (isRefusal(error)) {
        breaker.failures = 0;
        throw error;
      }
      breaker.failures += 1;
      if (breaker.failures >= BREAKS_AFTER) breaker.openUntil = now() + OPEN_FOR_MS;
      if (attempt >= tries || breaker.openUntil > now()) throw error;
      await new Promise((done) => { setTimeout(done, FIRST_PAUSE_MS * 2 ** (attempt - 1)); });
    }
  }
}
