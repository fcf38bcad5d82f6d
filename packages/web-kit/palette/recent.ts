/**
 * Records one has opened lately, for the command palette: kept in this browser for each person. The head of a screen
 * tells its title; whoever keeps the list listens.
 */
export interface Recent { href: string; title: string }

type Listener = (title: string) => void;
const listeners = new Set<Listener>();

export function tellTitle(title: string): void {
  for (const listener of listeners) listener(title);
}

/** Calls back with the title of every screen that is shown; answers the way to stop. */
export function listenTitles(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Number of records kept. */
export const RECENT_SIZE = 8;

const keyOf = (userId: number): string => `recent:${userId}`;

/** The record an address belongs to, its tabs left out: '/admin/quotes/5/terms' is '/admin/quotes/5'. */
export function recordOf(path: string): string | null {
  return /^\/.*\/\d+(?=\/|$)/.exec(path)?.[0] ?? null;
}

export function recentOf(userId: number): Recent[] {
  try {
    const list: unknown = JSON.parse(window.localStorage.getItem(keyOf(userId)) ?? '[]');
    return Array.isArray(list) ? (list as Recent[]).filter((one) => typeof one?.href === 'string'
      && typeof one.title === 'string') : [];
  } catch {
    return [];
  }
}

export function keepRecent(userId: number, path: string, title: string): void {
  const href = recordOf(path);
  if (href === null) return;
  const others = recentOf(userId).filter((one) => one.href !== href);
  try {
    window.localStorage.setItem(keyOf(userId), JSON.stringify([{ href, title }, ...others].slice(0, RECENT_SIZE)));
  } catch {
    // Storage refused: nothing is remembered.
  }
}
