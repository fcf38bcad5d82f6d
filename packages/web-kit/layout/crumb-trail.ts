/**
 * Name of the open record in the breadcrumb above its screen. The header of the screen publishes it; the frame listens.
 * Tabs of one record publish the same, so the breadcrumb does not change between them.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { useAddress } from '#web/navigation/navigation.tsx';

export interface Crumb { label: string; href?: string | undefined }
interface Trail { path: string; crumbs: readonly Crumb[] }

/** Trail published by the screen's header, the one of a record open inside it, and both combined. */
let told: Trail | null = null;
let inside: Trail | null = null;
let whole: Trail | null = null;
const listeners = new Set<() => void>();

function say(): void {
  whole = told && inside?.path === told.path ? { ...told, crumbs: [...told.crumbs, ...inside.crumbs] } : told;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** `crumbs` end with the record itself: its number or name; those before it lead to what it belongs to. */
export function useTellTrail(path: string, crumbs: readonly Crumb[]): void {
  const words = JSON.stringify(crumbs);
  useEffect(() => {
    told = { path, crumbs: JSON.parse(words) as Crumb[] };
    say();
  }, [path, words]);
}

/** A record opened inside another under whose head it stands: an invoice of a production. */
export function useTellInside(label: string | undefined): void {
  const { path } = useAddress();
  useEffect(() => {
    if (label === undefined) return undefined;
    inside = { path, crumbs: [{ label }] };
    say();
    return () => { inside = null; say(); };
  }, [path, label]);
}

/** Trail last published by the header of the screen, with its address. */
export function useTrail(): Trail | null {
  return useSyncExternalStore(listen, () => whole, () => null);
}
