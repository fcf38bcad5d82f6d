/**
 * The template of a licence's checklist (domain.md 6.1): what is due when, who owns it, what it blocks. What came back
 * is the sales order's to know (decision 18).
 */
import { addDays, type IsoDate } from '#kernel/calendar/calendar.ts';
import type { ExecutionPolicy } from '#kernel/pricing/rate-card.ts';

export interface ChecklistItem {
  key: string;
  label: string;
  owner: 'staff' | 'customer';
  blocks_phase: 'sent' | 'accepted' | 'licensed' | 'closed' | null;
  /** Ticked by the system from facts; otherwise by a person. */
  automatic: boolean;
  due?: 'opening-30' | 'opening-21' | 'opening-14' | 'closing+7' | 'settlement' | 'shipping';
  /** Only for these policies; every one where absent. */
  policies?: readonly ExecutionPolicy[];
  /** Only where a stream is paid by a share of what it took. */
  streamed?: boolean;
  /** Only where a box-office report is expected. */
  reported?: boolean;
  /** Only where something is sent by the warehouse. */
  lent?: boolean;
}

const item = (
  key: string, label: string, owner: 'staff' | 'customer', blocks: ChecklistItem['blocks_phase'], automatic: boolean,
  more: Partial<ChecklistItem> = {},
): ChecklistItem => ({ key, label, owner, blocks_phase: blocks, automatic, ...more });

export const CHECKLIST: readonly ChecklistItem[] = [
  item('rights_cleared', 'Rights cleared', 'staff', 'sent', true),
  item('venues_and_performances_confirmed', 'Venues and performances confirmed', 'staff', 'sent', true),
  item('pricing_approved', 'Pricing approved', 'staff', 'sent', true),
  item('tax_profile', 'Tax profile complete', 'staff', 'sent', true),
  item('contract_signed', 'Contract signed', 'customer', 'accepted', true),
  item('payment_received', 'Payment received', 'customer', 'licensed', true,
    { policies: ['paid_in_full', 'advance_paid'] }),
  item('deposit_received', 'Deposit received', 'customer', 'licensed', true, { policies: ['deposit_paid'] }),
  item('po_on_file', 'Purchase order on file', 'customer', 'licensed', true, { policies: ['purchase_order'] }),
  item('cast_size_and_orchestration', 'Cast size and orchestration known', 'customer', null, true,
    { due: 'opening-30' }),
  item('programme_and_billing_approved', 'Program and billing approved', 'staff', null, false,
    { due: 'opening-21' }),
  item('video_or_streaming_rights_decided', 'Video and streaming rights decided', 'customer', null, false,
    { due: 'opening-14' }),
  item('materials_ordered', 'Materials ordered', 'staff', null, true, { due: 'shipping', lent: true }),
  item('public_announcement_allowed', 'Public announcement allowed', 'staff', null, true),
  item('box_office_reports_received', 'Box-office reports received', 'customer', 'closed', true,
    { due: 'closing+7', reported: true }),
  item('stream_takings_reported', 'Streaming receipts reported', 'customer', 'closed', true,
    { due: 'closing+7', streamed: true }),
  item('final_invoice_paid', 'Final invoice paid', 'customer', 'closed', true, { due: 'settlement' }),
  item('deposit_settled', 'Deposit settled', 'staff', 'closed', true, { due: 'settlement' }),
];

export function checklistDueOn(
  due: ChecklistItem['due'], dates: Record<'first' | 'last' | 'settlement' | 'shipping', IsoDate | null>,
): IsoDate | null {
  if (due === 'settlement') return dates.settlement;
  if (due === 'shipping') return dates.shipping;
  if (due === 'closing+7') return dates.last === null ? null : addDays(dates.last, 7);
  if (due === undefined || dates.first === null) return null;
  return addDays(dates.first, -Number(due.split('-')[1]));
}
