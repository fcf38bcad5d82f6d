/** A deposit that a customer was asked for, and paying it: by card or bank debit, by transfer or by check. */
import * as z from 'zod';
import { customer, customerInPerson } from '#kit/auth.ts';
import { dueReasonAnswer } from '#kit/due-reason.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode } from '#kit/field.ts';
import { ONLINE_METHODS } from '#kernel/receivables/online-payment.ts';
import { onlinePaymentState, paymentMethods, remitTo, transferDetails } from './portal-invoice.contract.ts';

export const portalDeposit = z.object({
  id: z.int(), license_id: z.int(), license_title: z.string(),
  /** Number of the license, or of its quote: what a check or a transfer names. */
  number: z.string(), kind: z.enum(['security', 'on_account']),
  status: z.enum(['requested', 'held', 'settled', 'cancelled']), division: divisionCode, currency: currencyCode,
  /** With the tax in it, of money on account in UK and EU. */
  amount_minor: z.int(), vat_minor: z.int(), due_on: z.string().nullable(), overdue: z.boolean(),
  /** Why it is due on its day. */
  due_reason: dueReasonAnswer,
  held_on: z.string().nullable(),
  /** Receipt that is the deposit. */
  receipt_number: z.string().nullable(),
  payment_methods: paymentMethods, online_payment: onlinePaymentState.nullable(),
  /** Account for a transfer, while it is open; null: none is set for this division and currency. */
  transfer: transferDetails.nullable(),
  /** Payee and address of a check, while it is open; null: checks are not taken. */
  check_to: remitTo.nullable(),
});

const path = '/api/customers/{id}/deposits/{depositId}';
export const portalDepositEndpoints = {
  show: endpoint({ method: 'GET', path, auth: customer(), summary: 'A deposit of a customer',
    response: one(portalDeposit) }),
  pay: endpoint({ method: 'POST', path: `${path}/pay`, auth: customerInPerson('admin', 'signer'), idempotent: true,
    summary: 'Pay a deposit by card or bank debit', response: one(z.object({ redirect_to: z.string() })),
    body: z.strictObject({ method: z.enum(ONLINE_METHODS, 'Choose how to pay') }) }),
  checkPayment: endpoint({ method: 'POST', path: `${path}/check_payment`, auth: customerInPerson('admin', 'signer'),
    summary: 'Ask the processor for the status of a deposit paid online', response: one(portalDeposit),
    body: z.strictObject({}) }),
};
