/** Runs that pay royaltors alone are their batches; a general run pays royalties beside bills and refunds. */
import { sql, type Sql } from '#server/sql.ts';

/** Condition over a row of payment_runs: such a run bears the number of its batch. */
export const isBatch = (run: Sql): Sql => sql`exists (select 1 from royalty_payment_batches q
  where q.id = ${run}.royalty_payment_batch_id and q.number = ${run}.number)`;

/** The payment is of the run's batch of royalties, and posted, released and returned by royalties. */
export const isRoyalty = (payment: { party_type: string }): boolean => payment.party_type === 'royaltor';
