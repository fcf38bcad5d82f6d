/** The path over a screen as words, also the name of a page in the command palette. */
import type { PageRow } from '#kit/page.ts';
import type { Crumb, NavGroup } from '#web/layout/staff-shell.tsx';
import type { Screen } from './page-table.ts';

/** The path of the page as words: its section of the navigation, then its own title. */
export function crumbsOf(groups: readonly NavGroup[], page: PageRow<Screen> | undefined, path: string): Crumb[] {
  const section = groups.flatMap((group) => group.items).find((item) => {
    const starts = [item.href, ...(item.also ?? [])];
    return item.href !== '/admin' && starts.some((start) => path === start || path.startsWith(`${start}/`));
  });
  const title = page?.title ?? 'Grand Rights';
  if (!section || path === section.href || section.label === title) return [{ label: section?.label ?? title }];
  return [{ label: section.label, href: section.href }, { label: title }];
}
