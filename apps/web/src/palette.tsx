/**
 * Contents of the staff command palette (U1, U2): actions on the open page, records of every kind, recently opened
 * ones, and every page that this person may open. Lazy-loaded on first use.
 */
import { matchSorter } from 'match-sorter';
import { CalendarDays, FilePlus, History, ListFilter, MousePointerClick, PanelsTopLeft, Search } from 'lucide-react';
import { useState } from 'react';
import { decide, type Visitor } from '#kit/page.ts';
import { SEARCH_SHORTEST, searchEndpoints, type SearchHit } from '#modules/search/search.contract.ts';
import { countOf, KINDS, plainStatus, searchHref } from '#modules/search/search-words.web.ts';
import { Badge, PHASES, PhaseBadge } from '#web/data/badge.tsx';
import type { NavGroup } from '#web/layout/staff-shell.tsx';
import { CommandPalette, type PaletteGroup, type PaletteItem } from '#web/palette/command-palette.tsx';
import { useAddress, useNavigation, withQuery } from '#web/navigation/navigation.tsx';
import { hasListSearch, pageActions } from '#web/palette/page-actions.ts';
import { recentOf } from '#web/palette/recent.ts';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useSettled } from '#web/query/use-settled.ts';
import { crumbsOf } from './crumbs.ts';
import { pageTable } from './page-table.ts';

/** ms without a key before records are looked for. */
const SEARCH_DELAY = 150;
const FOUND = 5;
/** Of each kind where many kinds were found. */
const FEW = 3;

/** Pages without a record in their address, named like the path over the screen. */
function placesOf(groups: readonly NavGroup[], visitor: Visitor): PaletteItem[] {
  const items = groups.flatMap((group) => group.items);
  return pageTable
    .filter((page) => page.area === 'staff' && page.load && !page.path.includes(':')
      && decide(page, visitor).kind === 'allow')
    .map((page) => {
      const crumbs = crumbsOf(groups, pageTable, page, page.path).map((crumb) => crumb.label);
      const icon = items.find((item) => item.href === page.path)?.icon ?? PanelsTopLeft;
      return { href: page.path, label: crumbs.at(-1) ?? page.title, detail: crumbs.slice(0, -1).join(', '), icon };
    });
}

/** Actions on the best show and the best customer among the search hits (picture 10). */
function deedsOf(hits: readonly SearchHit[], may: ReturnType<typeof useMay>): PaletteItem[] {
  const best = (entity: SearchHit['entity']): SearchHit | undefined => hits.find((hit) => hit.entity === entity);
  const [show, customer] = [best('show'), best('customer')];
  const quotes = may('license.create');
  return [
    quotes && show && { label: `New quote for ${show.title}`, icon: FilePlus,
      href: `/admin/quotes/create?show=${show.entity_id}` },
    quotes && customer && { label: `New quote for ${customer.title}`, icon: FilePlus,
      href: `/admin/quotes/create?customer=${customer.entity_id}` },
    show && may('show.show') && { label: `Check availability of ${show.title}`, icon: CalendarDays,
      href: `${show.href}/restrictions` },
  ].filter((item) => item !== undefined && item !== false);
}

/** The list on the open page, narrowed to what was typed. */
function useFilterThis(text: string): PaletteItem[] {
  const { go } = useNavigation();
  const { path, query } = useAddress();
  const [here] = useState(hasListSearch);
  const search = text.trim();
  return here && search !== '' ? [{ label: `Filter this list by “${search}”`, icon: ListFilter,
    run: () => go(withQuery(path, query, { search, page: null })) }] : [];
}

/** Customer and number, the former number beside the one that is valid now. */
function detailOf({ detail, number, former_number: former }: SearchHit): string {
  return [detail, former === null ? number : `${number} (formerly ${former})`].filter(Boolean).join(' · ');
}

/** Records of every kind that this person may read, the best of each; the way to all of them comes last. */
function useRecords(text: string): { groups: PaletteGroup[]; deeds: PaletteItem[]; searching: boolean } {
  const search = text.trim();
  const may = useMay();
  const wanted = may('search_index.list') && search.length >= SEARCH_SHORTEST;
  const read = useEndpoint(searchEndpoints.all, { query: { search } }, { enabled: wanted });
  if (!wanted) return { groups: [], deeds: [], searching: false };
  const found = read.data?.data.groups ?? [];
  const groups = found.map((group): PaletteGroup => ({ label: KINDS[group.entity].many,
    items: group.rows.slice(0, found.length > 3 ? FEW : FOUND).map((hit) => ({ href: hit.href, label: hit.title,
      icon: KINDS[hit.entity].icon, detail: detailOf(hit),
      aside: hit.status !== null && (hit.status in PHASES ? <PhaseBadge phase={hit.status} small />
        : <Badge small tone="outline">{plainStatus(hit.status)}</Badge>) })) }));
  const total = found.reduce((sum, group) => sum + group.total, 0);
  const all = { label: `All results for “${search}”`, icon: Search, href: searchHref(search),
    detail: countOf({ total, total_is_exact: found.every((group) => group.total_is_exact) }) };
  return { searching: read.isFetching, deeds: deedsOf(found.flatMap((group) => group.rows), may),
    groups: found.length === 0 ? [] : [...groups, { label: 'Search', items: [all] }] };
}

export interface PaletteProps { userId: number; visitor: Visitor; groups: readonly NavGroup[]; onClose: () => void }

export default function Palette({ userId, visitor, groups, onClose }: PaletteProps) {
  const [text, setText] = useState('');
  const records = useRecords(useSettled(text, SEARCH_DELAY));
  const filter = useFilterThis(text);
  const recent = recentOf(userId).map((one): PaletteItem => ({ href: one.href, label: one.title, icon: History }));
  const [actions] = useState(() => pageActions().map((one): PaletteItem => ({ ...one, icon: MousePointerClick })));
  const places = placesOf(groups, visitor);
  const matching = (items: PaletteItem[]): PaletteItem[] =>
    matchSorter(items, text.trim(), { keys: ['label', 'detail'] }).slice(0, FOUND);
  const shown: PaletteGroup[] = text.trim() === ''
    ? [{ label: 'On this page', items: actions }, { label: 'Opened lately', items: recent.slice(0, FOUND) },
      { label: 'Go to', items: groups.flatMap((group) => group.items) }]
    : [{ label: 'On this page', items: matching(actions) }, ...records.groups,
      { label: 'Do', items: [...records.deeds, ...filter] },
      { label: 'Opened lately', items: matching(recent) },
      { label: 'Go to', items: matching(places) }];
  return <CommandPalette text={text} onText={setText} groups={shown} searching={records.searching} onClose={onClose} />;
}
