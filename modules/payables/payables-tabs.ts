/** The sections of Payables: one row of tabs, the same on every list. */
import { spell } from '#kernel/text/english.ts';
import type { Permission } from '#kit/permission.ts';

export const PAYABLES = '/admin/accounts-payable';
export const CHECKING = '/admin/checking';

export function payablesTabs(may: (permission: Permission) => boolean) {
  const tab = (permission: Permission, name: string, text: string) => (may(permission)
    ? [{ id: name, text, href: `${PAYABLES}/${name}` }] : []);
  return [
    ...tab('bill.list', 'invoices', 'Bills'),
    ...tab('bill.list', 'goods-received', 'Goods received'),
    ...tab('payment.list', 'payments', 'Payments'),
    ...tab('payment.list', 'payment-runs', 'Payment runs'),
    ...tab('payment.list', 'prenotes', 'Prenotes'),
    ...tab('bill.list', 'aging', spell`Aging`),
    ...tab('payment.list', 'royalty-payments', 'Royalty payments'),
    ...(may('payment.list') ? [{ id: 'checking', text: spell`Checks`, href: CHECKING }] : []),
    ...tab('payment.list', 'checks-wires', spell`Checks and wires`),
    ...tab('transaction.list', 'withholding-rules', 'Withholding rules'),
    ...tab('ledger_account.view', 'tax-withheld', 'Tax withheld'),
    ...tab('ledger_account.view', 'royalty-tie-out', 'Tie-out'),
    ...(may('vendor.list') ? [{ id: 'vendors', text: 'Vendors', href: '/admin/vendors' }] : []),
  ];
}
