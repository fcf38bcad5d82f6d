/** Settles a licence for good once everything is in (edge 14 of domain.md 1.1). */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { refreshChecklist } from '../../checklist/refresh-checklist.server.ts';
import { settleClose } from '../billing/billing.server.ts';
import { lockLicense, type License } from '../license-record.server.ts';
import type { Mover } from './mover.server.ts';
import { closeTasks } from './notify.server.ts';
import { moveLicense } from './transition.server.ts';

export async function closeLicense(
  ctx: WorkContext, input: { license_id: number; version: number | null; reason?: string | undefined }, by: Mover,
): Promise<License> {
  const license = await lockLicense(ctx.db, input.license_id, input.version);
  const closed = await moveLicense(ctx, { license, event: 'close', by, reason: input.reason,
    set: [sql`closed_at = ${ctx.now().toISOString()}`] });
  await settleClose(ctx, closed);
  await closeTasks(ctx, license.id, ['settlement_due', 'box_office_due', 'stream_due']);
  await refreshChecklist(ctx, license.id);
  return closed;
}
