/** Advances to royaltors and corrections of their statements (domain.md 3.5 steps 4 and 6; X52-X54). */
import * as z from 'zod';
import { declinedRow, declineReason } from '#kit/approval.ts';
import { staff } from '#kit/auth.ts';
import { bulk } from '#kit/bulk.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, minor, positiveMinor, version } from '#kit/field.ts';

export const ADVANCE_STATUSES = ['scheduled', 'paid', 'cancelled'] as const;
export const ADVANCE_EVENTS = ['signature', 'date', 'first_performance'] as const;

export const advanceRow = z.object({
  id: z.int(), show_royaltor_id: z.int(), royaltor_id: z.int(), royaltor_name: z.string(), show_id: z.int(),
  show_title: z.string(), division: divisionCode, currency: currencyCode, pay_currency: currencyCode,
  amount_minor: z.int(), due_event: z.enum(ADVANCE_EVENTS), due_on: z.string().nullable(),
  status: z.enum(ADVANCE_STATUSES),
  paid_on: z.string().nullable(), payment_id: z.int().nullable(), recouped_minor: z.int(), unrecouped_minor: z.int(),
  /** The open batch that will pay it. */
  batch_id: z.int().nullable(),
  version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type AdvanceRow = z.infer<typeof advanceRow>;

const amount = positiveMinor.min(1, 'Enter an amount above zero');
export const advanceInput = z.strictObject({
  show_royaltor_id: id, amount_minor: amount, currency: currencyCode,
  due_event: z.enum(ADVANCE_EVENTS).default('date'), due_on: isoDate.nullable().optional(),
});
export const advanceChange = z.strictObject({
  amount_minor: amount.optional(), due_event: z.enum(ADVANCE_EVENTS).optional(), due_on: isoDate.nullable().optional(),
  status: z.enum(['scheduled', 'cancelled']).optional(), version,
});

export const adjustmentRow = z.object({
  id: z.int(), show_royaltor_id: z.int(), royaltor_id: z.int(), royaltor_name: z.string(), show_title: z.string(),
  division: divisionCode, currency: currencyCode, amount_minor: z.int(), on_date: z.string(), reason: z.string(),
  statement_id: z.int().nullable(), approved_by_name: z.string().nullable(), created_by_name: z.string().nullable(),
  created_by_id: z.int().nullable(), declined: declinedRow.nullable(),
  /** Recouped for an advance that the bank returned: owed again without an approval. */
  of_returned_advance: z.boolean(), created_at: z.string(),
});
export const adjustmentInput = z.strictObject({
  show_royaltor_id: id, amount_minor: minor.refine((value) => value !== 0, 'Enter an amount'),
  currency: currencyCode, on_date: isoDate, reason: z.string().trim().min(1, 'Give a reason').max(500),
});

const path = '/api/admin/staff/royalty_advances';
const adjustments = '/api/admin/staff/royalty_adjustments';
const ref = z.coerce.number().int().min(1).optional();

export const advanceEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('show_royaltor.list'), summary: 'List advances to royaltors',
    query: listQuery({ filters: { royaltor_id: ref, show_royaltor_id: ref,
      status: z.enum(ADVANCE_STATUSES).optional() }, sort: ['due_on', 'amount_minor', 'updated_at'] }),
    response: many(advanceRow) }),
  create: endpoint({ method: 'POST', path, auth: staff('show_royaltor.update'), summary: 'Schedule an advance',
    body: advanceInput, response: one(advanceRow), status: 201, idempotent: true }),
  update: endpoint({ method: 'PUT', path: `${path}/{id}`, auth: staff('show_royaltor.update'),
    summary: 'Change or cancel an advance until it is paid', body: advanceChange, response: one(advanceRow) }),
  adjustments: endpoint({ method: 'GET', path: adjustments, auth: staff('show_royaltor.list'),
    summary: 'List corrections that statements carry', query: listQuery({ filters: { show_royaltor_id: ref },
      sort: ['on_date'] }), response: many(adjustmentRow) }),
  adjust: endpoint({ method: 'POST', path: adjustments, auth: staff('show_royaltor.update'),
    summary: 'Enter a correction for the next statement', body: adjustmentInput, response: one(adjustmentRow),
    status: 201, idempotent: true }),
  approveAdjustment: endpoint({ method: 'PUT', path: `${adjustments}/{id}/approve`,
    auth: staff('payment.updateStatus'), summary: 'Approve a correction; another person than who entered it',
    response: one(adjustmentRow) }),
  declineAdjustment: endpoint({ method: 'PUT', path: `${adjustments}/{id}/decline`,
    auth: staff('payment.updateStatus'), summary: 'Decline a correction that another person entered',
    body: z.strictObject({ reason: declineReason }), response: one(adjustmentRow) }),
};

export const adjustmentBulk = bulk(advanceEndpoints.adjustments,
  { noun: ['correction', 'corrections'], href: null, named: ['royaltor_name'] },
  [{ label: 'Approve', endpoint: advanceEndpoints.approveAdjustment }]);
