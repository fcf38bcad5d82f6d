/**
 * Notification calls for other contexts: they notify people inside the transaction in which something happens. Titles
 * are one line in the product's words; the actor is not notified.
 */
import type { CustomerRole } from '#kit/auth.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import type { Permission } from '#kit/permission.ts';
import type { WorkContext } from '#server/context.ts';
import type { BankEvent } from '#server/sealed-details.ts';
import { sql } from '#server/sql.ts';
import { kindOf, type CustomerKind, type NotificationKind, type StaffKind } from './notification-kinds.ts';

export { sendDigests } from './send-digests.server.ts';

interface Notice {
  title: string;
  body?: string;
  /** Address inside the application, from the root. */
  href?: string | null;
  /** Told once to a person however often it is said again: `invoice.due/123/-7`. */
  key?: string;
}

export interface StaffNotice extends Notice {
  kind: StaffKind;
  /** Those it concerns; nobody known (null, none): everybody of staff who may see it. */
  to?: readonly (number | null | undefined)[];
}

/** Tells staff: those named, else everybody with the kind's permission. Answers how many were told. */
export function notifyStaff(ctx: WorkContext, notice: StaffNotice): Promise<number> {
  const people = (notice.to ?? []).filter((id): id is number => typeof id === 'number');
  const permission = people.length > 0 ? null : kindOf(notice.kind).permission ?? null;
  return tell(ctx, notice, { people, permission, customerId: null, roles: null });
}

/** Tells everybody who may make the call that approves; never the person who asks. */
export function notifyApprovers(ctx: WorkContext, approve: AnyEndpoint, notice: Notice): Promise<number> {
  const permission = 'permission' in approve.auth ? approve.auth.permission : null;
  if (typeof permission !== 'string') throw new Error(`${approve.path} asks for no single permission`);
  return tell(ctx, { ...notice, kind: 'approval.requested' },
    { people: [], permission, customerId: null, roles: null });
}

/** Tells the person who asked that it is approved or declined; nobody where the asker is unknown. */
export function notifyAsker(ctx: WorkContext, askedBy: number | null, notice: Notice): Promise<number> {
  return tell(ctx, { ...notice, kind: 'approval.decided' }, { people: askedBy === null ? [] : [askedBy],
    permission: null, customerId: null, roles: null });
}

/** Notifies the verifiers and the author of events on bank details under `place`. */
export const tellOfBankDetails = (verify: AnyEndpoint, place: string, page = '') =>
  (ctx: WorkContext, event: BankEvent): Promise<number> => {
    const href = `${place}/${event.id}${page}`;
    if (event.kind === 'written') {
      return notifyApprovers(ctx, verify, { title: `Bank details await verification: ${event.name}`, href });
    }
    return notifyAsker(ctx, event.written_by_id, { title: `Bank details ${event.kind}: ${event.name}`,
      body: event.reason, href });
  };

export interface CustomerNotice extends Notice {
  kind: CustomerKind;
  /** All of the customer's people if absent. */
  roles?: readonly CustomerRole[];
}

/** Tells the people of a customer. */
export function notifyCustomer(ctx: WorkContext, customerId: number, notice: CustomerNotice): Promise<number> {
  return tell(ctx, notice, { people: [], permission: null, customerId,
    roles: notice.roles ?? ['admin', 'signer', 'member'] });
}

interface NotificationTarget {
  people: readonly number[];
  permission: Permission | null;
  customerId: number | null;
  roles: readonly CustomerRole[] | null;
}

async function tell(
  ctx: WorkContext, notice: Notice & { kind: NotificationKind }, to: NotificationTarget,
): Promise<number> {
  const { told } = await ctx.db.one<{ told: number }>(sql`
    select notify_people(${[...to.people]}::bigint[], ${to.permission}::text, ${to.customerId}::bigint,
      ${to.roles === null ? null : [...to.roles]}::text[], ${ctx.actor.actor_id}::bigint, ${notice.kind}::text,
      ${notice.title.replace(/\s+/g, ' ').trim()}::text, ${notice.body ?? ''}::text, ${notice.href ?? null}::text,
      ${kindOf(notice.kind).by_mail}::boolean, ${notice.key ?? null}::text,
      ${ctx.now().toISOString()}::timestamptz) as told`);
  return told;
}
