/** Payment runs: what is due is chosen, approved by another person, written for the bank, and settled by its answer. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, MIB, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, positiveMinor, version } from '#kit/field.ts';
import { PAYOUT_METHODS } from '#kernel/receivables/payout-methods.ts';

export const RUN_STATUSES = ['draft', 'approved', 'exported', 'posted', 'void'] as const;
export const RUN_METHODS = PAYOUT_METHODS;
/** General runs of bills, refunds, royalties and other debts, or a batch of royalties alone. */
export const RUN_PAYS = ['payables', 'royalties'] as const;
/** Documents in one run. */
export const RUN_LIMIT = 500;
export const ANSWER_TYPES = ['xml', 'ach', 'txt', 'dat'];

export const runRow = z.object({
  id: z.int(), number: z.string(), division: divisionCode, currency: currencyCode, method: z.enum(RUN_METHODS),
  status: z.enum(RUN_STATUSES), bank_account_id: z.int(), bank_account: z.string(), due_by: z.string(),
  value_on: z.string(),
  /** Why the value date is another day than the one asked for. */
  value_moved: z.string().nullable(), same_day: z.boolean(), memo: z.string(), payment_count: z.int(),
  /** Cash of the payments that stand, and the tax withheld from vendors beside it. */
  total_minor: z.int(), withheld_minor: z.int(),
  /** Cash in the file as the bank has it; null: no file. */
  file_total_minor: z.int().nullable(), created_by_id: z.int().nullable(),
  created_by_name: z.string().nullable(),
  last_changed_by_name: z.string().nullable(), approved_by_name: z.string().nullable(),
  approved_at: z.string().nullable(), exported_by_name: z.string().nullable(), exported_at: z.string().nullable(),
  file_name: z.string().nullable(), file_sha256: z.string().nullable(), posted_at: z.string().nullable(),
  /** Why the last attempt to post it on its day failed. */
  failure: z.string().nullable(), void_reason: z.string().nullable(),
  /** The batch of royalties in it; null: no royalties. */
  royalty_payment_batch_id: z.int().nullable(),
  /** It pays royaltors alone, and is their batch. */
  is_batch: z.boolean(), version: z.int(), created_at: z.string(),
  updated_at: z.string(),
});
export type RunRow = z.infer<typeof runRow>;

/** Item a payment settles: above zero is paid, below zero is a credit set off. Royalties have no open item. */
export const runPart = z.object({
  open_item_id: z.int().nullable(), document: z.string(), document_kind: z.string().nullable(),
  document_id: z.int().nullable(), due_on: z.string(), amount_minor: z.int(), discount_minor: z.int(),
  /** Why the discount is more than the terms give; empty where it is not. */
  discount_reason: z.string(),
});
/** Account of the last settled payment (null: none was) and the one that this run pays to. */
const bankChange = z.object({
  old_last4: z.string().nullable(), old_country: z.string().nullable(), old_holder: z.string().nullable(),
  new_last4: z.string(), new_country: z.string().nullable(), new_holder: z.string().nullable(),
  changed_by_name: z.string().nullable(), changed_at: z.string().nullable(),
  verified_by_name: z.string().nullable(), verified_at: z.string().nullable(),
  /** Note of the call-back. */
  note: z.string().nullable(),
});
export const runPayment = z.object({
  id: z.int(), number: z.string(), kind: z.string(), party_type: z.string(), party_id: z.int(),
  party_name: z.string(), status: z.string(), amount_minor: z.int(), withheld_minor: z.int(),
  payee_last4: z.string().nullable(),
  outcome: z.enum(['settled', 'rejected', 'cancelled']).nullable(), outcome_on: z.string().nullable(),
  reason: z.string().nullable(), transaction_id: z.int().nullable(), version: z.int(), parts: z.array(runPart),
  /** Day on which the bank paid it although it had left the run, until a person has decided; else null. */
  paid_anyway_on: z.string().nullable(),
  /** Reason that blocks approval or export; null if there is none. */
  held: z.string().nullable(),
  /** Prenote to its bank details that is pending or came back; null where they hold. */
  hint: z.string().nullable(),
  /** Until the approval: its account is not that of the last settled payment. */
  bank_change: bankChange.nullable(),
});
export type RunPayment = z.infer<typeof runPayment>;
export const runDetail = runRow.extend({ payments: z.array(runPayment), allowed: z.array(z.string()),
  /** Whether the file of the method can be written: its bank account has what the bank asks for. */
  missing: z.array(z.string()),
  downloads: z.array(z.object({ by_name: z.string(), at: z.string() })) });
