/** The router of the application behind the kit's door to the address bar (#web/navigation/navigation.tsx). */
import { useRouter, useRouterState } from '@tanstack/react-router';
import { useMemo } from 'react';
import { parentAddress, type NavigationPort } from '#web/navigation/navigation.tsx';

export function useNavigationPort(): NavigationPort {
  const router = useRouter();
  const params = useRouterState({ select: (state) => state.matches.at(-1)?.params as Record<string, string> | undefined });
  return useMemo(() => {
    let href = '';
    let snapshot = { path: '/', query: '' };
    const read = () => {
      const location = router.history.location;
      if (location.href !== href) {
        href = location.href;
        snapshot = { path: location.pathname, query: location.search };
      }
      return snapshot;
    };
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
        router.preloadRoute({ to: to.split('?')[0] ?? to } as never).catch(() => undefined);
      },
      read,
      listen: (onChange) => router.history.subscribe(onChange),
      params: params ?? {},
    };
  }, [router, params]);
}
