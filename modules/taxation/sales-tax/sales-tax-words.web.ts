/** Words and addresses of the sales tax pages. */
import { call } from '#kit/client.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { SALES_TAX_PAGE } from '../return-tabs.ts';
import { vatReturnEndpoints } from '../returns/vat-return.contract.ts';
import { salesTaxReturnEndpoints, type FilingRuleRow, type SalesTaxReturnRow } from './sales-tax-return.contract.ts';

export type Tone = 'ok' | 'warn' | 'error' | 'info' | 'outline';

/** Reads that a step of a return makes stale. */
export const STALE = [approvalEndpoints.list, salesTaxReturnEndpoints.show, salesTaxReturnEndpoints.items,
  salesTaxReturnEndpoints.list, vatReturnEndpoints.list];

const STEPS: Record<SalesTaxReturnRow['step'], readonly [string, Tone]> = { to_prepare: ['To prepare', 'info'],
  prepared: ['Awaits filing', 'warn'], filed: ['Filed, to pay', 'warn'], billed: ['Payment under way', 'info'],
  paid: ['Paid', 'ok'] };

export function stepWords(row: Pick<SalesTaxReturnRow, 'step' | 'is_overdue' | 'net_minor' | 'bill_id'>):
readonly [string, Tone] {
  if (row.step === 'paid' && row.bill_id === null) return ['Filed, nothing to pay', 'ok'];
  return row.is_overdue && row.step !== 'billed' ? [`${STEPS[row.step][0]}, overdue`, 'error'] : STEPS[row.step];
}

export function returnHref(of: { division: string; state: string; from: string; to: string }): string {
  const { division, state, from, to } = of;
  return `${SALES_TAX_PAGE}?${new URLSearchParams({ division, state, from, to })}`;
}

export const FREQUENCIES: Record<FilingRuleRow['frequency'], string> = { monthly: 'Monthly', quarterly: 'Quarterly',
  annual: 'Annual' };
export const MONTH_NAMES = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September',
  'October', 'November', 'December'];

/** 'Day 20 of the next month'. */
export const dueWords = (day: number): string =>
  (day >= 31 ? 'Last day of the next month' : `Day ${day} of the next month`);

export const fileReturnCall = (id: number, body: {
  version: number; receipt: string; credit: 'carry_forward' | 'refund'; filed_on: string | undefined;
}) =>
  call(vatReturnEndpoints.file, { params: { id }, body });
