/** Links of a report to its production and its invoice, and the labels of its flags. */
import type { ReportRow } from '#modules/licensing/box-office/box-office.contract.ts';

export const FLAG_WORDS = { overdue: 'Overdue', held: 'Held', questions: 'Open questions', estimated: 'Estimated',
  minimum_pending: 'Minimum waits' } as const;

export const invoiceHref = (id: number): string => `/admin/accounts-receivable/invoices/${id}`;

/** The production's own box-office tab, where takings are entered and corrected. */
export function productionHref(row: Pick<ReportRow, 'id' | 'customer_id' | 'license_id'>): string {
  return `/admin/customers/${row.customer_id}/productions/${row.license_id}/box-office?report=${row.id}`;
}
