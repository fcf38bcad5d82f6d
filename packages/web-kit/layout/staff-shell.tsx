/**
 * The back office's frame: navigation at the left (232), the bar on top (75), the sheet that holds the screen. On a
 * phone the navigation becomes a drawer. What the navigation holds is data, already filtered by permission
 * (apps/web/src/navigation.ts).
 */
import { Menu as MenuIcon, Search, X } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Avatar } from '#web/data/avatar.tsx';
import { WithTips } from '#web/controls/tip/with-tips.tsx';
import { AppLink, useAddress } from '#web/navigation/navigation.tsx';
import type { Crumb } from './crumb-trail.ts';
import { DarkModeSwitch } from './dark-mode-switch.tsx';
import { inDivision } from './division.ts';
import { Glyph, type Icon } from './icons.tsx';
import { Logo } from './logo.tsx';
import { OfflineBar } from './offline-bar.tsx';
import bar from './bar-tool.module.css';
import styles from './staff-shell.module.css';

export interface NavItem {
  label: string;
  href: string;
  icon: Icon;
  /** Number of open items, '1,204' or '10,000+'; nothing where there are none. */
  count?: string | undefined;
  /** Other beginnings of addresses that belong to the item: '/admin/plays' to Shows, ':id' for any record. */
  also?: readonly string[] | undefined;
}
export interface NavGroup {
  /** null: the first group has no heading. */
  label: string | null;
  items: readonly NavItem[];
}

export interface StaffShellProps {
  groups: readonly NavGroup[];
  /** Items at the foot of the navigation: staff and settings, help. */
  foot?: readonly NavItem[] | undefined;
  crumbs: readonly Crumb[];
  user: { name: string; avatarUrl?: string | null | undefined };
  /** Opens the command palette; shown as the search box of the bar. */
  onSearch?: (() => void) | undefined;
  /** Bell, help and whatever else stands before the dark-mode switch. */
  tools?: ReactNode;
  /** Menu of the signed-in person, opened by the avatar. */
  userMenu?: ReactNode;
  /** Lines over the sheet: acting for a customer, maintenance. */
  banner?: ReactNode;
  children: ReactNode;
}

/** The beginning with the path's own ids in it, where it has as many parts. */
function filled(start: string, path: string): string {
  const parts = path.split('/');
  return start.split('/').map((part, at) => part.startsWith(':') ? parts[at] ?? part : part).join('/');
}

/** Whether a navigation item is the one you are in: the longest beginning of the address wins. */
export function activeItem(items: readonly NavItem[], path: string): NavItem | null {
  let best: NavItem | null = null;
  let length = 0;
  for (const item of items) {
    for (const start of [item.href, ...(item.also ?? []).map((one) => filled(one, path))]) {
      const inside = path === start || path.startsWith(`${start}/`);
      const home = start === '/admin';
      if ((home ? path === start : inside) && start.length > length) {
        best = item;
        length = start.length;
      }
    }
  }
  return best;
}

function NavLink({ item, active }: { item: NavItem; active: boolean }) {
  const { query } = useAddress();
  return (
    <AppLink href={inDivision(item.href, query)} className={styles.item} aria-current={active ? 'page' : undefined}
      title={item.count && `${item.count} open`}>
      <Glyph icon={item.icon} />
      <span className={styles.itemLabel}>{item.label}</span>
      {item.count && <span className={styles.count} aria-hidden="true">{item.count}</span>}
    </AppLink>
  );
}

function Navigation({ groups, foot }: Pick<StaffShellProps, 'groups' | 'foot'>) {
  const { path } = useAddress();
  const all = [...groups.flatMap((group) => group.items), ...(foot ?? [])];
  const active = activeItem(all, path);
  return (
    <div className={styles.nav}>
      <div className={styles.groups}>
        {groups.map((group) => (
          <div key={group.label ?? 'first'} className={styles.group}>
            {group.label && <div className={styles.groupLabel}>{group.label}</div>}
            {group.items.map((item) => <NavLink key={item.href} item={item} active={item === active} />)}
          </div>
        ))}
      </div>
      {foot && foot.length > 0 && (
        <div className={styles.foot}>
          {foot.map((item) => <NavLink key={item.href} item={item} active={item === active} />)}
        </div>
      )}
    </div>
  );
}

/** Letters of a number or of a name of few words. */
const SHORT = 24;

function Crumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className={styles.crumbs}>
      <ol>
        {crumbs.map((crumb, index) => {
          const last = index === crumbs.length - 1;
          return (
            <li key={`${crumb.label}${index}`} data-short={crumb.label.length <= SHORT || undefined}>
              {crumb.href && !last
                ? <AppLink href={crumb.href}>{crumb.label}</AppLink>
                : <span aria-current={last ? 'page' : undefined}>{crumb.label}</span>}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function useDrawer() {
  const [open, setOpen] = useState(false);
  const { path } = useAddress();
  const panel = useRef<HTMLElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!open) return undefined;
    panel.current?.querySelector<HTMLElement>('a, button')?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      opener.current?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [open]);
  return { open, setOpen, panel, opener };
}

export function StaffShell(props: StaffShellProps) {
  const { groups, foot, crumbs, user, onSearch, tools, userMenu, banner, children } = props;
  const drawer = useDrawer();
  return (
    <WithTips><div className={styles.shell} data-density="staff">
      <a href="#main" className="gr-skip">Skip to content</a>
      <nav aria-label="Main" className={styles.side} data-open={drawer.open || undefined} ref={drawer.panel}
        data-print="hide">
        <div className={styles.brand}>
          <AppLink href="/admin" aria-label="Grand Rights, home"><Logo /></AppLink>
          <button type="button" className={`${bar.tool} ${styles.phoneOnly}`} aria-label="Close navigation"
            onClick={() => drawer.setOpen(false)}><Glyph icon={X} size={18} /></button>
        </div>
        <Navigation groups={groups} foot={foot} />
      </nav>
      {drawer.open && <div className={styles.scrim} onClick={() => drawer.setOpen(false)} aria-hidden="true" />}
      <header className={styles.top} data-print="hide">
        <button type="button" className={`${bar.tool} ${styles.phoneOnly}`} aria-label="Open navigation"
          aria-expanded={drawer.open} ref={drawer.opener} onClick={() => drawer.setOpen(true)}>
          <Glyph icon={MenuIcon} size={20} />
        </button>
        <Crumbs crumbs={crumbs} />
        {onSearch && (
          <button type="button" className={styles.search} onClick={onSearch} aria-keyshortcuts="Meta+K Control+K">
            <Glyph icon={Search} />
            <span className={styles.searchText}>
              Search<span className={styles.searchMore}>{spell` licenses, customers, invoices`}</span>
            </span>
            <kbd className={styles.key} aria-hidden="true">⌘K</kbd>
          </button>
        )}
        {tools}
        <DarkModeSwitch />
        {userMenu ?? <Avatar name={user.name} url={user.avatarUrl} size="regular" />}
      </header>
      <div className={styles.sheet}>
        <OfflineBar />
        {banner}
        <main id="main" tabIndex={-1} className={styles.main}>{children}</main>
      </div>
    </div></WithTips>
  );
}
