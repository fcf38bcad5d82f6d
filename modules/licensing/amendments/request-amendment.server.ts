/** Customer requests: carried out at once if within the rules, else decided by staff (domain.md 1.1 edges 11, 16). */
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { conflict } from '#kit/errors.ts';
import { LICENSE_MACHINE, PHASE_LABELS } from '#kernel/licensing/license-machine.ts';
import { allowedEvents } from '#kernel/licensing/machine.ts';
import { spell } from '#kernel/text/english.ts';
import type { WorkContext } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { writeLicenseEvent } from '../licenses/phase/license-event.server.ts';
import { findLicense, lockLicense } from '../licenses/license-record.server.ts';
import { CUSTOMER } from '../licenses/phase/mover.server.ts';
import { askStaff } from '../licenses/phase/notify.server.ts';
import { amendLicense, previewAmendment } from './amend-license.server.ts';
import type { AmendmentChanges, AmendmentRow } from './amendment.contract.ts';

export const amendmentColumns = sql`t.id, t.license_id, t.kind, t.status,
  a.first_name || ' ' || a.last_name as requested_by_name, t.from_portal, t.reason, t.changes, t.currency,
  coalesce((t.changes ->> 'postpone')::boolean, false) as postpones,
  t.price_before_minor, t.price_after_minor, t.delta_minor, t.automatic,
  d.first_name || ' ' || d.last_name as decided_by_name, t.decided_at, t.decision_note, t.version, t.created_at,
  v.version_no, (select min(x.id) from license_documents x where x.license_version_id = t.license_version_id
    and x.type = 'amendment' and x.deleted_at is null) as addendum_document_id, g.created_at as signed_at,
  g.signer_name`;
export const amendmentJoins = sql`left join users a on a.id = t.requested_by_id
  left join users d on d.id = t.decided_by_id left join license_versions v on v.id = t.license_version_id
  left join signatures g on g.license_version_id = t.license_version_id and g.voided_at is null`;

export async function amendmentRow(ctx: WorkContext, id: number): Promise<AmendmentRow> {
  const [row] = await rowsWhere(ctx, sql`t.id = ${id}`);
  return row!;
}

export function amendmentRows(ctx: WorkContext, licenseId: number): Promise<AmendmentRow[]> {
  return rowsWhere(ctx, sql`t.license_id = ${licenseId}`);
}

function rowsWhere(ctx: WorkContext, condition: Sql): Promise<AmendmentRow[]> {
  return ctx.db.query<AmendmentRow>(sql`
    select ${amendmentColumns} from license_amendments t ${amendmentJoins} where ${condition}
    order by t.created_at desc, t.id desc`);
}

/** Applied at once inside the rules of an offer at once and where the fee does not fall; else a request. */
export async function customerAmendment(
  ctx: WorkContext, licenseId: number, changes: AmendmentChanges, reason: string,
): Promise<AmendmentRow> {
  const seen = await findLicense(ctx.db, licenseId);
  if (!['licensed', 'in_production'].includes(seen.phase)) throw notNow(seen.phase, 'amend');
  const preview = await previewAmendment(ctx, licenseId, changes);
  if (preview.automatic) {
    const id = await amendLicense(ctx, { license_id: licenseId, version: null, changes, reason, from_portal: true,
      automatic: true }, CUSTOMER);
    return amendmentRow(ctx, id);
  }
  const license = await lockLicense(ctx.db, licenseId, null);
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into license_amendments (license_id, kind, requested_by_id, from_portal, reason, changes,
      price_before_minor, price_after_minor, currency, created_at)
    values (${licenseId}, 'amend', ${ctx.actor.actor_id}, true, ${reason}, ${JSON.stringify(changes)},
      ${preview.price_before_minor}, ${preview.price_after_minor}, ${license.currency},
      ${ctx.now().toISOString()}) returning id`);
  await asked(ctx, licenseId, row.id, 'request_amendment', reason, 'asks for a change');
  return amendmentRow(ctx, row.id);
}

export async function cancelRequest(ctx: WorkContext, licenseId: number, reason: string): Promise<AmendmentRow> {
  const license = await lockLicense(ctx.db, licenseId, null);
  const possible = allowedEvents(LICENSE_MACHINE, license.phase);
  if (!possible.includes('cancel') && !possible.includes('cancel_remaining')) throw notNow(license.phase, 'cancel');
  const open = await ctx.db.maybeOne<{ id: number }>(sql`
    select id from license_amendments where license_id = ${licenseId} and kind = 'cancel_request'
      and status = 'requested'`);
  if (open) return amendmentRow(ctx, open.id);
  const row = await ctx.db.one<{ id: number }>(sql`
    insert into license_amendments (license_id, kind, requested_by_id, from_portal, reason, changes,
      price_before_minor, price_after_minor, currency, created_at)
    values (${licenseId}, 'cancel_request', ${ctx.actor.actor_id}, true, ${reason}, '{}',
      ${license.grand_total_minor}, ${license.grand_total_minor}, ${license.currency},
      ${ctx.now().toISOString()}) returning id`);
  await asked(ctx, licenseId, row.id, 'request_cancellation', reason, 'asks to cancel');
  return amendmentRow(ctx, row.id);
}

function notNow(phase: keyof typeof PHASE_LABELS, event: 'amend' | 'cancel'): Error {
  return conflict('license.phase_conflict', spell`This license is "${PHASE_LABELS[phase]}"; ${event === 'amend'
    ? 'it cannot be amended now.' : spell`it cannot be canceled now.`}`,
  { phase, allowed: allowedEvents(LICENSE_MACHINE, phase) });
}

async function asked(
  ctx: WorkContext, licenseId: number, amendmentId: number, event: string, reason: string, words: string,
): Promise<void> {
  const license = await findLicense(ctx.db, licenseId);
  await writeLicenseEvent(ctx, { license_id: licenseId, event, reason, details: { amendment_id: amendmentId } });
  await ctx.audit({ action: event, entity: 'license', entity_id: licenseId, after: { amendment_id: amendmentId } });
  await askStaff(ctx, license, { kind: event === 'request_amendment' ? 'amendment_requested' : 'cancellation_requested',
    title: `${numbersInWords(license)}: the customer ${words}`, entity: 'amendment', entity_id: amendmentId,
    priority: 1 });
}
