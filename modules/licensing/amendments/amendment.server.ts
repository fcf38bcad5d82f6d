/** Staff calls about amendments: preview, amend, decide what a customer asked for. */
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { listPage } from '#server/list.ts';
import { serve } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { writeLicenseEvent } from '../licenses/phase/license-event.server.ts';
import { findLicense } from '../licenses/license-record.server.ts';
import { staffMover } from '../licenses/phase/mover.server.ts';
import { closeTasks, mailCustomer } from '../licenses/phase/notify.server.ts';
import { amendLicense, previewAmendment } from './amend-license.server.ts';
import { amendmentChanges, amendmentEndpoints, type AmendmentRow } from './amendment.contract.ts';
import { amendmentColumns, amendmentJoins, amendmentRow } from './request-amendment.server.ts';
import { findAmendment, showAmendment } from './show-amendment.server.ts';

async function decide(
  ctx: Ctx, licenseId: number, id: number, body: { version: number; decision: 'apply' | 'refuse'; note: string },
) {
  const before = await findAmendment(ctx, licenseId, id);
  if (before.version !== body.version) throw stale(before);
  if (before.status !== 'requested') throw conflict('amendment.decided', 'This request is decided already.');
  if (body.decision === 'refuse') {
    if (body.note === '') throw invalidField('note', 'Say why, the customer reads it');
    await ctx.db.exec(sql`
      update license_amendments set status = 'refused', decided_by_id = ${ctx.user.user_id},
        decided_at = ${ctx.now().toISOString()}, decision_note = ${body.note}, version = version + 1 where id = ${id}`);
    await writeLicenseEvent(ctx, { license_id: licenseId, event: 'refuse_request', reason: body.note });
    await ctx.audit({ action: 'refuse', entity: 'license_amendment', entity_id: id, before, after: body });
    const license = await findLicense(ctx.db, licenseId);
    await mailCustomer(ctx, license, { template: 'license.request_refused',
      subject: `Your request for ${license.title_on_license}`,
      lines: [`You asked us ${before.kind === 'amend' ? 'to change' : 'to cancel'} ${license.title_on_license}, ${
        numbersInWords(license)}: ${before.reason}`, `We cannot do this: ${body.note}`] });
  } else if (before.kind === 'cancel_request') {
    throw conflict('amendment.cancel', spell`Cancel the license itself; that answers the request.`);
  } else {
    await amendLicense(ctx, { license_id: licenseId, version: null, changes: amendmentChanges.parse(before.changes),
      reason: before.reason, amendment_id: id, clearance_reason: body.note || undefined, from_portal: true },
    staffMover(ctx.user));
  }
  await closeTasks(ctx, licenseId, ['amendment_requested', 'cancellation_requested'], id);
  return { data: await amendmentRow(ctx, id) };
}

export const amendmentRoutes = serve(amendmentEndpoints, {
  async list(ctx, { params, query }) {
    await findLicense(ctx.db, params.licenseId);
    return listPage<AmendmentRow>(ctx.db, {
      base: sql`license_amendments t`, columns: amendmentColumns, joins: amendmentJoins,
      conditions: [sql`t.license_id = ${params.licenseId}`], sorts: { created_at: sql`t.created_at` },
      defaultSort: 'created_at', defaultDirection: 'desc',
    }, query, `/api/admin/staff/licenses/${params.licenseId}/amendments`);
  },
  show: async (ctx, { params }) => ({ data: await showAmendment(ctx, params.licenseId, params.amendmentId) }),
  async preview(ctx, { params, body }) {
    await findLicense(ctx.db, params.licenseId);
    return { data: await previewAmendment(ctx, params.licenseId, body.changes) };
  },
  async amend(ctx, { params, body }) {
    const id = await amendLicense(ctx, { license_id: params.licenseId, ...body }, staffMover(ctx.user));
    return { data: await amendmentRow(ctx, id) };
  },
  decide: (ctx, { params, body }) => decide(ctx, params.licenseId, params.amendmentId, body),
});
