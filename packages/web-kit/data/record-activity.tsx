/** The Activity of any record of the office, beside its page: who did what, before and after (X200, U24). */
import { useState } from 'react';
import type { ZodType } from 'zod';
import { remote } from '#kit/client.ts';
import type { Endpoint } from '#kit/endpoint.ts';
import { Drawer } from '#web/layout/overlay.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ActivityLog, type RecordedEvent } from './activity-log.tsx';

const PATH = '/api/admin/staff/activity';
interface ActivityQuery { entity: string; entity_id: number; page: number }
const read = remote<Endpoint<typeof PATH, undefined, ZodType<ActivityQuery, ActivityQuery>, undefined,
  ZodType<{ data: RecordedEvent[]; meta: { last_page: number } }>>>('GET', PATH);

/** A record as the audit trail names it: `{entity: 'venue', id: 12}`. */
export interface RecordName { entity: string; id: number }

export default function RecordActivity({ record, onClose }: { record: RecordName; onClose: () => void }) {
  const [page, setPage] = useState(1);
  const answer = useEndpoint(read, { query: { entity: record.entity, entity_id: record.id, page } });
  return (
    <Drawer open floating title="Activity" width={420} onClose={onClose}>
      <ActivityLog read={answer} page={page} onPage={setPage} />
    </Drawer>
  );
}
