/**
 * Organisations that signed up and are not known yet (gaps G35): staff confirm them (customer.server.ts, activate),
 * decline them, or fold them into the customer that they turn out to be. Their people hear of it by mail.
 */
import type { CustomerRole } from '#kit/auth.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import type { Ctx, WorkContext } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { oneLine } from '#server/mail.ts';
import { sql } from '#server/sql.ts';
import { addMember } from './member.server.ts';
import { mailPeople, memberEmails, portalLink, spellerOf } from './people-mail.server.ts';

interface Pending { id: number; name: string; status: string; version: number }

async function lockPending(ctx: WorkContext, id: number, version: number): Promise<Pending> {
  const row = await ctx.db.maybeOne<Pending>(sql`
    select id, name, status, version from customers where id = ${id} and deleted_at is null for update`);
  if (!row) throw refuse('not_found');
  if (row.version !== version) throw stale(row);
  if (row.status !== 'pending') {
    throw conflict('customer.not_pending', 'This customer is confirmed already. Deactivate it instead.');
  }
  return row;
}

/** Called when a pending customer becomes active. */
export async function tellConfirmed(ctx: WorkContext, customer: { id: number; name: string }): Promise<void> {
  const name = oneLine(customer.name);
  await mailPeople(ctx, customer.id, { template: 'customer.confirmed', to: await memberEmails(ctx, customer.id),
    subject: `${name} is confirmed`,
    lines: [`We have confirmed ${name}. You can apply for shows, sign offers and pay in the portal.`],
    link: portalLink(ctx, customer.id) });
}

export async function declineCustomer(ctx: Ctx, id: number, body: { version: number; reason: string }) {
  const before = await lockPending(ctx, id, body.version);
  await ctx.db.exec(sql`update customers set status = 'inactive', version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'decline', entity: 'customer', entity_id: id, before: { status: before.status },
    after: { status: 'inactive', reason: body.reason } });
  const name = oneLine(before.name);
  const say = await spellerOf(ctx, id);
  await mailPeople(ctx, id, { template: 'customer.declined', to: await memberEmails(ctx, id),
    subject: `About your account for ${name}`,
    lines: [say`We could not confirm ${name} as an organization that licenses shows from us.`, body.reason] });
  return { id };
}

/**
 * People, applications, certificates, addresses, orders, venues and messages go over; what was quoted or billed cannot,
 * and refuses the merge. Changes of details that wait are withdrawn: the details are those of the other.
 */
export async function mergeCustomer(
  ctx: Ctx, id: number, body: { version: number; into_customer_id: number; role: CustomerRole },
) {
  const from = await lockPending(ctx, id, body.version);
  const into = await ctx.db.maybeOne<{ id: number; name: string; status: string }>(sql`
    select id, name, status from customers where id = ${body.into_customer_id} and deleted_at is null for update`);
  if (!into || into.id === id) throw invalidField('into_customer_id', 'Choose another customer');
  if (into.status === 'inactive') throw invalidField('into_customer_id', `${into.name} is not active`);
  const used = await ctx.db.maybeOne(sql`
    select 1 from licenses where customer_id = ${id} union all select 1 from invoices where customer_id = ${id}
    union all select 1 from payments where customer_id = ${id} limit 1`);
  if (used) throw conflict('customer.has_records',
    spell`This customer has licenses or invoices. They stay where they are.`);
  const people = await ctx.db.query<{ user_id: number; email: string }>(sql`
    select m.user_id, u.email from customer_users m join users u on u.id = m.user_id
    where m.customer_id = ${id} order by m.id for update of m`);
  for (const person of people) {
    await addMember(ctx, { customer_id: into.id, user_id: person.user_id, role: body.role });
  }
  await moveRecords(ctx, id, into.id);
  await ctx.db.exec(sql`
    update customers set merged_into_id = ${into.id}, deleted_at = ${ctx.now().toISOString()}, status = 'inactive',
      version = version + 1 where id = ${id}`);
  const facts = { merged_customer: from.name, people: people.map((person) => person.email), role: body.role };
  await ctx.audit({ action: 'merge_into', entity: 'customer', entity_id: id, before: { name: from.name },
    after: { into_customer_id: into.id } });
  await ctx.audit({ action: 'merge', entity: 'customer', entity_id: into.id, after: facts });
  const name = oneLine(into.name);
  const say = await spellerOf(ctx, into.id);
  await mailPeople(ctx, into.id, { template: 'customer.merged',
    to: people.map((person) => person.email).slice(0, 50), subject: `You now belong to ${name}`,
    lines: [say`We know your organization as ${name}. Your account and your applications are there now.`],
    link: portalLink(ctx, into.id) });
  return { id: into.id, name: into.name };
}

async function moveRecords(ctx: WorkContext, from: number, into: number): Promise<void> {
  await ctx.db.exec(sql`delete from customer_users where customer_id = ${from}`);
  await ctx.ports.customers.customerMerged(ctx, { from_customer_id: from, into_customer_id: into });
  await ctx.db.exec(sql`update customer_messages set customer_id = ${into} where customer_id = ${from}`);
  await ctx.db.exec(sql`
    insert into customer_venues (customer_id, venue_id) select ${into}, venue_id from customer_venues
    where customer_id = ${from} on conflict do nothing`);
  await ctx.db.exec(sql`delete from customer_venues where customer_id = ${from}`);
  await ctx.db.exec(sql`update customer_contacts set customer_id = ${into}, is_primary = false, version = version + 1
    where customer_id = ${from}`);
  await ctx.db.exec(sql`update customer_shipping_addresses set customer_id = ${into}, is_default = false,
    version = version + 1 where customer_id = ${from}`);
  await ctx.db.exec(sql`update customer_change_requests set status = 'withdrawn', version = version + 1
    where customer_id = ${from} and status = 'waiting'`);
  // Requests to join the duplicate become requests to join the organization it was merged into.
  await ctx.db.exec(sql`
    update customer_join_requests r set customer_id = ${into} where r.customer_id = ${from} and r.status = 'pending'
      and not exists (select 1 from customer_join_requests o
        where o.customer_id = ${into} and o.user_id = r.user_id and o.status = 'pending')`);
  await ctx.db.exec(sql`
    update customer_invitations set status = 'revoked', decided_at = ${ctx.now().toISOString()}, version = version + 1
    where customer_id = ${from} and status = 'pending'`);
}
