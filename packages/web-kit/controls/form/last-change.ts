/** Author of a record's last change, from its activity (X200). The portal does not name staff. */
import type { ZodType } from 'zod';
import { call, remote } from '#kit/client.ts';
import type { Endpoint } from '#kit/endpoint.ts';

/** `who` is null for the system and undefined where the reader may not know. */
export interface LastChange { who: string | null | undefined; when: string }
interface Changed { entity?: string | undefined; id?: number | undefined; changed_at?: string | undefined }

interface ActivityQuery { entity: string; entity_id: number; per_page: number }
interface Row { actor: string | null; created_at: string }
type Activity = Endpoint<'/api/admin/staff/activity', undefined, ZodType<ActivityQuery, ActivityQuery>, undefined,
  ZodType<{ data: Row[] }>>;
const activity = remote<Activity>('GET', '/api/admin/staff/activity');

/** null: the reader may not know, or nobody could be asked. */
export async function lastChangeOf(record: Changed | null | undefined): Promise<LastChange | null> {
  if (!record?.entity || record.id === undefined) {
    return record?.changed_at ? { who: undefined, when: record.changed_at } : null;
  }
  try {
    const query = { entity: record.entity, entity_id: record.id, per_page: 1 };
    const { data } = await call(activity, { query }, { background: true });
    return data[0] ? { who: data[0].actor, when: data[0].created_at } : null;
  } catch {
    return null;
  }
}
