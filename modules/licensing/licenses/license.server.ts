/** Calls about licences: list, show, draft changes, and one call for each event of the phase machine. */
import type * as z from 'zod';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { spell } from '#kernel/text/english.ts';
import type { Ctx } from '#server/context.ts';
import { toColumn } from '#server/crud.ts';
import { compact, listPage } from '#server/list.ts';
import { serve } from '#server/routes.ts';
import { join, matches, name, sql } from '#server/sql.ts';
import { cancellationOf, lastWaiver, cancelLicense, cancelRemaining } from './phase/cancel-license.server.ts';
import { draftChanged, requireDraft } from './quote/change-draft.server.ts';
import { closeLicense } from './phase/close-license.server.ts';
import { createLicense } from './quote/create-license.server.ts';
import { executeByStaff } from './phase/execute-license.server.ts';
import { eventColumns, eventJoins, labelled, type EventRow } from './phase/event-rows.server.ts';
import { writeLicenseEvent } from './phase/license-event.server.ts';
import { customerLicenses, listLicenses, showLicense, refuseRelations } from './license-list.server.ts';
import { findLicense, lockLicense, type License } from './license-record.server.ts';
import { flagsInput, licenseEndpoints, type licenseUpdate } from './license.contract.ts';
import { staffMover } from './phase/mover.server.ts';
import { phaseAnswer } from './phase/phase-answer.server.ts';
import { reopenOffer, reviseOffer, sendOffer } from './quote/send-offer.server.ts';
import { declineOffer, signOffer, voidSignature } from './quote/sign-offer.server.ts';
import { orderedAtExecution } from '../materials/order-materials.server.ts';
import { refreshChecklist } from '../checklist/refresh-checklist.server.ts';

type Update = z.output<typeof licenseUpdate>;
/** These may change at any time; the rest is part of the offer. */
const ANY_TIME = new Set([...Object.keys(flagsInput), 'license_rep_id', 'purchase_order_no', 'cast_size',
  'orchestration', 'execution_policy_reason']);

