/**
 * What stands around a screen: the frame of its area, the page shown while its code loads, the errors of each area,
 * the 401 screen, the page that does not exist. The focus moves to the h1 after every change of address.
 */
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { STAFF_ROLES } from '#kit/auth.ts';
import type { Area, PageRow } from '#kit/page.ts';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { AppLink, NavigationProvider, useNavigation } from '#web/navigation/navigation.tsx';
import { ActionButton } from '#web/controls/action-button.tsx';
import { ErrorFallback } from '#web/controls/error-fallback.tsx';
import { OVERVIEW_HREF, Unauthorized } from '#web/controls/unauthorized.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import type { Screen } from './page-table.ts';
import { signOut } from './sign-out.ts';
import { useNavigationPort } from './use-navigation-port.ts';
import styles from './frames.module.css';

// The frames stay out of the first load: signing in needs neither navigation nor menus.
const StaffFrame = lazy(() => import('./staff-frame.tsx').then((file) => ({ default: file.StaffFrame })));
const CustomerFrame = lazy(() => import('./customer-frame.tsx').then((file) => ({ default: file.CustomerFrame })));

function useFocusOnHeading(path: string): void {
  useEffect(() => {
    // The screen may still be loading: its heading is waited for, but never stolen from a field already in use.
    let tries = 0;
    const timer = setInterval(() => {
      tries += 1;
      const heading = document.querySelector<HTMLElement>('main h1');
      const busy = document.activeElement && document.activeElement.matches('input, textarea, select');
      if (heading && !busy) {
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }
      if (heading || tries > 40) clearInterval(timer);
    }, 50);
    return () => clearInterval(timer);
  }, [path]);
}

/** Around everything: the kit's door to the address bar and the frame of the area the address belongs to. */
export function RootFrame() {
  const port = useNavigationPort();
  const page = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.page });
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname });
  useFocusOnHeading(path);
  return (
    <NavigationProvider port={port}>
      <Suspense fallback={<Waiting />}>
        <AreaFrame area={page?.area ?? 'public'} page={page}><Outlet /></AreaFrame>
      </Suspense>
    </NavigationProvider>
  );
}

function AreaFrame({ area, page, children }: { area: Area; page: PageRow<Screen> | undefined; children: ReactNode }) {
  const user = useCurrentUser();
  const isStaff = user?.role !== undefined && STAFF_ROLES.some((role) => role === user.role);
  if (page?.path.startsWith('/select')) return children;
  // Someone who has no business in an area sees its 401 screen without its navigation.
  if (area === 'staff' || area === 'system') {
    return isStaff ? <StaffFrame page={page}>{children}</StaffFrame> : children;
  }
  if (area === 'customer') return <CustomerFrame>{children}</CustomerFrame>;
  return children;
}

/** The screen, or the 401 page in its place with the address kept (gaps G79). */
export function Refused({ page, children }: { page: PageRow<Screen>; children: ReactNode }) {
  const refused = useRouterState({
    select: (state) => state.matches.some(
      (match) => match.staticData.page === page && (match.context as { refused?: boolean }).refused === true,
    ),
  });
  const { go } = useNavigation();
  return refused ? <Unauthorized onBack={() => go(OVERVIEW_HREF)} userMenu={<SignOutButton />} /> : children;
}

function SignOutButton() {
  const client = useQueryClient();
  return <ActionButton action={() => signOut(client)}>Sign out</ActionButton>;
}

/** Bars in the geometry of a head and a list: no spinner pages (U13). */
export function Waiting() {
  return (
    <div className={styles.waiting} aria-busy="true">
      <span className="gr-hidden" role="status">Loading</span>
      <Skeleton width={260} height={26} />
      <Skeleton width={380} />
      <div className={styles.bars}>
        {[88, 94, 82, 90, 86, 92].map((width) => <Skeleton key={width} width={`${width}%`} height={14} />)}
      </div>
    </div>
  );
}

/** Each area has an error page of its own (SPEC.md 2): inside the frame for staff and customers, bare in public. */
export function AreaError({ area }: { area: Area }) {
  return <div data-area-error={area}><ErrorFallback /></div>;
}

export function RouteError() {
  return <ErrorFallback />;
}

export function Unknown() {
  return (
    <main className={styles.unknown}>
      <h1 tabIndex={-1} className="gr-hidden">Page not found</h1>
      <EmptyState title="There is no page at this address" text="It may have moved, or the link is incomplete."
        action={<AppLink href="/login" className="gr-link">Go to the start page</AppLink>} />
    </main>
  );
}
