/** Deletes what is over: keys live 7 days (reliability.md 5.2), sessions and attempts go when they end. */
import { runEach } from '#server/batch.ts';
import type { Ports } from '#server/context.ts';
import { houseSetting } from '#server/house-settings.ts';
import { sql, type Sql } from '#server/sql.ts';

const older = (days: number): Sql => sql`now() - make_interval(days => ${days})`;

export async function purgeExpired(ports: Ports): Promise<void> {
  const { db } = ports;
  const items: Record<string, () => Promise<Sql>> = {
    idempotency_keys: async () => sql`delete from idempotency_keys where created_at < ${older(7)}`,
    sessions: async () => sql`delete from sessions where expires_at < ${older(1)}`,
    notifications: async () => sql`
      delete from notifications where created_at < ${older(await houseSetting(db, 'notifications_keep_days'))}`,
    mail_outbox: async () => sql`
      delete from mail_outbox where sent_at < ${older(await houseSetting(db, 'sent_mail_keep_days'))}`,
    inbound_mails: async () => sql`
      delete from inbound_mails where received_at < ${older(await houseSetting(db, 'sent_mail_keep_days'))}`,
    client_errors: async () => sql`
      delete from client_errors where last_at < ${older(await houseSetting(db, 'client_errors_keep_days'))}`,
    bulk_runs: async () => sql`delete from bulk_runs where finished_at < ${older(30)}`,
    rate_limits: async () => sql`delete from rate_limits where window_start < ${older(1)}`,
  };
  await runEach(ports, { job: 'purge-expired', items: Object.entries(items), facts: ([table]) => ({ table }) },
    async ([, deletion]) => { await db.exec(await deletion()); });
}
