/** Mails that did not arrive: staff get a task at the license, and the message says it. */
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { runBatch } from '#server/batch.ts';
import type { Ports } from '#server/context.ts';
import { claimUndelivered } from '#server/mail.ts';
import { sql } from '#server/sql.ts';
import { findLicense } from '../licenses/license-record.server.ts';
import { askStaff } from '../licenses/phase/notify.server.ts';

interface Undelivered { id: number; subject: string; recipients: string[]; license_id: number | null }

/** Each mail once, however it failed: refused by the server, returned later, or given up after ten attempts. */
export async function tellOfUndelivered(ports: Ports): Promise<number> {
  const items = await ports.db.query<Undelivered>(sql`
    select o.id, o.subject, o.recipients, case o.entity when 'license' then o.entity_id
      when 'thread_message' then (select m.license_id from thread_messages m where m.id = o.entity_id)
      when 'invoice' then (select v.license_id from invoices v where v.id = o.entity_id) end as license_id
    from mail_outbox o
    where (o.bounced_at is not null or o.failed_attempts >= 10) and o.undelivered_told_at is null order by o.id`);
  const { done } = await runBatch(ports, { job: 'tell-of-undelivered', items, facts: ({ id }) => ({ mail_id: id }) },
    async (ctx, mail) => {
    if (!await claimUndelivered(ctx.db, mail.id) || mail.license_id === null) return 0;
    const license = await findLicense(ctx.db, mail.license_id);
    await askStaff(ctx, license, { kind: 'mail_undelivered', priority: 1,
      title: `${numbersInWords(license)}: the mail to ${mail.recipients.join(', ')} did not arrive (${
        mail.subject})` });
    return 1;
  });
  return done;
}
