/** Bank account for refunds to a customer: bank details, sealed and verified by two persons like those of vendors. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { sealedEndpoints, sealedRow } from '#kit/sealed-details.ts';
import { customer } from './customer.contract.ts';

const { tin_last4: _taxId, ...bank } = sealedRow;
/** `version` is that of the customer. */
export const customerBank = z.object({ id: z.int(), name: z.string(), version: z.int(), ...bank });
export type CustomerBank = z.infer<typeof customerBank>;

const { taxId: _noTaxId, ...writes } = sealedEndpoints({ path: customer.path, noun: 'customer',
  permission: 'customer.update', row: customerBank });

export const customerBankEndpoints = {
  bank: endpoint({ method: 'GET', path: `${customer.path}/{id}/bank_details` as const, auth: staff('customer.show'),
    summary: 'Bank details of a customer, masked', response: one(customerBank) }),
  ...writes,
};
