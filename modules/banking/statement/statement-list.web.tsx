/** Statements of all bank accounts; a person imports the file of a bank here. */
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { bankAccountLabel } from '../bank-account/bank-account-field.web.tsx';
import { bankAccountEndpoints } from '../bank-account/bank-account.contract.ts';
import { bankingTabs, STATEMENTS } from '../banking-tabs.ts';
import { bankStatementEndpoints, type BankStatementRow } from './bank-statement.contract.ts';
import { ImportStatement } from './import-statement.web.tsx';
import { flagBadge, FORMAT_WORDS, kindBadge } from './statement-words.web.tsx';

const money = (minor: number | null): bigint | string => (minor === null ? '' : BigInt(minor));

const columns: readonly Column<BankStatementRow>[] = [
  { id: 'account', header: 'Bank account', kind: 'title', cell: (row) => row.bank_account_name, fixed: true,
    width: 200 },
  { id: 'to_on', header: 'To', kind: 'date', cell: (row) => row.to_on ?? '', sort: true, width: 120 },
  { id: 'from_on', header: 'From', kind: 'date', cell: (row) => row.from_on ?? '', width: 120 },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number ?? '', width: 140 },
  { id: 'opening', header: 'Opening balance', kind: 'money', cell: (row) => money(row.opening_minor), width: 140 },
  { id: 'closing', header: 'Closing balance', kind: 'money', cell: (row) => money(row.closing_minor), width: 140 },
  { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
  { id: 'lines', header: 'Lines', kind: 'number', cell: (row) => row.line_count, width: 80 },
  { id: 'new', header: 'New', kind: 'number', cell: (row) => row.new_count, width: 80 },
  { id: 'kind', header: 'Kind', kind: 'badge', cell: kindBadge, width: 130 },
  { id: 'flags', header: 'Notes', kind: 'badge', cell: flagBadge, width: 200 },
  { id: 'format', header: 'Format', kind: 'code', cell: (row) => FORMAT_WORDS[row.format] ?? row.format, width: 100 },
  { id: 'created_at', header: 'Imported', kind: 'date', cell: (row) => <DateText value={row.created_at} />, sort: true,
    width: 130 },
];

export default function StatementList() {
  const may = useMay();
  const [importing, setImporting] = useState(false);
  const accounts = useEndpoint(bankAccountEndpoints.options, { query: {} });
  const filters = [
    { name: 'bank_account_id', label: 'Bank account', options: (accounts.data?.data ?? []).map((row) => (
      { value: String(row.id), label: bankAccountLabel(row) })) },
    { name: 'kind', label: 'Kind', options: [{ value: 'statement', label: 'Statement' },
      { value: 'advance', label: 'Advance notice' }] },
    { name: 'taken_back', label: 'Import', options: [{ value: 'true', label: 'Taken back' }] },
  ];
  const list = useList(bankStatementEndpoints.list, {}, { perPage: 25,
    filters: ['bank_account_id', 'kind', 'taken_back'] });
  const open = may('bank_transaction.create')
    && <Button variant="primary" onClick={() => setImporting(true)}>Import statement</Button>;
  return (
    <>
      <PageHeader title="Bank statements" tabs={bankingTabs(may)}
        subtitle="Statements imported from your banks, with their original files">
        {open}
      </PageHeader>
      <DataTable label="Bank statements" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `${STATEMENTS}/${row.id}`} searchPlaceholder="Number of a statement"
        empty={{ title: 'No statements yet', text: 'Download a statement from the bank as OFX, QFX, QIF, CSV, CAMT, '
          + 'MT940 or BAI2, and import it here.', action: open || undefined }} />
      {importing && <ImportStatement onClose={(changed) => {
        setImporting(false);
        if (changed) list.onRetry?.();
      }} />}
    </>
  );
}
