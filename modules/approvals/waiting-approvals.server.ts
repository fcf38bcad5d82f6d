/** Approvals waiting for one person: the kinds that the person may decide, without the person's own requests. */
import { grants } from '#kit/permission.ts';
import type { Principal } from '#server/principal.ts';
import { sql, type Sql } from '#server/sql.ts';
import { APPROVAL_CALLS } from './approval-kinds.contract.ts';
import { APPROVAL_SOURCES } from './approval-sources.server.ts';
import { APPROVAL_KINDS, type ApprovalKind } from './approval.contract.ts';

/** Kinds whose approve call the person may make. */
export function kindsOf(user: Principal): ApprovalKind[] {
  return APPROVAL_KINDS.filter((kind) => {
    const { auth } = APPROVAL_CALLS[kind].approve;
    return auth.kind === 'staff' && auth.roles.includes(user.role)
      && (user.role !== 'staff_user' || grants(user.permissions, auth.permission));
  });
}

/** Rows as `waitingRows` names them, with `id`; null where the person may decide none of these kinds. */
export function waitingFor(user: Principal, wanted: readonly ApprovalKind[] = APPROVAL_KINDS): Sql | null {
  const kinds = kindsOf(user).filter((kind) => wanted.includes(kind));
  if (kinds.length === 0) return null;
  const rows = kinds.map((kind) => APPROVAL_SOURCES[kind]())
    .reduce((all, part) => sql`${all} union all ${part}`);
  return sql`(select w.kind || ':' || w.entity_id as id, w.* from (${rows}) w
    where w.asked_by_id is distinct from ${user.user_id} and not ${user.user_id} = any (w.barred_ids))`;
}
