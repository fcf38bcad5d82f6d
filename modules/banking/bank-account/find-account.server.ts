/** The bank account that money moves on: the one a form names, else the default of its division and currency. */
import { conflict, invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

export interface FoundAccount {
  id: number;
  ledger_account_id: number;
  /** Of its ledger account. */
  code: string;
}

/**
 * Held until the caller's transaction ends, so that nobody closes it meanwhile. 422 at `field` where the named account
 * is closed or of another division or currency; 409 where the division has none in the currency.
 */
export async function bankAccountFor(
  ctx: Pick<WorkContext, 'db'>, of: { division: string; currency: string; bank_account_id?: number | null | undefined },
  field = 'bank_account_id',
): Promise<FoundAccount> {
  const row = await ctx.db.maybeOne<FoundAccount>(sql`
    select id, ledger_account_id, code
    from bank_account_for(${of.division}::text, ${of.currency}::text, ${of.bank_account_id ?? null}::bigint)`);
  if (row) return row;
  if (of.bank_account_id) {
    throw invalidField(field, `Choose an open bank account of division ${of.division} in ${of.currency}`);
  }
  throw conflict('receivables.no_bank_account', `Division ${of.division} has no bank account in ${of.currency}. `
    + 'Add one under Banking, Bank accounts.');
}
