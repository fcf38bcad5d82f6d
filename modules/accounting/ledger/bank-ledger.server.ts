/** Ledger accounts of bank accounts: one each, in its currency, closed to journals by hand. */
import type { Currency } from '#kernel/money/money.ts';
import type { Division } from '#kernel/money/division.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import { asLedgerCall } from './ledger-error.server.ts';

/** Opens the ledger account of a new bank account under the next free code; answers its id. */
export async function openBankLedger(
  db: Queryable, of: { division: Division; currency: Currency; name: string },
): Promise<number> {
  const { id } = await asLedgerCall(db.one<{ id: number }>(sql`
    select open_bank_ledger_account(${of.division}::text, ${of.currency}::text, ${of.name}::text) as id`));
  return id;
}
