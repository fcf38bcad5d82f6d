/**
 * Four eyes over bank details: who changed those of a payee decides about none of its payments until one that went to
 * the changed details has settled. A check or a card says nothing about them, nor does a payment approved before.
 */
import { refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { bankChangersOf, currentParty, type PayeeType } from './payee-bank.server.ts';

/** `act` ends the sentence "Somebody else ...". */
export async function refuseBankChanger(
  ctx: WorkContext, payment: { party_type: string; party_id: number; party_name: string }, act: string,
): Promise<void> {
  if (!['vendor', 'royaltor', 'customer'].includes(payment.party_type) || ctx.actor.actor_id === null) return;
  const own = await currentParty(ctx.db, payment);
  const { since } = await ctx.db.one<{ since: string | null }>(sql`
    select max(coalesce(n.approved_at, p.approved_at)) as since
    from payments p left join payment_runs n on n.id = p.payment_run_id
    where p.party_type = ${payment.party_type} and p.party_id = ${own} and p.direction = 'out'
      and p.outcome = 'settled' and p.payee_version is not null`);
  const changers = await bankChangersOf(ctx.db, payment.party_type as PayeeType, own, since);
  if (!changers.includes(ctx.actor.actor_id)) return;
  throw refuse('four_eyes', `You changed the bank details of ${payment.party_name}. Somebody else ${act}.`);
}
