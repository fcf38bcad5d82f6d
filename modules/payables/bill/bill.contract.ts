/**
 * Bills of vendors and vendor credits (A59 to A63, A85, A86, A103). Created and changed with the vendor's document
 * beside the fields as multipart/form-data; in that form numbers are text and the lines are JSON. JSON alone will do.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { restoring, trashing, bulk } from '#kit/bulk.ts';
import { all, endpoint, listQuery, many, one, UPLOAD_LIMIT } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, id, isoDate, minor, oneLine, positiveMinor, version } from '#kit/field.ts';
import { TAX_TREATMENTS } from '#kernel/ledger/payable-events.ts';
import { stateCode } from '#modules/taxation/jurisdiction.contract.ts';

export const BILL_KINDS = ['bill', 'credit'] as const;
export const BILL_STATES = ['draft', 'submitted', 'approved', 'part_paid', 'paid', 'void'] as const;
export type BillState = (typeof BILL_STATES)[number];
/** Lines on one bill. */
export const LINE_LIMIT = 200;

export const billRow = z.object({
  id: z.int(), number: z.string(),
  /** Number and vendor, as a report names the bill. */
  name: z.string(), kind: z.enum(BILL_KINDS), state: z.enum(BILL_STATES), vendor_id: z.int(),
  vendor_name: z.string(), vendor_number: z.string(), division: divisionCode, currency: currencyCode,
  billed_on: z.string(), received_on: z.string(), due_on: z.string(), discount_ppm: z.int(), discount_days: z.int(),
  memo: z.string(), net_minor: z.int(), tax_minor: z.int(), total_minor: z.int(),
  /** Not paid yet; of a credit: not applied yet. 0 before approval. */
  open_minor: z.int(),
  hold_reason: z.string().nullable(), decline_reason: z.string().nullable(), file_name: z.string().nullable(),
  entered_by_name: z.string().nullable(),
  /** Of the recurring bill that made it. */
  schedule_id: z.int().nullable(), schedule_name: z.string().nullable(),
  deleted_at: z.string().nullable(), version: z.int(), created_at: z.string(), updated_at: z.string(),
});
export type BillRow = z.infer<typeof billRow>;

const billLine = z.object({
  id: z.int(), ledger_account_id: z.int(), account: z.string(), description: z.string(), net_minor: z.int(),
  tax_code_id: z.int().nullable(), tax_code: z.string().nullable(), treatment: z.enum(TAX_TREATMENTS),
  jurisdiction: z.string().nullable(), rate_ppm: z.int(), tax_minor: z.int(), show_id: z.int().nullable(),
  show_title: z.string().nullable(), license_id: z.int().nullable(), license_number: z.string().nullable(),
  material_id: z.int().nullable(), material_name: z.string().nullable(),
  /** Pieces of the item. */
  quantity: z.int().nullable(),
  /** Goods received before the bill that the line takes: of them these pieces, at this cost. */
  goods_receipt_line_id: z.int().nullable(), receipt_number: z.string().nullable(), item_name: z.string().nullable(),
  cleared_quantity: z.int().nullable(), cleared_minor: z.int().nullable(),
});
/** Settlement of the bill's item: a payment, a vendor credit, a journal. */
const settlement = z.object({
  id: z.int(), on: z.string(), amount_minor: z.int(), transaction_id: z.int(),
  transaction_number: z.string().nullable(), document_type: z.string().nullable(), document_id: z.int().nullable(),
  number: z.string().nullable(),
  /** Backup withholding of the whole payment, part of what it settled. */
  withheld_minor: z.int(),
  /** Id of the application, where a vendor credit was applied and can be taken off. */
  application_id: z.int().nullable(),
});
const openCredit = z.object({ id: z.int(), number: z.string(), vendor_number: z.string(), billed_on: z.string(),
  open_minor: z.int() });

