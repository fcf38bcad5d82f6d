/**
 * Waits until the server can be reached again (U28). The browser's own word comes first, but it knows its network only:
 * a server that starts again, or a network without a way out, is seen by asking.
 */
/** ms between two questions to the server. */
export const ASK_AGAIN = 5000;
const ALIVE = '/health/live';

/** True once the server answers; false where the wait was called off. */
export async function untilConnected(signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    await nextChance(signal);
    if (!signal.aborted && navigator.onLine && await isServerUp(signal)) return true;
  }
  return false;
}

function nextChance(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      window.removeEventListener('online', go);
      signal.removeEventListener('abort', go);
      resolve();
    };
    const timer = setTimeout(go, ASK_AGAIN);
    window.addEventListener('online', go);
    signal.addEventListener('abort', go);
  });
}

/** Asks the server, once. */
export async function isServerUp(signal?: AbortSignal): Promise<boolean> {
  try {
    return (await fetch(ALIVE, { cache: 'no-store', ...(signal && { signal }) })).status < 500;
  } catch {
    return false;
  }
}
