/**
 * Event 14e: an advance that the bank returns after statements have recouped part of it. Those kept back royalties for
 * money that never arrived: what they kept is owed again and goes on the next statement (decision 38).
 */
import { restoredAdvanceLines } from '#kernel/ledger/royalty-events.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

interface Advance { id: number; show_royaltor_id: number; royaltor_id: number; division: Division; currency: Currency;
  recouped_minor: number; recouped_functional_minor: number; paid_on: string }

/** Sets the advances of a returned payment back to scheduled. The caller has mirrored its posting. */
export async function returnAdvances(ctx: WorkContext, paymentId: number, on: string): Promise<void> {
  await ctx.db.query(sql`select 1 from royalty_advances where payment_id = ${paymentId} order by id for update`);
  const advances = await ctx.db.query<Advance>(sql`
    select a.id, a.show_royaltor_id, g.royaltor_id, a.division, a.currency, a.recouped_minor,
      a.recouped_functional_minor, a.paid_on
    from royalty_advances a join show_royaltors g on g.id = a.show_royaltor_id
    where a.payment_id = ${paymentId} order by a.id`);
  for (const advance of advances) {
    if (advance.recouped_minor > 0) await giveBack(ctx, paymentId, advance, on);
  }
  await ctx.db.exec(sql`
    update royalty_advances set status = 'scheduled', paid_on = null, payment_id = null, paid_functional_minor = 0,
      recouped_minor = 0, recouped_functional_minor = 0, version = version + 1
    where payment_id = ${paymentId}`);
}

async function giveBack(ctx: WorkContext, paymentId: number, advance: Advance, returnedOn: string): Promise<void> {
  const recouped = await ctx.db.query<{ statement_id: number; number: string; minor: number; on: string }>(sql`
    select m.id as statement_id, m.number, sum(r.amount_minor)::bigint as minor, t.transaction_at::date as on
    from royalty_recoupments r join royalty_statements m on m.id = r.statement_id
      join transactions t on t.id = m.transaction_id
    where r.royalty_advance_id = ${advance.id} group by m.id, m.number, t.transaction_at
    having sum(r.amount_minor) <> 0 order by m.id`);
  // A return may be entered for a day before the statement that recouped the advance.
  const on = [returnedOn, ...recouped.map((one) => one.on)].toSorted().at(-1)!;
  const { transaction_id } = await postJournal(ctx.db, { division: advance.division, kind: 'royalty_statement',
    transaction_at: on, description: `Advance returned by the bank: recoupment taken back`,
    source: { type: 'payment', id: paymentId, event: `advance_${advance.id}_restored`, attempt: 1 },
    lines: restoredAdvanceLines({ royaltor_id: advance.royaltor_id, currency: advance.currency,
      amount_minor: BigInt(advance.recouped_minor), functional_minor: BigInt(advance.recouped_functional_minor),
      refs: { payment_id: paymentId } }) }, ctx.actor.actor_id);
  const statements = recouped.map((one) => one.number).join(', ');
  const reason = `Recouped on ${statements} for the advance paid on ${dateInWords(advance.paid_on)}, `
    + 'which the bank returned';
  await ctx.db.exec(sql`
    insert into royalty_adjustments (show_royaltor_id, division, currency, amount_minor, on_date, reason,
      transaction_id, royalty_advance_id, carried_minor)
    values (${advance.show_royaltor_id}, ${advance.division}, ${advance.currency}, ${advance.recouped_minor}, ${on},
      ${reason}, ${transaction_id}, ${advance.id}, ${advance.recouped_functional_minor})`);
  for (const { statement_id, minor } of recouped) {
    await ctx.db.exec(sql`
      insert into royalty_recoupments (royalty_advance_id, statement_id, amount_minor)
      values (${advance.id}, ${statement_id}, ${-minor})`);
  }
  await ctx.audit({ action: 'return', entity: 'royalty_advance', entity_id: advance.id,
    after: { on, given_back_minor: advance.recouped_minor, statements, transaction_id } });
}
