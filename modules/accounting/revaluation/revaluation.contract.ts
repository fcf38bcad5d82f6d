/** Revaluation of foreign balances at a month's end: seen before, asked for by one person, posted by another. */
import * as z from 'zod';
import { declineReason } from '#kit/approval.ts';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, isoDate, version } from '#kit/field.ts';

export const REVALUATION_STATUSES = ['waiting', 'posted', 'declined', 'withdrawn'] as const;
const minor = z.int();

export const revaluationLine = z.object({ ledger_account_id: z.int(), account: z.string(), account_name: z.string(),
  currency: currencyCode, party_type: z.string().nullable(), party_id: z.int().nullable(),
  party_name: z.string().nullable(), balance_minor: minor, carried_minor: minor, rate: z.string(), rate_on: z.string(),
  gain_minor: minor });
export type RevaluationLine = z.infer<typeof revaluationLine>;

/** A document that is open on the day, with its part of the gain of its line. */
export const revaluationItem = z.object({ open_item_id: z.int(), transaction_id: z.int(), account: z.string(),
  party_name: z.string().nullable(), document: z.string().nullable(), currency: currencyCode, opened_on: z.string(),
  open_minor: minor, carried_minor: minor, gain_minor: minor });
export type RevaluationItem = z.infer<typeof revaluationItem>;

export const revaluationRow = z.object({ id: z.int(), division: divisionCode, currency: currencyCode,
  revalued_on: z.string(), corrects_id: z.int().nullable(), status: z.enum(REVALUATION_STATUSES), gain_minor: minor,
  requested_by_id: z.int(), requested_by_name: z.string(), requested_at: z.string(),
  decided_by_name: z.string().nullable(), decided_at: z.string().nullable(), decline_reason: z.string(),
  transaction_id: z.int().nullable(), reversal_id: z.int().nullable(), version: z.int(), created_at: z.string(),
  updated_at: z.string() });
export type RevaluationRow = z.infer<typeof revaluationRow>;
export const revaluationDetail = revaluationRow.extend({ lines: z.array(revaluationLine) });

export const revaluationPreview = z.object({ division: divisionCode, currency: currencyCode, on: z.string(),
  reversed_on: z.string(), gain_minor: minor, lines: z.array(revaluationLine), items: z.array(revaluationItem),
  /** Documents beyond those that are listed. */
  more_items: z.int(),
  /** Currencies without a rate of the day; `last_on` is the day of the last one there is. */
  missing: z.array(z.object({ currency: currencyCode, last_on: z.string().nullable() })),
  /** The revaluation of this day that waits or is posted. */
  existing: z.object({ id: z.int(), status: z.enum(REVALUATION_STATUSES) }).nullable(),
  /** Earlier revaluations that nothing took back. */
  unreversed: z.array(z.object({ transaction_id: z.int(), transaction_at: z.string() })) });
export type RevaluationPreview = z.infer<typeof revaluationPreview>;

const path = '/api/admin/staff/accounting/revaluations';
const record = `${path}/{id}` as const;

export const revaluationEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('transaction.list'), summary: 'Revaluations, newest first',
    query: listQuery({ filters: { division: divisionCode.optional(), status: z.enum(REVALUATION_STATUSES).optional() },
      sort: ['revalued_on'] }), response: many(revaluationRow) }),
  preview: endpoint({ method: 'GET', path: `${path}/preview`, auth: staff('transaction.list'),
    summary: 'Preview of a month-end revaluation: foreign balances, rates, gains and losses',
    query: z.strictObject({ division: divisionCode.default('US'), on: isoDate.optional() }),
    response: one(revaluationPreview) }),
  show: endpoint({ method: 'GET', path: record, auth: staff('transaction.list'),
    summary: 'A revaluation with its lines', response: one(revaluationDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('transaction.update'), status: 201, idempotent: true,
    summary: 'Ask for a revaluation; another person posts it', response: one(revaluationDetail),
    body: z.strictObject({ division: divisionCode, on: isoDate }) }),
  approve: endpoint({ method: 'PUT', path: `${record}/approve`, auth: staff('transaction.update'),
    summary: 'Post a revaluation that somebody else asked for, and its reversal on the next day',
    body: z.strictObject({ version }), response: one(revaluationDetail) }),
  decline: endpoint({ method: 'PUT', path: `${record}/decline`, auth: staff('transaction.update'),
    summary: 'Decline a revaluation that somebody else asked for', body: z.strictObject({ reason: declineReason }),
    response: one(revaluationDetail) }),
  withdraw: endpoint({ method: 'PUT', path: `${record}/withdraw`, auth: staff('transaction.update'),
    summary: 'Withdraw a revaluation that one asked for', body: z.strictObject({ version }),
    response: one(revaluationDetail) }),
};
