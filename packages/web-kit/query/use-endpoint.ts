/**
 * Reading: `useEndpoint(venueEndpoints.show, {params: {id}})` and, for lists, `useList(venueEndpoints.list, ...)`.
 * The key is [method and path, params, query], so every write to the same family can refresh it by its path.
 */
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { BulkList } from '#kit/bulk.ts';
import { call, urlOf, type ApiError, type CallArgs } from '#kit/client.ts';
import type { AnyEndpoint, ResponseOf } from '#kit/endpoint.ts';
import type { RowEdits } from '#web/data/column.ts';
import type { ExportSource } from '#web/data/export-fields.ts';
import type { TablePage } from '#web/data/table-footer.tsx';
import type { KeptColumns } from '#web/data/use-column-choices.ts';
import { useTableSearch, type TableSearch, type TableSearchOptions } from '#web/data/use-table-search.ts';
import type { BulkOffer } from './bulk-offer.ts';
import { useMay } from './current-user.ts';
import { useKeptColumns } from './use-kept-columns.ts';
import { useRowEdits } from './use-row-edits.ts';
import { useSavedViews, type SavedView, type SavedViewsState, type ViewCount } from './use-saved-views.ts';

export interface ReadOptions {
  /** false: waits, for instance until an id is known. */
  enabled?: boolean;
  /** ms the answer counts as fresh; 30 s unless given. */
  staleTime?: number;
  /** ms between reads in the background. */
  refetchInterval?: number;
}

/** Key of a read. `queryKey(venueEndpoints.list)` matches every page and filter of that list. */
export function queryKey(endpoint: AnyEndpoint, args?: { params?: unknown; query?: unknown }): readonly unknown[] {
  const base = [`${endpoint.method} ${endpoint.path}`];
  if (!args) return base;
  return [...base, args.params ?? null, args.query ?? null];
}

/** The read as react-query wants it: for `useQuery`, `prefetchQuery` and `ensureQueryData`. */
export function readOptions<E extends AnyEndpoint>(endpoint: E, args: CallArgs<E>) {
  return {
    queryKey: queryKey(endpoint, args as { params?: unknown; query?: unknown }),
    queryFn: ({ signal }: { signal: AbortSignal }): Promise<ResponseOf<E>> => call(endpoint, args, { signal }),
  };
}

export function useEndpoint<E extends AnyEndpoint>(
  endpoint: E, args: CallArgs<E>, options: ReadOptions = {},
): UseQueryResult<ResponseOf<E>, ApiError> {
  return useQuery<ResponseOf<E>, ApiError>({
    ...readOptions(endpoint, args), ...options, placeholderData: keepPreviousData,
  });
}

/** Props for `<DataTable {...useList(...)} />`: rows, page, search, failure and retry. */
export interface ListState<Row> {
  rows: readonly Row[] | undefined;
  page: TablePage | undefined;
  search: TableSearch;
  error: ApiError | null;
  onRetry: () => void;
  fetching: boolean;
  /** This very view as an export asks for it. Without the right, or outside the office: none. */
  exportOf: ExportSource | undefined;
  /** Bulk actions this person may take on its rows; none where the list offers nothing. */
  bulkOf: BulkOffer | undefined;
  /** Saves its cells for this person; none without the permission. */
  edits: RowEdits<Row> | undefined;
  /** Columns of lists as the person chose them, on whichever machine. */
  keptColumns: KeptColumns | undefined;
  /** Views of this list that staff keep under a name. */
  views: SavedViewsState | undefined;
}

const OFFICE = '/api/admin/';
const UTILITIES = '/api/utilities/';

/** Name of a list for its export: its address below the staff area, or that of a utility. */
const listName = (address: string): string | undefined => (address.startsWith(OFFICE) ? address.slice(OFFICE.length)
  : address.startsWith(UTILITIES) ? address.slice('/api/'.length) : undefined);

function sourceOf(endpoint: AnyEndpoint, args: object): ExportSource | undefined {
  const { params, query } = args as { params?: Record<string, unknown>; query: Record<string, unknown> };
  const { page: _page, per_page: _size, ...filter } = query;
  const model_name = listName(urlOf(endpoint, params));
  return model_name === undefined ? undefined : { model_name, filter };
}

function bulkOf(list: BulkList | undefined, source: ExportSource | undefined, may: ReturnType<typeof useMay>) {
  const actions = list?.actions.filter(({ endpoint: { auth } }) => auth.kind === 'staff' && may(auth.permission)) ?? [];
  return list && source && actions.length > 0 ? { list, actions, source } : undefined;
}

/** Counts the rows of a saved view by asking the list itself for its smallest page. */
async function countOf(
  endpoint: AnyEndpoint, args: ListArgs, filters: readonly string[], { search }: SavedView, signal: AbortSignal,
): Promise<ViewCount> {
  const known = [...filters, 'search', ...Object.keys(args.query ?? {})].filter((name) => search[name] !== undefined);
  const kept = Object.fromEntries(known.map((name) => [name, search[name]]));
  const query = { ...args.query, ...kept, page: 1, per_page: 1 };
  // Every list takes a page; which list it is, its page knows.
  const answer = await call(endpoint, { params: args.params, query } as never, { signal, background: true });
  return (answer as unknown as { meta: ViewCount }).meta;
}

interface ListArgs { params?: Record<string, number | string>; query?: Record<string, unknown> }

/** A row of a list by its contract. */
export type RowOf<E> = ResponseOf<E> extends { data: readonly (infer Row)[] } ? Row : never;

/**
 * A list whose page, sorting, search and filters live in the address.
 *
 * @param options.bulk what the list's contract offers over many rows (#kit/bulk.ts)
 * @param options.views false: a list inside a screen, whose views nobody keeps
 * @param options.edit the update that saves what columns with `edit` change in the list
 * @param args.query fixed values beside those of the address (a customer's id, the division)
 */
export function useList<E extends AnyEndpoint>(
  endpoint: E,
  args: ListArgs = {},
  options: TableSearchOptions & ReadOptions & { views?: false; bulk?: BulkList; edit?: AnyEndpoint } = {},
): ListState<RowOf<E>> {
  const search = useTableSearch(options);
  const { enabled, staleTime, refetchInterval } = options;
  const given = { params: args.params, query: { ...args.query, ...search.query } } as unknown as CallArgs<E>;
  const read = useEndpoint(endpoint, given, {
    ...(enabled === undefined ? {} : { enabled }),
    ...(staleTime === undefined ? {} : { staleTime }),
    ...(refetchInterval === undefined ? {} : { refetchInterval }),
  });
  const may = useMay();
  const source = sourceOf(endpoint, given);
  const keptColumns = useKeptColumns();
  const edits = useRowEdits<RowOf<E>>(options.edit);
  const views = useSavedViews(options.prefix === undefined && options.views !== false);
  const count = (view: SavedView, signal: AbortSignal) => countOf(endpoint, args, options.filters ?? [], view, signal);
  const body = read.data as { data: readonly RowOf<E>[]; meta?: TablePage } | undefined;
  return {
    rows: body?.data,
    page: body?.meta,
    search,
    error: read.isError && !read.data ? read.error : null,
    onRetry: () => void read.refetch(),
    fetching: read.isFetching && read.isPlaceholderData,
    exportOf: may('export.download') ? source : undefined,
    bulkOf: bulkOf(options.bulk, source, may),
    edits,
    keptColumns,
    views: views && { ...views, count },
  };
}
