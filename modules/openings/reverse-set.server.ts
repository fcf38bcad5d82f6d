/** A posted set goes back by two people, until the first close and as long as nothing happened to its documents. */
import { conflict, refuse } from '#kit/errors.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { KINDS } from './kinds.server.ts';
import { openingSetEndpoints } from './opening-set.contract.ts';
import { lockSet, nameOfSet, refuseAfterClose, type StoredSet } from './set-store.server.ts';

const hrefOf = (id: number): string => `/admin/accounting/opening-balances/${id}`;
/** Names that the message says; the facts have them all. */
const NAMED = 5;

async function refuseUsed(ctx: Ctx, set: StoredSet): Promise<void> {
  const names = await KINDS[set.kind].inTheWay(ctx.db, set);
  if (names.length === 0) return;
  const more = names.length - NAMED;
  throw conflict('opening_set.in_use', `${nameOfSet(set)} was used since: ${names.slice(0, NAMED).join(', ')}${
    more > 0 ? ` and ${more} more` : ''}. Take that back first.`, { names });
}

/** Asks, or confirms what another person asked for. */
export async function reverseSet(ctx: Ctx, id: number, input: { version: number; reason: string }): Promise<void> {
  const set = await lockSet(ctx, id, 'posted', input.version);
  await refuseAfterClose(ctx.db, set);
  await refuseUsed(ctx, set);
  if (set.reversal_asked_by_id === null) {
    await ctx.db.exec(sql`
      update opening_sets set reversal_asked_by_id = ${ctx.user.user_id}, reversal_reason = ${input.reason},
        reversal_asked_at = ${ctx.now().toISOString()}, version = version + 1 where id = ${id}`);
    await ctx.audit({ action: 'ask_to_reverse', entity: 'opening_set', entity_id: id,
      after: { reason: input.reason } });
    await notifyApprovers(ctx, openingSetEndpoints.reverse, { href: hrefOf(id), body: input.reason,
      title: `Reverse opening balances, ${nameOfSet(set)}: awaits confirmation` });
    return;
  }
  if (set.reversal_asked_by_id === ctx.user.user_id) {
    throw refuse('four_eyes', 'You asked for this yourself: another person has to confirm it.');
  }
  const reason = set.reversal_reason!;
  await KINDS[set.kind].takeBack(ctx, set, reason);
  await ctx.db.exec(sql`
    update opening_sets set status = 'reversed', reversed_by_id = ${ctx.user.user_id},
      reversed_at = ${ctx.now().toISOString()}, version = version + 1 where id = ${id}`);
  await ctx.audit({ action: 'reverse', entity: 'opening_set', entity_id: id, after: { reason } });
  await notifyAsker(ctx, set.reversal_asked_by_id, { title: `Opening balances reversed: ${nameOfSet(set)}`,
    href: hrefOf(id) });
}

/** The set stays as it is. Whoever asked may withdraw it, any other person declines it. */
export async function declineReversal(ctx: Ctx, id: number, input: { version: number; reason: string }):
Promise<void> {
  const { reason } = input;
  const set = await lockSet(ctx, id, 'posted', input.version);
  const asker = set.reversal_asked_by_id;
  if (asker === null) throw conflict('opening_set.asked', 'Nobody asks to reverse this set any more.');
  await ctx.db.exec(sql`
    update opening_sets set reversal_asked_by_id = null, reversal_reason = null, reversal_asked_at = null,
      version = version + 1 where id = ${id}`);
  await ctx.audit({ action: asker === ctx.user.user_id ? 'withdraw' : 'decline', entity: 'opening_set',
    entity_id: id, after: { reason } });
  if (asker === ctx.user.user_id) return;
  await notifyAsker(ctx, asker, { title: `Declined: reverse opening balances, ${nameOfSet(set)}`, body: reason,
    href: hrefOf(id) });
}
