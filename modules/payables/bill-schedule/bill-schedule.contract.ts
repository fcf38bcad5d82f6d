/**
 * Recurring bills: a schedule that makes a draft of the same bill on each of its days. The lines, with their amounts,
 * are fixed; the tax follows the rates of each day. A draft posts nothing until it is submitted and approved.
 */
import * as z from 'zod';
import { REPEAT_UNITS } from '#kernel/calendar/repetition.ts';
import { TAX_TREATMENTS } from '#kernel/ledger/payable-events.ts';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, isoDate, oneLine, version } from '#kit/field.ts';
import { BILL_STATES, billLineInput, LINE_LIMIT } from '../bill/bill.contract.ts';

export const SCHEDULE_STATES = ['active', 'paused', 'ended'] as const;
export type ScheduleState = (typeof SCHEDULE_STATES)[number];

export const billScheduleRow = z.object({
  id: z.int(), name: z.string(), vendor_id: z.int(), vendor_name: z.string(), division: divisionCode,
  currency: currencyCode, memo: z.string(), every_count: z.int(), every_unit: z.enum(REPEAT_UNITS),
  starts_on: z.string(), ends_on: z.string().nullable(), times: z.int().nullable(), status: z.enum(SCHEDULE_STATES),
  /** Day of the next draft; null where the schedule has ended. */
  next_on: z.string().nullable(), last_on: z.string().nullable(), made_count: z.int(),
  /** Without tax, of each bill. */
  net_minor: z.int(),
  /** Why the draft of the next day could not be made; tried again every hour. */
  failure: z.string().nullable(), created_by_name: z.string().nullable(), version: z.int(), created_at: z.string(),
  updated_at: z.string(),
});
export type BillScheduleRow = z.infer<typeof billScheduleRow>;

const line = z.object({
  id: z.int(), ledger_account_id: z.int(), account: z.string(), description: z.string(), net_minor: z.int(),
  tax_code_id: z.int().nullable(), tax_code: z.string().nullable(), treatment: z.enum(TAX_TREATMENTS),
  jurisdiction: z.string().nullable(), rate_ppm: z.int().nullable(), tax_minor: z.int().nullable(),
  show_id: z.int().nullable(), show_title: z.string().nullable(), license_id: z.int().nullable(),
  license_number: z.string().nullable(), material_id: z.int().nullable(), material_name: z.string().nullable(),
  quantity: z.int().nullable(),
});
/** A day that is done: its draft, or skipped. */
const day = z.object({
  on: z.string(), is_skipped: z.boolean(), bill_id: z.int().nullable(), number: z.string().nullable(),
  state: z.enum(BILL_STATES).nullable(), total_minor: z.int().nullable(),
});
export const billScheduleDetail = billScheduleRow.extend({
  discount_ppm: z.int(), discount_days: z.int(), last_changed_by_name: z.string().nullable(), lines: z.array(line),
  /** The latest, at most 100. */
  days: z.array(day),
  /** The days to come, at most 12. */
  coming: z.array(z.string()),
});
export type BillScheduleDetail = z.infer<typeof billScheduleDetail>;
export type BillScheduleLine = BillScheduleDetail['lines'][number];
export type BillScheduleDay = BillScheduleDetail['days'][number];

const fields = {
  name: oneLine('The name', z.string().trim().min(1, 'Enter a name').max(120)),
  vendor_id: z.int('Choose the vendor').min(1, 'Choose the vendor'), currency: currencyCode,
  memo: z.string().trim().max(2_000).default(''),
  discount_ppm: z.int().min(0).max(500_000, 'At most 50%').default(0),
  discount_days: z.int().min(0).max(365, 'At most 365 days').default(0),
  every_count: z.int('Enter a whole number').min(1, 'Enter 1 or more').max(60, 'At most 60'),
  every_unit: z.enum(REPEAT_UNITS, 'Choose weeks, months, quarters or years'),
  /** Day of the first bill. Of a schedule that made some: the next one, from which the days are counted anew. */
  starts_on: isoDate, ends_on: isoDate.nullable().default(null),
  times: z.int('Enter a whole number').min(1, 'Enter 1 or more').max(1_000, 'At most 1,000').nullable().default(null),
  lines: z.array(billLineInput.omit({ goods_receipt_line_id: true })).min(1, 'Enter at least one line').max(LINE_LIMIT,
    `At most ${LINE_LIMIT} lines on one bill`),
};
export const billScheduleInput = z.strictObject({ ...fields, division: divisionCode });
export type BillScheduleInput = z.output<typeof billScheduleInput>;
export const billScheduleChange = z.strictObject({ ...fields, version });
export type BillScheduleChange = z.output<typeof billScheduleChange>;

const path = '/api/admin/staff/accounting/bill_schedules';
const item = `${path}/{id}` as const;
const seen = z.strictObject({ version });

export const billScheduleEndpoints = {
  list: endpoint({ method: 'GET', path, auth: staff('bill.list'), summary: 'List recurring bills',
    query: listQuery({ filters: { division: divisionCode.optional(), status: z.enum(SCHEDULE_STATES).optional(),
      vendor_id: z.coerce.number().int().min(1).optional(),
      /** The draft of the next day could not be made. */
      failed: z.stringbool().optional() },
    sort: ['name', 'vendor', 'next_on', 'net_minor', 'updated_at'], perPage: 25 }),
    response: many(billScheduleRow) }),
  show: endpoint({ method: 'GET', path: item, auth: staff('bill.show'), summary: 'Show a recurring bill',
    response: one(billScheduleDetail) }),
  create: endpoint({ method: 'POST', path, auth: staff('bill.create'), body: billScheduleInput, status: 201,
    idempotent: true, summary: 'Add a recurring bill; a draft is made on each of its days',
    response: one(billScheduleDetail) }),
  update: endpoint({ method: 'PUT', path: item, auth: staff('bill.update'), body: billScheduleChange,
    summary: 'Change a recurring bill, for the drafts to come', response: one(billScheduleDetail) }),
  pause: endpoint({ method: 'PUT', path: `${item}/pause`, auth: staff('bill.update'), body: seen,
    summary: 'Pause a recurring bill', response: one(billScheduleDetail) }),
  resume: endpoint({ method: 'PUT', path: `${item}/resume`, auth: staff('bill.update'), body: seen,
    summary: 'Resume a paused recurring bill from today; the days of the pause are left out',
    response: one(billScheduleDetail) }),
  skip: endpoint({ method: 'PUT', path: `${item}/skip`, auth: staff('bill.update'), body: seen,
    summary: 'Skip the next day of a recurring bill', response: one(billScheduleDetail) }),
  end: endpoint({ method: 'PUT', path: `${item}/end`, auth: staff('bill.update'), body: seen,
    summary: 'End a recurring bill for good; its drafts stay', response: one(billScheduleDetail) }),
};
