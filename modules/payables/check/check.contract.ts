/**
 * Checks (A33 to A41): payments that wait to be printed, and every number of a bank account. A number is taken at
 * printing, never twice and without a gap; what was spoiled or voided keeps it.
 */
import * as z from 'zod';
import { MAX_MINOR } from '#kernel/money/money.ts';
import { activityQuery, activityRow } from '#modules/identity/staff/staff.contract.ts';
import { staff } from '#kit/auth.ts';
import { all, endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, version } from '#kit/field.ts';

/** Waiting for approval, ready to print, printed, cleared by the bank; spoiled and voided keep their number. */
export const CHECK_STATES = ['waiting', 'ready', 'printed', 'cleared', 'spoiled', 'voided', 'stale'] as const;
export type CheckState = (typeof CHECK_STATES)[number];
/** Checks printed at once. */
export const PRINT_LIMIT = 100;
/** Blank forms spoiled at once. */
export const SKIP_LIMIT = 1_000;

export const checkRow = z.object({
  id: z.int(), check_number: z.string().nullable(), state: z.enum(CHECK_STATES), bank_account_id: z.int(),
  bank_account: z.string(), division: divisionCode, currency: currencyCode, payment_id: z.int().nullable(),
  payment_number: z.string().nullable(), payee: z.string(), amount_minor: z.int(),
  /** The day on the check; before printing the day that is planned. */
  checked_on: z.string().nullable(), memo: z.string(), is_handwritten: z.boolean(), printed_at: z.string().nullable(),
  printed_by_name: z.string().nullable(), cleared_on: z.string().nullable(), ended_on: z.string().nullable(),
  end_reason: z.string().nullable(), version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type CheckRow = z.infer<typeof checkRow>;

/** An open item of the payee, and how much of it the check pays. */
export const payableItem = z.object({
  id: z.int(), description: z.string(), opened_on: z.string(), due_date: z.string(), open_minor: z.int(),
  /** Amount not reserved by any payment; below zero for a credit of the payee. */
  free_minor: z.int(),
});
export type PayableItem = z.infer<typeof payableItem>;
/** Royalties have no open item. */
export const checkPart = z.object({
  open_item_id: z.int().nullable(), description: z.string(), opened_on: z.string(), amount_minor: z.int(),
  discount_minor: z.int(),
});
export const checkDetail = checkRow.extend({
  party_type: z.string().nullable(), party_id: z.int().nullable(), payee_lines: z.array(z.string()),
  payment_version: z.int().nullable(), transaction_id: z.int().nullable(), written_number: z.string().nullable(),
  parts: z.array(checkPart),
  /** Backup withholding: the parts less it are the amount. */
  withheld_minor: z.int(),
  printings: z.array(z.object({ printed_at: z.string(), printed_by_name: z.string().nullable(),
    reason: z.string() })),
  replaces: z.object({ id: z.int(), check_number: z.string() }).nullable(),
  replaced_by: z.object({ id: z.int(), check_number: z.string() }).nullable(),
  /** From this day it can become unclaimed property. */
  stale_from: z.string().nullable(),
});
export type CheckDetail = z.infer<typeof checkDetail>;

const path = '/api/admin/staff/accounting/checks';
const item = `${path}/{id}` as const;
const reason = z.string().trim().min(1, 'Give a reason').max(500);
const memo = z.string().trim().max(200);
const number = z.string().trim().regex(/^[1-9]\d{0,8}$/, 'Enter a number of at most 9 digits');
const account = z.int('Choose the bank account').min(1, 'Choose the bank account');
const amount = z.int('Enter an amount').min(-Number(MAX_MINOR), 'At most 10,000,000,000.00')
  .max(Number(MAX_MINOR), 'At most 10,000,000,000.00');
const parts = z.array(z.strictObject({ open_item_id: id, amount_minor: amount }))
  .min(1, 'Choose what the check pays').max(200);
const onAccount = z.strictObject({ bank_account_id: z.coerce.number().int().min(1) });

export const checkEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('payment.list'), summary: 'List checks',
    query: listQuery({ filters: { created_at_from: isoDate.optional(), created_at_to: isoDate.optional(),
      state: z.enum(CHECK_STATES).optional(), bank_account_id: z.coerce.number().int().min(1).optional(),
      division: divisionCode.optional() }, sort: ['check_number', 'created_at', 'amount_minor', 'checked_on'] }),
    response: many(checkRow) }),
  next: endpoint({ method: 'GET', path: `${path}/next-check-number`, auth: staff('payment.create'),
    summary: 'The number that the next check of a bank account gets', query: onAccount,
    response: one(z.object({ bank_account_id: z.int(), next_check_number: z.string().nullable() })) }),
  payable: endpoint({ method: 'GET', path: `${path}/payable`, auth: staff('payment.create'),
    summary: 'Open items of a payee that a check can pay',
    query: z.strictObject({ bank_account_id: z.coerce.number().int().min(1), party_type: z.enum(['vendor', 'customer']),
      party_id: z.coerce.number().int().min(1) }), response: all(payableItem) }),
  sheet: endpoint({ method: 'GET', path: `${path}/sheet`, auth: staff('payment.show'),
    summary: 'Several checks as one PDF', response: 'file',
    query: z.strictObject({ ids: z.string().regex(/^\d{1,15}(,\d{1,15}){0,99}$/, 'Ids with commas') }) }),
  alignment: endpoint({ method: 'GET', path: `${path}/alignment`, auth: staff('payment.show'),
    summary: 'A test page that shows where a check is printed', query: onAccount, response: 'file' }),
  show: endpoint({ method: 'GET', path: item, auth: staff('payment.show'), summary: 'Show a check',
    response: one(checkDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('payment.create'), idempotent: true, status: 201,
    summary: 'Make a check over what is owed to a payee; another person approves its payment',
    body: z.strictObject({ bank_account_id: account, party_type: z.enum(['vendor', 'customer']), party_id: id,
      on: isoDate, memo: memo.default(''), parts,
      /** Of a check that was written by hand; null: it is printed with the next number. */
      check_number: number.nullable().default(null) }), response: one(checkDetail) }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('payment.update'),
    summary: 'Change a check that is not printed; its payment is approved again',
    body: z.strictObject({ version, on: isoDate.optional(), memo: memo.optional(), parts: parts.optional(),
      bank_account_id: account.optional(), check_number: number.nullable().optional() }),
    response: one(checkDetail) }),
  remove: endpoint({ method: 'DELETE', path: item, auth: staff('payment.delete'),
    summary: 'Delete a check that is not printed; what it would have paid is open again', response: null }),
  activity: endpoint({ method: 'GET', path: `${item}/activity`, auth: staff('payment.show'),
    summary: 'Activity of a check', query: activityQuery, response: many(activityRow) }),
  render: endpoint({ method: 'GET', path: `${item}/render`, auth: staff('payment.show'),
    summary: 'A check as a page to look at', response: 'file' }),
  download: endpoint({ method: 'GET', path: `${item}/download`, auth: staff('payment.show'),
    summary: 'A check as PDF; a copy unless the caller has just printed it', response: 'file' }),
  print: endpoint({ method: 'POST', path: `${path}/print`, auth: staff('payment.create'), idempotent: true,
    summary: 'Give checks the next numbers of their bank account and post their payments',
    body: z.strictObject({ bank_account_id: account, on: isoDate,
      check_ids: z.array(id).min(1, 'Choose at least one').max(PRINT_LIMIT, `At most ${PRINT_LIMIT} checks at once`),
      /** Number on the first form in the printer. */
      first_number: number }), response: all(checkRow) }),
  reprint: endpoint({ method: 'PUT', path: `${item}/reprint`, auth: staff('payment.create'),
    summary: 'Print a check again with its number; the reason is kept', body: z.strictObject({ version, reason }),
    response: one(checkDetail) }),
  spoil: endpoint({ method: 'PUT', path: `${item}/spoil`, auth: staff('payment.updateStatus'),
    summary: 'Record a printed form as spoiled and give the payment the next number',
    body: z.strictObject({ version, reason }), response: one(checkDetail) }),
  skip: endpoint({ method: 'POST', path: `${path}/skip`, auth: staff('payment.updateStatus'), idempotent: true,
    summary: 'Record blank forms as spoiled, up to a number', response: one(z.object({ spoiled: z.int() })),
    body: z.strictObject({ bank_account_id: account, through_number: number, reason }) }),
  void: endpoint({ method: 'PUT', path: `${item}/void`, auth: staff('payment.updateStatus'),
    summary: 'Void a check; what it paid is open again',
    body: z.strictObject({ version, on: isoDate, reason }), response: one(checkDetail) }),
  unclaimed: endpoint({ method: 'PUT', path: `${item}/unclaimed`, auth: staff('payment.updateStatus'),
    summary: 'Move a check that nobody paid in for 180 days to unclaimed property',
    body: z.strictObject({ version, on: isoDate }), response: one(checkDetail) }),
};
