/** Lines of the bank as matching reads them. */
import type { LineToMatch } from '#kernel/bank-matching/open-item.ts';
import { conflict, invalidField, refuse } from '#kit/errors.ts';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import type { WorkContext } from '#server/context.ts';
import type { MatchAccount } from '#server/open-items.ts';
import { sql, type Sql } from '#server/sql.ts';
import type { Queryable } from '#server/db.ts';
import type { MatchableLine } from './matching.contract.ts';

export interface StoredLine extends MatchableLine {
  state: string;
  end_to_end_id: string | null;
  check_number: string | null;
  counterparty_account: string | null;
}

const MATCH = sql`(select m.bank_match_id from bank_match_lines m where m.bank_transaction_id = t.id and m.active)`;
export const LINE_COLUMNS = sql`t.id, t.bank_account_id, t.bank_statement_id, t.booked_on::text as booked_on,
  t.amount_minor, (select b.division from bank_accounts b where b.id = t.bank_account_id) as division,
  (select b.currency from bank_accounts b where b.id = t.bank_account_id) as currency,
  (select b.name from bank_accounts b where b.id = t.bank_account_id) as bank_account_name, t.name, t.memo,
  t.reference, ${MATCH} as bank_match_id, t.bank_reconciliation_id is not null as is_reconciled`;
export const UNMATCHED = sql`not exists (
  select 1 from bank_match_lines m where m.bank_transaction_id = t.id and m.active)`;

export const linesWhere = (db: Queryable, condition: Sql, limit = 200): Promise<StoredLine[]> =>
  db.query<StoredLine>(sql`
  select ${LINE_COLUMNS}, t.state, t.end_to_end_id, t.check_number, t.counterparty_account
  from bank_transactions t where t.deleted_at is null and ${condition} order by t.id limit ${limit}`);

export async function findLine(db: Queryable, id: number): Promise<StoredLine> {
  const [line] = await linesWhere(db, sql`t.id = ${id} and t.state = 'booked'`);
  if (!line) throw refuse('not_found');
  return line;
}

/** Locked in the order of ids, then read. 409 where one is in a match already. */
export async function lockLines(ctx: WorkContext, ids: readonly number[]): Promise<StoredLine[]> {
  await ctx.db.query(sql`
    select 1 from bank_transactions where id = any (${[...ids]}::bigint[]) order by id for update`);
  const lines = await linesWhere(ctx.db, sql`t.id = any (${[...ids]}::bigint[])`);
  if (lines.length !== new Set(ids).size) throw invalidField('line_ids', 'Choose lines of the bank statement');
  for (const line of lines) {
    if (line.state !== 'booked') {
      throw invalidField('line_ids', 'An advance notice is not matched. Wait for the statement');
    }
    if (line.bank_match_id !== null) {
      throw conflict('bank_match.line_matched', `The bank line of ${dateInWords(line.booked_on)} is matched already.`,
        { bank_match_id: line.bank_match_id });
    }
  }
  return lines;
}

export function lineToMatch(line: StoredLine): LineToMatch {
  const left = line.bank_match_id === null ? BigInt(line.amount_minor) : 0n;
  return { id: line.id, bank_account_id: line.bank_account_id, currency: line.currency, booked_on: line.booked_on,
    amount_minor: BigInt(line.amount_minor), left_minor: left, name: line.name, memo: line.memo,
    reference: line.reference, end_to_end_id: line.end_to_end_id, check_number: line.check_number,
    counterparty_account: line.counterparty_account,
    original: null };
}

export interface MatchingAccount extends MatchAccount { name: string; ledger_code: string }

export async function accountOf(db: Queryable, id: number): Promise<MatchingAccount> {
  const row = await db.maybeOne<MatchingAccount>(sql`
    select b.id as bank_account_id, b.ledger_account_id, b.division, b.currency, b.name, a.code as ledger_code
    from bank_accounts b join ledger_accounts a on a.id = b.ledger_account_id where b.id = ${id}`);
  if (!row) throw refuse('not_found');
  return row;
}
