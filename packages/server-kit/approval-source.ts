/**
 * One kind of record that waits for a second person, as the approvals inbox lists it. A context exports a source for
 * each of its kinds and `modules/approvals` registers it; the calls that decide stand in approval-kinds.contract.ts.
 */
import type * as z from 'zod';
import type { declinedRow } from '#kit/approval.ts';
import { conflict } from '#kit/errors.ts';
import type { WorkContext } from './context.ts';
import type { Queryable } from './db.ts';
import { join, name, sql, type Sql } from './sql.ts';

/** Expressions over `from`, one record a row. */
export interface WaitingRecords {
  /** Tables with joins and the condition under which a record waits, from the word `from` on. */
  from: Sql;
  entity_id: Sql;
  /** Null where the record belongs to no division. */
  division?: Sql;
  title: Sql;
  detail: Sql;
  /** With `amount_minor`, or neither. */
  currency?: Sql;
  amount_minor?: Sql;
  asked_by_id: Sql;
  asked_at: Sql;
  /** Everybody else who may not decide: four eyes compares persons. The person who asked never may. */
  barred_ids?: Sql;
  /** Address of the record inside the application. */
  href: Sql;
  /** `params` of the calls. */
  params: Sql;
  approve_body: Sql;
  /** Fields of the decline call beside its reason. */
  decline_body: Sql;
  /** Why it cannot be approved before something else happens; null where it can. */
  blocked?: Sql;
}

const none = sql`null`;

/** Lets an index that begins with the division find rows by their status. */
export const everyDivision = sql`array(select code from divisions)`;

/** The rows of one kind with the columns that all kinds share. */
export function waitingRows(kind: string, of: WaitingRecords): Sql {
  const columns: Record<string, Sql> = {
    kind: sql`${kind}::text`, entity_id: sql`(${of.entity_id})::bigint`, division: sql`(${of.division ?? none})::text`,
    title: sql`(${of.title})::text`, detail: sql`(${of.detail})::text`,
    currency: sql`(${of.currency ?? none})::text`, amount_minor: sql`(${of.amount_minor ?? none})::bigint`,
    asked_by_id: sql`(${of.asked_by_id})::bigint`, asked_at: sql`(${of.asked_at})::timestamptz`,
    barred_ids: sql`(${of.barred_ids ?? sql`'{}'`})::bigint[]`, href: sql`(${of.href})::text`,
    params: of.params, approve_body: of.approve_body, decline_body: of.decline_body,
    blocked: sql`(${of.blocked ?? none})::text`,
  };
  return sql`select ${join(Object.entries(columns).map(([key, value]) => sql`${value} as ${name(key)}`))} ${of.from}`;
}

export type Decline = z.infer<typeof declinedRow>;
export const DECLINED_ENTITIES = ['rate_card', 'bom_template', 'royalty_statement_run', 'royalty_adjustment'] as const;
export type DeclinedEntity = (typeof DECLINED_ENTITIES)[number];

/** True where this version of a draft was declined. */
export const isDeclined = (entity: DeclinedEntity, id: Sql, version: Sql): Sql => sql`exists (
  select 1 from approval_declines x where x.entity = ${entity} and x.entity_id = ${id}
    and x.entity_version = ${version})`;

/** The decline of this version of a draft as JSON; null where there is none. */
export const declineOf = (entity: DeclinedEntity, id: Sql, version: Sql): Sql => sql`(
  select jsonb_build_object('reason', x.reason, 'by_name', u.first_name || ' ' || u.last_name, 'at', x.created_at)
  from approval_declines x join users u on u.id = x.declined_by_id
  where x.entity = ${entity} and x.entity_id = ${id} and x.entity_version = ${version})`;

/** Records that a version of a draft is declined; its row is locked by the caller. 409 where it is already. */
export async function declineDraft(ctx: WorkContext, draft: {
  entity: DeclinedEntity; id: number; version: number; reason: string;
}): Promise<void> {
  const { entity, id, version, reason } = draft;
  if (await wasDeclined(ctx.db, entity, id, version)) {
    throw conflict('approval.declined', 'This was already declined. Changing it asks for approval again.');
  }
  await ctx.db.exec(sql`
    insert into approval_declines (entity, entity_id, entity_version, reason, declined_by_id, created_at)
    values (${entity}, ${id}, ${version}, ${reason}, ${ctx.actor.actor_id}, ${ctx.now().toISOString()})`);
  await ctx.audit({ action: 'decline', entity, entity_id: id, after: { reason } });
}

async function wasDeclined(db: Queryable, entity: DeclinedEntity, id: number, version: number): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from approval_declines where entity = ${entity} and entity_id = ${id} and entity_version = ${version}`);
  return rows.length > 0;
}
