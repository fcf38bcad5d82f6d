/** Words and addresses of the staff home. */
import type { IsoDate } from '#kernel/calendar/calendar.ts';
import { licenseAddress, QUOTE_PHASES } from '#kernel/licensing/license-address.ts';
import type { AgingBucket } from '#kernel/receivables/aging.ts';
import type { Icon } from '#web/layout/icons.tsx';
import {
  ArrowLeftRight, Banknote, BookCheck, BookOpen, CalendarClock, CircleCheckBig, CircleDollarSign, FileQuestion,
  Hourglass, Landmark, ListTodo, Mail, NotebookPen, Package, Repeat, Scale, Ticket, Truck, Undo2,
} from 'lucide-react';
import type { TodoRow } from './dashboard.contract.ts';

export const BUCKET_WORDS: Record<AgingBucket, string> = { current: 'Not yet due', days_1_30: '1–30 days',
  days_31_60: '31–60 days', days_61_90: '61–90 days', days_91: 'Over 90 days' };

export const TODO_ICONS: Record<TodoRow['kind'], Icon> = { approval: CircleCheckBig, task: ListTodo,
  application: FileQuestion, offer: Hourglass,
  perusal: BookOpen, report: Ticket, opening: CircleDollarSign, materials: Package, parcel: Truck,
  bank_lines: ArrowLeftRight, reconciliation: Scale, transit: Repeat, deposit: NotebookPen, revaluation: Scale,
  month_close: BookCheck, tax_return: Landmark, year_end: Landmark, tax_service: Landmark, vat_number: Landmark,
  recurring_bill: CalendarClock, payable: Banknote, returned_payment: Undo2, unplaced_mail: Mail };

/** Offers live among the quotes, everything licensed under its customer (gaps G20). */
export function recordHref(
  record: { license_id: number | null; customer_id: number | null; phase: string | null }, tab = '',
): string | null {
  if (record.license_id === null || record.phase === null) return null;
  const { license_id: id, phase, customer_id } = record;
  // Tabs of the work belong to productions alone.
  return `${licenseAddress({ id, phase, customer_id: customer_id ?? 0 })}${QUOTE_PHASES.includes(phase) ? '' : tab}`;
}

const BANK_PAGES: Partial<Record<TodoRow['kind'], (id: number) => string>> = {
  bank_lines: (id) => `/admin/banking/matching?bank_account_id=${id}`,
  reconciliation: (id) => `/admin/banking/reconciliation?bank_account_id=${id}`,
  transit: () => '/admin/banking/transfers?status=in_transit', deposit: () => '/admin/banking/deposit-slips/create',
};

/** Link to the screen where a row's work is done; null if the record has no screen of its own. */
export function todoHref(row: TodoRow): string | null {
  if (row.href !== null) return row.href;
  const atBank = BANK_PAGES[row.kind];
  if (atBank) return atBank(row.entity_id);
  if (row.kind === 'tax_service' && row.entity === 'tax_service_order') return '/admin/accounting/tax-service';
  if (row.kind === 'recurring_bill') {
    return `/admin/accounting/${row.entity === 'bill' ? 'bills' : 'recurring-bills'}/${row.entity_id}`;
  }
  if (row.kind === 'returned_payment') {
    if (row.entity === 'payment_run') return `/admin/accounts-payable/payment-runs/${row.entity_id}`;
    return `/admin/accounts-payable/${row.entity === 'payment' ? `payments/${row.entity_id}` : 'prenotes'}`;
  }
  if (row.kind === 'approval') return '/admin/approvals';
  if (row.kind === 'unplaced_mail') return '/admin/unplaced-mail?outcome=unplaced';
  if (row.entity === 'license_application') return `/admin/applications/${row.entity_id}`;
  if (row.entity === 'perusal') return `/admin/perusals/${row.entity_id}`;
  if (row.entity === 'amendment') return `${recordHref(row) ?? ''}/amendments?amendment=${row.entity_id}`;
  if (row.kind === 'vat_number' && row.entity === 'customer') return `/admin/customers/${row.entity_id}/tax`;
  if (row.entity === 'invoice') return `/admin/accounts-receivable/invoices/${row.entity_id}`;
  if (row.kind === 'report' || row.entity === 'box_office_report') return recordHref(row, '/box-office');
  if (row.kind === 'materials') return recordHref(row, '/materials');
  return recordHref(row) ?? (row.customer_id === null ? null : `/admin/customers/${row.customer_id}`);
}

/** The list that a figure of the pipeline counts. */
export function phaseHref(division: string, phase: string): string {
  if (QUOTE_PHASES.includes(phase)) return `/admin/quotes?division=${division}&view=${phase}`;
  return `/admin/productions?division=${division}&view=${phase}`;
}

export interface TodoGroup { label: string; late: boolean; rows: readonly TodoRow[] }

/** Late first, then by day; what has no day waits at the end. */
export function groupsOf(rows: readonly TodoRow[], today: IsoDate): TodoGroup[] {
  const group = (label: string, test: (row: TodoRow) => boolean) =>
    ({ label, late: label === 'Late', rows: rows.filter(test) });
  return [
    group('Late', (row) => row.late),
    group('Due today', (row) => row.due_on === today),
    group('This week', (row) => row.due_on !== null && row.due_on > today),
    group('Waiting', (row) => row.due_on === null),
  ].filter((one) => one.rows.length > 0);
}

/** '+3.0% yoy'; nothing where there was none. */
export function changeWords(now: number, before: number): string | undefined {
  if (before <= 0) return undefined;
  const change = ((now - before) / before) * 100;
  return `${change >= 0 ? '+' : '−'}${Math.abs(change).toFixed(1)}% yoy`;
}

export function greeting(hour: number, name: string): string {
  const part = hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening';
  return `Good ${part}, ${name}`;
}
