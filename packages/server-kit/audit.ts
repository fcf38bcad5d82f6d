/**
 * Audit row: actor, action, time, origin, before and after, in the same transaction as the change it describes
 * (reliability.md 1.7). The table is append-only in the database.
 */
import { sql } from './sql.ts';
import type { Queryable } from './db.ts';

export interface AuditEntry {
  /** Verb of the endpoint or event: create, update, remove, sign, post … */
  action: string;
  /** Resource name, singular: license, invoice. */
  entity: string;
  entity_id: number | null;
  before?: unknown;
  after?: unknown;
}

export interface AuditActor {
  actor_id: number | null;
  on_behalf_of_customer_id: number | null;
  session_id: number | null;
  ip: string | null;
  request_id: string | null;
}

/** The scheduler and the system's own work. */
export const SYSTEM_ACTOR: AuditActor = {
  actor_id: null, on_behalf_of_customer_id: null, session_id: null, ip: null, request_id: null,
};

/**
 * Actor of background work, and its origin: the request that last asked for it, according to its own audit row. Rows
 * the work writes name the same session, address and request, minutes later and on any server.
 */
export async function actorWhoAsked(
  db: Queryable, actorId: number | null, asked: { entity: string; entity_id: number },
): Promise<AuditActor> {
  const origin = actorId === null ? null : await db.maybeOne<Omit<AuditActor, 'actor_id'>>(sql`
    select on_behalf_of_customer_id, session_id, host(ip) as ip, request_id from audit_events
    where entity = ${asked.entity} and entity_id = ${asked.entity_id} and actor_id = ${actorId}
      and request_id is not null order by id desc limit 1`);
  return { ...SYSTEM_ACTOR, ...origin, actor_id: actorId };
}

export async function writeAudit(db: Queryable, actor: AuditActor, entry: AuditEntry): Promise<void> {
  await db.exec(sql`
    insert into audit_events (actor_id, on_behalf_of_customer_id, session_id, ip, request_id, action, entity,
      entity_id, before, after)
    values (${actor.actor_id}, ${actor.on_behalf_of_customer_id}, ${actor.session_id}, ${actor.ip},
      ${actor.request_id}, ${entry.action}, ${entry.entity}, ${entry.entity_id},
      ${json(entry.before)}, ${json(entry.after)})`);
}

/** Rows of the same act on many records, in one statement and in the given order. */
export async function writeAuditMany(db: Queryable, actor: AuditActor, entries: readonly AuditEntry[]): Promise<void> {
  const of = <T>(pick: (entry: AuditEntry) => T): T[] => entries.map(pick);
  await db.exec(sql`
    insert into audit_events (actor_id, on_behalf_of_customer_id, session_id, ip, request_id, action, entity,
      entity_id, before, after)
    select ${actor.actor_id}, ${actor.on_behalf_of_customer_id}, ${actor.session_id}, ${actor.ip},
      ${actor.request_id}, action, entity, entity_id, before, after
    from unnest(${of((entry) => entry.action)}::text[], ${of((entry) => entry.entity)}::text[],
      ${of((entry) => entry.entity_id)}::bigint[], ${of((entry) => json(entry.before))}::jsonb[],
      ${of((entry) => json(entry.after))}::jsonb[]) with ordinality u (action, entity, entity_id, before, after, n)
    order by n`);
}

function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
