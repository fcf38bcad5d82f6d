/**
 * Undoing a match: its lines are free again, and what it made is taken back by each document's own rules. Nothing is
 * deleted. Reversals are dated as what they reverse while those days are open, else today.
 */
import { conflict, refuse } from '#kit/errors.ts';
import { reverseTransaction } from '#modules/accounting/accounting.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

interface StoredMatch { id: number; division: string; undone_at: string | null; paired_match_id: number | null }

/** The match and the other half of its transfer, the one that posted last. */
async function together(ctx: WorkContext, id: number): Promise<StoredMatch[]> {
  return ctx.db.query<StoredMatch>(sql`
    select m.id, b.division, m.undone_at, m.paired_match_id
    from bank_matches m join bank_accounts b on b.id = m.bank_account_id
    where m.id = ${id} or m.paired_match_id = ${id}
      or m.id = (select paired_match_id from bank_matches where id = ${id}) order by m.id`);
}

export async function undoMatch(ctx: WorkContext, id: number, reason: string): Promise<void> {
  const ids = (await together(ctx, id)).map((one) => one.id);
  if (ids.length === 0) throw refuse('not_found');
  await ctx.db.query(sql`
    select 1 from bank_transactions where id in (select bank_transaction_id from bank_match_lines
      where bank_match_id = any (${ids}::bigint[])) order by id for update`);
  const matches = await together(ctx, id);
  if (matches.some((match) => match.undone_at !== null)) {
    throw conflict('bank_match.undone', 'This match was undone before.');
  }
  const lines = await ctx.db.query<{ id: number; reconciled: boolean; bank_match_id: number }>(sql`
    select t.id, t.bank_reconciliation_id is not null as reconciled, m.bank_match_id
    from bank_match_lines m join bank_transactions t on t.id = m.bank_transaction_id
    where m.bank_match_id = any (${ids}::bigint[]) order by t.id`);
  if (lines.some((line) => line.reconciled)) {
    throw conflict('bank_match.reconciled',
      'A bank line of this match is reconciled. Undo the reconciliation first.');
  }
  await ctx.db.exec(sql`
    update bank_matches set undone_at = ${ctx.now().toISOString()}, undone_by_id = ${ctx.actor.actor_id},
      undo_reason = ${reason} where id = any (${ids}::bigint[])`);
  for (const match of matches) await takeBack(ctx, match, reason);
  for (const line of lines) {
    await ctx.audit({ action: 'undo_match', entity: 'bank_transaction', entity_id: line.id,
      after: { bank_match_id: line.bank_match_id, reason } });
  }
}

async function takeBack(ctx: WorkContext, match: StoredMatch, reason: string): Promise<void> {
  const documents = await ctx.db.query<{ document_type: string; document_id: number; posted_on: string }>(sql`
    select d.document_type, d.document_id, coalesce((select max(e.transaction_at) from bank_match_entries x
      join journal_entries e on e.id = x.ledger_line_id where x.bank_match_id = d.bank_match_id and x.posted_by_match),
      current_date)::text as posted_on
    from bank_match_documents d where d.bank_match_id = ${match.id}
    order by (d.document_type = 'transaction'), d.document_type, d.document_id`);
  for (const { document_type: type, document_id: id, posted_on } of documents) {
    const on = await reversalDay(ctx, match.division, posted_on);
    if (type === 'transaction') {
      await reverseTransaction(ctx.db, { transaction_id: id, transaction_at: on, reason, actor_id: ctx.actor.actor_id,
        document: null });
      continue;
    }
    const source = ctx.ports.openItems.find((one) => one.document_types.includes(type));
    if (!source) throw new Error(`nothing takes back ${type} ${id}`);
    await source.takeBack(ctx, { type, id, on, reason });
  }
}

/** The day of the posting while nothing locks it, else today. */
export async function reversalDay(ctx: WorkContext, division: string, day: string): Promise<string> {
  const open = await ctx.db.maybeOne(sql`
    select 1 from periods where division = ${division} and ${day}::date between starts and ends and state = 'open'
      and ${day}::date > coalesce(greatest(hard_locked_through, sales_locked_through, tax_locked_through,
        bank_locked_through), '-infinity')`);
  const today = await ctx.today(division);
  return open || day > today ? day : today;
}