export type RunDetail = z.infer<typeof runDetail>;

export const dueItem = z.object({
  open_item_id: z.int(),
  /** A refund that waits is taken whole, as the payment it is. */
  refund_id: z.int().nullable(), document: z.string(), document_kind: z.string().nullable(),
  document_id: z.int().nullable(), opened_on: z.string(), due_on: z.string(), amount_minor: z.int(),
  discount_minor: z.int(), is_due: z.boolean(),
});
export type DueItem = z.infer<typeof dueItem>;
/** Agreed with the payee, where the run pays another way: nothing is proposed then. */
const otherMethod = z.enum(PAYOUT_METHODS).nullable();
export const duePayee = z.object({
  party_type: z.enum(['vendor', 'customer']), party_id: z.int(), name: z.string(), held: z.string().nullable(),
  other_method: otherMethod,
  /** Prenote to its bank details that is pending or came back; null where they hold. */
  hint: z.string().nullable(), last4: z.string().nullable(),
  /** Backup withholding of a vendor, with its first day; null: none. */
  withholding: z.object({ rate_ppm: z.int(), from: z.string() }).nullable(), items: z.array(dueItem),
});
export type DuePayee = z.infer<typeof duePayee>;
/** A statement or an advance: paid whole, amounts in the currency of the account. */
export const dueRoyalty = z.object({
  statement_id: z.int().nullable(), advance_id: z.int().nullable(), document: z.string(), subject: z.string(),
  due_on: z.string().nullable(),
  /** To the royaltor after tax, and beside it to the agent. */
  amount_minor: z.int(), withheld_minor: z.int(), agent_minor: z.int(), is_due: z.boolean(),
  held: z.string().nullable(),
});
export type DueRoyalty = z.infer<typeof dueRoyalty>;
export const dueRoyaltor = z.object({ royaltor_id: z.int(), name: z.string(), held: z.string().nullable(),
  other_method: otherMethod, hint: z.string().nullable(), last4: z.string().nullable(), items: z.array(dueRoyalty) });
export type DueRoyaltor = z.infer<typeof dueRoyaltor>;
export const payablesAnswer = z.object({
  methods: z.array(z.enum(RUN_METHODS)), method: z.enum(RUN_METHODS), payees: z.array(duePayee),
  royaltors: z.array(dueRoyaltor),
  /** The ledger's balance of the account, less what approved and waiting payments will take. */
  balance_minor: z.int(), promised_minor: z.int(),
  /** Day on which a file that is written today settles, and why it is another one than was asked for. */
  value_on: z.string(), value_moved: z.string().nullable(),
  /** Last day on which the bank takes the file for it; null: no file. */
  hand_in_by: z.string().nullable(),
  /** Due bills on hold, which are not proposed. */
  on_hold: z.object({ count: z.int(), total_minor: z.int() }),
});
export type RunPayables = z.infer<typeof payablesAnswer>;

export const textChange = z.object({ payee: z.string().nullable(), field: z.string(), from: z.string(),
  to: z.string() });
export const filePreview = z.object({ value_on: z.string(), value_moved: z.string().nullable(),
  changes: z.array(textChange), issues: z.array(z.string()), count: z.int(), total_minor: z.int() });
export type FilePreview = z.infer<typeof filePreview>;
/** `changed` by a notice of change; `disputed`: a message about a return made before. */
export const ANSWER_OUTCOMES = ['settled', 'rejected', 'changed', 'paid_anyway', 'disputed'] as const;
const answered = z.object({ run_id: z.int(), run: z.string(), payment_id: z.int(), payment: z.string(),
  payee: z.string() });