async function update(ctx: Ctx, licenseId: number, body: Update) {
  const license = await lockLicense(ctx.db, licenseId, body.version);
  const { version: _version, phase, ...fields } = body;
  if (phase !== undefined && phase !== license.phase) {
    throw conflict('license.phase_conflict', 'A phase moves by its events only, never by writing it.',
      { phase: license.phase });
  }
  const offerFields = Object.keys(fields).filter((key) => !ANY_TIME.has(key));
  if (offerFields.length > 0) requireDraft(license);
  if (['closed', 'cancelled'].includes(license.phase) && Object.keys(fields).length > 0) requireDraft(license);
  if (fields.on_hold === true && !(fields.hold_reason ?? license.hold_reason)) {
    throw invalidField('hold_reason', 'Say why it is on hold');
  }
  if (fields.execution_policy === 'signature_only' && !(fields.execution_policy_reason
    ?? license.execution_policy_reason)) throw invalidField('execution_policy_reason', 'Give a reason');
  const sets = Object.entries(fields).filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${name(column)} = ${toColumn(value)}`);
  if (sets.length > 0) await ctx.db.exec(sql`update licenses set ${join(sets)} where id = ${licenseId}`);
  if (license.phase === 'draft') await draftChanged(ctx, licenseId, { action: 'update', before: license,
    after: fields });
  else await changedLater(ctx, license, fields);
  return { data: await showLicense(ctx, licenseId) };
}

async function changedLater(ctx: Ctx, license: License, fields: object): Promise<void> {
  const { version } = await ctx.db.one<{ version: number }>(sql`
    update licenses set version = version + 1 where id = ${license.id} returning version`);
  await writeLicenseEvent(ctx, { license_id: license.id, event: 'update', version, details: { ...fields } });
  await ctx.audit({ action: 'update', entity: 'license', entity_id: license.id, before: license, after: fields });
  await refreshChecklist(ctx, license.id);
}

async function remove(ctx: Ctx, licenseId: number): Promise<void> {
  const license = await lockLicense(ctx.db, licenseId, null);
  requireDraft(license);
  if (license.offer_version > 0) {
    throw conflict('in_use', spell`An offer was sent for it: cancel the license instead.`, { phase: license.phase });
  }
  await ctx.db.exec(sql`update licenses set deleted_at = ${ctx.now().toISOString()}, version = version + 1
    where id = ${licenseId}`);
  await ctx.audit({ action: 'remove', entity: 'license', entity_id: licenseId, before: license });
}

async function restore(ctx: Ctx, licenseId: number) {
  const done = await ctx.db.exec(sql`
    update licenses set deleted_at = null, version = version + 1 where id = ${licenseId} and deleted_at is not null`);
  if (done === 0) throw refuse('not_found');
  await ctx.audit({ action: 'restore', entity: 'license', entity_id: licenseId });
  return { data: await showLicense(ctx, licenseId) };
}

/** The events that have no call of their own (X2). */
async function movePhase(
  ctx: Ctx, licenseId: number,
  body: { event: string; version: number; reason?: string | undefined; recipients?: string[] | undefined;
    unprintable_accepted?: boolean | undefined; covering_note?: string | undefined },
) {
  const by = staffMover(ctx.user);
  const input = { license_id: licenseId, version: body.version, reason: body.reason };
  switch (body.event) {
    case 'send_offer': await sendOffer(ctx, { ...input, recipients: body.recipients, covering_note: body.covering_note,
      unprintable_accepted: body.unprintable_accepted === true }, by); break;
    case 'revise': await reviseOffer(ctx, input, by); break;
    case 'reopen': await reopenOffer(ctx, input, by); break;
    case 'void_signature': await voidSignature(ctx, { ...input, reason: body.reason ?? '' }, by); break;
    case 'close': await closeLicense(ctx, input, by); break;
    default: await cancelRemaining(ctx, { ...input, reason: body.reason ?? '' }, by);
  }
  return { data: await showLicense(ctx, licenseId) };
}

const eventsSpec = { base: sql`license_events t`, columns: eventColumns, joins: eventJoins,
  sorts: { created_at: sql`t.created_at` }, defaultSort: 'created_at', defaultDirection: 'desc' as const };

export const licenseRoutes = serve(licenseEndpoints, {
  list(ctx, { query }) {
    refuseRelations(ctx.user, query.with);
    return listLicenses(ctx, query);
  },
  ofCustomer(ctx, { params, query }) {
    refuseRelations(ctx.user, query.with);
    return customerLicenses(ctx, params.id, query);
  },
  trash(ctx, { query }) {
    refuseRelations(ctx.user, query.with);
    return listLicenses(ctx, query, true);
  },
  async show(ctx, { params, query }) {
    refuseRelations(ctx.user, query.with);
    return { data: await showLicense(ctx, params.licenseId, query) };
  },
  async create(ctx, { body }) {
    const { phase: _phase, ...input } = body;
    const license = await createLicense(ctx, input);
    return { data: await showLicense(ctx, license.id) };
  },
  update: (ctx, { params, body }) => update(ctx, params.licenseId, body),
  remove: (ctx, { params }) => remove(ctx, params.licenseId),
  restore: (ctx, { params }) => restore(ctx, params.licenseId),
  phase: async (ctx, { params }) => ({ data: await phaseAnswer(ctx, params.licenseId, staffMover(ctx.user)) }),
  movePhase: (ctx, { params, body }) => movePhase(ctx, params.licenseId, body),
  async sign(ctx, { params, body }) {
    if (!ctx.file) throw invalidField('document', 'Choose a file');
    await signOffer(ctx, { license_id: params.licenseId, version: body.version, offer_version: body.offer_version,
      signer_name: body.signer_name, signer_title: body.signer_title ?? '', signed_on: body.signed_on,
      signed_by_user_id: null, document: ctx.file, confirm_name: body.confirm_name === 'true' }, staffMover(ctx.user));
    return { data: await showLicense(ctx, params.licenseId) };
  },
  async decline(ctx, { params, body }) {
    await declineOffer(ctx, { license_id: params.licenseId, ...body }, staffMover(ctx.user));
    return { data: await showLicense(ctx, params.licenseId) };
  },
  async execute(ctx, { params, body }) {
    await executeByStaff(ctx, { license_id: params.licenseId, ...body }, staffMover(ctx.user));
    return { data: { ...await showLicense(ctx, params.licenseId),
      ordering: await orderedAtExecution(ctx.db, params.licenseId) } };
  },
  async cancellation(ctx, { params, query }) {
    return { data: { ...await cancellationOf(ctx, params.licenseId, query.on ?? null, query.waive_minor),
      waiver: await lastWaiver(ctx, params.licenseId) } };
  },
  async cancel(ctx, { params, body }) {
    await cancelLicense(ctx, { license_id: params.licenseId, ...body }, staffMover(ctx.user));
    return { data: await showLicense(ctx, params.licenseId) };
  },
  async approveWaiver(ctx, { params, body }) {
    const license = await findLicense(ctx.db, params.licenseId);
    const row = await ctx.db.one<{ id: number }>(sql`
      insert into license_events (license_id, event, actor_id, reason, details, created_at)
      values (${license.id}, 'approve_waiver', ${ctx.user.user_id}, ${body.reason},
        ${JSON.stringify({ waive_minor: body.waive_minor })}, ${ctx.now().toISOString()}) returning id`);
    await ctx.audit({ action: 'approve_waiver', entity: 'license', entity_id: license.id, after: body });
    return { data: { id: row.id, waive_minor: body.waive_minor, reason: body.reason } };
  },
  async events(ctx, { params, query }) {
    await findLicense(ctx.db, params.licenseId);
    return labelled(await listPage<EventRow>(ctx.db, { ...eventsSpec,
      conditions: [sql`t.license_id = ${params.licenseId}`] }, query,
    `/api/admin/staff/licenses/${params.licenseId}/events`));
  },
  async versions(ctx, { params, query }) {
    await findLicense(ctx.db, params.licenseId);
    return listPage(ctx.db, {
      base: sql`license_versions t`, conditions: [sql`t.license_id = ${params.licenseId}`],
      columns: sql`t.id, t.license_id, t.version_no, t.reason, t.sha256, t.currency,
        coalesce((t.snapshot #>> '{totals,royalty_minor}')::bigint + (t.snapshot #>> '{totals,charges_minor}')::bigint
          + (t.snapshot #>> '{totals,tax_minor}')::bigint, t.grand_total_minor) as grand_total_minor,
        u.first_name || ' ' || u.last_name as created_by_name, t.created_at, g.created_at as signed_at, g.signer_name,
        t.version_no = l.offer_version as current`,
      joins: sql`join licenses l on l.id = t.license_id left join users u on u.id = t.created_by_id
        left join signatures g on g.license_version_id = t.id and g.voided_at is null`,
      sorts: { version_no: sql`t.version_no` }, defaultSort: 'version_no', defaultDirection: 'desc',
    }, query, `/api/admin/staff/licenses/${params.licenseId}/versions`);
  },
  async activity(ctx, { query }) {
    const conditions = compact([query.event !== undefined && sql`t.event = ${query.event}`,
      (query.division !== undefined || query.search !== undefined) && sql`exists (select 1 from licenses l
        where ${join(compact([sql`l.id = t.license_id`, query.division !== undefined
          && sql`l.division = ${query.division}`, query.search !== undefined
          && matches(sql`l.search_text`, query.search)]), ' and ')})`]);
    return labelled(await listPage<EventRow & { number: string; title: string; customer_id: number;
      customer_name: string; division: string; executed: boolean }>(ctx.db, { ...eventsSpec, conditions,
      columns: sql`${eventColumns}, l.number, l.title_on_license as title, l.customer_id, c.name as customer_name,
        l.division, l.license_number is not null as executed`,
      joins: sql`${eventJoins} join licenses l on l.id = t.license_id join customers c on c.id = l.customer_id` },
    query, '/api/admin/staff/sales_and_royalties/license_activity'));
  },
});
