/**
 * Loads the maps script once: initialized, loading, success or failure; three retries, the n-th after n * 2^n ms
 * (SPEC.md 4 and 9, S62 to S66, C31 to C33; the unit is ms as written, gap G56). A failure is only logged (SPEC.md 8).
 *
 * By hand, because the last version of the maker's loader that retries says "failure" while it still does.
 */
export const MAPS_LOADER_RETRIES = 3;
export type MapsLoaderState = 'initialized' | 'loading' | 'success' | 'failure';

/** ms before the retry that follows failed attempt `attempt` (from 1): 2, 8, 24. */
export const retryDelay = (attempt: number): number => attempt * 2 ** attempt;

export interface MapsLoader {
  state: () => MapsLoaderState;
  /** true when the library is there. A call during loading waits for it; one after a failure tries anew. */
  load: () => Promise<boolean>;
}

const pause = (ms: number): Promise<void> => new Promise((done) => { setTimeout(done, ms); });

/** @param addScript one attempt: resolves when the script has run, rejects when it cannot be had */
export function createMapsLoader(addScript: () => Promise<void>): MapsLoader {
  let state: MapsLoaderState = 'initialized';
  let running: Promise<boolean> | null = null;

  async function attempts(): Promise<boolean> {
    state = 'loading';
    for (let attempt = 1; ; attempt += 1) {
      try {
        await addScript();
        state = 'success';
        return true;
      } catch (caught) {
        if (attempt > MAPS_LOADER_RETRIES) {
          console.warn('The maps service cannot be reached', caught);
          state = 'failure';
          return false;
        }
        await pause(retryDelay(attempt));
      }
    }
  }
  return {
    state: () => state,
    load: () => {
      if (state === 'success') return Promise.resolve(true);
      running ??= attempts().finally(() => { running = null; });
      return running;
    },
  };
}
