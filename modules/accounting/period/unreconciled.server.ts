/** Bank accounts of a division that are not reconciled through a day, though something was posted on them. */
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';

export interface UnreconciledAccount { bank_account_id: number; name: string; reconciled_to_on: string | null }

export function unreconciledAccounts(db: Queryable, division: string, ends: string): Promise<UnreconciledAccount[]> {
  return db.query<UnreconciledAccount>(sql`
    select b.id as bank_account_id, b.name, r.to_on as reconciled_to_on
    from bank_accounts b cross join lateral bank_reconciled_balance(b.id) r
    where b.division = ${division} and b.deleted_at is null and b.closed_on is null
      and coalesce(r.to_on, '-infinity') < ${ends} and exists (select 1 from journal_entries e
        where e.ledger_account_id = b.ledger_account_id and e.transaction_at <= ${ends}
          and (r.to_on is null or e.transaction_at > r.to_on))
    order by b.name, b.id limit 100`);
}
