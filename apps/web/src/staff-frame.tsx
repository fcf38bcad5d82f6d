/** The back office's frame with what this person may open, and their menu. */
import { LogOut, ShieldCheck, UserRound } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { PageRow } from '#kit/page.ts';
import { ActingBanner, StopFirst } from '#modules/identity/acting/acting-banner.web.tsx';
import { NotificationBell } from '#modules/notifications/notification-bell.web.tsx';
import { useLiveEvents } from '#modules/notifications/use-live-events.web.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Avatar } from '#web/data/avatar.tsx';
import { HelpButton, lazyHelp } from '#web/help/help-button.tsx';
import { useModalsAtHand } from '#web/layout/overlay.tsx';
import { StaffShell } from '#web/layout/staff-shell.tsx';
import { useAddress, useNavigation } from '#web/navigation/navigation.tsx';
import { keepRecent, listenTitles } from '#web/palette/recent.ts';
import { useGoKeys } from '#web/palette/use-go-keys.ts';
import { usePaletteKey } from '#web/palette/use-palette-key.ts';
import { useCurrentUser, visitorOf } from '#web/query/current-user.ts';
import { useReaderLanguage } from '#web/query/reader-language.ts';
import { useTrail } from '#web/layout/crumb-trail.ts';
import { crumbsOf } from './crumbs.ts';
import {
  allowedGroups, allowedPages, goKeys, staffFoot, staffNavigation, withCounts, type NavFigures,
} from './navigation.ts';
import { pageTable, type Screen } from './page-table.ts';
import { signOut } from '#modules/identity/session/sign-out.web.ts';
import styles from './frames.module.css';

const StaffHelp = lazyHelp(() => import('./help/staff-help.ts').then((file) => file.help));

/** Loaded when it is first asked for: it searches, the frame does not. */
const Palette = lazy(() => import('./palette.tsx'));
/** Comes after the frame: nobody waits for it. */
const NavCounts = lazy(() => import('./nav-counts.tsx'));

/** Remembers the records whose screens this person sees, for the palette. */
function useRecentRecords(userId: number | undefined): void {
  const { read } = useNavigation();
  useEffect(() => {
    if (userId === undefined) return undefined;
    return listenTitles((title) => keepRecent(userId, read().path, title));
  }, [userId, read]);
}

export function StaffFrame({ page, children }: { page: PageRow<Screen> | undefined; children: ReactNode }) {
  const user = useCurrentUser();
  const client = useQueryClient();
  const { path } = useAddress();
  const visitor = useMemo(() => visitorOf(user ?? null), [user]);
  const [searching, setSearching] = useState(false);
  const [counts, setCounts] = useState<NavFigures>({});
  usePaletteKey(() => setSearching(true));
  useRecentRecords(user?.id);
  useReaderLanguage(user ? user.language ?? 'en-US' : undefined);
  useLiveEvents(user != null);
  useModalsAtHand();
  const [groups, foot] = useMemo(() => {
    if (!visitor) return [[], []] as const;
    const feet = allowedGroups([{ label: null, items: staffFoot }], pageTable, visitor);
    return [allowedGroups(staffNavigation, pageTable, visitor), feet[0]?.items ?? []] as const;
  }, [visitor]);
  useGoKeys(useMemo(() => goKeys(groups), [groups]));
  const trail = useTrail();
  const crumbs = useMemo(() => crumbsOf([...groups, { label: null, items: foot }], allowedPages(pageTable, visitor),
    page, path, trail), [groups, foot, visitor, page, path, trail]);
  const name = user ? `${user.first_name} ${user.last_name}` : '';
  const profile = user ? `/admin/staff/${user.id}/profile` : '';
  return (
    <StaffShell banner={user?.acting_customer && <ActingBanner acting={user.acting_customer} home="/admin" />}
      groups={withCounts(groups, counts)} foot={foot} crumbs={crumbs} user={{ name }}
      onSearch={() => setSearching(true)} tools={(
        <>
          {!user?.acting_customer && <NotificationBell place={null} all="/admin/notifications" />}
          <HelpButton panel={StaffHelp} />
        </>
      )}
      userMenu={user && (
        <ActionMenu label="Your account" heading={<><strong>{name}</strong><br />{user.email}</>}
          target={(
            <button type="button" className={styles.menuButton}>
              <span className="gr-hidden">Your account, {name}</span>
              <Avatar name={name} url={user.avatar_url} />
            </button>
          )}
          actions={[
            { label: 'Profile and settings', icon: UserRound, href: profile },
            { label: 'Security', icon: ShieldCheck, href: `/admin/staff/${user.id}/security` },
            { label: 'Sign out', icon: LogOut, onSelect: () => void signOut(client) },
          ]} />
      )}>
      {user?.acting_customer ? <StopFirst acting={user.acting_customer} /> : children}
      {user && !user.acting_customer && <Suspense fallback={null}><NavCounts onCounts={setCounts} /></Suspense>}
      {searching && visitor && user && (
        <Suspense fallback={null}>
          <Palette userId={user.id} visitor={visitor} groups={groups} onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </StaffShell>
  );
}
