/**
 * Office navigation as data (LOOK.md pictures). The frame shows an item only if the person may open its page:
 * permission and roles come from the page table, so they are stated once.
 */
import {
  BookOpen, CalendarDays, ChartLine, ChartNoAxesColumn, CircleCheckBig, Clapperboard, FileDown, Files, FileText, FileUp,
  HandCoins, Inbox, Landmark, LayoutDashboard, Library, Mail,
  Receipt, Scale, ServerCog, Settings, Theater, Users, Wallet,
} from 'lucide-react';
import type { PageRow, Visitor } from '#kit/page.ts';
import { decide } from '#kit/page.ts';
import { spell } from '#kernel/text/english.ts';
import type { NavGroup, NavItem } from '#web/layout/staff-shell.tsx';

export const staffNavigation: readonly NavGroup[] = [
  { label: null, items: [
    { label: 'Home', href: '/admin', icon: LayoutDashboard },
    { label: 'Approvals', href: '/admin/approvals', icon: CircleCheckBig },
    { label: 'Applications', href: '/admin/applications', icon: Inbox,
      also: ['/admin/customers/:customerId/applications/:applicationId'] },
    { label: 'Quotes', href: '/admin/quotes', icon: FileText },
    { label: 'Productions', href: '/admin/productions', icon: Clapperboard,
      also: ['/admin/customers/:customerId/productions/:productionId'] },
    { label: 'Bookings', href: '/admin/bookings', icon: CalendarDays },
    { label: 'Documents', href: '/admin/documents', icon: Files },
    { label: 'Unplaced mail', href: '/admin/unplaced-mail', icon: Mail },
  ] },
  { label: spell`Catalog`, items: [
    { label: 'Shows', href: '/admin/plays', icon: Theater, also: ['/admin/musicals'] },
    { label: 'Materials', href: '/admin/materials', icon: Library,
      also: ['/admin/add-ons', '/admin/sales-items', '/admin/warehouses', '/admin/stock-movements',
        '/admin/templates/bom'] },
    { label: 'Perusals', href: '/admin/perusals', icon: BookOpen },
    { label: 'Customers', href: '/admin/customers', icon: Users, also: ['/admin/venues'] },
  ] },
  { label: 'Money', items: [
    { label: 'Sales & royalties', href: '/admin/sales-and-royalties', icon: HandCoins,
      also: ['/admin/royaltors'] },
    { label: 'Receivables', href: '/admin/accounts-receivable', icon: Receipt },
    { label: 'Payables', href: '/admin/accounts-payable', icon: Wallet, also: ['/admin/vendors', '/admin/checking'] },
    { label: 'Banking', href: '/admin/banking', icon: Landmark },
    { label: 'Accounting', href: '/admin/accounting', icon: Scale },
    { label: 'Finance reports', href: '/admin/finance', icon: ChartLine },
    { label: 'Reporting', href: '/admin/reporting', icon: ChartNoAxesColumn },
  ] },
];

export const staffFoot: readonly NavItem[] = [
  { label: 'Imports', href: '/admin/imports', icon: FileUp },
  { label: 'Exports', href: '/admin/exports', icon: FileDown },
  { label: 'Staff & settings', href: '/admin/staff', icon: Settings,
    also: ['/admin/templates'] },
  { label: 'System', href: '/system', icon: ServerCog },
];

/** Letters after `g`: l for the licences, as productions are; the rest by their first letter. */
const GO: Readonly<Record<string, string>> = {
  h: '/admin', a: '/admin/applications', q: '/admin/quotes', l: '/admin/productions', b: '/admin/bookings',
  s: '/admin/plays', m: '/admin/materials', c: '/admin/customers', r: '/admin/accounts-receivable',
};

/** Of these letters, those whose section the person may open. */
export function goKeys(groups: readonly NavGroup[]): Record<string, string> {
  const open = new Set(groups.flatMap(({ items }) => items.map((item) => item.href)));
  return Object.fromEntries(Object.entries(GO).filter(([, href]) => open.has(href)));
}

/** Whether the page at `href` exists and admits the visitor; a section without a screen counts by its first child. */
export function canOpen(pages: readonly PageRow[], visitor: Visitor, href: string): boolean {
  const row = pages.find((page) => page.path === href);
  if (!row) return false;
  if (row.redirectTo && row.redirectTo !== href) return canOpen(pages, visitor, row.redirectTo);
  return decide(row, visitor).kind === 'allow';
}

/** The pages of the office that the visitor may open, records aside. */
export function allowedPages<P extends PageRow>(pages: readonly P[], visitor: Visitor | null): readonly P[] {
  return pages.filter((page) => visitor !== null && page.path.startsWith('/') && !page.path.includes(':')
    && (page.area === 'staff' || page.area === 'system') && decide(page, visitor).kind === 'allow');
}

export function allowedGroups(
  groups: readonly NavGroup[], pages: readonly PageRow[], visitor: Visitor,
): readonly NavGroup[] {
  return groups
    .map((group) => ({ ...group, items: group.items.filter((item) => canOpen(pages, visitor, item.href)) }))
    .filter((group) => group.items.length > 0);
}

/** By the address of an item: how many are open there. */
export type NavFigures = Readonly<Record<string, string | undefined>>;

export function withCounts(groups: readonly NavGroup[], counts: NavFigures): readonly NavGroup[] {
  return groups.map((group) => ({ ...group,
    items: group.items.map((item) => ({ ...item, count: counts[item.href] })) }));
}
