/** Four eyes over bank details: who changed those of a payee decides about none of its payments until one settled. */
import { refuse } from '#kit/errors.ts';
import { vendorAndMerged } from '#modules/operations/operations.public.server.ts';
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
    select max(posted_at) as since from payments where party_type = ${payment.party_type}
      and (party_id = ${payment.party_id} or vendor_id in ${vendorAndMerged(own)})
      and direction = 'out' and outcome = 'settled'`);
  const changers = await bankChangersOf(ctx.db, payment.party_type as PayeeType, own, since);
  if (!changers.includes(ctx.actor.actor_id)) return;
  throw refuse('four_eyes', `You changed the bank details of ${payment.party_name}. Somebody else ${act}.`);
}
