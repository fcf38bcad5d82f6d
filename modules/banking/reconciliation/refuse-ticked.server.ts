/** Payments that a person found on a statement without lines: their entry is ticked in a reconciliation. */
import { conflict } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

const LINES = sql`
  select e.id from payments p join transactions t on t.id = p.transaction_id
      or (t.source_type = 'payment' and t.source_event = 'exchanged' and t.source_id = p.id)
    join journal_entries e on e.transaction_id = t.id and e.ledger_account_id = p.ledger_account_id`;

/** 409 where the bank has paid it by a tick; until the caller's transaction ends nobody can tick it. */
export async function refuseTicked(ctx: WorkContext, payment_id: number, of: { name: string; next: string }):
Promise<void> {
  await ctx.db.query(sql`
    select pg_advisory_xact_lock(hashtextextended('bank cleared ' || x.id, 0))
    from (${LINES} where p.id = ${payment_id} order by e.id) x`);
  const tick = await ctx.db.maybeOne<{ account: string; is_open: boolean; bank_reconciliation_id: number }>(sql`
    select b.name as account, r.status = 'open' as is_open, r.id as bank_reconciliation_id
    from bank_reconciliation_ticks k join bank_reconciliations r on r.id = k.bank_reconciliation_id
      join bank_accounts b on b.id = k.bank_account_id
    where k.holds and k.ledger_line_id in (${LINES} where p.id = ${payment_id}) limit 1`);
  if (!tick) return;
  throw conflict('reconciliation.ticked', tick.is_open
    ? `${of.name} is ticked as paid in the open reconciliation of ${tick.account}. Take its tick off there, ${of.next}.`
    : `${of.name} is paid by the bank in a finished reconciliation of ${tick.account}.`,
  { bank_reconciliation_id: tick.bank_reconciliation_id });
}
