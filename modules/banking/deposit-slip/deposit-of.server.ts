/** The deposit slip of a receipt. */
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';

export interface DepositOfReceipt {
  id: number;
  number: string;
  status: 'draft' | 'deposited';
  /** The bank account it was deposited on; null where that is closed. */
  open_account_id: number | null;
}

/** The slip that holds the receipt. Call it with the receipt locked: nobody puts it on a slip meanwhile. */
export function depositOf(ctx: Pick<WorkContext, 'db'>, paymentId: number): Promise<DepositOfReceipt | null> {
  return ctx.db.maybeOne<DepositOfReceipt>(sql`
    select s.id, s.number, s.status, case when b.closed_on is null then b.id end as open_account_id
    from deposit_slip_items i join deposit_slips s on s.id = i.deposit_slip_id
      join bank_accounts b on b.id = s.bank_account_id
    where i.payment_id = ${paymentId} and i.holds`);
}