/** Entries of other files that are named; the others are counted. */
export const OTHERS_NAMED = 200;
export const answerResult = z.object({ settled: z.int(), rejected: z.int(), changed: z.int(),
  /** Paid although they were taken out: a person decides. */
  paid_anyway: z.int(),
  /** Messages of the banks about a return that was made before: nothing is entered. */
  disputed: z.int(),
  /** Entries that an earlier answer has told already. */
  known: z.int(),
  /** Entries about payments that no run has sent, and about no prenote. */
  unknown: z.int(),
  payments: z.array(answered.extend({ outcome: z.enum(ANSWER_OUTCOMES) })),
  /** Prenotes of any file: a returned one puts the bank details of its payee in doubt. */
  prenotes: z.array(z.object({ number: z.string(), payee: z.string(),
    outcome: z.enum(['returned', 'changed', 'disputed']) })),
  /** Payments whose answer could not be entered, each with the reason; all others are. */
  failed: z.array(answered.extend({ message: z.string() })),
  /** Amounts in minor units, 0 for a prenote of another house; null where the bank gives none. */
  others: z.array(z.object({ name: z.string(), reference: z.string(), amount_minor: z.int().nullable(),
    currency: z.string().nullable(), outcome: z.enum(['settled', 'rejected', 'notice', 'dispute']) })) });
export type AnswerResult = z.infer<typeof answerResult>;

const part = z.strictObject({ open_item_id: id, amount_minor: z.int('Enter an amount')
  .min(-1_000_000_000_000, 'At most 10,000,000,000.00').max(1_000_000_000_000, 'At most 10,000,000,000.00'),
discount_minor: positiveMinor.default(0), discount_reason: z.string().trim().max(500).default('') });
const choice = {
  parts: z.array(part).max(RUN_LIMIT, `At most ${RUN_LIMIT} documents in one run`).default([]),
  refund_ids: z.array(id).max(RUN_LIMIT, `At most ${RUN_LIMIT} refunds in one run`).default([]),
  statement_ids: z.array(id).max(RUN_LIMIT, `At most ${RUN_LIMIT} statements in one run`).default([]),
  advance_ids: z.array(id).max(RUN_LIMIT, `At most ${RUN_LIMIT} advances in one run`).default([]),
  value_on: isoDate, due_by: isoDate, memo: z.string().trim().max(1_000).default(''),
  same_day: z.boolean().default(false),
};
const reason = z.string().trim().min(1, 'Give a reason').max(500);

const path = '/api/admin/staff/accounting/payment_runs';
const run = `${path}/{id}` as const;
const seen = z.strictObject({ version });

