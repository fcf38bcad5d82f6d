/**
 * Saved views of a list as its tab row: each stands for fixed filters and shows how many rows it holds. The view is
 * `?view=` in the address; the first one is the default and needs none.
 */
import { useQueries } from '@tanstack/react-query';
import { useAddress, useQueryValues, withQuery } from '#web/navigation/navigation.tsx';
import type { AnyEndpoint, ResponseOf } from '#kit/endpoint.ts';
import type { CallArgs } from '#kit/client.ts';
import { totalText } from '#web/data/total-text.ts';
import type { TabItem } from '#web/layout/tabs.tsx';
import { readOptions } from '#web/query/use-endpoint.ts';

export interface ListView { id: string; text: string; query: Readonly<Record<string, string>> }

interface CountAnswer { meta?: { total: number; total_is_exact?: boolean } }

function countText(answer: CountAnswer | undefined): string | undefined {
  return answer?.meta && totalText(answer.meta);
}

export function useViews<E extends AnyEndpoint>(endpoint: E, views: readonly ListView[], fixed: Record<string,
  string> = {}) {
  const { path, query } = useAddress();
  const { values } = useQueryValues();
  const wanted = values.get('view');
  const current = views.find((view) => view.id === wanted) ?? views[0];
  const counts = useQueries({
    queries: views.map((view) => ({
      ...readOptions(endpoint, { query: { ...fixed, ...view.query, per_page: 1 } } as unknown as CallArgs<E>),
    })),
  });
  const tabs = views.map((view, index): TabItem => ({
    id: view.id, text: view.text, active: view === current,
    note: countText(counts[index]?.data as (ResponseOf<E> & CountAnswer) | undefined),
    href: withQuery(path, query, { view: index === 0 ? null : view.id, page: null }),
  }));
  return { tabs, query: current?.query ?? {}, current };
}
