/** Labels of the kinds, states and policies of customers. */
import { CUSTOMER_KIND_NAMES, type EXECUTION_POLICIES } from './customer.contract.ts';

export const KIND_LABELS = CUSTOMER_KIND_NAMES;
export const STATUS_LABELS = { pending: 'Pending', active: 'Active', inactive: 'Inactive' };
export const STATUS_TONES = { pending: 'warn', active: 'ok', inactive: 'neutral' } as const;
export const POLICY_LABELS: Record<(typeof EXECUTION_POLICIES)[number], string> = {
  paid_in_full: 'Paid in full', deposit_paid: 'Deposit paid', advance_paid: 'Advance paid',
  purchase_order: 'Purchase order', signature_only: 'Signature only',
};
/** Movements of a customer's account. */
export const MOVE_LABELS = {
  invoice: 'Invoice', credit_note: 'Credit note', receipt: 'Receipt', returned: 'Returned receipt',
  refund: 'Refund', deposit: 'Deposit applied', write_off: 'Write-off', other: 'Correction',
} as const;
export const ROLE_LABELS = { admin: 'Admin', signer: 'Signer', member: 'Member' };

/** Options of a select from words by value. */
export function choicesOf<V extends string>(labels: Readonly<Record<V, string>>): { value: V; label: string }[] {
  return (Object.entries(labels) as [V, string][]).map(([value, label]) => ({ value, label }));
}
