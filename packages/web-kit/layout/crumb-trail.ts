/**
 * How the open record is called in the path over its screen. The head of the screen knows it and tells; the frame
 * listens. Tabs of one record tell the same, so the path stands still between them.
 */
import { useEffect, useSyncExternalStore } from 'react';

export interface Crumb { label: string; href?: string | undefined }
interface Trail { path: string; crumbs: readonly Crumb[] }

let told: Trail | null = null;
const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** `crumbs` end with the record itself: its number or name; those before it lead to what it belongs to. */
export function useTellTrail(path: string, crumbs: readonly Crumb[]): void {
  const words = JSON.stringify(crumbs);
  useEffect(() => {
    told = { path, crumbs: JSON.parse(words) as Crumb[] };
    for (const listener of listeners) listener();
  }, [path, words]);
}

/** What the head of the screen last told, and at which address. */
export function useTrail(): Trail | null {
  return useSyncExternalStore(listen, () => told, () => null);
}
