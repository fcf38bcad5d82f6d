/** One payee paid by itself, without a run, and the remittance advice that tells a payee what was paid. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { isoDate } from '#kit/field.ts';
import { paidParts, PAY_METHODS, paymentDetail, paymentMemo } from '#modules/receivables/payments/payment.contract.ts';
import { duePayee } from '../run/payment-run.contract.ts';

const path = '/api/admin/staff/accounting/accounts_payable/payments';
const payment = '/api/admin/staff/accounting/payments/{id}/remittance';

export const payables = z.object({
  methods: z.array(z.enum(PAY_METHODS)), method: z.enum(PAY_METHODS),
  /** With what is free to be paid; null where nothing is. */
  payee: duePayee.nullable(), balance_minor: z.int(), promised_minor: z.int(),
});
export type Payables = z.infer<typeof payables>;

export const payEndpoints = {
  payables: endpoint({ method: 'GET', path: `${path}/payables`, auth: staff('payment.create'),
    summary: 'Open items of one payee that a bank account can pay', response: one(payables),
    query: z.strictObject({ bank_account_id: z.coerce.number().int().min(1), party_type: z.enum(['vendor', 'customer']),
      party_id: z.coerce.number().int().min(1), method: z.enum(PAY_METHODS).optional(),
      payment_id: z.coerce.number().int().min(1).optional(),
      /** Day of the payment: discounts that are open on it are proposed; today where it is left out. */
      on: isoDate.optional() }) }),
  create: endpoint({ method: 'POST', path, auth: staff('payment.create'), status: 201, idempotent: true,
    summary: 'Pay one payee; another person approves it', response: one(paymentDetail),
    body: z.strictObject({ bank_account_id: z.int('Choose the bank account').min(1, 'Choose the bank account'),
      method: z.enum(PAY_METHODS, 'Choose how it is paid'), party_type: z.enum(['vendor', 'customer']),
      party_id: z.int('Choose the payee').min(1, 'Choose the payee'), on: isoDate, memo: paymentMemo.default(''),
      parts: paidParts }) }),
  remittance: endpoint({ method: 'GET', path: payment, auth: staff('payment.show'),
    summary: 'The remittance advice as PDF', response: 'file' }),
  sendRemittance: endpoint({ method: 'POST', path: payment, auth: staff('payment.update'), status: 202,
    summary: 'Send the remittance advice by mail', response: one(z.object({ recipients: z.array(z.string()) })),
    body: z.strictObject({ recipients: z.array(z.email('Recipients must be valid email addresses'))
      .min(1, 'Add a recipient').max(20), message: z.string().trim().max(2_000).default(''),
    unprintable_accepted: z.boolean().default(false) }) }),
  sendRunRemittances: endpoint({ method: 'POST', path: '/api/admin/staff/accounting/payment_runs/{id}/remittances',
    auth: staff('payment.update'), status: 202,
    summary: 'Send the remittance advice of each payment of a run that has none yet',
    response: one(z.object({ sent: z.int(),
      /** Payees without an address for mail. */
      without_address: z.array(z.string()) })) }),
};
