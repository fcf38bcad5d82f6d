/** Changes of a customer's own details: asked for in the portal, made once staff confirm them. */
import { addressLine } from '#kernel/address/address-lines.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { conflict, refuse } from '#kit/errors.ts';
import { notifyApprovers, notifyCustomer } from '#modules/notifications/notifications.public.server.ts';
import { waitingRows } from '#server/approval-source.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import type { Queryable } from '#server/db.ts';
import { oneLine } from '#server/mail.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql, type Sql } from '#server/sql.ts';
import type * as z from 'zod';
import { createShippingAddress } from '../shipping-address/shipping-address.server.ts';
import { CUSTOMER_KIND_NAMES } from '../customer/customer.contract.ts';
import { updateCustomer } from '../customer/create-customer.server.ts';
import { mailAdmins } from '../people/people-mail.server.ts';
import { changeRequestEndpoints, ownDetailsEndpoints, type OwnDetails, type ownDetails }
  from './own-details.contract.ts';

type State = z.infer<typeof ownDetails>;
type Changes = Partial<Record<keyof OwnDetails, unknown>>;

const LABELS: Readonly<Record<keyof OwnDetails, string>> = { legal_name: 'Legal name', kind: 'Kind', phone: 'Phone',
  vat_number: 'VAT number', billing_address: 'Billing address' };
const KEYS = Object.keys(LABELS) as (keyof OwnDetails)[];

async function stateOf(db: Queryable, customerId: number): Promise<State> {
  const row = await db.maybeOne<State>(sql`
    select c.id, c.name, c.tax_country as country, c.legal_name, c.kind, c.phone, c.vat_number, c.billing_address,
      (select jsonb_build_object('id', r.id, 'summary', r.summary, 'status', r.status, 'reason', r.reason,
        'asked_by_name', u.first_name || ' ' || u.last_name, 'version', r.version, 'created_at', r.created_at)
      from customer_change_requests r join users u on u.id = r.asked_by_id
      where r.customer_id = c.id order by r.id desc limit 1) as request
    from customers c where c.id = ${customerId} and c.deleted_at is null`);
  if (!row) throw refuse('not_found');
  return row;
}

