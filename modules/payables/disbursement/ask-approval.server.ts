/** Tells those who may approve that a payment waits, and who made it what became of it. */
import { formatMoney } from '#kernel/money/money.ts';
import { notifyApprovers, notifyAsker } from '#modules/notifications/notifications.public.server.ts';
import { paymentEndpoints } from '#modules/receivables/payments/payment.contract.ts';
import type { WorkContext } from '#server/context.ts';
import { lockDisbursement, type Disbursement } from './disbursement-store.server.ts';

export const paymentHref = (id: number): string => `/admin/accounts-payable/payments/${id}`;

export async function askApproval(ctx: WorkContext, id: number): Promise<void> {
  const payment = await lockDisbursement(ctx, id);
  await notifyApprovers(ctx, paymentEndpoints.status, { href: paymentHref(id), body: payment.party_name,
    title: `Payment ${payment.number} over ${formatMoney(payment.amount_minor, payment.currency)} awaits approval` });
}

export async function tellMaker(ctx: WorkContext, payment: Disbursement, what: string, body = ''): Promise<void> {
  await notifyAsker(ctx, payment.created_by_id, { title: `Payment ${payment.number} ${what}`, body,
    href: paymentHref(payment.id) });
}
