/**
 * The closing entry of a fiscal year: prepared as a draft by one person, posted by another. Without one the balance
 * sheet computes what is brought forward.
 */
import * as z from 'zod';
import { declineReason } from '#kit/approval.ts';
import { staff } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { divisionCode, isoDate } from '#kit/field.ts';

export const fiscalYear = z.object({ division: divisionCode, currency: z.string(), starts: z.string(), ends: z.string(),
  /** Income less expense of the year, closing entries left out. */
  result_minor: z.int(),
  /** Of it what closing entries have moved to retained earnings. */
  closed_minor: z.int(),
  /** `computed`: no closing entry; `waiting`: a draft that another person posts. */
  state: z.enum(['running', 'computed', 'waiting', 'closed']), transaction_id: z.int().nullable() });
export type FiscalYear = z.infer<typeof fiscalYear>;

const path = '/api/admin/staff/accounting/fiscal_years';

export const yearEndEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('transaction.list'), response: all(fiscalYear),
    summary: 'Fiscal years with postings, newest first, ten at most, and whether they have a closing entry',
    query: z.strictObject({ division: divisionCode.default('US') }) }),
  close: endpoint({ method: 'POST', path: `${path}/close`, auth: staff('transaction.update'), status: 201,
    summary: 'Prepare the closing entry of a fiscal year as a draft; another person posts it', idempotent: true,
    body: z.strictObject({ division: divisionCode, ends: isoDate }),
    response: one(z.object({ transaction_id: z.int() })) }),
  decline: endpoint({ method: 'PUT', path: `${path}/entries/{id}/decline`, auth: staff('transaction.update'),
    summary: 'Decline the closing entry that somebody else prepared; its draft goes to the trash',
    body: z.strictObject({ reason: declineReason }), response: one(z.object({ transaction_id: z.int() })) }),
};
