/** A row of links that are the sections of one record or list; the brass rule marks where you are. */
import { TriangleAlert } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { AppLink, useAddress } from '#web/navigation/navigation.tsx';
import { inDivision } from './division.ts';
import { Glyph, type Icon } from './icons.tsx';
import { scrollEdges } from './scroll-edges.ts';
import { isTabActive } from './tab-active.ts';
import styles from './tabs.module.css';

export interface TabItem {
  id: string;
  text: string;
  href: string;
  icon?: Icon | undefined;
  /** In faint after the label: a count, or '9 of 14'. */
  note?: ReactNode;
  /** Colours the tab red (S78); `note` should say what is wrong: '2 short'. */
  error?: boolean | undefined;
  /** Decides instead of the address: saved views of one list differ in their query only. */
  active?: boolean | undefined;
}

export type TabAlign = 'left' | 'center' | 'right';

export interface TabsProps {
  items: readonly TabItem[];
  label?: string | undefined;
  align?: TabAlign | undefined;
  /** Beside the last tab: Save view. */
  after?: ReactNode;
}

/** px at each end of the row that fade where there is more (tabs.module.css). */
const FADE = 40;
/** More tabs than this stand closer. */
const ROOMY = 12;

/** Scrolls the row to the tab where one is, unless all of it is in view. */
function bringCurrent(nav: HTMLElement | null): void {
  const current = nav?.querySelector<HTMLElement>('[aria-current="page"]');
  if (!nav || !current) return;
  const start = current.getBoundingClientRect().left - nav.getBoundingClientRect().left + nav.scrollLeft;
  const end = start + current.offsetWidth;
  const hidden = start < nav.scrollLeft + (nav.scrollLeft > 0 ? FADE : 0)
    || end > nav.scrollLeft + nav.clientWidth - (end < nav.scrollWidth - 1 ? FADE : 0);
  if (hidden) nav.scrollLeft = start - FADE;
}

export function Tabs({ items, label = 'Sections', align = 'left', after }: TabsProps) {
  const { path, query } = useAddress();
  const area = path.split('/')[1] ?? '';
  const row = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const bring = () => bringCurrent(row.current);
    bring();
    // A count that comes later pushes the tabs behind it away; turned on its side, a phone shows others.
    const sizes = new ResizeObserver(bring);
    for (const one of [row.current, ...(row.current?.children ?? [])]) if (one) sizes.observe(one);
    return () => sizes.disconnect();
  }, [path, query, items.length]);
  useEffect(() => scrollEdges(row.current), [items]);
  return (
    <nav aria-label={label} className={styles.tabs} data-align={align} ref={row}
      data-crowded={items.length > ROOMY || undefined}>
      {items.map((item) => {
        const active = item.active ?? (item.href.includes('?')
          ? `${path}${query}` === item.href
          : isTabActive(area, item.href, path));
        const shown = item.error ? TriangleAlert : item.icon;
        return (
          <AppLink key={item.id} href={inDivision(item.href, query)} className={styles.tab}
            data-error={item.error || undefined}
            aria-current={active ? 'page' : undefined}>
            {shown && <Glyph icon={shown} size={15} />}
            {item.text}
            {item.error && <span className="gr-hidden">needs attention</span>}
            {item.note !== undefined && item.note !== null && <span className={styles.note}>{item.note}</span>}
          </AppLink>
        );
      })}
      {after}
    </nav>
  );
}
