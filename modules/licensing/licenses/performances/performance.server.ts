/** Calls about performances: dates of a draft change here, those of a signed licence by amendment only (X26-X28). */
import { decide } from '#kernel/licensing/machine.ts';
import {
  PERFORMANCE_MACHINE, type PerformanceEvent, type PerformanceStatus,
} from '#kernel/licensing/small-machines.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import type { BodyOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { compact, listPage } from '#server/list.ts';
import { serve } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { draftChanged, requireDraft } from '../quote/change-draft.server.ts';
import { writeLicenseEvent } from '../phase/license-event.server.ts';
import { findLicense, type License } from '../license-record.server.ts';
import { performanceColumns, performanceJoins, performanceRows } from './performance-rows.server.ts';
import { performanceEndpoints, type PerformanceRow } from './performance.contract.ts';
import { countRun, deletePerformances, savePerformances } from './save-performances.server.ts';

const EVENTS: Record<PerformanceStatus, PerformanceEvent> = {
  performed: 'perform', cancelled: 'cancel', postponed: 'postpone', planned: 'replan',
};

export const performanceRoutes = serve(performanceEndpoints, {
  async list(ctx, { params, query }) {
    await findLicense(ctx.db, params.licenseId);
    return listPage<PerformanceRow>(ctx.db, {
      base: sql`performances t`, columns: performanceColumns, joins: performanceJoins,
      conditions: compact([sql`t.license_id = ${params.licenseId}`,
        query.license_venue_id !== undefined && sql`t.license_venue_id = ${query.license_venue_id}`]),
      sorts: { starts_at: sql`t.starts_at` }, defaultSort: 'starts_at',
    }, query, `/api/admin/staff/licenses/${params.licenseId}/performances`);
  },
  async create(ctx, { params, body }) {
    const license = await findLicense(ctx.db, params.licenseId, true);
    requireDraft(license);
    const venue = await ctx.db.maybeOne(sql`
      select 1 from license_venues where id = ${body.license_venue_id} and license_id = ${license.id}`);
    if (!venue) throw invalidField('license_venue_id', spell`This venue is not one of the license`);
    await savePerformances(ctx, license, body.license_venue_id, body.rows, { replace: false, at: 'rows' });
    await countRun(ctx.db, license.id);
    await draftChanged(ctx, license.id, { action: 'add_performances', run: true, after: body.rows });
    return { data: await performanceRows(ctx.db, sql`t.license_venue_id = ${body.license_venue_id}`) };
  },
  async update(ctx, { params, body }) {
    const license = await findLicense(ctx.db, params.licenseId, true);
    const [before] = await performanceRows(ctx.db, sql`t.id = ${params.id} and t.license_id = ${license.id}`);
    if (!before) throw refuse('not_found');
    if (before.version !== body.version) throw stale(before);
    await movePerformance(ctx, license, before, body);
    if (body.status !== undefined && body.status !== before.status) await setStatus(ctx, license, before, body);
    return { data: (await performanceRows(ctx.db, sql`t.id = ${params.id}`))[0]! };
  },
  async remove(ctx, { params }) {
    const license = await findLicense(ctx.db, params.licenseId, true);
    requireDraft(license);
    const [before] = await performanceRows(ctx.db, sql`t.id = ${params.id} and t.license_id = ${license.id}`);
    if (!before) throw refuse('not_found');
    await deletePerformances(ctx.db, [before.id]);
    await countRun(ctx.db, license.id);
    await draftChanged(ctx, license.id, { action: 'remove_performance', run: true, before });
  },
});

type Change = BodyOf<typeof performanceEndpoints.update>;

async function movePerformance(ctx: Ctx, license: License, before: PerformanceRow, body: Change): Promise<void> {
  const { version: _version, status: _status, reason: _reason, ...fields } = body;
  if (Object.keys(fields).length === 0) return;
  requireDraft(license);
  const row = { id: before.id, local_date: fields.local_date ?? before.local_date,
    local_time: fields.local_time ?? before.local_time, type: fields.type ?? before.type,
    is_free: fields.is_free ?? before.is_free,
    expected_attendance: fields.expected_attendance === undefined ? before.expected_attendance
      : fields.expected_attendance };
  await savePerformances(ctx, license, before.license_venue_id, [row], { replace: false, at: '' });
  await countRun(ctx.db, license.id);
  await draftChanged(ctx, license.id, { action: 'change_performance', run: true, before, after: row });
}

async function setStatus(ctx: Ctx, license: License, before: PerformanceRow, body: Change): Promise<void> {
  const status = body.status!;
  const decision = decide(PERFORMANCE_MACHINE, before.status, EVENTS[status],
    { reason_given: Boolean(body.reason), new_date_given: body.local_date !== undefined });
  if (decision.refused) {
    throw conflict(decision.refused.code, decision.refused.message, { status: before.status,
      allowed: decision.refused.allowed });
  }
  await ctx.db.exec(sql`
    update performances set status = ${status}, version = version + 1,
      cancelled_at = ${status === 'cancelled' ? ctx.now().toISOString() : null},
      cancel_reason = ${status === 'cancelled' ? body.reason ?? null : null} where id = ${before.id}`);
  if (license.phase === 'draft') {
    await countRun(ctx.db, license.id);
    await draftChanged(ctx, license.id, { action: `performance_${status}`, run: true, before });
    return;
  }
  await ctx.audit({ action: `performance_${status}`, entity: 'performance', entity_id: before.id, before,
    after: { status, reason: body.reason } });
  await writeLicenseEvent(ctx, { license_id: license.id, event: `performance_${status}`, reason: body.reason,
    details: { performance_id: before.id, local_date: before.local_date } });
}
