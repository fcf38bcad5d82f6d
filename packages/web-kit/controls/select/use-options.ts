/**
 * The options an open list shows: local ones ranked at once, remote ones page by page.
 *
 * Remote: the first page is read when the list opens; a search runs 300 ms after the last keystroke (C55, S35);
 * `loadMore` reads the next page while `current_page` is below `last_page` (S33, S34). Closing aborts what is under
 * way and empties the search (S32). An answer that arrives late for an older search is dropped.
 */
import { useEffect, useReducer, useRef, useState } from 'react';
import { failureText } from '../failure/failure.ts';
import { rankOptions, type Option, type OptionPage, type OptionSource, type OptionValue } from './option.ts';

/** ms between the last keystroke in a select's search box and the search (C55). */
export const SELECT_SEARCH_DEBOUNCE = 300;

type Pages<V extends OptionValue> = {
  items: Option<V>[];
  page: number;
  last: number;
  loading: boolean;
  failure: string;
};
type PagesEvent<V extends OptionValue> =
  | { type: 'started'; fresh: boolean }
  | { type: 'arrived'; fresh: boolean; page: OptionPage<V> }
  | { type: 'failed'; text: string }
  | { type: 'closed' };

function pagesReducer<V extends OptionValue>(state: Pages<V>, event: PagesEvent<V>): Pages<V> {
  switch (event.type) {
    case 'started': return { ...state, items: event.fresh ? [] : state.items, loading: true, failure: '' };
    case 'arrived': return {
      items: event.fresh ? event.page.data : [...state.items, ...event.page.data],
      page: event.page.meta.current_page,
      last: event.page.meta.last_page,
      loading: false,
      failure: '',
    };
    case 'failed': return { ...state, loading: false, failure: event.text };
    case 'closed': return { items: [], page: 0, last: 0, loading: false, failure: '' };
  }
}

export type OptionsInput<V extends OptionValue> = {
  options?: readonly Option<V>[] | undefined;
  source?: OptionSource<V> | undefined;
  open: boolean;
};
export type Options<V extends OptionValue> = {
  search: string;
  setSearch: (text: string) => void;
  items: Option<V>[];
  /** The items answer the search as typed; an older answer may still stand while the server is asked. */
  isCurrent: boolean;
  loading: boolean;
  failure: string;
  hasMore: boolean;
  loadMore: () => void;
  retry: () => void;
};

export function useOptions<V extends OptionValue>({ options, source, open }: OptionsInput<V>): Options<V> {
  const [search, setSearch] = useState('');
  const [pages, dispatch] = useReducer(pagesReducer<V>, { items: [], page: 0, last: 0, loading: false, failure: '' });
  const latest = useRef(source);
  latest.current = source;
  const running = useRef<AbortController | null>(null);
  const remote = source !== undefined;

  async function load(text: string, page: number) {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    dispatch({ type: 'started', fresh: page === 1 });
    try {
      const answer = await latest.current?.(text, page, controller.signal);
      if (answer && !controller.signal.aborted) dispatch({ type: 'arrived', fresh: page === 1, page: answer });
    } catch (caught) {
      if (!controller.signal.aborted) dispatch({ type: 'failed', text: failureText(caught) });
    }
  }

  const searched = useRef('');
  useEffect(() => {
    if (!remote) return;
    if (open) {
      searched.current = '';
      void load('', 1);
      return;
    }
    running.current?.abort();
    dispatch({ type: 'closed' });
    // `load` only touches refs and dispatch.
  }, [open, remote]);

  useEffect(() => {
    if (!open) setSearch('');
  }, [open]);

  useEffect(() => {
    if (!remote || !open || search === searched.current) return;
    const timer = setTimeout(() => {
      searched.current = search;
      void load(search, 1);
    }, SELECT_SEARCH_DEBOUNCE);
    return () => clearTimeout(timer);
  }, [search, open, remote]);

  useEffect(() => () => running.current?.abort(), []);

  return {
    search,
    setSearch,
    items: remote ? pages.items : rankOptions(options ?? [], search),
    isCurrent: !remote || (!pages.loading && pages.failure === '' && searched.current === search),
    loading: pages.loading,
    failure: pages.failure,
    hasMore: remote && pages.page > 0 && pages.page < pages.last,
    loadMore: () => {
      if (!pages.loading && pages.page < pages.last) void load(searched.current, pages.page + 1);
    },
    retry: () => void load(searched.current, pages.items.length > 0 ? pages.page + 1 : 1),
  };
}
