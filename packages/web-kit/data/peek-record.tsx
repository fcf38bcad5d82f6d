/** Parts of a peek that a record's own history and its list of what is still due fill. */
import { CircleCheck, CircleDashed, CircleSlash } from 'lucide-react';
import type { ZodType } from 'zod';
import { remote } from '#kit/client.ts';
import type { Endpoint } from '#kit/endpoint.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { actionWords } from './activity-acts.ts';
import type { RecordedEvent } from './activity-log.tsx';
import { DateText } from './date-text.tsx';
import { PeekSection, PeekWait } from './peek-view.tsx';
import styles from './peek.module.css';

export interface PeekCheck {
  key: string | number;
  label: string;
  status: 'open' | 'done' | 'waived';
  /** 'Customer, 5 days'. */
  note?: string | undefined;
  late?: boolean | undefined;
}

const MARKS = { open: CircleDashed, done: CircleCheck, waived: CircleSlash } as const;

/** Checks required before the next step: done ones with a tick, the rest as an open ring. */
export function PeekChecks({ items }: { items: readonly PeekCheck[] }) {
  return (
    <ul className={styles.checks}>
      {items.map(({ key, label, status, note, late }) => (
        <li key={key} data-done={status === 'done' || undefined} data-late={late || undefined}>
          <Glyph icon={MARKS[status]} size={16} />
          <span>
            {label}<span className="gr-hidden">, {status}</span>{note && <small>{note}</small>}
          </span>
        </li>
      ))}
    </ul>
  );
}

const PATH = '/api/admin/staff/activity';
interface ActivityQuery { entity: string; entity_id: number; page: number }
const activity = remote<Endpoint<typeof PATH, undefined, ZodType<ActivityQuery, ActivityQuery>, undefined,
  ZodType<{ data: RecordedEvent[]; meta: { last_page: number } }>>>('GET', PATH);
const MOST = 4;

export interface PeekEvent { id: number; what: string; who: string | null; when: string }

/** The last things that happened, newest first. */
export function PeekEvents({ events }: { events: readonly PeekEvent[] }) {
  if (events.length === 0) return null;
  return (
    <PeekSection title="Last happenings">
      <ul className={styles.events}>
        {events.slice(0, MOST).map((event) => (
          <li key={event.id}>
            {event.who ?? 'Grand Rights'} {event.what}<small><DateText value={event.when} /></small>
          </li>
        ))}
      </ul>
    </PeekSection>
  );
}

/** Of a record as the audit trail names it; nothing where nobody may read that. */
export function PeekHappenings({ entity, id }: { entity: string; id: number }) {
  const read = useEndpoint(activity, { query: { entity, entity_id: id, page: 1 } });
  if (read.isError) return null;
  if (!read.data || read.isPlaceholderData) return <PeekWait title="Last happenings" lines={3} />;
  return (
    <PeekEvents events={read.data.data.map((one) => ({ id: one.id, what: actionWords(one.action), who: one.actor,
      when: one.created_at }))} />
  );
}
