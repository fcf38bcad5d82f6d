/** The router of the application behind the kit's door to the address bar (#web/navigation/navigation.tsx). */
import { useRouter, useRouterState, type RouterHistory } from '@tanstack/react-router';
import { useMemo } from 'react';
import { parentAddress, type NavigationPort } from '#web/navigation/navigation.tsx';

/** The same object until the address changes, as useSyncExternalStore asks for. */
function reader(history: RouterHistory): () => { path: string; query: string } {
  const seen = { href: '', address: { path: '/', query: '' } };
  return () => {
    const { href, pathname, search } = history.location;
    if (href !== seen.href) {
      seen.href = href;
      seen.address = { path: pathname, query: search };
    }
    return seen.address;
  };
}

export function useNavigationPort(): NavigationPort {
  const router = useRouter();
  const params = useRouterState({
    select: (state) => state.matches.at(-1)?.params as Record<string, string> | undefined,
  });
  const shown = useRouterState({ select: (state) => state.matches.at(-1)?.pathname ?? null });
  return useMemo(() => {
    const read = reader(router.history);
    return {
      go: (to, options) => {
        if (options?.replace) router.history.replace(to);
        else router.history.push(to);
      },
      back: () => {
        if (router.history.canGoBack()) router.history.back();
        else router.history.push(parentAddress(read().path));
      },
      preload: (to) => {
        // Addresses come from records and menus as text; the router's types list its own.
        router.preloadRoute({ to: to.split('?')[0] ?? to } as never).catch(() => undefined);
      },
      read,
      listen: (onChange) => router.history.subscribe(onChange),
      params: params ?? {},
      shown,
    };
  }, [router, params, shown]);
}
