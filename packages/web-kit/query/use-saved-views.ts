/**
 * Views of lists that the person keeps (U8): what stands in the list's address and which columns are shown, under a
 * name. The open one is `?saved=12` in the address, so Back, reload and a copied link keep it.
 */
import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ZodType } from 'zod';
import { STAFF_ROLES } from '#kit/auth.ts';
import { call, remote } from '#kit/client.ts';
import type { Endpoint } from '#kit/endpoint.ts';
import { totalText } from '#web/data/total-text.ts';
import { DIVISION_PARAMETER } from '#web/layout/division.ts';
import { useNavigation, useQueryValues, withQuery } from '#web/navigation/navigation.tsx';
import { useCurrentUser } from './current-user.ts';

/** The part of a saved view that lists need; the whole is in modules/identity/saved-views. */
export interface SavedView {
  id: number;
  page_key: string;
  name: string;
  search: Record<string, string>;
  columns: string[];
  shared: boolean;
  is_default: boolean;
  mine: boolean;
  owner_name: string;
  version: number;
}
type Saving = Pick<SavedView, 'page_key' | 'name' | 'search' | 'columns' | 'shared' | 'is_default'>;
const PATH = '/api/users/me/views';
export const savedViews = {
  list: remote<Endpoint<typeof PATH, undefined, undefined, undefined, ZodType<{ data: SavedView[] }>>>('GET', PATH),
  create: remote<Endpoint<typeof PATH, undefined, undefined, ZodType<Saving, Saving>, ZodType<{ data: SavedView }>>>(
    'POST', PATH),
  update: remote<Endpoint<`${typeof PATH}/{id}`, undefined, undefined,
    ZodType<Partial<Saving> & { version: number }, Partial<Saving> & { version: number }>,
    ZodType<{ data: SavedView }>>>('PUT', `${PATH}/{id}`),
  remove: remote<Endpoint<`${typeof PATH}/{id}`, undefined, undefined, undefined, null>>('DELETE', `${PATH}/{id}`),
};

/** '/admin/customers/5/users' is the list '/admin/customers/:id/users'. */
export function pageKeyOf(path: string): string {
  return path.split('/').map((part) => (/^\d+$/.test(part) ? ':id' : part)).join('/');
}

const NOT_KEPT = ['saved', 'page'];

/** Part of the address that a view keeps: everything but the page, the view itself and the names in `apart`. */
export function keptOf(values: URLSearchParams, apart: readonly string[] = []): Record<string, string> {
  return Object.fromEntries([...values].filter(([name, value]) => !NOT_KEPT.includes(name) && !apart.includes(name)
    && value !== ''));
}

/** The division is where the reader is, not what the view is about. */
const comparable = (search: Record<string, string>): string => JSON.stringify(
  Object.entries(search).filter(([name]) => name !== DIVISION_PARAMETER).toSorted());

export interface SavedViewsState {
  pageKey: string;
  views: readonly SavedView[];
  /** The one of the address. */
  current: SavedView | undefined;
  /** The address asks for something else than the open view keeps. */
  changed: boolean;
  search: Record<string, string>;
  hrefOf: (view: SavedView) => string;
  /** The list without a view, filters and order. */
  plainHref: string;
  /** Asks how many rows a view has; the list behind it says how. */
  count?: ((view: SavedView, signal: AbortSignal) => Promise<ViewCount>) | undefined;
}

export interface ViewCount { total: number; total_is_exact?: boolean | undefined }

/** Views whose rows are counted when the menu opens: each is a call. */
const COUNTED = 20;

/** Rows of each view by its id, asked for while the menu is open; a count that fails is not shown. */
export function useViewCounts({ views, count }: SavedViewsState, open: boolean): ReadonlyMap<number, string> {
  const asked = count ? views.slice(0, COUNTED) : [];
  const answers = useQueries({ queries: asked.map((view) => ({
    queryKey: [`GET ${PATH}`, 'count', view.id, view.version, view.search], enabled: open, retry: false,
    queryFn: ({ signal }: { signal: AbortSignal }) => count!(view, signal),
  })) });
  return new Map(asked.flatMap((view, index) => {
    const data = answers[index]?.data;
    return data ? [[view.id, totalText(data)]] : [];
  }));
}

const NOTHING_APART: readonly string[] = [];

/**
 * Views of the list at this address; undefined for everybody but staff, and where a screen holds several lists.
 * The person's default opens by itself where the address asks for nothing. What is `apart`, as the days of a report,
 * no view keeps: it stays as it is when a view opens.
 */
export function useSavedViews(enabled: boolean, apart = NOTHING_APART): SavedViewsState | undefined {
  const user = useCurrentUser();
  const on = enabled && user !== null && user !== undefined && STAFF_ROLES.some((role) => role === user.role);
  const { data } = useQuery({ queryKey: [`GET ${PATH}`], enabled: on, staleTime: 300_000,
    queryFn: ({ signal }) => call(savedViews.list, {}, { signal }) });
  const { values } = useQueryValues();
  const { go, read } = useNavigation();
  const { path } = read();
  const pageKey = pageKeyOf(path);
  const views = (data?.data ?? []).filter((view) => view.page_key === pageKey);
  const carried = Object.fromEntries([...values].filter(([name, value]) => apart.includes(name) && value !== ''));
  const hrefOf = (view: SavedView): string =>
    `${path}?${new URLSearchParams({ ...carried, ...view.search, saved: String(view.id) }).toString()}`;
  const preset = views.find((view) => view.mine && view.is_default);
  // The division of the address is where the reader is, so the default view opens there.
  const here = values.get(DIVISION_PARAMETER);
  const presetHref = preset
    && withQuery(path, hrefOf(preset).slice(path.length), here ? { [DIVISION_PARAMETER]: here } : {});
  const opened = useRef<string>(undefined);
  useEffect(() => {
    if (!on || data === undefined || opened.current === path) return;
    opened.current = path;
    const asked = Object.keys(keptOf(new URLSearchParams(read().query))).some((name) => name !== DIVISION_PARAMETER);
    if (presetHref !== undefined && !asked) go(presetHref, { replace: true });
  }, [on, data, path, presetHref, go, read]);
  if (!on) return undefined;
  const search = keptOf(values, apart);
  const plain = new URLSearchParams(carried).toString();
  const current = views.find((view) => String(view.id) === values.get('saved'));
  return { pageKey, views, current, search, hrefOf, plainHref: plain === '' ? path : `${path}?${plain}`,
    changed: current !== undefined && comparable(current.search) !== comparable(search) };
}
