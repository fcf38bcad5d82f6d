/**
 * The one adapter between the page table and TanStack Router: `/admin/venues/:venueId` becomes
 * `/admin/venues/$venueId`, every guard is `decide` of #kit/page.ts, every screen a chunk of its own.
 * Nothing else in the application knows the router's syntax.
 */
import {
  createRootRoute, createRoute, createRouter, notFound, redirect, rootRouteId, type AnyRoute, type Router,
} from '@tanstack/react-router';
import type { QueryClient } from '@tanstack/react-query';
import { lazy } from 'react';
import { decide, type PageRow } from '#kit/page.ts';
import { claimDrafts } from '#web/controls/form/form-draft.ts';
import { ensureUser, visitorOf } from '#web/query/current-user.ts';
import { AreaError, Refused, RouteError, RootFrame, Unknown, Waiting } from './frames.tsx';
import type { Screen } from './page-table.ts';
import { remember } from '#web/navigation/remembered-location.ts';

export type AppRouter = Router<AnyRoute>;

/** The table's `:venueId` as the router's `$venueId`. */
export function routerPath(path: string): string {
  return path.replace(/:(\w+)/g, '$$$1');
}

/** Query text without cleverness: every value is the text that stands in the address. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}
export function stringifySearch(search: Record<string, unknown>): string {
  const text = new URLSearchParams(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  ).toString();
  return text ? `?${text}` : '';
}

/** Page that the frame shows; set by the guard before the screen is drawn. */
export interface PageContext { page: PageRow<Screen>; refused: boolean }

function screenOf(page: PageRow<Screen>): Screen {
  return page.load ? lazy(page.load) : Unknown;
}

function pageRoute(root: AnyRoute, page: PageRow<Screen>, client: QueryClient): AnyRoute {
  const Page = screenOf(page);
  return createRoute({
    getParentRoute: () => root,
    path: routerPath(page.path),
    staticData: { page },
    beforeLoad: async ({ params, location }) => {
      const user = page.path === '/' ? null : await ensureUser(client);
      if (user) claimDrafts(user.id);
      const decision = decide(page, visitorOf(user), params as Record<string, string>);
      if (decision.kind === 'redirect') {
        if (decision.remember) remember(location.href);
        throw redirect({ to: decision.to, replace: true });
      }
      if (page.redirectTo && decision.kind === 'allow') {
        const given = params as Record<string, string>;
        const to = page.redirectTo.replace(/:(\w+)/g, (_, name: string) => String(given[name]));
        // The division, above all, goes along.
        throw redirect({ href: `${to}${location.searchStr}`, replace: true });
      }
      return { page, refused: decision.kind === 'unauthorized' } satisfies PageContext;
    },
    loader: async () => {
      await page.load?.();
    },
    component: function PageScreen() {
      return <Refused page={page}><Page /></Refused>;
    },
    pendingComponent: Waiting,
    errorComponent: () => <AreaError area={page.area} />,
  });
}

function treeOf(
  pages: readonly PageRow<Screen>[], client: QueryClient, more: (root: AnyRoute) => AnyRoute[] = () => [],
): AnyRoute {
  const root = createRootRoute({ component: RootFrame, notFoundComponent: Unknown, errorComponent: RouteError });
  const children = pages.filter((page) => page.load ?? page.redirectTo).map((page) => pageRoute(root, page, client));
  return root.addChildren([...children, ...more(root)]) as AnyRoute;
}

/**
 * Every other address, in the whole table. It stands where the route that loads the table stood: on a slow line that
 * one is on the screen, waiting, while the tables change, and what is drawn has to find its route again.
 */
function unknown(root: AnyRoute): AnyRoute[] {
  return [createRoute({
    getParentRoute: () => root,
    path: '$',
    beforeLoad: () => { throw notFound({ routeId: rootRouteId }); },
    pendingComponent: Waiting,
  })];
}

/**
 * Opens `pages` at once; the first address that is none of them loads the whole table with `loadAll` and is looked up
 * again in that. Without `loadAll` an address outside `pages` does not exist.
 */
export function createAppRouter(
  pages: readonly PageRow<Screen>[], client: QueryClient, loadAll?: () => Promise<readonly PageRow<Screen>[]>,
): AppRouter {
  const later = (root: AnyRoute): AnyRoute[] => (loadAll ? [createRoute({
    getParentRoute: () => root,
    path: '$',
    beforeLoad: async ({ location }) => {
      // Loads the signed-in user meanwhile; if that fails, the page's own guard asks again.
      const [all] = await Promise.all([loadAll(), ensureUser(client).catch(() => null)]);
      // The pages of the person are known when they have signed in, the router's types before.
      router.update({ ...router.options, routeTree: treeOf(all, client, unknown) } as never);
      throw redirect({ href: location.href, replace: true });
    },
    pendingComponent: Waiting,
  })] : []);
  const router = createRouter({
    routeTree: treeOf(pages, client, later),
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultPreload: false,
    defaultPreloadStaleTime: 30_000,
    defaultPendingMs: 150,
    notFoundMode: 'root',
  }) as unknown as AppRouter;
  return router;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption { page?: PageRow<Screen> }
}
