/** Last steps of every change to a draft: price, rights, checklist, version, event, audit. */
import { conflict } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { checkLicenseRights } from '../../availability/check-availability.server.ts';
import { refreshChecklist } from '../../checklist/refresh-checklist.server.ts';
import type { Selection } from '../pricing/price-charges.server.ts';
import { priceLicense, tryPrice } from '../pricing/price-license.server.ts';
import { PHASE_LABELS } from '#kernel/licensing/license-machine.ts';
import { findLicense, type License } from '../license-record.server.ts';
import { writeLicenseEvent } from '../phase/license-event.server.ts';

/** Terms, venues, dates and prices of anything but a draft change by revision or amendment only. */
export function requireDraft(license: License): void {
  if (license.phase === 'draft') return;
  const how = license.phase === 'sent' ? 'Revise the offer first.' : 'Use an amendment.';
  throw conflict('license.phase_conflict',
    spell`This license is "${PHASE_LABELS[license.phase]}"; only a draft is changed directly. ${how}`,
    { phase: license.phase });
}

export interface DraftChange {
  action: string;
  before?: unknown;
  after?: unknown;
  /** Dates or places changed: a recorded clearance was for the old ones and falls. */
  run?: boolean;
  selection?: Selection;
  reason?: string | undefined;
  /** Refuses (422) where no price can be made; otherwise such a draft stays unpriced. */
  must_price?: boolean;
}

export async function draftChanged(ctx: WorkContext, licenseId: number, change: DraftChange): Promise<License> {
  if (change.run) {
    await ctx.db.exec(sql`update licenses set availability_override_reason = null, availability_override_by_id = null
      where id = ${licenseId} and availability_override_reason is not null`);
  }
  const price = change.must_price ? priceLicense : tryPrice;
  const computed = await price(ctx, licenseId, change.selection);
  await checkLicenseRights(ctx, licenseId);
  const { version } = await ctx.db.one<{ version: number }>(sql`
    update licenses set version = version + 1 where id = ${licenseId} returning version`);
  await refreshChecklist(ctx, licenseId, computed);
  await writeLicenseEvent(ctx, { license_id: licenseId, event: change.action, version,
    reason: change.reason });
  await ctx.audit({ action: change.action, entity: 'license', entity_id: licenseId, before: change.before,
    after: change.after });
  return findLicense(ctx.db, licenseId);
}
