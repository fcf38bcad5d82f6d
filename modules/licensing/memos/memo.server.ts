/** Calls about memos: append-only notes on licences and applications, and who is told that one names them. */
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import type { ListArgs } from '#kit/endpoint.ts';
import type { Permission } from '#kit/permission.ts';
import { notifyCustomer, notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve } from '#server/routes.ts';
import { mentions, sql } from '#server/sql.ts';
import { findApplication } from '../applications/application-record.server.ts';
import { findLicense } from '../licenses/license-record.server.ts';
import { staffPlace } from '../licenses/phase/tell.server.ts';
import { listReaders, mentionedReaders } from './memo-readers.server.ts';
import { memoEndpoints, type MemoRow } from './memo.contract.ts';

type Entity = 'license' | 'license_application';

/** Permission to read a memo; the same one opens the record and its memos. */
const READ: Readonly<Record<Entity, Permission>> = {
  license: 'license.show', license_application: 'license_application.show',
};

const columns = sql`t.id, memo_text(t.body) as body, t.internal, t.author_id,
  u.first_name || ' ' || u.last_name as author_name, t.created_at,
  (select json_agg(json_build_object('words', words, 'user_id', user_id) order by place)
    from memo_pieces(t.body)) as pieces`;

/** `customer`: who reads what is shared, and where; a draft is the house's until it is sent (domain.md 8b). */
interface Described { words: string; href: string; customer: { id: number; title: string; href: string } | null }

/** The record in words and where its memos are read; not_found where there is none. */
async function recordOf(ctx: Ctx, entity: Entity, id: number): Promise<Described> {
  if (entity === 'license') {
    const license = await findLicense(ctx.db, id);
    return { words: `${numbersInWords(license)} ${license.title_on_license}`,
      href: `${staffPlace(license)}/information`, customer: license.phase === 'draft' ? null : {
        id: license.customer_id, title: license.title_on_license,
        href: `/customer/${license.customer_id}/productions/${license.id}/overview` } };
  }
  const application = await findApplication(ctx, id);
  return { words: [application.number, application.producing_organisation].filter(Boolean).join(' '),
    href: `/admin/applications/${id}/memos`, customer: { id: application.customer_id,
      title: `your application ${application.number ?? ''}`.trim(),
      href: `/customer/${application.customer_id}/applications/${id}` } };
}

const pathOf = (entity: Entity, id: number): string => `/api/admin/staff/${entity}s/${id}/memos`;

async function list(ctx: Ctx, entity: Entity, id: number, query: ListArgs) {
  await recordOf(ctx, entity, id);
  return listPage<MemoRow>(ctx.db, {
    base: sql`memos t`, columns, joins: sql`join users u on u.id = t.author_id`,
    conditions: compact([sql`t.entity = ${entity} and t.entity_id = ${id}`, query.search !== undefined
      && mentions(sql`memo_text(t.body)`, query.search)]),
    sorts: { created_at: sql`t.created_at` }, defaultSort: 'created_at', defaultDirection: 'desc',
  }, query, pathOf(entity, id));
}

async function readers(ctx: Ctx, entity: Entity, id: number, query: ListArgs) {
  await recordOf(ctx, entity, id);
  return listReaders(ctx.db, READ[entity], query, `${pathOf(entity, id)}/readers`);
}

async function add(ctx: Ctx, entity: Entity, id: number, memo: { body: string; internal: boolean }) {
  const record = await recordOf(ctx, entity, id);
  const named = await mentionedReaders(ctx.db, READ[entity], memo.body);
  const written = await ctx.db.one<{ id: number }>(sql`
    insert into memos (entity, entity_id, body, internal, author_id)
    values (${entity}, ${id}, ${memo.body}, ${memo.internal}, ${ctx.user.user_id}) returning id`);
  await ctx.audit({ action: 'memo', entity, entity_id: id, after: { memo_id: written.id, internal: memo.internal } });
  const row = await ctx.db.one<MemoRow>(sql`
    select ${columns} from memos t join users u on u.id = t.author_id where t.id = ${written.id}`);
  if (named.length > 0) {
    await notifyStaff(ctx, { kind: 'memo.mentioned', title: `${row.author_name} names you in a memo on ${record.words}`,
      body: row.body, href: record.href, to: named, key: `memo.mentioned/${row.id}` });
  }
  if (!memo.internal && record.customer) {
    await notifyCustomer(ctx, record.customer.id, { kind: 'memo.shared', body: row.body, href: record.customer.href,
      title: `${row.author_name} left a note on ${record.customer.title}`, key: `memo.shared/${row.id}` });
  }
  return { data: row };
}

export const memoRoutes = serve(memoEndpoints, {
  ofLicense: (ctx, { params, query }) => list(ctx, 'license', params.id, query),
  readersOfLicense: (ctx, { params, query }) => readers(ctx, 'license', params.id, query),
  addToLicense: (ctx, { params, body }) => add(ctx, 'license', params.id, body),
  ofApplication: (ctx, { params, query }) => list(ctx, 'license_application', params.id, query),
  readersOfApplication: (ctx, { params, query }) => readers(ctx, 'license_application', params.id, query),
  addToApplication: (ctx, { params, body }) => add(ctx, 'license_application', params.id, body),
});
