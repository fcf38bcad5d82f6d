/** The path over a screen as words, also the name of a page in the command palette. */
import type { PageRow } from '#kit/page.ts';
import type { Crumb } from '#web/layout/crumb-trail.ts';
import { activeItem, type NavGroup, type NavItem } from '#web/layout/staff-shell.tsx';
import { recordOf } from '#web/palette/recent.ts';
import type { Screen } from './page-table.ts';

/** Breadcrumbs that the screen's header reports, and the path it reported them for. */
export interface HeadCrumbs { path: string; crumbs: readonly Crumb[] }

/** The nearest page of the section above this one that is no record: '/admin/staff/groups' over a group's page. */
function listOver(pages: readonly PageRow[], page: PageRow, section: NavItem | null): PageRow | undefined {
  const starts = section ? [section.href, ...(section.also ?? [])] : [];
  return pages.filter((one) => one.load !== undefined && !one.path.includes(':') && one.path !== section?.href
    && page.path.startsWith(`${one.path}/`) && one.path !== '/' && one.path !== '/admin'
    && (section === null || starts.some((start) => one.path === start || one.path.startsWith(`${start}/`))))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
}

/**
 * Section of the navigation, the list that the page stands in, the record as its head calls it; a page without a
 * record by its own title. `pages`: those that this person may open.
 */
export function crumbsOf(
  groups: readonly NavGroup[], pages: readonly PageRow[], page: PageRow<Screen> | undefined, path: string,
  told?: HeadCrumbs | null,
): Crumb[] {
  const section = activeItem(groups.flatMap((group) => group.items), path);
  if (!page || path === section?.href) return [{ label: section?.label ?? page?.title ?? 'Grand Rights' }];
  const list = listOver(pages, page, section);
  const same = told && (told.path === path || recordOf(told.path) === recordOf(path)) ? told.crumbs : undefined;
  const own = page.path.includes(':') ? same ?? [{ label: page.title }] : [{ label: page.title }];
  const above = [section && { label: section.label, href: section.href },
    list && list.title !== section?.label && { label: list.title, href: list.path }]
    .filter((one): one is { label: string; href: string } => Boolean(one));
  // A page with the same name as its section is the section's first page.
  return own.length === 1 && own[0]!.label === above.at(-1)?.label ? above : [...above, ...own];
}
