/** X212: the audit trail, searched: who, what, when, from where, before and after, on behalf of whom. */
import type { ListArgs } from '#kit/endpoint.ts';
import { changesOf } from '#server/activity.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage, type Page } from '#server/list.ts';
import { containing, matches, mentions, plainNumber, sql, type Sql } from '#server/sql.ts';
import type { AuditRow } from './system.contract.ts';

interface Stored extends Omit<AuditRow, 'changes'> {
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}
type Query = ListArgs & { actor_id?: number | undefined; entity?: string | undefined; entity_id?: number | undefined;
  action?: string | undefined; from?: string | undefined; to?: string | undefined };

export async function listAudit(ctx: Ctx, query: Query): Promise<Page<AuditRow>> {
  const text = query.search === undefined ? null : containing(plainNumber(query.search));
  const words = (code: Sql): Sql => matches(sql`replace(${code}, '_', ' ')`, query.search ?? '');
  const page = await listPage<Stored>(ctx.db, {
    base: sql`audit_events t`,
    columns: sql`t.id, t.created_at, t.actor_id, u.first_name || ' ' || u.last_name as actor,
      t.on_behalf_of_customer_id as on_behalf_of_id, c.name as on_behalf_of, host(t.ip) as ip, t.request_id, t.action,
      t.entity, t.entity_id, t.before, t.after, h.audit_event_id is not null as linked,
      x.audit_event_id is not null as erased`,
    joins: sql`left join users u on u.id = t.actor_id left join customers c on c.id = t.on_behalf_of_customer_id
      left join audit_hashes h on h.audit_event_id = t.id left join erased_events x on x.audit_event_id = t.id`,
    conditions: compact([
      query.actor_id !== undefined && sql`t.actor_id = ${query.actor_id}`,
      query.entity !== undefined && sql`t.entity = ${query.entity}`,
      query.entity_id !== undefined && sql`t.entity_id = ${query.entity_id}`,
      query.action !== undefined && sql`t.action = ${query.action}`,
      query.from !== undefined && sql`t.created_at >= ${query.from}::date`,
      query.to !== undefined && sql`t.created_at < ${query.to}::date + 1`,
      text !== null && sql`(${words(sql`t.action`)} or ${words(sql`t.entity`)} or t.request_id like ${text}
        or host(t.ip) like ${text} or t.actor_id in (select id from users
          where ${mentions(sql`first_name || ' ' || last_name || ' ' || email`, query.search ?? '')}))`,
    ]),
    sorts: { created_at: sql`t.id` }, defaultSort: 'created_at', defaultDirection: 'desc',
  }, query, '/api/admin/system/audit');
  return { ...page, data: page.data.map(({ before, after, ...row }) => ({ ...row, changes: diff(before, after) })) };
}

/** Changes between two versions; a created or removed record has values on one side only. */
function diff(before: Stored['before'], after: Stored['after']): AuditRow['changes'] {
  if (after) return changesOf(before ?? {}, after);
  return changesOf(before ?? {}, Object.fromEntries(Object.keys(before ?? {}).map((key) => [key, null])));
}