function words(key: keyof OwnDetails, value: unknown): string {
  if (value === null || value === '') return 'none';
  if (key === 'kind') return CUSTOMER_KIND_NAMES[value as OwnDetails['kind']];
  return key === 'billing_address' ? addressLine(value as Record<string, string>) ?? 'none' : oneLine(value as string);
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
const sorted = (value: unknown): unknown => (value === null || typeof value !== 'object' ? value
  : Object.entries(value).filter(([, part]) => part !== '').sort(([a], [b]) => a.localeCompare(b)));

/** Also for a person who asks by other ways than the portal. */
export async function askForChange(
  ctx: WorkContext, customerId: number, body: { [K in keyof OwnDetails]?: OwnDetails[K] | undefined },
): Promise<State> {
  await lock(ctx, customerId);
  const now = await stateOf(ctx.db, customerId);
  const changes: Changes = {};
  for (const key of KEYS) {
    const value = body[key] === '' ? null : body[key];
    if (value !== undefined && !same(value, now[key])) changes[key] = value;
  }
  const changed = KEYS.filter((key) => key in changes);
  if (changed.length === 0) throw conflict('customer.details_same', 'These are the details on file. Nothing changed.');
  const summary = changed.map((key) => `${LABELS[key]}: ${words(key, now[key])} → ${words(key, changes[key])}`)
    .join('; ');
  await ctx.db.exec(sql`
    update customer_change_requests set status = 'withdrawn', version = version + 1
    where customer_id = ${customerId} and status = 'waiting'`);
  await ctx.db.exec(sql`
    insert into customer_change_requests (customer_id, changes, old_values, summary, asked_by_id)
    values (${customerId}, ${JSON.stringify(changes)}, ${JSON.stringify(Object.fromEntries(
      changed.map((key) => [key, now[key]])))}, ${summary}, ${ctx.actor.actor_id})`);
  await ctx.audit({ action: 'ask_change', entity: 'customer', entity_id: customerId, after: changes });
  await notifyApprovers(ctx, changeRequestEndpoints.approve, { title: `${oneLine(now.name)} asks to change its details`,
    body: summary, href: `/admin/customers/${customerId}/information` });
  return stateOf(ctx.db, customerId);
}

/** Materials may go to the billing address that was just typed, until another shipping address is entered. */
async function askInPortal(
  ctx: Ctx, customerId: number, { ship_here, ...body }: BodyOf<typeof ownDetailsEndpoints.ask>,
): Promise<State> {
  const state = await askForChange(ctx, customerId, body);
  if (ship_here && body.billing_address) {
    await createShippingAddress(ctx, customerId, { label: 'Shipping', attention: '', address: body.billing_address,
      is_default: true });
  }
  return state;
}

/** Two people who ask or decide come one after the other. */
async function lock(ctx: WorkContext, customerId: number): Promise<void> {
  const there = await ctx.db.maybeOne(sql`
    select 1 from customers where id = ${customerId} and deleted_at is null for update`);
  if (!there) throw refuse('not_found');
}

interface Waiting {
  id: number; changes: Changes; old_values: Changes; status: string; asked_by_id: number; version: number;
}
interface RequestParams { id: number; changeId: number }

/** The very change that was read: one asked for since then is decided on its own. */
async function waiting(ctx: WorkContext, { id, changeId }: RequestParams, version: number): Promise<Waiting> {
  await lock(ctx, id);
  const row = await ctx.db.maybeOne<Waiting>(sql`
    select id, changes, old_values, status, asked_by_id, version from customer_change_requests
    where customer_id = ${id} and id = ${changeId}`);
  if (!row) throw refuse('not_found');
  if (row.status !== 'waiting') {
    throw conflict('customer.no_change_waits', 'This change was decided, withdrawn or replaced by a newer one.');
  }
  if (row.version !== version) throw stale(row);
  return row;
}

/** Staff may have changed the same fields in the meantime; the change would silently undo that. */
async function mustStillFit(ctx: WorkContext, customerId: number, row: Waiting): Promise<void> {
  const now = await stateOf(ctx.db, customerId);
  const moved = KEYS.filter((key) => key in row.changes && !same(row.old_values[key], now[key]));
  if (moved.length > 0) {
    throw conflict('customer.details_moved', `Changed since the customer asked: ${
      moved.map((key) => `${LABELS[key]} is now ${words(key, now[key])}`).join('; ')}. Decline and ask them again.`);
  }
}

async function decide(
  ctx: Ctx, params: RequestParams, body: { version: number }, decision: 'confirmed' | 'declined' | 'withdrawn',
  reason = '',
): Promise<State> {
  const customerId = params.id;
  const row = await waiting(ctx, params, body.version);
  const byStaff = decision !== 'withdrawn';
  if (byStaff && row.asked_by_id === ctx.actor.actor_id) {
    throw refuse('four_eyes', 'Someone other than the person who asked has to decide.');
  }
  if (decision === 'confirmed') await mustStillFit(ctx, customerId, row);
  await ctx.db.exec(sql`
    update customer_change_requests set status = ${decision}, reason = ${reason}, version = version + 1,
      decided_by_id = ${byStaff ? ctx.user.user_id : null}::bigint,
      decided_at = ${byStaff ? ctx.now().toISOString() : null}::timestamptz where id = ${row.id}`);
  if (decision === 'confirmed') {
    const { version } = await ctx.db.one<{ version: number }>(sql`
      select version from customers where id = ${customerId}`);
    await updateCustomer(ctx, customerId, { ...row.changes, version });
  } else {
    await ctx.audit({ action: decision === 'declined' ? 'decline_change' : 'withdraw_change', entity: 'customer',
      entity_id: customerId, after: { ...row.changes, ...(reason === '' ? {} : { reason }) } });
  }
  if (byStaff) await tell(ctx, customerId, { decision, reason });
  return stateOf(ctx.db, customerId);
}

async function tell(
  ctx: Ctx, customerId: number, { decision, reason }: { decision: string; reason: string },
): Promise<void> {
  const { name } = await stateOf(ctx.db, customerId);
  await notifyCustomer(ctx, customerId, { kind: 'details.decided', roles: ['admin'], body: reason,
    title: `Change of details ${decision}: ${oneLine(name)}`, href: `/customer/${customerId}/information` });
  await mailAdmins(ctx, customerId, { template: `customer.change_${decision}`,
    subject: `The details of ${oneLine(name)}`,
    lines: decision === 'confirmed' ? ['We have made the change that you asked for.']
      : ['We could not make the change that you asked for.', reason] });
}

export const waitingCustomerChanges = (): Sql => waitingRows('customer_details', {
  from: sql`from customer_change_requests r join customers c on c.id = r.customer_id
    where r.status = 'waiting' and c.deleted_at is null`,
  entity_id: sql`r.id`, division: sql`c.default_division`, title: sql`'Change of details: ' || c.name`,
  detail: sql`r.summary`,
  asked_by_id: sql`r.asked_by_id`, asked_at: sql`r.created_at`,
  href: sql`'/admin/customers/' || c.id || '/information'`,
  params: sql`jsonb_build_object('id', c.id, 'changeId', r.id)`,
  approve_body: sql`jsonb_build_object('version', r.version)`,
  decline_body: sql`jsonb_build_object('version', r.version)`,
});

export const ownDetailsRoutes: Route[] = [
  ...serve(ownDetailsEndpoints, {
    show: async (ctx, { params }) => ({ data: await stateOf(ctx.db, params.id) }),
    ask: async (ctx, { params, body }) => ({ data: await askInPortal(ctx, params.id, body) }),
    asked: async (ctx, { params }) => {
      await ctx.db.exec(sql`update customers set details_asked_at = ${ctx.now().toISOString()}
        where id = ${params.id} and details_asked_at is null`);
      return { data: await stateOf(ctx.db, params.id) };
    },
    withdraw: async (ctx, { params, body }) => ({ data: await decide(ctx, params, body, 'withdrawn') }),
  }),
  ...serve(changeRequestEndpoints, {
    show: async (ctx, { params }) => ({ data: await stateOf(ctx.db, params.id) }),
    approve: async (ctx, { params, body }) => ({ data: await decide(ctx, params, body, 'confirmed') }),
    decline: async (ctx, { params, body }) => ({ data: await decide(ctx, params, body, 'declined', body.reason) }),
  }),
];
