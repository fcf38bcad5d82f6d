/**
 * List state kept in the address: page, per_page, sort_by, sort_direction, search and the filters. Reload, Back and a
 * copied link give the same screen (U7). Changing anything but the page returns to page 1.
 */
import { useCallback, useMemo } from 'react';
import { useQueryValues } from '#web/navigation/navigation.tsx';

/** SPEC.md 9 (C77, S104). */
export const PAGE_SIZE = 10;
export const PAGE_SIZES = [10, 25, 50, 100] as const;
const OWN = ['page', 'per_page', 'sort_by', 'sort_direction', 'search'] as const;

export interface TableSearch {
  page: number;
  perPage: number;
  sortBy: string | undefined;
  sortDirection: 'asc' | 'desc';
  search: string;
  /** Values of the filters that are set. */
  filters: Readonly<Record<string, string>>;
  /** Whether a search text or a filter narrows the list: the empty list then offers Clear filter. */
  narrowed: boolean;
  setPage: (page: number) => void;
  setPerPage: (perPage: number) => void;
  /** First press ascending, second descending, third the list's own order. */
  toggleSort: (sortBy: string) => void;
  setSearch: (search: string) => void;
  setFilter: (name: string, value: string | null) => void;
  clear: () => void;
  /** Query for the endpoint: only what is set, the names of the wire. */
  query: Record<string, string | number>;
}

export interface TableSearchOptions {
  /** Names of the filters the list understands. */
  filters?: readonly string[];
  perPage?: number;
  sortBy?: string;
  sortDirection?: 'asc' | 'desc';
  /** Before every name in the address where one screen holds two lists. */
  prefix?: string;
}

function wholeNumber(text: string | null, fallback: number): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : fallback;
}

export function useTableSearch(options: TableSearchOptions = {}): TableSearch {
  const { perPage: size = PAGE_SIZE, prefix = '' } = options;
  const { values, set } = useQueryValues();
  const filterNames = (options.filters ?? []).join(',');
  const read = useCallback((name: string) => values.get(prefix + name), [values, prefix]);
  const change = useCallback((changes: Record<string, string | null>, push = false) => {
    const named = Object.entries(changes).map(([name, value]) => [prefix + name, value] as const);
    set(Object.fromEntries(named), { push });
  }, [set, prefix]);

  return useMemo(() => {
    const names = filterNames.split(',').filter(Boolean);
    const pairs = names.flatMap((name) => {
      const value = read(name);
      return value ? [[name, value] as const] : [];
    });
    const filters = Object.fromEntries(pairs);
    const page = wholeNumber(read('page'), 1);
    const perPage = Math.min(100, wholeNumber(read('per_page'), size));
    const sortBy = read('sort_by') ?? options.sortBy;
    const sortDirection = (read('sort_direction') ?? options.sortDirection) === 'desc' ? 'desc' : 'asc';
    const search = read('search') ?? '';
    return {
      page, perPage, sortBy, sortDirection, search, filters,
      narrowed: search !== '' || pairs.length > 0,
      setPage: (next) => change({ page: next === 1 ? null : String(next) }, true),
      setPerPage: (next) => change({ per_page: next === size ? null : String(next), page: null }),
      toggleSort: (id) => {
        if (read('sort_by') === id && sortDirection === 'desc') {
          change({ sort_by: null, sort_direction: null, page: null });
        } else {
          const direction = sortBy === id && sortDirection === 'asc' ? 'desc' : 'asc';
          change({ sort_by: id, sort_direction: direction, page: null });
        }
      },
      setSearch: (text) => change({ search: text.trim() || null, page: null }),
      setFilter: (name, value) => change({ [name]: value, page: null }),
      clear: () => change(Object.fromEntries([...names, 'search', 'page'].map((name) => [name, null]))),
      query: {
        page, per_page: perPage, ...filters,
        ...(search ? { search } : {}),
        ...(sortBy ? { sort_by: sortBy, sort_direction: sortDirection } : {}),
      },
    };
  }, [read, change, filterNames, size, options.sortBy, options.sortDirection]);
}

/** Names that a list keeps for itself; a filter may not be called so. */
export const RESERVED_NAMES: readonly string[] = OWN;
