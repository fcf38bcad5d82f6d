/** Bank transactions of all accounts: lines of statements, and entries by hand with their trash. */
import { useState } from 'react';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import type { TableFilter } from '#web/data/table-filter.tsx';
import { TrashList } from '#web/layout/trash-list.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { bankAccountLabel } from '../bank-account/bank-account-field.web.tsx';
import { bankAccountEndpoints } from '../bank-account/bank-account.contract.ts';
import { BANK_TRANSACTIONS, bankingTabs } from '../banking-tabs.ts';
import { lineText } from '../statement/statement-words.web.tsx';
import { bankTransactionBulk, bankTransactionEndpoints, bankTransactionTrashBulk, type BankTransactionRow,
} from './bank-transaction.contract.ts';
import { SOURCE_WORDS, STATE_WORDS, transactionBadge } from './transaction-words.web.tsx';

const columns: readonly Column<BankTransactionRow>[] = [
  { id: 'booked_on', header: 'Booked', kind: 'date', cell: (row) => row.booked_on, sort: true, width: 120 },
  { id: 'name', header: 'Text', kind: 'title', cell: lineText, sort: true, fixed: true, width: 340 },
  { id: 'amount_minor', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), sort: true,
    width: 130 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'account', header: 'Bank account', kind: 'muted', cell: (row) => row.bank_account_name, width: 190 },
  { id: 'state', header: 'Status', kind: 'badge', cell: transactionBadge, width: 130 },
  { id: 'reference', header: 'Reference', kind: 'code', cell: (row) => row.reference, width: 150 },
  { id: 'note', header: 'Note', kind: 'muted', cell: (row) => row.note, width: 180,
    edit: { field: 'note', as: 'text', value: (row) => row.note, optional: true } },
  { id: 'check_number', header: 'Check', kind: 'code', cell: (row) => row.check_number, hidden: true, width: 90 },
  { id: 'source', header: 'Source', kind: 'muted', cell: (row) => SOURCE_WORDS[row.source], hidden: true, width: 120 },
  { id: 'statement', header: 'Statement', kind: 'code', cell: (row) => row.statement_number, hidden: true, width: 120 },
  { id: 'value_on', header: 'Value date', kind: 'date', cell: (row) => row.value_on, hidden: true, width: 120 },
  { id: 'files', header: 'Files', kind: 'number', cell: (row) => row.file_count || '', hidden: true, width: 80 },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], hidden: true,
    width: 110 },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, hidden: true,
    width: 120 },
];

const YES = optionsOf({ true: 'Yes', false: 'No' });
const FILTER_NAMES = ['bank_account_id', 'bank_statement_id', 'division', 'currency', 'matched', 'is_reconciled',
  'direction', 'source', 'state', 'booked_on_from', 'booked_on_to'] as const;

function useFilters(): readonly TableFilter[] {
  const accounts = useEndpoint(bankAccountEndpoints.options, { query: {} });
  return [
    { name: 'bank_account_id', label: 'Bank account', options: (accounts.data?.data ?? []).map((row) => (
      { value: String(row.id), label: bankAccountLabel(row) })) },
    { name: 'matched', label: 'Matched', options: YES },
    { name: 'is_reconciled', label: 'Reconciled', options: YES },
    { name: 'direction', label: 'Direction', options: optionsOf({ in: 'Money in', out: 'Money out' }) },
    { name: 'booked_on_from', label: 'Booked', verb: 'from', kind: 'date' },
    { name: 'booked_on_to', label: 'Booked', verb: 'until', kind: 'date' },
    { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
    { name: 'currency', label: 'Currency', options: optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' }) },
    { name: 'source', label: 'Source', options: optionsOf(SOURCE_WORDS) },
    { name: 'state', label: 'Status', options: optionsOf(STATE_WORDS) },
    { name: 'bank_statement_id', label: 'Statement', linked: { name: null } },
  ];
}

export default function BankTransactionList() {
  const may = useMay();
  const filters = useFilters();
  const list = useList(bankTransactionEndpoints.list, {}, { perPage: 25, filters: [...FILTER_NAMES],
    bulk: bankTransactionBulk, edit: bankTransactionEndpoints.update });
  const trashColumns: readonly Column<BankTransactionRow>[] = [...columns.slice(0, 5),
    ...(may('bank_transaction.delete') ? [{ id: 'purge', header: 'Delete', kind: 'actions' as const, width: 140,
      cell: (row: BankTransactionRow) => <PurgeButton row={row} /> }] : [])];
  return (
    <TrashList<BankTransactionRow> one="bank transaction" many="bank transactions" href={BANK_TRANSACTIONS}
      subtitle="Lines from bank statements, and lines entered by hand"
      mayCreate={may('bank_transaction.create')} mayRemove={may('bank_transaction.list_trash')}
      endpoints={bankTransactionEndpoints} tabs={bankingTabs(may)} trashColumns={trashColumns}
      trashBulk={bankTransactionTrashBulk}>
      <DataTable label="Bank transactions" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `${BANK_TRANSACTIONS}/${row.id}`} searchPlaceholder="Name, text, reference or note"
        empty={{ title: 'No bank transactions yet',
          text: 'Import a statement under Statements. Where the bank sends no file, enter its lines here.' }} />
    </TrashList>
  );
}

function PurgeButton({ row }: { row: BankTransactionRow }) {
  const [asking, setAsking] = useState(false);
  const purge = useAction(bankTransactionEndpoints.purge, { done: 'Bank transaction deleted for good' });
  return (
    <>
      <Button size="small" variant="quiet" pending={purge.pending} onClick={() => setAsking(true)}>
        Delete for good
      </Button>
      <ConfirmDialog open={asking} danger title={`Delete ${lineText(row)} for good?`} confirm="Delete for good"
        text="It cannot be restored. Its files go with it." onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void purge.run({ params: { id: row.id } }); }} />
    </>
  );
}
