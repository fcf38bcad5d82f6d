/** Columns of lists that the server keeps for the person (U9); modules/identity/list-columns has the whole. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ZodType } from 'zod';
import { STAFF_ROLES } from '#kit/auth.ts';
import { call, remote } from '#kit/client.ts';
import type { Endpoint } from '#kit/endpoint.ts';
import type { KeptColumns, StoredColumns } from '#web/data/use-column-choices.ts';
import { useCurrentUser } from './current-user.ts';

type StoredColumnChoice = StoredColumns & { list: string; pinned: boolean; widths: Record<string, number> };
const PATH = '/api/users/me/columns';
const calls = {
  list: remote<Endpoint<typeof PATH, undefined, undefined, undefined,
    ZodType<{ data: StoredColumnChoice[] }>>>('GET', PATH),
  keep: remote<Endpoint<typeof PATH, undefined, undefined, ZodType<StoredColumnChoice, StoredColumnChoice>,
    ZodType<{ data: StoredColumnChoice }>>>('PUT', PATH),
};
const KEY = [`GET ${PATH}`];

/** ms after the last of several choices, until they are sent together. */
export const KEEP_AFTER = 800;
const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** Undefined for everybody but staff: other lists have no columns to choose. */
export function useKeptColumns(): KeptColumns | undefined {
  const user = useCurrentUser();
  const client = useQueryClient();
  const on = user !== null && user !== undefined && STAFF_ROLES.some((role) => role === user.role);
  const { data } = useQuery({ queryKey: KEY, enabled: on, staleTime: 300_000,
    queryFn: ({ signal }) => call(calls.list, {}, { signal }) });
  return useMemo(() => !on ? undefined : {
    of: (list) => (data?.data ?? []).find((one) => one.list === list),
    keep: (list, { shown, order, pinned = false, widths = {} }) => {
      const body = { list, shown, order, pinned, widths };
      client.setQueryData<{ data: StoredColumnChoice[] }>(KEY, (old) => old
        && { data: [...old.data.filter((one) => one.list !== list), body] });
      clearTimeout(waiting.get(list));
      // Without an answer the choice lasts until the page is loaded anew.
      waiting.set(list, setTimeout(() => { call(calls.keep, { body }).catch(() => undefined); }, KEEP_AFTER));
    },
  }, [on, data, client]);
}
