/**
 * What other contexts may ask: to tell people of something, in the transaction in which it happens. Titles are one
 * line in the product's words; whoever did it is not told of it.
 */
import type { CustomerRole } from '#kit/auth.ts';
import type { Permission } from '#kit/permission.ts';
import type { WorkContext } from '#server/context.ts';
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

export interface CustomerNotice extends Notice {
  kind: CustomerKind;
  /** Whoever belongs to the customer unless named. */
  roles?: readonly CustomerRole[];
}

/** Tells the people of a customer. */
export function notifyCustomer(ctx: WorkContext, customerId: number, notice: CustomerNotice): Promise<number> {
  return tell(ctx, notice, { people: [], permission: null, customerId,
    roles: notice.roles ?? ['admin', 'signer', 'member'] });
}

interface Told {
  people: readonly number[];
  permission: Permission | null;
  customerId: number | null;
  roles: readonly CustomerRole[] | null;
}

async function tell(ctx: WorkContext, notice: Notice & { kind: NotificationKind }, to: Told): Promise<number> {
  const { told } = await ctx.db.one<{ told: number }>(sql`
    select notify_people(${[...to.people]}::bigint[], ${to.permission}::text, ${to.customerId}::bigint,
      ${to.roles === null ? null : [...to.roles]}::text[], ${ctx.actor.actor_id}::bigint, ${notice.kind}::text,
      ${notice.title.replace(/\s+/g, ' ').trim()}::text, ${notice.body ?? ''}::text, ${notice.href ?? null}::text,
      ${kindOf(notice.kind).by_mail}::boolean, ${notice.key ?? null}::text,
      ${ctx.now().toISOString()}::timestamptz) as told`);
  return told;
}
