/**
 * An import that was a mistake - the columns read wrongly, the wrong account - is taken back with all of its lines. The
 * file stays, with the reason; imported again it is read anew. What other files count on is taken back after them.
 */
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { conflict, refuse } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

interface StoredFile { id: number; bank_account_id: number; file_name: string; sha256: string; format: string;
  taken_back_at: string | null }

const fileOf = (ctx: WorkContext, statementId: number): Promise<StoredFile | null> => ctx.db.maybeOne<StoredFile>(sql`
  select f.id, f.bank_account_id, o.original_name as file_name, f.sha256, f.format, f.taken_back_at
  from bank_statements s join bank_statement_files f on f.id = s.bank_statement_file_id
    join files o on o.id = f.file_id where s.id = ${statementId}`);

/** All statements of the file that brought this one. */
export async function takeBackImport(ctx: WorkContext, statementId: number, reason: string): Promise<void> {
  const found = await fileOf(ctx, statementId);
  if (!found) throw refuse('not_found');
  // Imports and reconciliations of the account wait here, and matches at the lines.
  await ctx.db.query(sql`select 1 from bank_accounts where id = ${found.bank_account_id} for no key update`);
  await ctx.db.query(sql`
    select 1 from bank_transactions where bank_statement_id in (
      select id from bank_statements where bank_statement_file_id = ${found.id}) order by id for update`);
  const file = (await fileOf(ctx, statementId))!;
  if (file.taken_back_at !== null) {
    throw conflict('bank_statement.taken_back', 'This import was taken back before.');
  }
  const { lines } = await refuseUsed(ctx, file);
  await refuseReliedOn(ctx, file);
  await ctx.db.exec(sql`
    update bank_statement_files set taken_back_at = ${ctx.now().toISOString()}, taken_back_by_id = ${
      ctx.actor.actor_id}, take_back_reason = ${reason} where id = ${file.id}`);
  await ctx.db.exec(sql`
    update bank_accounts set statement_mapping = case when ${file.format} = 'csv' then null else statement_mapping end,
      statement_date_order = null, version = version + 1
    where id = ${file.bank_account_id} and (statement_date_order is not null
      or (${file.format} = 'csv' and statement_mapping is not null))`);
  await ctx.audit({ action: 'take_back_import', entity: 'bank_account', entity_id: file.bank_account_id,
    after: { file: file.file_name, sha256: file.sha256, lines, reason } });
}

async function refuseUsed(ctx: WorkContext, { id }: StoredFile): Promise<{ lines: number }> {
  const of = await ctx.db.one<{ lines: number; matched: number; reconciled: number; in_use: boolean }>(sql`
    with own as (select id from bank_statements where bank_statement_file_id = ${id})
    select count(*)::int as lines, (count(*) filter (where exists (select 1 from bank_match_lines m
        where m.bank_transaction_id = t.id and m.active)))::int as matched,
      (count(*) filter (where t.bank_reconciliation_id is not null))::int as reconciled,
      exists (select 1 from bank_reconciliations r join own on own.id = r.bank_statement_id
        where r.status in ('open', 'finished')) as in_use
    from bank_transactions t where t.bank_statement_id in (select id from own)`);
  if (of.reconciled > 0 || of.in_use) {
    throw conflict('bank_statement.in_use', of.reconciled > 0
      ? 'Lines of this import are reconciled. Undo the reconciliation first, then take the import back.'
      : 'A reconciliation uses the balance of this statement. Discard or undo it first, then take the import back.');
  }
  if (of.matched > 0) {
    throw conflict('bank_statement.in_use', `${of.matched === 1 ? '1 line of this import is matched. Undo its match'
      : `${of.matched} lines of this import are matched. Undo their matches`} first, then take the import back.`);
  }
  return { lines: of.lines };
}

/** A later file left out lines that this one had brought: without it they would be missing. */
async function refuseReliedOn(ctx: WorkContext, file: StoredFile): Promise<void> {
  const later = await ctx.db.maybeOne<{ file_name: string; from_on: string | null; to_on: string | null }>(sql`
    select o.original_name as file_name, s.from_on::text as from_on, s.to_on::text as to_on
    from bank_statements s join bank_statement_files f on f.id = s.bank_statement_file_id
      join files o on o.id = f.file_id
    where s.bank_account_id = ${file.bank_account_id} and f.id > ${file.id} and s.taken_back_at is null
      and s.new_count < s.line_count and exists (select 1 from bank_transactions t
        join bank_statements own on own.id = t.bank_statement_id and own.bank_statement_file_id = ${file.id}
        where t.booked_on between coalesce(s.from_on, t.booked_on) and coalesce(s.to_on, t.booked_on))
    order by f.id desc limit 1`);
  if (!later) return;
  throw conflict('bank_statement.relied_on', `${later.file_name}${later.to_on === null ? ''
    : `, through ${dateInWords(later.to_on)}`}, was imported later and left out lines that this import brought. Take `
    + 'that one back first.');
}
