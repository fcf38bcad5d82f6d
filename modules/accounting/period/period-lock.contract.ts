/**
 * Lock dates of the sub-ledgers and exceptions from them (X83 to X85, accounting.md 1.3). Two persons set a date: the
 * second one's same wish confirms the first one's. The hard lock only moves forward.
 */
import * as z from 'zod';
import { declineReason } from '#kit/approval.ts';
import { staff } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { divisionCode, id, isoDate } from '#kit/field.ts';

export const LOCKS = ['sales', 'purchase', 'tax', 'bank', 'hard'] as const;
export const EXCEPTED_LOCKS = ['sales', 'purchase', 'tax', 'bank', 'period'] as const;

export const lockRow = z.object({
  division: divisionCode, sub_ledger: z.enum(LOCKS), locked_through: z.string().nullable(), reason: z.string(),
  requested: z.boolean(), requested_through: z.string().nullable(), requested_by_id: z.int().nullable(),
  requested_by_name: z.string().nullable(), request_id: z.int().nullable(),
});
export const exceptionRow = z.object({
  id: z.int(), division: divisionCode, sub_ledger: z.enum(EXCEPTED_LOCKS), user_id: z.int(), user_name: z.string(),
  until: z.string(), reason: z.string(), granted_by_name: z.string(), active: z.boolean(),
});

const base = '/api/admin/staff/accounting/period_locks';
const division = divisionCode.default('US');
const through = isoDate.nullable().optional();
export const periodLockEndpoints = {
  list: endpoint({ method: 'GET', path: base, auth: staff('transaction.list'), summary: 'Lock dates of the sub-ledgers',
    query: z.strictObject({ division }), response: all(lockRow) }),
  set: endpoint({ method: 'PUT', path: base, auth: staff('transaction.update'), response: all(lockRow),
    summary: 'Ask for lock dates, or confirm what another person asked for; null lifts a lock',
    body: z.strictObject({ division, sales_through: through, purchase_through: through, tax_through: through,
      bank_through: through, hard_through: through,
      // Named, the call confirms this request or is refused; it never asks anew.
      request_id: id.optional(), reason: z.string().trim().max(500).default('') }) }),
  decline: endpoint({ method: 'PUT', path: `${base}/requests/{id}/decline`, auth: staff('transaction.update'),
    summary: 'Decline a lock date that another person asked for', body: z.strictObject({ reason: declineReason }),
    response: null }),
  exceptions: endpoint({ method: 'GET', path: `${base}/exceptions`, auth: staff('transaction.list'),
    summary: 'Exceptions to a lock, with their end', query: z.strictObject({ division }),
    response: all(exceptionRow) }),
  grant: endpoint({ method: 'POST', path: `${base}/exceptions`, auth: staff('transaction.update'), status: 201,
    summary: 'Let another person post behind a lock for a time', response: one(exceptionRow), idempotent: true,
    body: z.strictObject({ division, user_id: z.int('Choose the person').pipe(id), lock: z.enum(EXCEPTED_LOCKS),
      until: z.iso.datetime({ offset: true, message: 'Enter a day and a time' }),
      reason: z.string().trim().min(1, 'Reason is required').max(500) }) }),
  revoke: endpoint({ method: 'DELETE', path: `${base}/exceptions/{id}`, auth: staff('transaction.update'),
    summary: 'End an exception', response: null }),
};
