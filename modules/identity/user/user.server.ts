/** Accounts: what people change of their own, and staff of others, field by field (SPEC.md 6, gaps G83). */
import type { BodyOf } from '#kit/endpoint.ts';
import { AppError, refuse } from '#kit/errors.ts';
import type { Permission } from '#kit/permission.ts';
import type { Ctx } from '#server/context.ts';
import { stale } from '#server/crud.ts';
import { serve, type Route } from '#server/routes.ts';
import { sql } from '#server/sql.ts';
import { readAvatar, removeAvatar, setAvatar } from './avatar.server.ts';
import { cancelEmailChange, requestEmailChange } from './email-change.server.ts';
import { accountOf, findPerson, passes, refuseAbove, type PersonRow } from './person.server.ts';
import { userEndpoints } from './user.contract.ts';

type Changes = BodyOf<typeof userEndpoints.update>;

const FIELD_RIGHTS = {
  first_name: ['user.manage_name', 'You do not have the right to change names'],
  last_name: ['user.manage_name', 'You do not have the right to change names'],
  email: ['user.manage_email', 'You do not have the right to change email addresses'],
} as const satisfies Partial<Record<keyof Changes, readonly [Permission, string]>>;

/** The person of the path, where the caller may touch them at all; anyone else's account does not exist for them. */
async function reachable(ctx: Ctx, id: number, permission: Permission): Promise<PersonRow> {
  if (id !== ctx.user.user_id && (!passes(ctx.user, permission) || ctx.user.acting_customer_id !== null)) {
    throw refuse('not_found');
  }
  const person = await findPerson(ctx, id, true);
  if (id !== ctx.user.user_id) refuseAbove(ctx.user, person);
  return person;
}

/** 403 at the field whose right is missing; what stays as it was needs no right. */
function refuseFields(ctx: Ctx, person: PersonRow, changed: readonly string[]): void {
  if (person.id === ctx.user.user_id) return;
  const errors = Object.entries(FIELD_RIGHTS)
    .filter(([field, [permission]]) => changed.includes(field) && !passes(ctx.user, permission))
    .map(([field, [, text]]) => [field, [text]]);
  if (errors.length === 0) return;
  throw new AppError('forbidden', { status: 403, message: String((errors[0] as [string, string[]])[1][0]),
    errors: Object.fromEntries(errors) as Record<string, string[]> });
}

async function update(ctx: Ctx, id: number, { version, ...values }: Changes): Promise<PersonRow> {
  const before = await reachable(ctx, id, 'user.update');
  if (version !== undefined && version !== before.version) throw stale(before);
  const email = values.email?.toLowerCase();
  const next = { first_name: values.first_name ?? before.first_name, last_name: values.last_name ?? before.last_name,
    phone: values.phone === undefined ? before.phone : values.phone,
    language: values.language === undefined ? before.language : values.language };
  const changed = [
    ...(Object.keys(next) as (keyof typeof next)[]).filter((field) => next[field] !== before[field]),
    ...(email !== undefined && email !== before.email ? ['email'] : []),
  ];
  refuseFields(ctx, before, changed);
  if (changed.includes('email')) {
    // Not on the endpoint: a corrected name needs no password.
    if (ctx.session?.confirmed !== true) throw refuse('confirmation_required');
    await requestEmailChange(ctx, before, email!);
  } else if (email !== undefined && before.pending_email !== null) await cancelEmailChange(ctx, id);
  if (changed.some((field) => field !== 'email')) {
    await ctx.db.exec(sql`
      update users set first_name = ${next.first_name}, last_name = ${next.last_name}, phone = ${next.phone},
        language = ${next.language}, version = version + 1 where id = ${id}`);
  }
  const after = await findPerson(ctx, id);
  if (changed.length > 0 || after.pending_email !== before.pending_email) {
    await ctx.audit({ action: 'update', entity: 'user', entity_id: id, before: plain(before), after: plain(after) });
  }
  return after;
}

/** Fields of a person in the audit, without mere bookkeeping. */
function plain({ first_name, last_name, email, pending_email, phone, language }: PersonRow) {
  return { first_name, last_name, email, pending_email, phone, language };
}

async function setPicture(ctx: Ctx, id: number): Promise<{ data: ReturnType<typeof accountOf> }> {
  const person = await reachable(ctx, id, 'user.manage_avatar');
  return { data: accountOf(ctx.ports.settings, await setAvatar(ctx, person)) };
}

export const userRoutes: Route[] = serve(userEndpoints, {
  async update(ctx, { params, body }) {
    return { data: accountOf(ctx.ports.settings, await update(ctx, params.id, body)) };
  },
  addAvatar: (ctx, { params }) => setPicture(ctx, params.id),
  replaceAvatar: (ctx, { params }) => setPicture(ctx, params.id),
  async removeAvatar(ctx, { params }) {
    await removeAvatar(ctx, await reachable(ctx, params.id, 'user.manage_avatar'));
  },
  avatar: (ctx, { params, query }) => readAvatar(ctx, params.id, params.file, query.size),
});