export const billDetail = billRow.extend({
  lines: z.array(billLine),
  file: z.object({ name: z.string(), mime_type: z.string(), size_bytes: z.int() }).nullable(),
  functional_rate: z.string().nullable(), transaction_id: z.int().nullable(), transaction_number: z.string().nullable(),
  reversal_id: z.int().nullable(), entered_by_id: z.int().nullable(), last_changed_by_id: z.int().nullable(),
  submitted_by_id: z.int().nullable(), submitted_by_name: z.string().nullable(), submitted_at: z.string().nullable(),
  approved_by_name: z.string().nullable(), approved_at: z.string().nullable(), declined_by_name: z.string().nullable(),
  voided_on: z.string().nullable(), void_reason: z.string().nullable(),
  /** Last day of the early payment discount, with its amount; null where there is none. */
  discount_until: z.string().nullable(), discount_minor: z.int(),
  /** By box of the VAT return, where the division has one. */
  boxes: z.array(z.object({ box: z.string(), amount_minor: z.int() })),
  settlements: z.array(settlement),
  /** Credits of the vendor that this bill could take, or of a credit: bills that it could be applied to. */
  open_counterparts: z.array(openCredit),
  /** All unpaid bills of the vendor in this division as one total, in its currency, against the limit. */
  unpaid_minor: z.int(), limit_minor: z.int(), functional_currency: currencyCode,
});
export type BillDetail = z.infer<typeof billDetail>;
export type BillLine = BillDetail['lines'][number];

const optionalId = id.nullable().default(null);
export const billLineInput = z.strictObject({
  ledger_account_id: z.int('Choose the account').min(1, 'Choose the account'),
  description: oneLine('The description', z.string().trim().min(1, 'Describe the line').max(500)),
  net_minor: minor.refine((amount) => amount !== 0, 'Enter an amount other than zero'),
  tax_code_id: optionalId,
  /** US state of use tax, as US-NY; absent: the country of the division. Of tax that is owed: its authority. */
  jurisdiction: stateCode.nullable().default(null),
  /** Set if no table holds the rate, or the bill has another. */
  rate_ppm: z.int().min(0).max(1_000_000, 'At most 100%').nullable().default(null),
  /** As on the document, where it differs from the rate by rounding. */
  tax_minor: minor.nullable().default(null),
  show_id: optionalId, license_id: optionalId, material_id: optionalId,
  quantity: z.int('Enter a whole number').min(1, 'Enter 1 or more').max(100_000, 'At most 100,000').nullable()
    .default(null),
  /** A line of goods received from the vendor, on account 2010; `quantity` says how many of them are billed. */
  goods_receipt_line_id: optionalId,
});
export type BillLineInput = z.output<typeof billLineInput>;

const lines = z.array(billLineInput).max(LINE_LIMIT, `At most ${LINE_LIMIT} lines on one bill`);
/** A value of a form with a file: text that holds JSON. */
function inForm<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.string().max(500_000).transform((text, ctx): unknown => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      ctx.addIssue({ code: 'custom', message: 'Send the lines as JSON' });
      return z.NEVER;
    }
  }).pipe(schema)]);
}
const vendorNumber = oneLine('The number', z.string().trim().max(60));
const number = (schema: z.ZodInt) => z.coerce.number().pipe(schema);
const day = z.union([isoDate, z.literal('')]);
const flag = z.union([z.boolean(), z.stringbool()]);
const terms = {
  discount_ppm: z.coerce.number().int().min(0).max(500_000, 'At most 50%'),
  discount_days: z.coerce.number().int().min(0).max(365, 'At most 365 days'),
};
const memo = z.string().trim().max(2_000);

export const billInput = z.strictObject({
  kind: z.enum(BILL_KINDS).default('bill'), vendor_id: number(z.int('Choose the vendor').min(1, 'Choose the vendor')),
  vendor_number: vendorNumber.default(''), division: divisionCode, currency: currencyCode, billed_on: isoDate,
  /** Absent: today. */
  received_on: day.optional(),
  /** Absent: by the terms of the vendor. */
  due_on: day.optional(),
  discount_ppm: terms.discount_ppm.default(0), discount_days: terms.discount_days.default(0), memo: memo.default(''),
  lines: inForm(lines).default([]),
  /** The bill looks like one that is here already, and is another one (409 otherwise). */
  duplicate_confirmed: flag.default(false),
  /** More is billed than was received (409 otherwise). */
  over_received_confirmed: flag.default(false),
});
export type BillInput = z.output<typeof billInput>;
export const billChange = z.strictObject({
  vendor_id: number(z.int().min(1, 'Choose the vendor')).optional(), vendor_number: vendorNumber.optional(),
  currency: currencyCode.optional(), billed_on: isoDate.optional(), received_on: isoDate.optional(),
  due_on: day.optional(), discount_ppm: terms.discount_ppm.optional(), discount_days: terms.discount_days.optional(),
  memo: memo.optional(), lines: inForm(lines).optional(), duplicate_confirmed: flag.default(false),
  over_received_confirmed: flag.default(false),
  version: number(version),
});
export type BillChange = z.output<typeof billChange>;