export const runEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('payment.list'), summary: 'List payment runs',
    query: listQuery({ filters: { division: divisionCode.optional(), status: z.enum(RUN_STATUSES).optional(),
      method: z.enum(RUN_METHODS).optional(), pays: z.enum(RUN_PAYS).optional() },
    sort: ['value_on', 'number', 'updated_at'] }),
    response: many(runRow) }),
  payables: endpoint({ method: 'GET', path: `${path}/payables`, auth: staff('payment.create'),
    summary: 'Items a payment run can pay, by payee, and the cash of its account', response: one(payablesAnswer),
    query: z.strictObject({ bank_account_id: z.coerce.number().int().min(1), due_by: isoDate,
      method: z.enum(RUN_METHODS).optional(), run_id: z.coerce.number().int().min(1).optional(),
      /** Discounts that are open on it are proposed; today where it is left out. */
      value_on: isoDate.optional(), same_day: z.stringbool().optional() }) }),
  show: endpoint({ method: 'GET', path: run, auth: staff('payment.show'), summary: 'A payment run with its payments',
    response: one(runDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('payment.create'), status: 201, idempotent: true,
    summary: 'Make a payment run of what is chosen', response: one(runDetail),
    body: z.strictObject({ bank_account_id: z.int('Choose the bank account').min(1, 'Choose the bank account'),
      method: z.enum(RUN_METHODS, 'Choose how it is paid'), ...choice }) }),
  update: endpoint({ method: 'PUT', path: run, auth: staff('payment.create'),
    summary: 'Change a run that is not exported; an approval is taken back',
    body: z.strictObject({ version, ...choice }), response: one(runDetail) }),
  approve: endpoint({ method: 'PUT', path: `${run}/approve`, auth: staff('payment.updateStatus'),
    summary: 'Approve a run that somebody else made', body: seen,
    response: one(runDetail) }),
  reopen: endpoint({ method: 'PUT', path: `${run}/reopen`, auth: staff('payment.updateStatus'),
    summary: 'Withdraw the approval; the run needs a new one', body: seen, response: one(runDetail) }),
  preview: endpoint({ method: 'GET', path: `${run}/file-preview`, auth: staff('payment.create'),
    summary: 'Preview of the bank file: texts it changes and problems that prevent it', response: one(filePreview) }),
  export: endpoint({ method: 'PUT', path: `${run}/export`, auth: staff('payment.create'),
    summary: 'Write the file for the bank, once; the same bytes every time after', body: seen,
    response: one(runDetail) }),
  file: endpoint({ method: 'GET', path: `${run}/file`, auth: staff('payment.create'),
    summary: 'Download the file for the bank; who did is kept', response: 'file' }),
  answer: endpoint({ method: 'POST', path: `${run}/answer`, auth: staff('payment.create'),
    summary: "Read the bank's answer at a run: pain.002, camt.054, NACHA returns", response: one(answerResult),
    upload: { field: 'file', types: ANSWER_TYPES, max_bytes: 10 * MIB } }),
  answers: endpoint({ method: 'POST', path: `${path}/answer`, auth: staff('payment.create'),
    summary: "Read the bank's answer for the payments of any run", response: one(answerResult),
    upload: { field: 'file', types: ANSWER_TYPES, max_bytes: 10 * MIB } }),
  cancelPayment: endpoint({ method: 'PUT', path: `${run}/payments/{paymentId}/cancel`,
    auth: staff('payment.updateStatus'), summary: 'Take one payment out of a run that is not posted',
    body: z.strictObject({ version, reason }), response: one(runDetail) }),
  reject: endpoint({ method: 'PUT', path: `${run}/payments/{paymentId}/reject`, auth: staff('payment.create'),
    summary: 'The bank rejected or returned a payment: it is payable again',
    body: z.strictObject({ version, on: isoDate, reason }), response: one(runDetail) }),
  refuseFile: endpoint({ method: 'PUT', path: `${run}/refuse`, auth: staff('payment.updateStatus'),
    summary: 'The bank rejected all of it: what it has not settled is payable again',
    body: z.strictObject({ version, on: isoDate, reason }), response: one(runDetail) }),
  decidePayment: endpoint({ method: 'PUT', path: `${run}/payments/{paymentId}/decide`,
    auth: staff('payment.updateStatus'), summary: 'Decide about a payment that the bank paid although it was taken out',
    body: z.strictObject({ version, decision: z.enum(['paid', 'not_paid'], 'Choose whether it is paid'), reason }),
    response: one(runDetail) }),
  void: endpoint({ method: 'PUT', path: `${run}/void`, auth: staff('payment.updateStatus'),
    summary: 'Withdraw a run that is not exported', body: z.strictObject({ version, reason }),
    response: one(runDetail) }),
};

/** Data a bank requires in the payment files of an account. */
export const fileProfile = z.object({
  bank_account_id: z.int(), originator_name: z.string(), company_id: z.string(), destination_routing: z.string(),
  destination_name: z.string(), origin_id: z.string(), balanced: z.boolean(), bic: z.string().nullable(),
  organization_id: z.string().nullable(), pain_version: z.enum(['03', '09']),
  addresses: z.enum(['structured', 'hybrid', 'none']), one_debit: z.boolean(), service_user: z.string(),
  version: z.int(),
});
export type FileProfile = z.infer<typeof fileProfile>;
const profilePath = '/api/admin/staff/accounting/bank_accounts/{id}/payment_files';
const line = (max: number) => z.string().trim().max(max).default('');
export const profileEndpoints = {
  show: endpoint({ method: 'GET', path: profilePath, auth: staff('payment.show'),
    summary: 'Payment file settings of a bank account', response: one(fileProfile) }),
  update: endpoint({ method: 'PUT', path: profilePath, auth: staff('bank_account.update'),
    summary: 'Change what the bank asks for in payment files', response: one(fileProfile),
    body: z.strictObject({ version, originator_name: line(70), company_id: line(10), destination_routing: line(9),
      destination_name: line(23), origin_id: line(10), balanced: z.boolean().default(false),
      bic: z.string().trim().max(11).nullable().default(null),
      organization_id: z.string().trim().max(35).nullable().default(null),
      pain_version: z.enum(['03', '09']).default('09'),
      addresses: z.enum(['structured', 'hybrid', 'none']).default('structured'), one_debit: z.boolean().default(true),
      service_user: z.string().trim().regex(/^(\d{6})?$/, 'A service user number has 6 digits').default('') }) }),
};
