/** Money by mail and in the app: the customer hears of invoices and of what arrived, staff of what arrived. */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { dayWithReason, dueReason, type PayByOfLicense } from '#kernel/licensing/pay-by.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { formatMoney } from '#kernel/money/money.ts';
import { notifyCustomer, notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { sql } from '#server/sql.ts';
import { mailInvoice, mailReceipt } from './money-mails.server.ts';
import type { InvoiceRecord } from './invoices/invoice-store.server.ts';
import type { ReceiptInput } from './receivables-types.ts';

type NotifiedInvoice = Pick<InvoiceRecord, 'id' | 'customer_id' | 'division' | 'currency' | 'total_minor' | 'due_on'>
  & { number: string; is_pro_forma: boolean; due_reason?: string | null };

export async function tellOfInvoice(ctx: WorkContext, invoice: NotifiedInvoice): Promise<void> {
  if (invoice.total_minor <= 0) return;
  const sum = formatMoney(invoice.total_minor, invoice.currency);
  await notifyCustomer(ctx, invoice.customer_id, { kind: 'invoice.issued',
    title: invoice.is_pro_forma ? `${sum} to pay: ${invoice.number}` : `Invoice ${invoice.number} for ${sum}`,
    body: invoice.due_on === null ? '' : `Due on ${dayWithReason(
      dateFor(documentLanguage(invoice.division), invoice.due_on), invoice.due_reason ?? null)}`,
    href: `/customer/${invoice.customer_id}/invoices/${invoice.id}` });
  await mailInvoice(ctx, invoice.id);
}

export async function tellOfProForma(ctx: WorkContext, id: number): Promise<void> {
  const row = await ctx.db.one<Omit<NotifiedInvoice, 'number' | 'is_pro_forma'> & PayByOfLicense
    & { reference: string | null; issued_on: string | null }>(sql`
    select i.id, i.customer_id, i.division, i.currency, i.total_minor, i.due_on, i.issued_on, i.reference, l.pay_by,
      l.pay_by_reason, l.pay_by_ships_on from invoices i left join licenses l on l.id = i.license_id
    where i.id = ${id}`);
  const due_reason = dueReason({ ...row, kind: 'proforma' }, documentLanguage(row.division));
  await tellOfInvoice(ctx, { ...row, due_reason, number: row.reference ?? 'pro forma', is_pro_forma: true });
}

export async function tellOfReceipt(ctx: WorkContext, input: ReceiptInput, paymentId: number): Promise<void> {
  const sum = formatMoney(input.amount_minor, input.currency);
  const { name } = await ctx.db.one<{ name: string }>(sql`select name from customers where id = ${input.customer_id}`);
  await notifyStaff(ctx, { kind: 'money.received', title: `${name} paid ${sum}`, body: input.reference ?? '',
    href: `/admin/accounts-receivable/payments/${paymentId}` });
  await notifyCustomer(ctx, input.customer_id, { kind: 'payment.received', title: `Your payment of ${sum} has arrived`,
    body: input.reference ?? '', href: `/customer/${input.customer_id}/receipts/${paymentId}` });
  await mailReceipt(ctx, paymentId);
}
