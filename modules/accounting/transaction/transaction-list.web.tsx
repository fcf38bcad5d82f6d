/** Transactions of a division: what was posted, by whom, for which document. */
import type { ResponseOf } from '#kit/endpoint.ts';
import { Badge, type Tone } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { accountingTabs } from '../accounting-tabs.ts';
import { transactionBulk, transactionEndpoints } from './transaction.contract.ts';

type Row = ResponseOf<typeof transactionEndpoints.list>['data'][number];

export const STATUS: Record<Row['status'], { label: string; tone: Tone }> = {
  draft: { label: 'Draft', tone: 'neutral' }, posted: { label: 'Posted', tone: 'ok' },
  reversed: { label: 'Reversed', tone: 'warn' }, void: { label: 'Void', tone: 'neutral' },
};

/** Its own number, else that of the document that posted it, else the id by which it is found. */
export const numberOf = (row: Pick<Row, 'id' | 'number' | 'document'>): string =>
  row.number ?? row.document?.number ?? String(row.id);

const columns: readonly Column<Row>[] = [
  { id: 'transaction_at', header: 'Date', kind: 'date', cell: (row) => row.transaction_at, sort: true, width: 110 },
  { id: 'description', header: 'Description', kind: 'title', cell: (row) => row.description || row.kind_name,
    fixed: true, width: 320 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => row.kind_name },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => numberOf(row), width: 190 },
  { id: 'status', header: 'Status', kind: 'badge', width: 160, cell: (row) => (
    <>
      <Badge tone={STATUS[row.status].tone} small>{STATUS[row.status].label}</Badge>
      {row.has_posting_discrepencies && <Badge tone="error" small>Posting discrepancies</Badge>}
    </>
  ) },
  { id: 'total_minor', header: 'Total', kind: 'money', cell: (row) => BigInt(row.total_minor), sort: true, width: 130 },
  { id: 'posted_by', header: 'Posted by', kind: 'muted', cell: (row) => row.posted_by_name, hidden: true },
];

const filters = [
  { name: 'status', label: 'Status', options: Object.entries(STATUS).map(([value, { label }]) => ({ value, label })) },
  { name: 'direction', label: 'Direction', options: [{ value: 'in', label: 'In' }, { value: 'out', label: 'Out' },
    { value: 'neutral', label: 'Neutral' }] },
  { name: 'has_posting_discrepencies', label: 'Posting discrepancies',
    options: [{ value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }] },
];

export default function TransactionList() {
  const [division] = useDivision();
  const may = useMay();
  const list = useList(transactionEndpoints.list, { query: { division } },
    { filters: ['status', 'direction', 'has_posting_discrepencies'], bulk: transactionBulk });
  return (
    <>
      <PageHeader title="Transactions" division tabs={accountingTabs(may)}>
        {may('transaction.create') && (
          <ButtonLink href={`/admin/accounting/transactions/create?division=${division}`} variant="primary">
            New journal
          </ButtonLink>
        )}
      </PageHeader>
      <DataTable
        label="Transactions"
        {...list}
        columns={columns}
        filters={filters}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/accounting/transactions/${row.id}/journal-entries?division=${row.division}`}
        searchPlaceholder="Description, number or id"
        empty={{ title: 'Nothing has been posted yet', text: 'Invoices, receipts and royalties post by themselves.' }}
      />
    </>
  );
}
