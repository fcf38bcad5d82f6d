/** Mails that did not arrive: staff get a task at the license, else at the customer, and the message says it. */
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { runBatch } from '#server/batch.ts';
import type { Ports, WorkContext } from '#server/context.ts';
import { claimUndelivered } from '#server/mail.ts';
import { sql } from '#server/sql.ts';
import { findLicense } from '../licenses/license-record.server.ts';
import { askStaff } from '../licenses/phase/notify.server.ts';

interface Undelivered { id: number; subject: string; recipients: string[]; license_id: number | null;
  customer_id: number | null }

/** Customer of what a mail is about, else of the person it went to. */
const CUSTOMER = sql`coalesce(case o.entity when 'customer' then o.entity_id
    when 'invoice' then (select v.customer_id from invoices v where v.id = o.entity_id)
    when 'payment' then (select p.customer_id from payments p where p.id = o.entity_id)
    when 'license_application' then (select a.customer_id from license_applications a where a.id = o.entity_id)
    when 'sales_order' then (select s.customer_id from sales_orders s where s.id = o.entity_id)
    when 'perusal' then (select p.customer_id from perusals p where p.id = o.entity_id) end,
  (select m.customer_id from users u join customer_users m on m.user_id = u.id
    where lower(u.email) in (select lower(x) from unnest(o.recipients) x) order by m.id limit 1))`;

/** Each mail once, however it failed: refused by the server, returned later, or given up after ten attempts. */
export async function tellOfUndelivered(ports: Ports): Promise<number> {
  const items = await ports.db.query<Undelivered>(sql`
    select o.id, o.subject, o.recipients, case o.entity when 'license' then o.entity_id
      when 'thread_message' then (select m.license_id from thread_messages m where m.id = o.entity_id)
      when 'invoice' then (select v.license_id from invoices v where v.id = o.entity_id)
      when 'payment' then (select p.license_id from payments p where p.id = o.entity_id)
      when 'sales_order' then (select s.license_id from sales_orders s where s.id = o.entity_id) end as license_id,
      ${CUSTOMER} as customer_id
    from mail_outbox o
    where (o.bounced_at is not null or o.failed_attempts >= 10) and o.undelivered_told_at is null order by o.id`);
  const { done } = await runBatch(ports, { job: 'tell-of-undelivered', items, facts: ({ id }) => ({ mail_id: id }) },
    async (ctx, mail) => (await claimUndelivered(ctx.db, mail.id) && await tell(ctx, mail) ? 1 : 0));
  return done;
}

/** False for a mail of nobody's: an author's statement, a colleague's invitation. */
async function tell(ctx: WorkContext, mail: Undelivered): Promise<boolean> {
  const failed = `the mail to ${mail.recipients.join(', ')} did not arrive (${mail.subject})`;
  if (mail.license_id !== null) {
    const license = await findLicense(ctx.db, mail.license_id);
    await askStaff(ctx, license, { kind: 'mail_undelivered', priority: 1,
      title: `${numbersInWords(license)}: ${failed}` });
    return true;
  }
  if (mail.customer_id === null) return false;
  const { name } = await ctx.db.one<{ name: string }>(sql`select name from customers where id = ${mail.customer_id}`);
  const title = `${name}: ${failed}`;
  const asked = await ctx.db.exec(sql`
    insert into tasks (kind, title, entity, entity_id, customer_id, division, priority)
    select 'mail_undelivered', ${title}, 'customer', c.id, c.id, c.default_division, 1 from customers c
    where c.id = ${mail.customer_id} on conflict do nothing`);
  if (asked > 0) {
    await notifyStaff(ctx, { kind: 'production.attention', title, href: `/admin/customers/${mail.customer_id}` });
  }
  return true;
}
