/** Invoices and payments in the words of the people who pay them; pure. */
import type { ResponseOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { setOffWords, type AccountLine, type DepositLine } from '#modules/receivables/aging/aging.contract.ts';
import type { portalInvoiceEndpoints } from '#modules/receivables/portal/portal-invoice.contract.ts';
import type { Tone } from '#web/data/badge.tsx';

export type PortalInvoice = ResponseOf<typeof portalInvoiceEndpoints.show>['data'];
export type PortalInvoiceRow = ResponseOf<typeof portalInvoiceEndpoints.list>['data'][number];

const KINDS: Record<PortalInvoiceRow['kind'], string> = {
  invoice: 'Invoice', proforma: 'Payment request', credit_note: 'Credit note',
};
export const invoiceKind = (row: Pick<PortalInvoiceRow, 'kind'>): string => KINDS[row.kind];

/** State as one word with its tone: what is open comes first. */
export function invoiceState(row: PortalInvoiceRow): { text: string; tone: Tone } {
  if (row.kind === 'credit_note') return { text: 'Credited', tone: 'info' };
  if (row.overdue) return { text: 'Overdue', tone: 'error' };
  if (row.status === 'part_paid') return { text: 'Paid in part', tone: 'warn' };
  if (row.payable) return { text: 'To pay', tone: 'warn' };
  if (row.status === 'credited') return { text: 'Credited', tone: 'info' };
  if (row.status === 'written_off') return { text: 'Closed', tone: 'neutral' };
  return { text: 'Paid', tone: 'ok' };
}

/** Movements of the account. */
const MOVES: Record<AccountLine['kind'], string> = {
  invoice: 'Invoice', credit_note: 'Credit note', receipt: 'Payment',
  returned: 'Returned payment', refund: 'Refund', deposit: 'Deposit applied', write_off: 'Written off',
  other: 'Correction',
};
export const moveKind = (line: Pick<AccountLine, 'kind'>): string => MOVES[line.kind];
export const moveWords = (line: Pick<AccountLine, 'kind' | 'number' | 'amount_minor' | 'set_off_minor'>): string =>
  [[moveKind(line), line.number].filter(Boolean).join(' '), setOffWords(line)].filter(Boolean).join(', ');

const DEPOSITS: Record<DepositLine['kind'], string> = { received: 'Deposit received', applied: 'Deposit applied to',
  refund_due: 'Deposit to be refunded', refunded: 'Deposit refunded', kept: 'Deposit kept' };
export const depositKind = (line: Pick<DepositLine, 'kind' | 'number'>): string =>
  line.kind === 'applied' && line.number === null ? 'Deposit applied' : DEPOSITS[line.kind];
export const depositWords = (line: Pick<DepositLine, 'kind' | 'number'>): string =>
  [depositKind(line), line.number].filter(Boolean).join(' ');

/** Link of a movement: its invoice, or the payment that arrived. */
export function moveHref({ kind, document_id: id }: Pick<AccountLine, 'kind' | 'document_id'>, base: string):
string | null {
  if (id === null) return null;
  if (kind === 'receipt') return `${base}/receipts/${id}`;
  return kind === 'invoice' || kind === 'credit_note' ? `${base}/invoices/${id}` : null;
}

/** Below zero the house owes the customer. */
export function balanceWords(minor: number): string {
  return minor > 0 ? 'Open' : minor < 0 ? 'To your credit' : 'Nothing open';
}

const METHODS: Record<string, string> = {
  card: 'Card', ach: 'Bank debit', sepa: 'Direct debit', bacs: 'Direct debit',
  bank_transfer: 'Bank transfer', wire: 'Bank transfer', check: spell`Check`,
  cash: 'Cash', purchase_order: 'Purchase order', deposit: 'From your deposit', credit: 'From your credit',
};
export const methodWords = (method: string): string => METHODS[method] ?? 'Payment';
