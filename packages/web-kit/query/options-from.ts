/** Options of a select out of a list of the API: what was typed is the list's own search, a page at a time. */
import { call, type CallArgs } from '#kit/client.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import type { Option, OptionPage, OptionSource, OptionValue } from '#web/controls/select/option.ts';
import type { RowOf } from './use-endpoint.ts';

/** More than an open list shows, so that the next page is asked for by scrolling alone. */
const PAGE = 20;

/**
 * `optionsFrom(showEndpoints.list, (row) => ({ value: row.id, label: row.title }))`; `given` narrows the list
 * (`{ query: { active: 'true' } }`) and names the record it belongs to (`{ params: { licenseId } }`).
 */
export function optionsFrom<E extends AnyEndpoint, V extends OptionValue>(
  endpoint: E, option: (row: RowOf<E>) => Option<V>,
  given: { params?: Record<string, unknown>; query?: Record<string, unknown> } = {},
): OptionSource<V> {
  return async (search, page, signal) => {
    const query = { page, per_page: PAGE, ...given.query, ...(search === '' ? {} : { search }) };
    const answer = await call(endpoint, { ...given, query } as unknown as CallArgs<E>, { signal });
    const { data, meta } = answer as unknown as { data: readonly RowOf<E>[]; meta: OptionPage['meta'] };
    return { meta, data: data.map(option) };
  };
}
