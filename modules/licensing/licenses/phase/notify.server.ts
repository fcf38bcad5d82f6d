/** Mails about a licence to the people of the customer who sign, and the work list of staff (domain.md 6.4, 6.5). */
import { signerEmails } from '#modules/customers/customers.public.server.ts';
import { contactOf, greetingOf } from '#modules/identity/identity.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { MailLink } from '#server/mail-letter.ts';
import { queueMail, type MailAttachment } from '#server/mail.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import type { License } from '../license-record.server.ts';
import { tellCustomer, tellOfTask } from './tell.server.ts';

function placeOf(ctx: WorkContext, license: License, link?: { label: string; tab: string }): MailLink {
  return { label: link?.label ?? 'See your production',
    href: linkTo(ctx.ports.settings, `/customer/${license.customer_id}/productions/${license.id}/${
      link?.tab ?? 'overview'}`) };
}

/** Mails the people who sign, and tells the same in the portal. The link leads to the tab of the production. */
export async function mailCustomer(
  ctx: WorkContext, license: License, mail: { template: string; subject: string; lines: readonly string[];
    to?: readonly string[]; link?: { label: string; tab: string }; attachments?: readonly MailAttachment[] },
): Promise<void> {
  const to = mail.to && mail.to.length > 0 ? mail.to : await signerEmails(ctx, license.customer_id);
  await queueMail(ctx.db, { template: mail.template, to, subject: mail.subject.replace(/[\r\n]+/g, ' '),
    letter: { greeting: await greetingOf(ctx.db, to), paragraphs: mail.lines, link: placeOf(ctx, license, mail.link),
      contact: await contactOf(ctx.db, license.license_rep_id, license.division) },
    entity: 'license', entity_id: license.id,
    ...(mail.attachments ? { attachments: mail.attachments } : {}) });
  await tellCustomer(ctx, license, mail);
}

export interface NewTask {
  kind: string;
  title: string;
  due_on?: string | null;
  priority?: 1 | 2 | 3;
  entity?: 'license' | 'amendment' | 'license_application';
  entity_id?: number;
}

/** One open task per thing to do: asking again changes nothing. */
export async function askStaff(ctx: WorkContext, license: License, task: NewTask): Promise<void> {
  const asked = await ctx.db.exec(sql`
    insert into tasks (kind, title, entity, entity_id, license_id, customer_id, division, assignee_id, due_on, priority)
    values (${task.kind}, ${task.title}, ${task.entity ?? 'license'}, ${task.entity_id ?? license.id}, ${license.id},
      ${license.customer_id}, ${license.division}, ${license.license_rep_id}, ${task.due_on ?? null},
      ${task.priority ?? 2})
    on conflict do nothing`);
  if (asked > 0) await tellOfTask(ctx, license, task);
}

/** Closes tasks that are done or have become pointless. */
export async function closeTasks(
  ctx: WorkContext, licenseId: number, kinds: readonly string[], entityId?: number,
): Promise<void> {
  await ctx.db.exec(sql`
    update tasks set status = 'done', done_at = ${ctx.now().toISOString()}, done_by_id = ${ctx.actor.actor_id}
    where license_id = ${licenseId} and kind = any (${[...kinds]}) and status = 'open'
      and ${entityId === undefined ? sql`true` : sql`entity_id = ${entityId}`}`);
}
