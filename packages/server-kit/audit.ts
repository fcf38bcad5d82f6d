/**
 * Who did what, when, from where, before and after: one row in the same transaction as the change it describes
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

export async function writeAudit(db: Queryable, actor: AuditActor, entry: AuditEntry): Promise<void> {
  await db.exec(sql`
    insert into audit_events (actor_id, on_behalf_of_customer_id, session_id, ip, request_id, action, entity,
      entity_id, before, after)
    values (${actor.actor_id}, ${actor.on_behalf_of_customer_id}, ${actor.session_id}, ${actor.ip},
      ${actor.request_id}, ${entry.action}, ${entry.entity}, ${entry.entity_id},
      ${json(entry.before)}, ${json(entry.after)})`);
}

function json(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
