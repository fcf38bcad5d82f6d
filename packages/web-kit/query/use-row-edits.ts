/** Saves cells of a list (U10): through the update of its record, with the version that is on screen. */
import { call, type CallArgs } from '#kit/client.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import type { RowEdits } from '#web/data/column.ts';
import { useMay } from './current-user.ts';
import { useRefresh } from './use-refresh.ts';

/** Undefined for whoever may not change such records. `Row` has an id and a version, as every update asks for. */
export function useRowEdits<Row>(update: AnyEndpoint | undefined): RowEdits<Row> | undefined {
  const may = useMay();
  const reread = useRefresh(update ? [update] : []);
  if (update?.auth.kind !== 'staff' || !may(update.auth.permission)) return undefined;
  return {
    reread,
    save: async (row, changes, idempotencyKey) => {
      const { id, version } = row as { id: number; version: number };
      const args = { params: { id }, body: { ...changes, version } } as unknown as CallArgs<typeof update>;
      const answer = await call(update, args, { idempotencyKey }) as { data: Row };
      await reread();
      return answer.data;
    },
  };
}
