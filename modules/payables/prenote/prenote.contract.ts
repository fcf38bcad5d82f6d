/** Prenotes: entries of no amount that ask the bank of a payee whether new bank details hold, before money is sent. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, MIB, one } from '#kit/endpoint.ts';
import { divisionCode, id, isoDate, version } from '#kit/field.ts';

export const PRENOTE_STATES = ['pending', 'cleared', 'returned'] as const;
const PARTIES = ['vendor', 'customer', 'royaltor'] as const;
/** Prenotes in one file. */
export const PRENOTE_LIMIT = 500;
export const PRENOTE_ANSWER_TYPES = ['ach', 'txt', 'dat'];

export const prenoteRow = z.object({
  id: z.int(), number: z.string(), party_type: z.enum(PARTIES), party_id: z.int(), payee: z.string(), last4: z.string(),
  bank_account_id: z.int(), bank_account: z.string(), division: divisionCode, state: z.enum(PRENOTE_STATES),
  /** Settlement day of the file. */
  sent_on: z.string(),
  /** Third banking day after it: without an answer by then, the details hold. */
  clears_on: z.string(), returned_on: z.string().nullable(),
  /** Reason of the return, or what a notice of change corrects. */
  reason: z.string().nullable(),
  /** The details were changed since: the answer is about those before. */
  is_outdated: z.boolean(),
  ach_file_id: z.int(), file_name: z.string(), created_by_name: z.string().nullable(), version: z.int(),
  created_at: z.string(), updated_at: z.string(),
});
export type PrenoteRow = z.infer<typeof prenoteRow>;

export const prenoteCandidate = z.object({
  party_type: z.enum(PARTIES), party_id: z.int(), name: z.string(), last4: z.string(), verified_at: z.string(),
});
export type PrenoteCandidate = z.infer<typeof prenoteCandidate>;

const prenoteFile = z.object({ id: z.int(), file_name: z.string(), count: z.int(), value_on: z.string(),
  clears_on: z.string() });
export type PrenoteFile = z.infer<typeof prenoteFile>;

/** A notice of change, with no more than the last characters of a number. */
export const bankCorrection = z.object({
  id: z.int(), party_type: z.enum(PARTIES), party_id: z.int(), payee: z.string(), division: divisionCode,
  code: z.string(), words: z.string(), received_on: z.string(),
  /** Sixth banking day after it came. */
  due_on: z.string(),
});
export type BankCorrection = z.infer<typeof bankCorrection>;

const path = '/api/admin/staff/accounting/ach_prenotes';
const corrections = '/api/admin/staff/accounting/bank_corrections';
const party = z.strictObject({ party_type: z.enum(PARTIES), party_id: id });

export const prenoteEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('payment.list'), summary: 'List ACH prenotes',
    query: listQuery({ filters: { state: z.enum(PRENOTE_STATES).optional(), division: divisionCode.optional(),
      bank_account_id: z.coerce.number().int().min(1).optional() }, sort: ['sent_on', 'clears_on'] }),
    response: many(prenoteRow) }),
  candidates: endpoint({ method: 'GET', path: `${path}/candidates`, auth: staff('payment.create'),
    summary: 'Payees with verified US bank details that no prenote from the account has asked about',
    query: z.strictObject({ bank_account_id: z.coerce.number().int().min(1) }),
    response: one(z.array(prenoteCandidate)) }),
  create: endpoint({ method: 'POST', path, auth: staff('payment.create'), status: 201, idempotent: true,
    summary: 'Write a file of prenotes for the bank', response: one(prenoteFile),
    body: z.strictObject({ bank_account_id: z.int('Choose the bank account').min(1, 'Choose the bank account'),
      payees: z.array(party).min(1, 'Choose at least one payee')
        .max(PRENOTE_LIMIT, `At most ${PRENOTE_LIMIT} payees in one file`) }) }),
  file: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/ach_files/{id}/file',
    auth: staff('payment.create'), summary: 'Download a file of prenotes; who did is kept', response: 'file' }),
  answer: endpoint({ method: 'POST', path: `${path}/answer`, auth: staff('payment.create'),
    summary: "Read the bank's returns and notices of change for prenotes",
    response: one(z.object({ returned: z.int(), changed: z.int(), unknown: z.int() })),
    upload: { field: 'file', types: PRENOTE_ANSWER_TYPES, max_bytes: 10 * MIB } }),
  corrections: endpoint({ method: 'GET', path: corrections, auth: staff('payment.list'),
    summary: 'Notices of change about bank details, about which nobody has decided',
    response: one(z.array(bankCorrection)) }),
  takeCorrection: endpoint({ method: 'PUT', path: `${corrections}/{id}/take`, auth: staff('payment.create'),
    confirm: true, summary: 'Write what the bank of the payee says; a second person verifies it',
    response: one(z.array(bankCorrection)) }),
  dismissCorrection: endpoint({ method: 'PUT', path: `${corrections}/{id}/dismiss`, auth: staff('payment.create'),
    summary: 'Close a notice of change without taking it over', response: one(z.array(bankCorrection)),
    body: z.strictObject({ reason: z.string().trim().min(1, 'Give a reason').max(500) }) }),
  return: endpoint({ method: 'PUT', path: `${path}/{id}/return`, auth: staff('payment.create'),
    summary: 'The bank of the payee returned the prenote', response: one(prenoteRow),
    body: z.strictObject({ version, on: isoDate, reason: z.string().trim().min(1, 'Give a reason').max(500) }) }),
};
