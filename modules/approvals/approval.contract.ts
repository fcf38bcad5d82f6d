/**
 * The approvals inbox: everything that waits for a second person and that the caller may decide. Never what the
 * caller asked for. The calls that decide are those of each kind (approval-kinds.contract.ts).
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode } from '#kit/field.ts';

export const APPROVAL_KINDS = ['discount', 'rate_card', 'box_office_report', 'statement_run', 'statement', 'correction',
  'payment_batch', 'payment_run', 'payment', 'refund', 'bill', 'royaltor_bank', 'vendor_bank', 'customer_bank',
  'customer_details', 'exemption_certificate', 'bom_template', 'period_close', 'period_reopen', 'lock_date',
  'tax_return', 'year_end_filing', 'opening_reversal', 'revaluation', 'intercompany',
  'closing_entry'] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** Parameters and body of a call that decides, as JSON. */
const facts = z.record(z.string(), z.union([z.string(), z.int(), z.null()]));

export const approvalRow = z.object({
  /** Kind and record: 'payment_batch:12'. */
  id: z.string(), kind: z.enum(APPROVAL_KINDS), entity_id: z.int(), title: z.string(), detail: z.string(),
  division: divisionCode.nullable(), currency: currencyCode.nullable(), amount_minor: z.int().nullable(),
  asked_by_id: z.int().nullable(), asked_by_name: z.string().nullable(), asked_at: z.string(),
  href: z.string().nullable(),
  /** Why it cannot be approved before something else is done. */
  blocked: z.string().nullable(),
  params: facts, approve_body: facts, decline_body: facts,
});
export type ApprovalRow = z.infer<typeof approvalRow>;

const path = '/api/admin/staff/approvals';

export const approvalEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff(null),
    summary: 'Requests that the caller may approve',
    query: listQuery({ filters: { kind: z.enum(APPROVAL_KINDS).optional(), division: divisionCode.optional() },
      sort: ['asked_at', 'amount_minor', 'kind'] }), response: many(approvalRow) }),
  approvers: endpoint({ method: 'GET', path: `${path}/approvers`, auth: staff(null),
    summary: 'People who can approve one kind, except the person who asked',
    query: z.strictObject({ kind: z.enum(APPROVAL_KINDS), asked_by_id: z.coerce.number().int().min(1).optional() }),
    response: one(z.object({ names: z.array(z.string()), more: z.int() })) }),
};
