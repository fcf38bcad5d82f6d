/** Customers with their classifications, venues, people, activity and messages. */
import { invalidField, refuse } from '#kit/errors.ts';
import { LATEST_SIZE } from '#kit/endpoint.ts';
import { contactOf } from '#modules/identity/identity.public.server.ts';
import { activityOf } from '#server/activity.ts';
import type { WorkContext } from '#server/context.ts';
import { crud, stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { compact, listPage } from '#server/list.ts';
import { queueMail } from '#server/mail.ts';
import { refuseInUse } from '#server/record-uses.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { customer, customerEndpoints } from './customer.contract.ts';
import { tellConfirmed } from '../people/pending-customer.server.ts';
import { attachablePeople, attachUser, changeUserRole, customerUsers, removeUser } from '../people/member.server.ts';

export const customers = crud(customer, {
  table: 'customers',
  search: 'search_text',
  trash: true,
  sorts: { name: sql`t.name collate "und-x-icu"` },
  extra: {
    classification_names: sql`coalesce((select array_agg(c.name order by c.name)
      from customer_customer_classifications m
      join customer_classifications c on c.id = m.customer_classification_id where m.customer_id = t.id), '{}')`,
    license_count: sql`(select count(*) from licenses l where l.customer_id = t.id and l.deleted_at is null)`,
  },
  filter: (query) =>
    compact([
      query.status !== undefined && sql`t.status = ${query.status}`,
      query.unmerged === true && sql`t.merged_into_id is null`,
      query.kind !== undefined && sql`t.kind = ${query.kind}`,
      query.division !== undefined && sql`${query.division} = any (t.divisions)`,
      query.classification_id !== undefined &&
        sql`exists (select 1 from customer_customer_classifications m
      where m.customer_id = t.id and m.customer_classification_id = ${query.classification_id})`,
    ]),
});

async function setStatus(
  ctx: WorkContext, id: number, status: 'active' | 'inactive', version: number | undefined, reason?: string,
) {
  const before = await customers.find(ctx.db, id, true);
  if (version !== undefined && before.version !== version) throw stale(before);
  await ctx.db.exec(sql`update customers set status = ${status}, version = version + 1 where id = ${id}`);
  const after = await customers.find(ctx.db, id);
  await ctx.audit({ action: status === 'active' ? 'activate' : 'deactivate', entity: 'customer', entity_id: id, before,
    after: reason ? { ...after, reason } : after });
  if (before.status === 'pending' && status === 'active') {
    await tellConfirmed(ctx, { id, name: String(after.name) });
  }
  return { data: after };
}

const classificationsOf = (db: Queryable, id: number) => db.query<{ id: number; key: string; name: string }>(sql`
  select c.id, c.key, c.name from customer_customer_classifications m
  join customer_classifications c on c.id = m.customer_classification_id
  where m.customer_id = ${id} order by c.name collate "und-x-icu"`);

const venuesOf = (db: Queryable, id: number) =>
  db.query<{ id: number; number: string; name: string; locality: string | null }>(sql`
    select v.id, v.number, v.name, v.locality from customer_venues cv join venues v on v.id = cv.venue_id
    where cv.customer_id = ${id} order by v.name collate "und-x-icu"`);

export const customerRoutes: Route[] = serve(customerEndpoints, {
  list: customers.list,
  show: customers.show,
  create: customers.create,
  update: customers.update,
  async remove(ctx, { params }) {
    await customers.find(ctx.db, params.id, true);
    await refuseInUse(ctx.db, 'customers', params.id, 'Deactivate it instead.');
    await customers.remove(ctx, { params });
  },
  trash: (ctx, { query }) => customers.trash(ctx, { query: { ...query, unmerged: true } }),
  async restore(ctx, { params }) {
    const merged = await ctx.db.maybeOne<{ name: string }>(sql`
      select i.name from customers c join customers i on i.id = c.merged_into_id where c.id = ${params.id}`);
    if (merged) throw refuse('in_use', `It was merged into ${merged.name} and cannot be restored.`);
    return customers.restore(ctx, { params });
  },
  async latest(ctx) {
    const page = await customers.list(ctx, { query: { page: 1, per_page: LATEST_SIZE, sort_by: 'updated_at',
      sort_direction: 'desc' } });
    return { data: page.data };
  },
  activate: (ctx, { params, body }) => setStatus(ctx, params.id, 'active', body.version),
  deactivate: (ctx, { params, body }) => setStatus(ctx, params.id, 'inactive', body.version, body.reason),
  async classifications(ctx, { params }) {
    await customers.find(ctx.db, params.id);
    return { data: await classificationsOf(ctx.db, params.id) };
  },
  async syncClassifications(ctx, { params, body }) {
    await customers.find(ctx.db, params.id, true);
    const ids = [...new Set(body.customer_classifications)];
    const known = await ctx.db.query<{ id: number }>(sql`
      select id from customer_classifications where id = any (${ids}::bigint[]) and deleted_at is null`);
    if (known.length !== ids.length) throw invalidField('customer_classifications', 'One of these does not exist');
    const before = await classificationsOf(ctx.db, params.id);
    await ctx.db.exec(sql`delete from customer_customer_classifications where customer_id = ${params.id}`);
    await ctx.db.exec(sql`
      insert into customer_customer_classifications (customer_id, customer_classification_id)
      select ${params.id}, x from unnest(${ids}::bigint[]) x`);
    const after = await classificationsOf(ctx.db, params.id);
    await ctx.audit({ action: 'sync_classifications', entity: 'customer', entity_id: params.id, before, after });
    return { data: after };
  },
  async venues(ctx, { params }) {
    await customers.find(ctx.db, params.id);
    return { data: await venuesOf(ctx.db, params.id) };
  },
  async syncVenues(ctx, { params, body }) {
    await customers.find(ctx.db, params.id, true);
    const ids = [...new Set(body.venue_ids)];
    const known = await ctx.db.query<{ id: number }>(sql`
      select id from venues where id = any (${ids}::bigint[]) and deleted_at is null`);
    if (known.length !== ids.length) throw invalidField('venue_ids', 'One of these venues does not exist');
    const before = await venuesOf(ctx.db, params.id);
    await ctx.db.exec(sql`delete from customer_venues where customer_id = ${params.id}`);
    await ctx.db.exec(sql`
      insert into customer_venues (customer_id, venue_id) select ${params.id}, x from unnest(${ids}::bigint[]) x`);
    const after = await venuesOf(ctx.db, params.id);
    await ctx.audit({ action: 'sync_venues', entity: 'customer', entity_id: params.id, before, after });
    return { data: after };
  },
  async users(ctx, { params, query }) {
    await customers.find(ctx.db, params.id);
    return customerUsers(ctx, params.id, query, `/api/admin/staff/customers/${params.id}/users`);
  },
  async attachUser(ctx, { params, body }) {
    await customers.find(ctx.db, params.id);
    return { data: await attachUser(ctx, { customer_id: params.id, ...body }) };
  },
  removeUser: (ctx, { params }) => removeUser(ctx, params.id, params.userId),
  async userRole(ctx, { params, body }) {
    return { data: await changeUserRole(ctx, { customer_id: params.id, user_id: params.userId, role: body.role }) };
  },
  people: (ctx, { query }) => attachablePeople(ctx, query),
  async activity(ctx, { params, query }) {
    await customers.find(ctx.db, params.id);
    return activityOf(ctx.db, { entity: 'customer', entity_id: params.id }, query,
      `/api/admin/staff/customers/${params.id}/activity`);
  },
  async messages(ctx, { params, query }) {
    await customers.find(ctx.db, params.id);
    return listPage<MessageRow>(ctx.db, {
      base: sql`customer_messages t`, columns: MESSAGE_COLUMNS, joins: sql`join users u on u.id = t.author_id`,
      conditions: [sql`t.customer_id = ${params.id}`], sorts: { id: sql`t.id` }, defaultSort: 'id',
      defaultDirection: 'desc',
    }, query, `/api/admin/staff/customers/${params.id}/messages`);
  },
  async sendMessage(ctx, { params, body }) {
    const to = await customers.find(ctx.db, params.id);
    const { id } = await ctx.db.one<{ id: number }>(sql`
      insert into customer_messages (customer_id, author_id, from_staff, subject, body, recipients)
      values (${params.id}, ${ctx.user.user_id}, true, ${body.subject}, ${body.body}, ${body.recipients})
      returning id`);
    await queueMail(ctx.db, { template: 'customer.message', to: body.recipients, letter: { greeting: null,
      paragraphs: [body.body], contact: await contactOf(ctx.db, ctx.user.user_id) },
      subject: body.subject || `A message about ${String(to.name)}`, entity: 'customer', entity_id: params.id });
    const row = await ctx.db.one<MessageRow>(sql`
      select ${MESSAGE_COLUMNS} from customer_messages t join users u on u.id = t.author_id where t.id = ${id}`);
    await ctx.audit({ action: 'send_message', entity: 'customer', entity_id: params.id, after: row });
    return { data: row };
  },
});

interface MessageRow {
  id: number;
  subject: string;
  body: string;
  author: string;
  from_staff: boolean;
  recipients: string[];
  created_at: string;
}

const MESSAGE_COLUMNS = sql`t.id, t.subject, t.body, u.first_name || ' ' || u.last_name as author, t.from_staff,
  t.recipients, t.created_at`;
