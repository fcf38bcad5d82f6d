/** Royalty statements and their runs (domain.md 3.5, 3.6; X56-X66). */
import * as z from 'zod';
import { declineBody, declinedRow } from '#kit/approval.ts';
import { staff } from '#kit/auth.ts';
import { bulk } from '#kit/bulk.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, version } from '#kit/field.ts';

export const STATEMENT_STATUSES = ['draft', 'calculated', 'approved', 'issued', 'part_paid', 'paid', 'void'] as const;
export const RUN_STATUSES = ['draft', 'calculated', 'approved', 'issued'] as const;
export const STATEMENT_SECTIONS = ['summary', 'performances', 'sales_and_rentals', 'streaming', 'adjustments',
  'reserves', 'advances', 'payments'] as const;

export const statementRow = z.object({
  id: z.int(), number: z.string().nullable(), royalty_statement_run_id: z.int().nullable(), royaltor_id: z.int(),
  royaltor_name: z.string(), show_royaltor_id: z.int().nullable(), cross_collateral_group_id: z.int().nullable(),
  /** The show, or the name of the cross-collateral group. */
  subject: z.string(), division: divisionCode, currency: currencyCode, period_from: z.string(), period_to: z.string(),
  status: z.enum(STATEMENT_STATUSES), opening_minor: z.int(), earnings_minor: z.int(), reserves_taken_minor: z.int(),
  reserves_released_minor: z.int(), adjustments_minor: z.int(), available_minor: z.int(), recouped_minor: z.int(),
  top_up_minor: z.int(), net_minor: z.int(), vat_minor: z.int(), agent_minor: z.int(), expected_wht_minor: z.int(),
  withheld_minor: z.int(), payable_minor: z.int(), paid_minor: z.int(), closing_minor: z.int(),
  closing_unrecouped_minor: z.int(), closing_reserve_minor: z.int(),
  /** Currency the payee is paid in; if not the statement's, converted at the rate of the day of payment. */
  pay_currency: currencyCode, carried_reason: z.string().nullable(),
  has_document: z.boolean(), version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type StatementRow = z.infer<typeof statementRow>;

export const statementStep = z.object({ step: z.string(), label: z.string(), amount_minor: z.int(),
  formula: z.string() });
export const statementLine = z.object({
  id: z.int(), section: z.enum(STATEMENT_SECTIONS), description: z.string(), license_id: z.int().nullable(),
  license_number: z.string().nullable(), show_royaltor_id: z.int().nullable(), period_from: z.string().nullable(),
  period_to: z.string().nullable(), performances: z.int().nullable(), quantity: z.int().nullable(),
  gross_minor: z.int().nullable(), base_minor: z.int().nullable(), rate_ppm: z.int().nullable(),
  amount_minor: z.int(),
  /** Accruals behind the line, for the drawer. */
  accrual_ids: z.array(z.int()),
});
export const statementDetail = statementRow.extend({
  royaltor_number: z.string(), payee_name: z.string(), self_billing_number: z.string().nullable(),
  steps: z.array(statementStep), lines: z.array(statementLine), calculated_by_name: z.string().nullable(),
  approved_by_name: z.string().nullable(), approved_at: z.string().nullable(), issued_at: z.string().nullable(),
  void_reason: z.string().nullable(), transaction_id: z.int().nullable(),
  payments: z.array(z.object({ payment_id: z.int(), number: z.string(), paid_on: z.string(), status: z.string(),
    payee_name: z.string(),
    /** The agent's commission, paid beside what the statement pays. */
    is_commission: z.boolean(), gross_minor: z.int(), wht_minor: z.int(), paid_minor: z.int() })),
  allowed_events: z.array(z.string()),
  /** Agent of the agreement, who may be sent the statement. */
  agent: z.object({ name: z.string(), email: z.string().nullable() }).nullable(),
});
export type StatementDetail = z.infer<typeof statementDetail>;

export const runRow = z.object({
  id: z.int(), division: divisionCode, currency: currencyCode, period_from: z.string(), period_to: z.string(),
  status: z.enum(RUN_STATUSES), statement_count: z.int(), net_minor: z.int(), pay_minor: z.int(),
  calculated_by_name: z.string().nullable(), calculated_at: z.string().nullable(),
  approved_by_name: z.string().nullable(), approved_at: z.string().nullable(), issued_at: z.string().nullable(),
  calculated_by_id: z.int().nullable(), declined: declinedRow.nullable(),
  /** Background work on it, its progress, and why the last work ended early. */
  work: z.enum(['calculate', 'issue']).nullable(), work_done: z.int(), work_total: z.int(),
  failure: z.string().nullable(), version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type RunRow = z.infer<typeof runRow>;
export const runDetail = runRow.extend({ statements: z.array(statementRow) });

export const runInput = z.strictObject({
  division: divisionCode, currency: currencyCode, period_from: isoDate, period_to: isoDate,
  royaltor_ids: z.array(id).max(1000).optional(),
}).refine((run) => run.period_to >= run.period_from,
  { path: ['period_to'], message: 'The period ends before it begins' });

const runs = '/api/admin/staff/royalty_statement_runs';
const statements = '/api/admin/staff/royalty_statements';
const body = z.strictObject({ version });

export const runEndpoints = {
  list: endpoint({ method: 'GET', path: runs, auth: staff('show_royaltor.list'), summary: 'List statement runs',
    query: listQuery({ filters: { division: divisionCode.optional(), status: z.enum(RUN_STATUSES).optional() },
      sort: ['period_to', 'updated_at'] }), response: many(runRow) }),
  show: endpoint({ method: 'GET', path: `${runs}/{id}`, auth: staff('show_royaltor.show'),
    summary: 'A statement run with its statements', response: one(runDetail) }),
  create: endpoint({ method: 'POST', path: runs, auth: staff('show_royaltor.update'),
    summary: 'Calculate the statements of a period; again replaces what is not approved; a large run in the background',
    body: runInput,
    response: one(runDetail), status: 202, idempotent: true }),
  approve: endpoint({ method: 'PUT', path: `${runs}/{id}/approve`, auth: staff('payment.updateStatus'),
    summary: 'Approve all its statements; another person than who calculated', body, response: one(runDetail) }),
  decline: endpoint({ method: 'PUT', path: `${runs}/{id}/decline`, auth: staff('payment.updateStatus'),
    summary: 'Decline a calculated run; calculating it again asks for approval again', body: declineBody,
    response: one(runDetail) }),
  issue: endpoint({ method: 'PUT', path: `${runs}/{id}/issue`, auth: staff('payment.updateStatus'),
    summary: 'Number, post and deliver all its statements', body, response: one(runDetail) }),
};

export const statementEndpoints = {
  list: endpoint({ method: 'GET', path: statements, auth: staff('show_royaltor.list'),
    summary: 'List royalty statements',
    query: listQuery({ filters: { royaltor_id: z.coerce.number().int().min(1).optional(),
      show_royaltor_id: z.coerce.number().int().min(1).optional(),
      status: z.enum(STATEMENT_STATUSES).optional(), division: divisionCode.optional(),
      currency: currencyCode.optional(), pay_currency: currencyCode.optional(), period_from: isoDate.optional(),
      period_to: isoDate.optional() },
    sort: ['period_to', 'net_minor', 'updated_at'] }), response: many(statementRow) }),
  show: endpoint({ method: 'GET', path: `${statements}/{id}`, auth: staff('show_royaltor.show'),
    summary: 'A statement: its thirteen steps and its lines', response: one(statementDetail) }),
  document: endpoint({ method: 'GET', path: `${statements}/{id}/document`, auth: staff('show_royaltor.show'),
    summary: 'The statement as PDF', response: 'file' }),
  sendToAgent: endpoint({ method: 'POST', path: `${statements}/{id}/send_to_agent`, auth: staff('show_royaltor.show'),
    summary: 'Mail an issued statement to the agent of its agreement, as PDF and CSV', idempotent: true,
    response: one(statementDetail), body: z.strictObject({}) }),
  approve: endpoint({ method: 'PUT', path: `${statements}/{id}/approve`, auth: staff('payment.updateStatus'),
    summary: 'Approve; another person than who calculated', body, response: one(statementDetail) }),
  issue: endpoint({ method: 'PUT', path: `${statements}/{id}/issue`, auth: staff('payment.updateStatus'),
    summary: 'Number, document, posting, delivery', body, response: one(statementDetail) }),
  void: endpoint({ method: 'PUT', path: `${statements}/{id}/void`, auth: staff('payment.updateStatus'),
    summary: 'Void before issue', body: z.strictObject({ version,
      reason: z.string().trim().min(1, 'Give a reason').max(2000) }), response: one(statementDetail) }),
};

export const statementBulk = bulk(statementEndpoints.list,
  { noun: ['statement', 'statements'], href: '/admin/sales-and-royalties/statements/{id}',
    named: ['number', 'royaltor_name'] }, [
    { label: 'Approve', endpoint: statementEndpoints.approve }, { label: 'Issue', endpoint: statementEndpoints.issue },
  ]);
