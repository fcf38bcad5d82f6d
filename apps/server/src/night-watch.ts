/** The nightly checks: a break is logged, and told to the system administrators once a day while it lasts. */
import { verifyLedger } from '#modules/accounting/accounting.public.server.ts';
import { notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import { verifyAudit } from '#modules/system/system.public.server.ts';
import { SYSTEM_ACTOR } from '#server/audit.ts';
import { workContext, type Ports } from '#server/context.ts';
import { sql } from '#server/sql.ts';

interface Break { check: string; title: string; body: string; href: string }

async function tell(ports: Ports, { check, ...notice }: Break): Promise<void> {
  await ports.db.tx(async (tx) => {
    const people = await tx.query<{ id: number }>(sql`
      select id from users where role = 'system_admin' and disabled_at is null order by id`);
    if (people.length === 0) return;
    const day = ports.clock.now().toISOString().slice(0, 10);
    await notifyStaff(workContext(ports, tx, SYSTEM_ACTOR), { ...notice, kind: 'system.failed',
      to: people.map((one) => one.id), key: `system.failed/${check}/${day}` });
  });
}

export async function watchLedger(ports: Ports): Promise<void> {
  const broken = await verifyLedger(ports.db);
  for (const { key, violations } of broken) ports.log('error', 'ledger invariant broken', { key, violations });
  const [first] = broken;
  if (!first) return;
  await tell(ports, { check: 'ledger', href: '/system/integrity',
    title: broken.length === 1 ? 'A check of the ledger fails' : `${broken.length} checks of the ledger fail`,
    body: 'The page names the documents. Post nothing by hand before the cause is known.' });
}

export async function watchAudit(ports: Ports): Promise<void> {
  const { linked, breaks } = await verifyAudit(ports.db);
  if (breaks.length === 0) return;
  ports.log('error', 'audit chain broken', { linked, breaks: breaks.slice(0, 10) });
  await tell(ports, { check: 'audit', href: '/system/integrity', title: 'The audit trail was changed',
    body: 'The page names the entries. Compare them with a backup before anything is changed.' });
}
