/** The end of a check that was printed: voided, or unclaimed property after 180 days. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { staleCheckLines, staleFrom } from '#kernel/ledger/stale-check.ts';
import type { Party } from '#kernel/ledger/journal.ts';
import { documentLanguage, type Division } from '#kernel/money/division.ts';
import type { Currency } from '#kernel/money/money.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import { postJournal } from '#modules/accounting/accounting.public.server.ts';
import { refuseTicked } from '#modules/banking/banking.public.server.ts';
import type { Ctx } from '#server/context.ts';
import { refuseFutureMoney } from '#server/money-day.ts';
import { sql } from '#server/sql.ts';
import { voidDisbursement } from '../disbursement/disbursement.server.ts';
import { findCheck } from './check-store.server.ts';
import type { CheckDetail } from './check.contract.ts';
import { nameOf, refuseUnless } from './print-check.server.ts';

/** Reversed on `on`; what it paid is open again with its due date. The check follows its payment in the database. */
export async function voidCheck(ctx: Ctx, row: CheckDetail, of: { on: string; reason: string }): Promise<void> {
  refuseUnless(row, 'printed');
  await refuseTicked(ctx, row.payment_id!, { name: nameOf(row), next: 'then void it' });
  await voidDisbursement(ctx, row.payment_id!, of.on, of.reason);
  await ctx.db.exec(sql`update checks set ended_by_id = ${ctx.actor.actor_id}, version = version + 1
    where id = ${row.id}`);
  await ctx.audit({ action: 'void', entity: 'check', entity_id: row.id, before: row,
    after: await findCheck(ctx, row.id) });
}

/** Event 17d: the bank account has the money again, and owes it as unclaimed property. */
export async function moveToUnclaimed(ctx: Ctx, row: CheckDetail, on: string): Promise<void> {
  refuseUnless(row, 'printed');
  await refuseFutureMoney(ctx, { division: row.division, on, field: 'on' });
  const from = staleFrom(row.checked_on!);
  if (on < from) {
    throw invalidField('on', `${nameOf(row)} can become unclaimed property from `
      + `${dateFor(documentLanguage(row.division), from)}`);
  }
  await refuseTicked(ctx, row.payment_id!, { name: nameOf(row), next: 'then move it' });
  const paid = await ctx.db.maybeOne<{ code: string; amount: number; base: number; matched: boolean }>(sql`
    select a.code, -sum(e.amount_minor)::bigint as amount, -sum(e.base_amount_minor)::bigint as base,
      bool_or(exists (select 1 from bank_match_entries m where m.ledger_line_id = e.id and m.active)) as matched
    from payments p join journal_entries e on e.transaction_id = p.transaction_id
      and e.ledger_account_id = p.ledger_account_id join ledger_accounts a on a.id = e.ledger_account_id
    where p.id = ${row.payment_id} group by a.code`);
  if (!paid || paid.matched) throw conflict('check.state', `${nameOf(row)} is cleared by the bank.`);
  const { transaction_id } = await postJournal(ctx.db, {
    division: row.division as Division, kind: 'payment', transaction_at: on,
    description: `Unclaimed property: ${nameOf(row)}, ${row.payee}`.slice(0, 500),
    source: { type: 'payment', id: row.payment_id!, event: 'unclaimed', attempt: 1 },
    lines: staleCheckLines({ bank: paid.code, currency: row.currency as Currency, amount_minor: BigInt(paid.amount),
      base_minor: BigInt(paid.base), party: { type: row.party_type as Party['type'], id: row.party_id! },
      payment_id: row.payment_id! }) }, ctx.actor.actor_id);
  await ctx.db.exec(sql`
    update checks set status = 'stale', ended_on = ${on}, ended_by_id = ${ctx.actor.actor_id},
      end_reason = 'Not paid in within 180 days', stale_transaction_id = ${transaction_id}, version = version + 1
    where id = ${row.id}`);
  await ctx.audit({ action: 'move_to_unclaimed', entity: 'check', entity_id: row.id, before: row,
    after: await findCheck(ctx, row.id) });
}
