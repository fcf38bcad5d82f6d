/** Display names and icons of the kinds of records. */
import {
  ArrowLeftRight, BookOpen, BookOpenCheck, Boxes, Building2, CreditCard, FileText, Inbox, Landmark, Library, ListTree,
  MapPin, Music, NotebookPen, Package, Receipt, ReceiptText, Repeat, ScrollText, ShoppingBag, Theater, Truck, UserRound,
  Users, Wallet, WalletCards, Warehouse,
} from 'lucide-react';
import { spell } from '#kernel/text/english.ts';
import type { Icon } from '#web/layout/icons.tsx';
import type { SearchGroup, SearchKind } from './search.contract.ts';

export interface KindWords { many: string; icon: Icon }

export const KINDS: Readonly<Record<SearchKind, KindWords>> = {
  license: { many: spell`Licenses and quotes`, icon: FileText },
  license_application: { many: 'Applications', icon: Inbox },
  customer: { many: 'Customers', icon: Users },
  customer_person: { many: 'People of customers', icon: UserRound },
  show: { many: 'Shows', icon: Theater },
  royaltor: { many: 'Royaltors', icon: BookOpen },
  venue: { many: 'Venues', icon: MapPin },
  invoice: { many: 'Invoices', icon: Receipt },
  bill: { many: 'Bills', icon: ReceiptText },
  bill_schedule: { many: 'Recurring bills', icon: Repeat },
  goods_receipt: { many: 'Goods received', icon: Package },
  payment: { many: 'Payments', icon: CreditCard },
  royalty_statement: { many: 'Royalty statements', icon: ScrollText },
  royalty_payment_batch: { many: 'Royalty payments', icon: Wallet },
  payment_run: { many: 'Payment runs', icon: Wallet },
  check: { many: spell`Checks`, icon: NotebookPen },
  ach_prenote: { many: 'Prenotes', icon: ArrowLeftRight },
  transaction: { many: 'Transactions', icon: Landmark },
  ledger_account: { many: 'Ledger accounts', icon: ListTree },
  material: { many: 'Materials', icon: Library },
  sales_item: { many: 'Sales items', icon: ShoppingBag },
  add_on: { many: 'Add-ons', icon: Music },
  bom_template: { many: 'BOM templates', icon: Boxes },
  sales_order: { many: 'Sales orders', icon: Package },
  perusal: { many: 'Perusals', icon: BookOpenCheck },
  vendor: { many: 'Vendors', icon: Truck },
  warehouse: { many: 'Warehouses', icon: Warehouse },
  bank: { many: 'Banks', icon: Landmark },
  bank_account: { many: 'Bank accounts', icon: WalletCards },
  bank_transaction: { many: 'Bank transactions', icon: ArrowLeftRight },
  bank_statement: { many: 'Bank statements', icon: ReceiptText },
  bank_transfer: { many: 'Transfers', icon: Repeat },
  bank_rule: { many: 'Bank rules', icon: ListTree },
  deposit_slip: { many: 'Deposit slips', icon: NotebookPen },
  intercompany_entry: { many: 'Intercompany entries', icon: Repeat },
  opening_set: { many: 'Opening balances', icon: BookOpen },
  revaluation: { many: 'Revaluations', icon: Repeat },
  tax_return: { many: 'Tax returns', icon: ReceiptText },
  thread_message: { many: 'Messages', icon: Inbox },
  staff: { many: 'Staff', icon: Building2 },
};

/** 'part_paid' as 'Part paid'. */
export function plainStatus(status: string): string {
  const words = status.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function countOf({ total, total_is_exact: exact }: Pick<SearchGroup, 'total' | 'total_is_exact'>): string {
  return exact ? String(total) : `${total}+`;
}

/** Address of the page with all results. */
export function searchHref(search: string, entity?: SearchKind): string {
  const query = new URLSearchParams({ search, ...(entity ? { entity } : {}) });
  return `/admin/search?${query.toString()}`;
}
