/** Accounting periods and locks: closing needs two persons (accounting.md 1.3). */
import * as z from 'zod';
import { declineReason } from '#kit/approval.ts';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { divisionCode, isoDate } from '#kit/field.ts';

const base = '/api/admin/staff/accounting';
export const periodRow = z.object({
  id: z.int(), division: divisionCode, period: z.int(), starts: z.string(), ends: z.string(),
  state: z.enum(['open', 'soft_locked', 'closed']), closed_at: z.string().nullable(),
  closed_by_name: z.string().nullable(), confirmed_by_name: z.string().nullable(),
  requested_state: z.enum(['open', 'closed']).nullable(), requested_by_id: z.int().nullable(),
  requested_by_name: z.string().nullable(), request_id: z.int().nullable(), version: z.int(),
});
const params = z.object({ period: z.coerce.number().int().min(190_001).max(299_912) });
const division = divisionCode.default('US');
/** Named, the call confirms this request or is refused; it never asks anew. */
const requestId = z.int().min(1).optional();

export const periodEndpoints = {
  list: endpoint({ method: 'GET', path: `${base}/periods`, auth: staff('transaction.list'),
    summary: 'Periods of a division, newest first', response: all(periodRow),
    query: z.strictObject({ division, year: z.coerce.number().int().min(1990).max(2200).optional() }) }),
  unreconciled: endpoint({ method: 'GET', path: `${base}/periods/{period}/unreconciled`, params,
    auth: staff('transaction.list'), summary: 'Bank accounts that are not reconciled through the end of a period',
    query: z.strictObject({ division }), response: all(z.object({ bank_account_id: z.int(), name: z.string(),
      reconciled_to_on: z.string().nullable() })) }),
  close: endpoint({ method: 'PUT', path: `${base}/periods/{period}/close`, auth: staff('transaction.update'), params,
    summary: 'Ask for the close of a period, or confirm what another person asked for',
    body: z.strictObject({ division, version: z.int().min(1), request_id: requestId,
      /** Needed while checks of the month are open. */
      note: z.string().trim().max(500).default('') }), response: one(periodRow) }),
  reopen: endpoint({ method: 'PUT', path: `${base}/periods/{period}/reopen`, auth: staff('transaction.update'), params,
    summary: 'Ask for a period to be open again, or confirm it', response: one(periodRow),
    body: z.strictObject({ division, version: z.int().min(1), request_id: requestId,
      reason: z.string().trim().min(1, 'Reason is required').max(500) }) }),
  decline: endpoint({ method: 'PUT', path: `${base}/period_requests/{id}/decline`, auth: staff('transaction.update'),
    summary: 'Decline another person’s request to close or reopen a period',
    body: z.strictObject({ reason: declineReason }),
    response: one(periodRow) }),
};

export const rateRow = z.object({ id: z.int(), base: z.string(), quote: z.string(), on_date: z.string(),
  rate: z.string(), source: z.string(), kind: z.string(), used: z.boolean() });
const currency = z.string().regex(/^[A-Z]{3}$/, 'Three capital letters');

export const exchangeRateEndpoints = {
  list: endpoint({ method: 'GET', path: `${base}/exchange_rates`, auth: staff('transaction.list'),
    summary: 'Exchange rates, newest first',
    query: listQuery({ filters: { base: currency.optional(), quote: currency.optional(), on: isoDate.optional(),
      source: z.enum(['ecb', 'hmrc', 'manual']).optional() }, sort: ['on'], perPage: 25 }),
    response: many(rateRow) }),
  create: endpoint({ method: 'POST', path: `${base}/exchange_rates`, auth: staff('transaction.update'), status: 201,
    summary: 'Enter a rate by hand', response: one(rateRow),
    body: z.strictObject({ base: currency, quote: currency, on: isoDate,
      rate: z.string().regex(/^\d{1,9}(\.\d{1,10})?$/, 'A decimal number with at most ten places') }) }),
  remove: endpoint({ method: 'DELETE', path: `${base}/exchange_rates/{id}`, auth: staff('transaction.update'),
    summary: 'Remove a rate that nothing was converted at', response: null }),
  import: endpoint({ method: 'POST', path: `${base}/exchange_rates/import`, auth: staff('transaction.update'),
    summary: 'Import the rates the ECB publishes (CSV)', status: 201,
    upload: { field: 'file', types: ['csv'], max_bytes: 25 * 1024 * 1024 },
    response: one(z.object({ added: z.int(), known: z.int(), differing: z.array(z.object({ on_date: z.string(),
      quote: z.string(), known: z.string(), file: z.string() })) })) }),
};
