/** Bank accounts: the list with each account's balance, and its trash. */
import { DIVISION_LABELS } from '#kit/field.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { TrashList } from '#web/layout/trash-list.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { BANK_ACCOUNTS, bankingTabs } from '../banking-tabs.ts';
import { bankAccountBulk, bankAccountEndpoints, bankAccountTrashBulk, type BankAccountRow }
  from './bank-account.contract.ts';

export function accountBadge(row: Pick<BankAccountRow, 'closed_on' | 'is_default'>) {
  if (row.closed_on !== null) return <Badge tone="neutral" small>Closed</Badge>;
  return row.is_default ? <Badge tone="ok" small>Default</Badge> : <Badge tone="neutral" small>Open</Badge>;
}

export const accountColumns: readonly Column<BankAccountRow>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 240 },
  { id: 'bank', header: 'Bank', kind: 'muted', cell: (row) => row.bank_name, width: 180 },
  { id: 'account', header: 'Account', kind: 'code', width: 110,
    cell: (row) => row.bank_account_last4 && `•••• ${row.bank_account_last4}` },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], width: 110 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'balance', header: 'Ledger balance', kind: 'money', cell: (row) => BigInt(row.balance_minor), width: 150 },
  { id: 'bank_balance', header: 'Bank balance', kind: 'money', width: 150,
    cell: (row) => (row.bank_balance_minor === null ? '' : BigInt(row.bank_balance_minor)) },
  { id: 'unmatched', header: 'Unmatched', kind: 'number', cell: (row) => row.unmatched_count || '', width: 110 },
  { id: 'last_statement', header: 'Last statement', kind: 'date', cell: (row) => row.last_statement_on, width: 130 },
  { id: 'ledger_code', header: 'Ledger account', kind: 'code', cell: (row) => row.ledger_code, sort: true, width: 130 },
  { id: 'state', header: 'Status', kind: 'badge', cell: accountBadge, width: 100 },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 120 },
];

const filters = [
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
  { name: 'currency', label: 'Currency', options: optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' }) },
  { name: 'open', label: 'Status', options: optionsOf({ true: 'Open', false: 'Closed' }) },
];

export default function BankAccountList() {
  const may = useMay();
  const list = useList(bankAccountEndpoints.list, {}, { filters: ['division', 'currency', 'open'],
    bulk: bankAccountBulk });
  return (
    <TrashList<BankAccountRow> one="bank account" many="bank accounts" href={BANK_ACCOUNTS}
      subtitle="Every receipt, payment and transfer names one of them" mayCreate={may('bank_account.create')}
      mayRemove={may('bank_account.list_trash')} endpoints={bankAccountEndpoints} tabs={bankingTabs(may)}
      trashColumns={accountColumns.slice(0, 5)} trashBulk={bankAccountTrashBulk}>
      <DataTable label="Bank accounts" {...list} columns={accountColumns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `${BANK_ACCOUNTS}/${row.id}`} searchPlaceholder="Name, bank, holder or last digits"
        empty={{ title: 'No bank accounts yet', text: 'Add the bank, then the account with its opening balance.' }} />
    </TrashList>
  );
}