const path = '/api/admin/staff/accounting/bills';
const item = `${path}/{id}` as const;
const upload = { field: 'file', types: ['pdf', 'png', 'jpg', 'jpeg', 'webp'], max_bytes: UPLOAD_LIMIT,
  required: false };
const reason = oneLine('The reason', z.string().trim().min(1, 'Give a reason').max(500));
const query = listQuery({ filters: {
  division: divisionCode.optional(), state: z.enum(BILL_STATES).optional(), kind: z.enum(BILL_KINDS).optional(),
  vendor_id: z.coerce.number().int().min(1).optional(), currency: currencyCode.optional(),
  on_hold: z.stringbool().optional(),
  /** Open and due on this day or before. */
  due_by: isoDate.optional(), billed_from: isoDate.optional(), billed_to: isoDate.optional(),
  has_file: z.stringbool().optional(),
  /** Made by this recurring bill. */
  schedule_id: z.coerce.number().int().min(1).optional(),
}, sort: ['billed_on', 'due_on', 'total_minor', 'open_minor', 'number', 'vendor', 'updated_at'], perPage: 25 });

/** Accounts and tax codes that a line may take, for the form. */
const choices = z.object({
  accounts: z.array(z.object({ id: z.int(), code: z.string(), name: z.string(),
    /** Tax that is owed: a line of it names the authority. */
    pays_authority: z.boolean() })),
  tax_codes: z.array(z.object({ id: z.int(), name: z.string(), treatment: z.enum(TAX_TREATMENTS),
    /** On the day that was asked for; null where none is entered. */
    rate_ppm: z.int().nullable() })),
});
export type BillChoices = z.infer<typeof choices>;

/** Tax that was withheld or collected and is owed to an authority. */
export const taxDue = z.object({
  ledger_account_id: z.int(), code: z.string(), account: z.string(), jurisdiction: z.string(), authority: z.string(),
  currency: currencyCode, owed_minor: z.int(),
  /** On bills that are not approved yet. */
  billed_minor: z.int(),
  /** Whom the last such bill paid. */
  vendor_id: z.int().nullable(), vendor_name: z.string().nullable(),
});
export type TaxDue = z.infer<typeof taxDue>;

