/**
 * Frame around a screen: the layout of its area, the page shown while its code loads, the errors of each area, the 401
 * screen, the not-found page. The focus moves to the h1 after every change of address.
 */
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { STAFF_ROLES } from '#kit/auth.ts';
import type { Area, PageRow } from '#kit/page.ts';
import { Skeleton } from '#web/data/empty-state.tsx';
import { NavigationProvider, useNavigation } from '#web/navigation/navigation.tsx';
import { ActionButton } from '#web/controls/button/action-button.tsx';
import { ErrorFallback } from '#web/controls/failure/error-fallback.tsx';
import { useDocumentTitle } from '#web/layout/document-title.ts';
import { useFocusOnHeading } from '#web/layout/focus-on-heading.ts';
import { PublicFrame } from '#web/layout/public-layout.tsx';
import { OVERVIEW_HREF, Unauthorized } from '#web/controls/failure/unauthorized.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import type { Screen } from './page-table.ts';
import { signOut } from '#modules/identity/session/sign-out.web.ts';
import { useNavigationPort } from './use-navigation-port.ts';
import { useChangedPerson } from './use-changed-person.ts';
import styles from './frames.module.css';

const ERROR_TITLE = 'Something went wrong';

// The frames stay out of the first load: signing in needs neither navigation nor menus.
const StaffFrame = lazy(() => import('./staff-frame.tsx').then((file) => ({ default: file.StaffFrame })));
const ConfirmIdentity = lazy(() => import('#modules/identity/confirmation/confirm-identity.web.tsx')
  .then((file) => ({ default: file.ConfirmIdentity })));
const CustomerFrame = lazy(() => import('./customer-frame.tsx').then((file) => ({ default: file.CustomerFrame })));

/** Around everything: the kit's door to the address bar and the frame of the area the address belongs to. */
export function RootFrame() {
  const port = useNavigationPort();
  const page = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.page });
  const asked = useRouterState({ select: (state) => state.location.pathname });
  const shown = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname });
  useFocusOnHeading(asked, shown);
  return (
    <NavigationProvider port={port}>
      <Suspense fallback={<Waiting />}>
        <AreaFrame area={page?.area ?? 'public'} page={page}><Outlet /></AreaFrame>
      </Suspense>
      {page && page.area !== 'public' && <Suspense fallback={null}><ConfirmIdentity /></Suspense>}
    </NavigationProvider>
  );
}

function AreaFrame({ area, page, children }: { area: Area; page: PageRow<Screen> | undefined; children: ReactNode }) {
  useChangedPerson(page);
  const user = useCurrentUser();
  const isStaff = user?.role !== undefined && STAFF_ROLES.some((role) => role === user.role);
  if (/^\/(select|apply\/)/.test(page?.path ?? '') || page?.path === '/set-up-two-factor') return children;
  if (page?.path === '/account') return user?.role === 'vendor' ? children : <main id="main">{children}</main>;
  // Someone who has no business in an area sees its 401 screen without its navigation.
  if (area === 'staff' || area === 'system') {
    return isStaff ? <StaffFrame page={page}>{children}</StaffFrame> : <main id="main">{children}</main>;
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

/**
 * The error pages (SPEC.md 2): one text, told apart by what surrounds it (gaps G46). Nothing for the general one, the
 * public layout in the public area; for staff, system and customers the frame of their area, which stays on screen.
 * None of them is loaded later: a lost connection is the usual reason to need one.
 */
export function AreaError({ area }: { area: Area }) {
  useDocumentTitle(ERROR_TITLE);
  const page = <div data-error-page={area}><ErrorFallback /></div>;
  return area === 'public' ? <PublicFrame>{page}</PublicFrame> : page;
}

/** Catches errors that no area catches, including a frame that cannot be drawn. */
export function RouteError() {
  return <GeneralError title={ERROR_TITLE} />;
}

/** An address without a page is a routing error as well (gaps G33). */
export function Unknown() {
  return <GeneralError title="Page not found" />;
}

function GeneralError({ title }: { title: string }) {
  useDocumentTitle(title);
  return <main className={styles.general} data-error-page="general"><ErrorFallback /></main>;
}
