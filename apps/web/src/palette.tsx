/**
 * What the command palette of staff holds (U1, U2): records found by the lists' own search, those opened lately, and
 * every page that this person may open. Loaded when it is first asked for.
 */
import { matchSorter } from 'match-sorter';
import { FileText, History, PanelsTopLeft, Receipt, Theater, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import { decide, type Visitor } from '#kit/page.ts';
import { showEndpoints } from '#modules/catalogue/show/show.contract.ts';
import { customerEndpoints } from '#modules/customers/customer/customer.contract.ts';
import { licenseEndpoints } from '#modules/licensing/licenses/license.contract.ts';
import { licenseHref } from '#modules/licensing/licenses/license-place.web.ts';
import { invoiceEndpoints } from '#modules/receivables/invoices/invoice.contract.ts';
import { PhaseBadge } from '#web/data/badge.tsx';
import type { NavGroup } from '#web/layout/staff-shell.tsx';
import { CommandPalette, type PaletteGroup, type PaletteItem } from '#web/palette/command-palette.tsx';
import { recentOf } from '#web/palette/recent.ts';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { crumbsOf } from './crumbs.ts';
import { pageTable } from './page-table.ts';

/** ms without a key before records are looked for. */
const SEARCH_DELAY = 150;
/** Letters that a search needs. */
const SHORTEST = 2;
const FOUND = 5;

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SEARCH_DELAY);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Pages without a record in their address, named like the path over the screen. */
function placesOf(groups: readonly NavGroup[], visitor: Visitor): PaletteItem[] {
  const items = groups.flatMap((group) => group.items);
  return pageTable
    .filter((page) => page.area === 'staff' && page.load && !page.path.includes(':')
      && decide(page, visitor).kind === 'allow')
    .map((page) => {
      const crumbs = crumbsOf(groups, page, page.path).map((crumb) => crumb.label);
      const icon = items.find((item) => item.href === page.path)?.icon ?? PanelsTopLeft;
      return { href: page.path, label: crumbs.at(-1) ?? page.title, detail: crumbs.slice(0, -1).join(', '), icon };
    });
}

/** Records that the lists' own search finds, each list only for whoever may read it. */
function useRecords(text: string): { groups: PaletteGroup[]; searching: boolean } {
  const may = useMay();
  const search = text.trim();
  const wanted = search.length >= SHORTEST;
  const query = { search, per_page: FOUND };
  const licenses = useEndpoint(licenseEndpoints.list, { query }, { enabled: wanted && may('license.list') });
  const customers = useEndpoint(customerEndpoints.list, { query }, { enabled: wanted && may('customer.list') });
  const shows = useEndpoint(showEndpoints.list, { query }, { enabled: wanted && may('show.list') });
  const invoices = useEndpoint(invoiceEndpoints.list, { query }, { enabled: wanted && may('invoice.list') });
  const searching = [licenses, customers, shows, invoices].some((read) => read.isFetching);
  if (!wanted) return { groups: [], searching: false };
  return { searching, groups: [
    { label: 'Licences and quotes', items: (licenses.data?.data ?? []).map((row) => ({
      href: licenseHref(row), label: row.title_on_license || row.show_title, icon: FileText,
      detail: `${row.customer_name} · ${row.license_number ?? row.number}`,
      aside: <PhaseBadge phase={row.phase} small /> })) },
    { label: 'Customers', items: (customers.data?.data ?? []).map((row) => ({
      href: `/admin/customers/${row.id}`, label: row.name, detail: row.number, icon: Users })) },
    { label: 'Shows', items: (shows.data?.data ?? []).map((row) => ({
      href: `/admin/${row.type === 'play' ? 'plays' : 'musicals'}/${row.id}`, label: row.title, icon: Theater,
      detail: row.authors_credit })) },
    { label: 'Invoices', items: (invoices.data?.data ?? []).map((row) => ({
      href: `/admin/accounts-receivable/invoices/${row.id}`, label: row.number ?? 'Draft invoice', icon: Receipt,
      detail: row.customer_name })) },
  ] };
}

export interface PaletteProps { userId: number; visitor: Visitor; groups: readonly NavGroup[]; onClose: () => void }

export default function Palette({ userId, visitor, groups, onClose }: PaletteProps) {
  const [text, setText] = useState('');
  const records = useRecords(useSettled(text));
  const recent = recentOf(userId).map((one): PaletteItem => ({ href: one.href, label: one.title, icon: History }));
  const places = placesOf(groups, visitor);
  const matching = (items: PaletteItem[]): PaletteItem[] =>
    matchSorter(items, text.trim(), { keys: ['label', 'detail'] }).slice(0, FOUND);
  const shown: PaletteGroup[] = text.trim() === ''
    ? [{ label: 'Opened lately', items: recent.slice(0, FOUND) },
      { label: 'Go to', items: groups.flatMap((group) => group.items) }]
    : [...records.groups, { label: 'Opened lately', items: matching(recent) },
      { label: 'Go to', items: matching(places) }];
  return <CommandPalette text={text} onText={setText} groups={shown} searching={records.searching} onClose={onClose} />;
}