export const billEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('bill.list'), summary: 'List bills', query,
    response: many(billRow) }),
  payable: endpoint({ method: 'GET', path: '/api/admin/staff/accounting/accounts_payable/invoices',
    auth: staff('bill.list'), summary: 'Bills as payables: approved and not paid', query, response: many(billRow) }),
  choices: endpoint({ method: 'GET', path: `${path}/choices`, auth: staff('bill.list'),
    summary: 'Accounts and tax codes for the lines of a bill', response: one(choices),
    query: z.strictObject({ division: divisionCode, on: isoDate }) }),
  taxes: endpoint({ method: 'GET', path: `${path}/taxes_due`, auth: staff('bill.list'),
    summary: 'Tax that is owed to each authority on a day, less what bills name already', response: all(taxDue),
    query: z.strictObject({ division: divisionCode, on: isoDate }) }),
  payReturn: endpoint({ method: 'POST', path: '/api/admin/staff/accounting/tax_returns/{id}/bill',
    auth: staff('bill.create'), status: 201, idempotent: true,
    summary: 'Enter the bill that pays a filed sales tax return, less the vendor discount', response: one(billDetail),
    body: z.strictObject({ vendor_id: z.int('Choose the vendor').min(1, 'Choose the vendor') }) }),
  trash: endpoint({ method: 'GET', path: `${path}/trash`, auth: staff('bill.delete'),
    summary: 'List bills in the trash', query, response: many(billRow) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('bill.show'), summary: 'Show a bill',
    response: one(billDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('bill.create'), summary: 'Enter a bill', body: billInput,
    upload, response: one(billDetail), status: 201, idempotent: true }),
  change: endpoint({ method: 'POST', path: item, auth: staff('bill.update'), upload, body: billChange,
    summary: 'Change a bill that is not approved, with its file', response: one(billDetail) }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('bill.update'), body: billChange,
    summary: 'Change a bill that is not approved', response: one(billDetail) }),
  remove: endpoint({ method: 'DELETE', path: item, auth: staff('bill.delete'), conditional: true,
    summary: 'Move a draft to the trash', response: null }),
  restore: endpoint({ method: 'PUT', path: `${item}/restore`, auth: staff('bill.restore'),
    summary: 'Restore a bill from the trash', response: one(billDetail) }),
  purge: endpoint({ method: 'DELETE', path: `${item}/force`, auth: staff('bill.forceDelete'),
    summary: 'Delete a bill in the trash for good', response: null }),
  submit: endpoint({ method: 'PUT', path: `${item}/submit`, auth: staff('bill.update'),
    summary: 'Ask for approval of a bill', body: z.strictObject({ version }), response: one(billDetail) }),
  recall: endpoint({ method: 'PUT', path: `${item}/recall`, auth: staff('bill.update'),
    summary: 'Take a submitted bill back to the drafts', body: z.strictObject({ version }),
    response: one(billDetail) }),
  approve: endpoint({ method: 'PUT', path: `${item}/approve`, auth: staff('payment.updateStatus'),
    summary: 'Approve a bill; this posts it', body: z.strictObject({ version }), response: one(billDetail) }),
  decline: endpoint({ method: 'PUT', path: `${item}/decline`, auth: staff('payment.updateStatus'),
    summary: 'Decline a bill; it becomes a draft again', body: z.strictObject({ version, reason }),
    response: one(billDetail) }),
  hold: endpoint({ method: 'PUT', path: `${item}/hold`, auth: staff('bill.update'),
    summary: 'Hold a bill: it is neither approved nor paid', body: z.strictObject({ version, reason }),
    response: one(billDetail) }),
  release: endpoint({ method: 'PUT', path: `${item}/release`, auth: staff('bill.update'),
    summary: 'Release a bill that is on hold', body: z.strictObject({ version }), response: one(billDetail) }),
  void: endpoint({ method: 'PUT', path: `${item}/void`, auth: staff('payment.updateStatus'),
    summary: 'Void an approved bill that nothing was paid on; this reverses its posting',
    body: z.strictObject({ version, reason, on: isoDate.optional() }), response: one(billDetail) }),
  applyCredit: endpoint({ method: 'POST', path: `${item}/credits`, auth: staff('payment.updateStatus'),
    summary: 'Apply a vendor credit to a bill', status: 201, idempotent: true, response: one(billDetail),
    body: z.strictObject({ credit_id: id, amount_minor: positiveMinor.min(1, 'Enter an amount'),
      on: isoDate.optional() }) }),
  takeOffCredit: endpoint({ method: 'DELETE', path: `${item}/credits/{applicationId}`,
    auth: staff('payment.updateStatus'), summary: 'Take a vendor credit off a bill', response: null }),
  file: endpoint({ method: 'GET', path: `${item}/file`, auth: staff('bill.show'),
    summary: "The vendor's document", response: 'file' }),
};

const WORDS = { noun: ['bill', 'bills'], href: '/admin/accounting/bills/{id}' } as const;
export const billBulk = bulk(billEndpoints.list, WORDS, [
  { label: 'Submit for approval', endpoint: billEndpoints.submit, undo: { label: 'Recall',
    endpoint: billEndpoints.recall } },
  trashing(billEndpoints),
]);
export const billTrashBulk = bulk(billEndpoints.trash, { ...WORDS, href: null }, [restoring(billEndpoints)]);
