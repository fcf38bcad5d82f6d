/**
 * The customers' frame (LOOK.md 9): navigation on top, a 1152 px column, on phones a bottom bar of five. Bigger type
 * and targets than the back office (`data-density="portal"`).
 */
import { Ellipsis } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { WithTips } from '#web/controls/tip/with-tips.tsx';
import { AppLink, useAddress } from '#web/navigation/navigation.tsx';
import { DarkModeSwitch } from './dark-mode-switch.tsx';
import { Glyph, type Icon } from './icons.tsx';
import { Logo } from './logo.tsx';
import { OfflineBar } from './offline-bar.tsx';
import styles from './portal-shell.module.css';

export interface PortalItem {
  label: string;
  href: string;
  icon: Icon;
  /** Addresses of other pages of this section. */
  also?: readonly string[] | undefined;
  /** Active only on exactly this address (the area's home). */
  exact?: boolean | undefined;
}

export interface PortalShellProps {
  items: readonly PortalItem[];
  home: string;
  /** Bell and the like. */
  tools?: ReactNode;
  /** Name of the account's owner, with its menu. */
  account: ReactNode;
  banner?: ReactNode;
  children: ReactNode;
}

/** Number of items the phone's bottom bar shows before the rest move behind More. */
const BOTTOM_ITEMS = 4;

function isActive(item: PortalItem, path: string): boolean {
  if (item.exact) return path === item.href;
  return [item.href, ...item.also ?? []].some((href) => path === href || path.startsWith(`${href}/`));
}

function BottomBar({ items, path }: { items: readonly PortalItem[]; path: string }) {
  const [more, setMore] = useState(false);
  useEffect(() => setMore(false), [path]);
  const rest = items.slice(BOTTOM_ITEMS);
  const link = (item: PortalItem) => (
    <AppLink key={item.href} href={item.href} className={styles.bottomItem}
      aria-current={isActive(item, path) ? 'page' : undefined}>
      <Glyph icon={item.icon} size={20} />{item.label}
    </AppLink>
  );
  return (
    <nav className={styles.bottom} aria-label="Main" data-print="hide">
      {more && <div className={styles.more} id="portal-more">{rest.map(link)}</div>}
      {items.slice(0, BOTTOM_ITEMS).map(link)}
      {rest.length > 0 && (
        <button type="button" className={styles.bottomItem} aria-expanded={more} aria-controls="portal-more"
          onClick={() => setMore(!more)}>
          <Glyph icon={Ellipsis} size={20} />More
        </button>
      )}
    </nav>
  );
}

export function PortalShell({ items, home, tools, account, banner, children }: PortalShellProps) {
  const { path } = useAddress();
  return (
    <WithTips><div className={styles.shell} data-density="portal">
      <a href="#main" className="gr-skip">Skip to content</a>
      <header className={styles.top} data-print="hide">
        <div className={styles.bar}>
          <AppLink href={home} aria-label="Grand Rights, home"><Logo /></AppLink>
          <nav className={styles.nav} aria-label="Main">
            {items.map((item) => (
              <AppLink key={item.href} href={item.href} className={styles.item}
                aria-current={isActive(item, path) ? 'page' : undefined}>{item.label}</AppLink>
            ))}
          </nav>
          <span className={styles.tools}>{tools}<DarkModeSwitch />{account}</span>
        </div>
      </header>
      <OfflineBar />
      {banner}
      <main id="main" tabIndex={-1} className={styles.main}>{children}</main>
      <BottomBar items={items} path={path} />
    </div></WithTips>
  );
}

export interface CardProps {
  title?: ReactNode;
  /** Right of the title: a badge or a link. */
  right?: ReactNode;
  /** The page's one first task: garnet border and soft ring. */
  first?: boolean | undefined;
  children: ReactNode;
}

/** The portal's card: a thing one can act on. The back office has none. */
export function Card({ title, right, first, children }: CardProps) {
  return (
    <section className={styles.card} data-first={first || undefined}>
      {(title ?? right) !== undefined && (
        <div className={styles.cardHead}>{title !== undefined && <h2>{title}</h2>}{right}</div>
      )}
      {children}
    </section>
  );
}

/** The portal's ticket: name of the work, where and when, and the stub with its countdown. */
export function Ticket({ badge, note, title, text, figure, caption }: {
  badge?: ReactNode; note?: ReactNode; title: string; text: ReactNode; figure: ReactNode; caption: string;
}) {
  return (
    <section className={styles.ticket}>
      <div className={styles.ticketBody}>
        <p className={styles.ticketNote}>{badge}{note}</p>
        <h1 tabIndex={-1}>{title}</h1>
        <p>{text}</p>
      </div>
      <div className={styles.stub}><strong>{figure}</strong><span>{caption}</span></div>
    </section>
  );
}
