/** Print settings for the checks of a bank account, and what is reported to the bank (positive pay). */
import * as z from 'zod';
import { MAX_MINOR } from '#kernel/money/money.ts';
import { staff } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { isoDate } from '#kit/field.ts';

const FIELDS = ['code', 'account', 'number', 'amount', 'date', 'payee', 'text', 'issues', 'voids', 'count', 'total'] as
  const;
const column = z.strictObject({ field: z.enum(FIELDS), width: z.int().min(1).max(500).nullable(),
  align: z.enum(['left', 'right']).optional(), pad: z.enum([' ', '0']).optional(),
  text: z.string().max(100).optional() });
const columns = z.array(column).min(1, 'A line has a column').max(40);
/** As the kernel's `PositivePayLayout`; the layouts that are known come ready. */
export const positivePayLayout = z.strictObject({
  name: z.string().trim().min(1, 'Name the layout').max(60), kind: z.enum(['delimited', 'fixed']),
  delimiter: z.string().max(1),
  date: z.enum(['MMDDYY', 'MMDDYYYY', 'YYYYMMDD', 'YYMMDD', 'MM/DD/YYYY', 'YYYY-MM-DD']),
  amount: z.enum(['point', 'implied']), codes: z.strictObject({ issue: z.string().max(10), void: z.string().max(10) }),
  columns, header: columns.nullable(), trailer: columns.nullable(), line_end: z.enum(['\r\n', '\n']),
});

export const MICR_SIGNS = ['letters', 'unicode'] as const;
const template = {
  is_blank_stock: z.boolean(), offset_x_mm: z.number().min(-25, 'At most 25 mm').max(25, 'At most 25 mm'),
  offset_y_mm: z.number().min(-25, 'At most 25 mm').max(25, 'At most 25 mm'),
  second_signature_above_minor: z.int('Enter an amount').min(1, 'Enter an amount above zero')
    .max(Number(MAX_MINOR), 'At most 10,000,000,000.00').nullable(),
  micr_signs: z.enum(MICR_SIGNS), positive_pay: positivePayLayout,
};
export const checkTemplate = z.object({ ...template, bank_account_id: z.int(), micr_font: z.string().nullable(),
  /** 0 before the first change. */
  version: z.int() });
export type CheckTemplate = z.infer<typeof checkTemplate>;

export const positivePayFile = z.object({
  id: z.int(), from_on: z.string(), to_on: z.string(), file_name: z.string(), issue_count: z.int(),
  void_count: z.int(), issued_minor: z.int(), voided_minor: z.int(), created_by_name: z.string().nullable(),
  created_at: z.string(),
});
export type PositivePayFile = z.infer<typeof positivePayFile>;

const account = '/api/admin/staff/accounting/bank_accounts/{id}';
export const checkTemplateEndpoints = {
  show: endpoint({ method: 'GET', path: `${account}/check_template`, auth: staff(['payment.list', 'bank_account.show']),
    summary: 'Check layout of a bank account', response: one(checkTemplate) }),
  update: endpoint({ method: 'PUT', path: `${account}/check_template`, auth: staff('bank_account.update'),
    summary: 'Change how checks of a bank account are printed',
    body: z.strictObject({ ...template, version: z.int().min(0) }),
    response: one(checkTemplate) }),
  font: endpoint({ method: 'POST', path: `${account}/check_template/font`, auth: staff('bank_account.update'),
    summary: 'Upload the font of the magnetic line (E-13B)', body: z.strictObject({}), response: one(checkTemplate),
    upload: { field: 'file', types: ['ttf', 'otf'], max_bytes: 2 * 1024 * 1024, required: true } }),
  removeFont: endpoint({ method: 'DELETE', path: `${account}/check_template/font`, auth: staff('bank_account.update'),
    summary: 'Remove the font of the magnetic line', response: null }),
  files: endpoint({ method: 'GET', path: `${account}/positive_pay`, auth: staff('payment.list'),
    summary: 'Positive-pay files of a bank account, the latest first', response: all(positivePayFile) }),
  export: endpoint({ method: 'POST', path: `${account}/positive_pay`, auth: staff('payment.create'), idempotent: true,
    status: 201, summary: 'Write the issues and voids up to a day that the bank was not told yet',
    body: z.strictObject({
      /** null: all that was not told yet. */
      from_on: isoDate.nullable().default(null), to_on: isoDate }), response: one(positivePayFile) }),
  file: endpoint({ method: 'GET', path: `${account}/positive_pay/{fileId}`, auth: staff('payment.list'),
    summary: 'A positive-pay file, as it was written', response: 'file' }),
};
