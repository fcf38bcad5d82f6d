/** A recurring bill as its form holds it, and as it travels. */
import { repeatedOn, type RepeatUnit } from '#kernel/calendar/repetition.ts';
import type { IsoDate } from '#kernel/calendar/calendar.ts';
import { draftOf, emptyLine, lineBody, type LineDraft } from '../bill/bill-draft.web.ts';
import type { BillDetail } from '../bill/bill.contract.ts';
import type { BillScheduleDetail } from './bill-schedule.contract.ts';

export const ENDS = { never: 'Without end', on: 'On a day', times: 'After a number of bills' } as const;
export type End = keyof typeof ENDS;

export type ScheduleDraft = {
  name: string;
  vendor_id: number | null;
  division: BillDetail['division'] | null;
  currency: BillDetail['currency'] | null;
  memo: string;
  discount_ppm: number | null;
  discount_days: number | null;
  every_count: number | null;
  every_unit: RepeatUnit | null;
  starts_on: string | null;
  end: End | null;
  ends_on: string | null;
  times: number | null;
  lines: LineDraft[];
};

const ENDLESS = { end: 'never', ends_on: null, times: null } as const;

export const emptySchedule = (division: BillDetail['division'], currency: BillDetail['currency'], on: IsoDate):
ScheduleDraft => ({ name: '', vendor_id: null, division, currency, memo: '', discount_ppm: null, discount_days: null,
  every_count: 1, every_unit: 'month', starts_on: on, ...ENDLESS, lines: [emptyLine()] });

/** Every month from the one after the bill, or the first of its days that is not over. */
export function scheduleOfBill(bill: BillDetail, today: IsoDate): ScheduleDraft {
  const { vendor_id, division, currency, memo, discount_ppm, discount_days, lines } = draftOf(bill);
  const monthly = { starts_on: bill.billed_on, every_count: 1, every_unit: 'month' } as const;
  let position = 1;
  while (repeatedOn(monthly, position) < today) position += 1;
  return { name: `${bill.vendor_name}: ${bill.lines[0]?.description ?? bill.number}`.slice(0, 120), vendor_id, division,
    currency, memo, discount_ppm, discount_days, every_count: 1, every_unit: 'month',
    starts_on: repeatedOn(monthly, position), ...ENDLESS,
    // Tax follows the rate of each day.
    lines: lines.map((line, k) => ({ ...line, tax_minor: bill.lines[k]?.treatment === 'cost' ? line.tax_minor
      : null })) };
}

export function scheduleDraftOf(row: BillScheduleDetail): ScheduleDraft {
  const { name, vendor_id, division, currency, memo, every_count, every_unit, starts_on, ends_on, times } = row;
  return { name, vendor_id, division, currency, memo, every_count, every_unit, starts_on, ends_on, times,
    discount_ppm: row.discount_ppm || null, discount_days: row.discount_days || null,
    end: ends_on !== null ? 'on' : times !== null ? 'times' : 'never',
    lines: row.lines.map((line) => ({ ...emptyLine(), ...line, jurisdiction: line.jurisdiction ?? '' })) };
}

export function scheduleBody(draft: ScheduleDraft) {
  return { name: draft.name, vendor_id: draft.vendor_id ?? 0, currency: draft.currency ?? 'USD' as const,
    memo: draft.memo, discount_ppm: draft.discount_ppm ?? 0, discount_days: draft.discount_days ?? 0,
    every_count: draft.every_count ?? 0, every_unit: draft.every_unit ?? 'month' as const,
    starts_on: draft.starts_on ?? '', ends_on: draft.end === 'on' ? draft.ends_on ?? '' : null,
    times: draft.end === 'times' ? draft.times ?? 0 : null, lines: draft.lines.map(lineBody) };
}
