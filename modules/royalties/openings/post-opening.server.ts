/**
 * Posts what an agreement brings forward, once: when it is in force with something open (accounting.md 2.2 row 29).
 * The advance not recouped becomes a paid advance of that day, so statements recoup it as any other.
 */
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { openingLines } from '#kernel/royalties/opening.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { keepOpeningPosting } from '#modules/catalogue/agreement/brought-forward.public.server.ts';
import { rateFor } from '../ledger-rate.server.ts';

interface Opening {
  royaltor_id: number; division: Division; currency: Currency; balance: number; unrecouped: number; on: string | null;
  words: string;
}

/** The caller holds the agreement's row. 409 where the day's period is closed or its rate is missing. */
export async function postOpening(ctx: WorkContext, agreementId: number): Promise<void> {
  const opening = await ctx.db.maybeOne<Opening>(sql`
    select g.royaltor_id, g.payer_division as division, g.currency, g.opening_balance_minor as balance,
      g.opening_unrecouped_minor as unrecouped, g.opening_on as "on", r.name || ', ' || s.title as words
    from show_royaltors g join royaltors r on r.id = g.royaltor_id join shows s on s.id = g.show_id
    where g.id = ${agreementId} and g.status = 'active' and g.role <> 'house' and g.opening_transaction_id is null
      and (g.opening_balance_minor <> 0 or g.opening_unrecouped_minor <> 0)`);
  if (!opening) return;
  const { division, currency, royaltor_id } = opening;
  const on = opening.on ?? await ctx.today(division);
  const rate = await rateFor(ctx.db, division, currency, on);
  const lines = openingLines({ balance_minor: BigInt(opening.balance), unrecouped_minor: BigInt(opening.unrecouped),
    rate });
  const { transaction_id } = await postJournal(ctx.db, {
    division, kind: 'opening', transaction_at: on, description: `Brought forward, ${opening.words}`.slice(0, 500),
    source: { type: 'show_royaltor', id: agreementId, event: 'opening', attempt: 1 },
    lines: lines.map((line) => ({ account: line.account, currency, amount: line.amount_minor,
      base: line.functional_minor, memo: line.memo,
      ...(line.account === '3999' ? {} : { party: { type: 'royaltor' as const, id: royaltor_id } }) })),
  }, ctx.actor.actor_id);
  const carried = lines.find((line) => line.account === '2200')?.functional_minor ?? 0n;
  await keepOpeningPosting(ctx, { agreement_id: agreementId, on, transaction_id, carried_minor: -carried });
  const advance = lines.find((line) => line.account === '1150');
  if (advance) {
    await ctx.db.exec(sql`
      insert into royalty_advances (show_royaltor_id, division, currency, amount_minor, due_event, due_on, status,
        paid_on, paid_functional_minor)
      values (${agreementId}, ${division}, ${currency}, ${opening.unrecouped}, 'date', ${on}, 'paid', ${on},
        ${Number(advance.functional_minor)})`);
  }
  await ctx.audit({ action: 'post_opening', entity: 'show_royaltor', entity_id: agreementId,
    after: { on, balance_minor: opening.balance, unrecouped_minor: opening.unrecouped, transaction_id } });
}
