/** Lines and items for the tests of matching. */
import type { LineToMatch, OpenItem } from './open-item.ts';

export function line(more: Partial<LineToMatch> & { amount_minor: bigint }): LineToMatch {
  return { id: 1, bank_account_id: 1, currency: 'USD', booked_on: '2026-11-20', left_minor: more.amount_minor, name: '',
    memo: '', reference: '', end_to_end_id: null, check_number: null, counterparty_account: null, original: null,
    ...more };
}

/** An invoice of Ravenswood Playhouse, number 000033 unless another id is given. */
export function invoice(more: Partial<OpenItem> = {}): OpenItem {
  const id = more.id ?? 33;
  const label = `INV-US-2026-${String(id).padStart(6, '0')}`;
  return { kind: 'invoice', id, label, direction: 'in', currency: 'USD', open_minor: 128_400n, converted_minor: null,
    bank_account_id: null, document_on: '2026-11-20', due_on: null, party: ravenswood(),
    references: [{ type: 'number', value: label, label: 'invoice number' }], pool: null, ...more };
}

export function ravenswood(accounts: readonly string[] = []): OpenItem['party'] {
  return { key: 'customer:7', name: 'Ravenswood Playhouse', accounts };
}

export const ACCOUNT = { bank_account_id: 1, currency: 'USD' };
