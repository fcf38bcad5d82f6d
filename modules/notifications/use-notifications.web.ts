/** The calls of one area under one name: the office's, or those of a customer's portal. */
import { useAction, type Action } from '#web/query/use-action.ts';
import { useEndpoint, useList, type ListState } from '#web/query/use-endpoint.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import {
  notificationEndpoints, portalNotificationEndpoints, type NotificationCounts, type NotificationRow,
} from './notification.contract.ts';

/** null: the office. */
export type Place = number | null;

const endpointsOf = (place: Place) =>
  (place === null ? notificationEndpoints : portalNotificationEndpoints) as typeof notificationEndpoints;
const paramsOf = (place: Place) => (place === null ? {} : { params: { id: place } }) as object;

/** Unread, read again by itself whenever the live channel or a mark says so. */
export function useCounts(place: Place): NotificationCounts | undefined {
  return useEndpoint(endpointsOf(place).meta, paramsOf(place)).data?.data;
}

export function useRecent(place: Place, enabled: boolean) {
  return useEndpoint(endpointsOf(place).recent, paramsOf(place), { enabled });
}

export function useNotificationList(place: Place): ListState<NotificationRow> {
  return useList(endpointsOf(place).list, paramsOf(place), { filters: ['read', 'kind'] });
}

export interface Marks {
  pending: boolean;
  one: (id: number, read: boolean) => Promise<unknown>;
  many: (ids: readonly number[], read: boolean) => Promise<unknown>;
  all: (upTo: number) => Promise<unknown>;
}

export function useMarks(place: Place): Marks {
  const { list, markRead, markUnread, markAllRead } = endpointsOf(place);
  const refresh: readonly AnyEndpoint[] = [list];
  const read = useAction(markRead, { refresh });
  const unread = useAction(markUnread, { refresh });
  const every = useAction(markAllRead, { refresh, done: 'All read' });
  const run = (ids: readonly number[], asRead: boolean): Promise<unknown> => {
    const [first, ...more] = ids;
    if (first === undefined) return Promise.resolve();
    const action = (asRead ? read : unread) as Action<typeof markRead>;
    const params = place === null ? { id: first } : { id: place, notificationId: first };
    return action.run({ params: params as { id: number }, body: more.length > 0 ? { ids: more } : {} });
  };
  return {
    pending: read.pending || unread.pending || every.pending,
    one: (id, asRead) => run([id], asRead),
    many: run,
    // The place is the staff's or a customer's; each has its own parameters.
    all: (upTo) => every.run({ ...paramsOf(place), body: { up_to_id: upTo } } as never),
  };
}
