/**
 * The live channel of the browser (X196). One tab holds the stream for all tabs of the browser, since a browser opens
 * few connections to one host; it tells the others. Where tabs cannot agree (an address without TLS), and while the
 * stream is down, every tab asks once a minute instead.
 */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { toast } from '#web/data/toast.tsx';
import { familyOf } from '#web/query/use-action.ts';
import { notificationEndpoints, portalNotificationEndpoints } from './notification.contract.ts';

const ADDRESS = '/api/events';
const NAME = 'grand-rights-live';
/** ms between two looks without a stream. */
const POLL_MS = 60_000;

const LISTS = [notificationEndpoints.list.path, portalNotificationEndpoints.list.path].map(familyOf);

/** Message between browser tabs. */
type News = { kind: 'new'; title: string } | { kind: 'stale'; keys: readonly string[] };

function refresh(client: QueryClient, keys: readonly string[]): void {
  const families = keys.length === 0 ? LISTS : keys.flatMap((key) => key === 'notifications' ? LISTS : [key]);
  void client.invalidateQueries({
    predicate: (query) => {
      const path = String(query.queryKey[0]).split(' ')[1] ?? '';
      return families.some((family) => path === family || path.startsWith(`${family}/`));
    },
  });
}

function hear(client: QueryClient, news: News): void {
  if (news.kind === 'stale') return refresh(client, news.keys);
  refresh(client, ['notifications']);
  if (document.visibilityState === 'visible') toast(news.title);
}

/** Opens the stream; answers how to close it. */
function listen(tell: (news: News) => void, isOpen: (open: boolean) => void): () => void {
  const stream = new EventSource(ADDRESS);
  let first = true;
  stream.addEventListener('open', () => {
    isOpen(true);
    // Taken up again: whatever was missed is asked for.
    if (!first) tell({ kind: 'stale', keys: [] });
    first = false;
  });
  stream.addEventListener('error', () => isOpen(false));
  stream.addEventListener('notification', (event: MessageEvent<string>) => {
    tell({ kind: 'new', title: (JSON.parse(event.data) as { title: string }).title });
  });
  stream.addEventListener('refetch', (event: MessageEvent<string>) => {
    tell({ kind: 'stale', keys: (JSON.parse(event.data) as { keys: string[] }).keys });
  });
  return () => stream.close();
}

/** Keeps what is on screen up to date while `enabled` (somebody is signed in). */
export function useLiveEvents(enabled: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!enabled) return undefined;
    const channel = new BroadcastChannel(NAME);
    let open = false;
    let close: (() => void) | undefined;
    const leave = new AbortController();
    const tell = (news: News): void => {
      hear(client, news);
      channel.postMessage(news);
    };
    channel.addEventListener('message', (event: MessageEvent<News>) => {
      open = true;
      hear(client, event.data);
    });
    const locks = (navigator as { locks?: LockManager }).locks;
    locks?.request(NAME, { signal: leave.signal }, () => new Promise<void>((release) => {
      close = listen(tell, (now) => { open = now; });
      leave.signal.addEventListener('abort', () => release());
    })).catch(() => {});
    const timer = setInterval(() => {
      if (!open && document.visibilityState === 'visible') refresh(client, ['notifications']);
    }, POLL_MS);
    return () => {
      clearInterval(timer);
      close?.();
      leave.abort();
      channel.close();
    };
  }, [client, enabled]);
}
