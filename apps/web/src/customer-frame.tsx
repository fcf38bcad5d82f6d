/** The portal's frame for the customer of the address, and the menu of the signed-in person. */
import { ChevronsUpDown, LogOut, Search, ShieldCheck, UserRound, Users } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { ActingBanner } from '#modules/identity/acting/acting-banner.web.tsx';
import { NotificationBell } from '#modules/notifications/notification-bell.web.tsx';
import { CartButton } from '#modules/portal/cart-button.web.tsx';
import { useLiveEvents } from '#modules/notifications/use-live-events.web.ts';
import { ActionMenu, type MenuAction } from '#web/data/action-menu.tsx';
import { Avatar } from '#web/data/avatar.tsx';
import { HelpButton, lazyHelp } from '#web/help/help-button.tsx';
import bar from '#web/layout/bar-tool.module.css';
import { Glyph } from '#web/layout/icons.tsx';
import { useModalsAtHand } from '#web/layout/overlay.tsx';
import { PortalShell } from '#web/layout/portal-shell.tsx';
import { useAddress } from '#web/navigation/navigation.tsx';
import { usePaletteKey } from '#web/palette/use-palette-key.ts';
import { useCurrentUser } from '#web/query/current-user.ts';
import { useReaderLanguage } from '#web/query/reader-language.ts';
import { pageTable } from './page-table.ts';
import { portalNavigation } from './portal-navigation.ts';
import { signOut } from '#modules/identity/session/sign-out.web.ts';
import styles from './frames.module.css';

const CustomerHelp = lazyHelp(() => import('./help/customer-help.ts').then((file) => file.help));

/** Only administrators of the system see it, and no customer loads it. */
const ActForFirst = lazy(() => import('#modules/identity/acting/acting.web.tsx')
  .then((file) => ({ default: file.ActForFirst })));

/** Loaded when it is first asked for: it searches, the frame does not. */
const PortalPalette = lazy(() => import('./portal-palette.tsx'));

/** The table's address of a real one below /customer: '/customer/7/shows' is '/customer/:id/shows'. */
function isPage(href: string): boolean {
  const shape = href.replace(/^\/customer\/\d+/, '/customer/:');
  return pageTable.some((row) => row.path.replace(/^\/customer\/:\w+/, '/customer/:') === shape);
}

export function CustomerFrame({ children }: { children: ReactNode }) {
  const user = useCurrentUser();
  const client = useQueryClient();
  const { path } = useAddress();
  const id = path.split('/')[2] ?? '';
  useLiveEvents(user != null);
  useModalsAtHand();
  const customer = user?.customers.find((one) => String(one.id) === id);
  useReaderLanguage(user?.language ?? customer?.language);
  const acting = user?.acting_customer;
  // An administrator sees a portal only while acting for its customer: no call of it would answer.
  const foreign = user?.role === 'system_admin' && String(acting?.id) !== id;
  const name = customer?.name ?? acting?.name ?? (user ? `${user.first_name} ${user.last_name}` : '');
  const several = (user?.customers.length ?? 0) > 1 || user?.role === 'system_admin';
  const actions: MenuAction[] = [
    { label: 'Your account', icon: UserRound, href: `/customer/${id}/account/profile` },
    { label: 'Security', icon: ShieldCheck, href: `/customer/${id}/account/security` },
    ...(several ? [{ label: 'Other accounts', icon: Users, href: '/select-portal' }] : []),
  ].filter((action) => isPage(action.href) || pageTable.some((row) => row.path === action.href));
  const items = portalNavigation(id).filter((item) => isPage(item.href));
  const [searching, setSearching] = useState(false);
  usePaletteKey(() => setSearching(true));
  return (
    <PortalShell items={items} home={`/customer/${id}`}
      tools={(
        <>
          <button type="button" className={bar.tool} aria-label="Search" title="Search (Ctrl K)"
            aria-keyshortcuts="Meta+K Control+K" onClick={() => setSearching(true)}><Glyph icon={Search} size={17} />
          </button>
          {user && <CartButton />}
          {customer && <NotificationBell place={Number(id)} all={`/customer/${id}/notifications`} />}
          <HelpButton panel={CustomerHelp} />
        </>
      )}
      banner={acting && <ActingBanner acting={acting} />}
      account={(
        <ActionMenu label="Account" heading={user?.email} target={(
          <button type="button" className={styles.menuButton}>
            <span className="gr-hidden">Account </span>
            <Avatar name={name} size="md" /><span className={styles.accountName}>{name}</span>
            <Glyph icon={ChevronsUpDown} size={14} />
          </button>
        )} actions={[...actions, { label: 'Sign out', icon: LogOut, onSelect: () => void signOut(client) }]} />
      )}>
      {foreign ? <Suspense fallback={null}><ActForFirst customerId={Number(id)} /></Suspense> : children}
      {searching && !foreign && (
        <Suspense fallback={null}>
          <PortalPalette customerId={Number(id)} items={items} onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </PortalShell>
  );
}
