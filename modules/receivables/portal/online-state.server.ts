/** Payments by card and bank debit as the customer sees them on what they pay, a document or a deposit. */
import type { ResponseIn } from '#kit/endpoint.ts';
import type { Ctx } from '#server/context.ts';
import { sql, type Sql } from '#server/sql.ts';
import { SETTLE_ONLINE_PAYMENTS } from '../online/job-names.ts';
import type { portalInvoiceEndpoints } from './portal-invoice.contract.ts';

type OnlineState = ResponseIn<typeof portalInvoiceEndpoints.show>['data']['online_payment'];

/** Condition over `online_payments o`: it pays the document. */
export const paysInvoice = (id: number): Sql => sql`o.id in (select online_payment_id from online_payment_documents
  where invoice_id = ${id})`;
export const paysDeposit = (id: number): Sql => sql`o.deposit_id = ${id}`;

/** The newest one that was begun. */
export function lastOnline(ctx: Ctx, paysIt: Sql): Promise<OnlineState> {
  return ctx.db.maybeOne<NonNullable<OnlineState>>(sql`
    select o.id, o.method, o.status, o.amount_minor, o.currency, o.is_test, o.failure from online_payments o
    where ${paysIt} order by o.id desc limit 1`);
}

/** The customer is back: the processor is asked at once, without waiting for its webhook. */
export async function askProcessor(ctx: Ctx, paysIt: Sql): Promise<void> {
  await ctx.db.exec(sql`
    update online_payments o set check_after = ${ctx.now().toISOString()}
    where ${paysIt} and o.status in ('open', 'processing')`);
  ctx.afterCommit(() => ctx.ports.wake(SETTLE_ONLINE_PAYMENTS));
}
