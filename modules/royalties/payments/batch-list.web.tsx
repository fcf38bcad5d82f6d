/** Payment batches to royaltors; a new one is made of what is issued and of advances that are due. */
import { Button } from '#web/controls/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { BATCH_LOOKS, BATCHES, choicesOf, METHOD_WORDS } from '../royalty-words.web.ts';
import { BatchForm } from './batch-form.web.tsx';
import { batchEndpoints, type BatchRow } from './payment-batch.contract.ts';
import { paymentTabs } from './payment-tabs.web.ts';

const columns: readonly Column<BatchRow>[] = [
  { id: 'number', header: 'Batch', kind: 'title', cell: (row) => row.number, fixed: true, width: 190 },
  { id: 'pay_on', header: 'Pay on', kind: 'date', cell: (row) => row.pay_on, sort: true, width: 130 },
  { id: 'status', header: 'State', kind: 'badge', width: 130, cell: (row) => (
    <Badge small tone={BATCH_LOOKS[row.status].tone}>{BATCH_LOOKS[row.status].label}</Badge>) },
  { id: 'method', header: 'By', kind: 'muted', cell: (row) => METHOD_WORDS[row.method], width: 80 },
  { id: 'count', header: 'Payments', kind: 'number', cell: (row) => row.payment_count, width: 90 },
  { id: 'made_by', header: 'Made by', kind: 'muted', cell: (row) => row.created_by_name, width: 150 },
  { id: 'approved_by', header: 'Approved by', kind: 'muted', cell: (row) => row.approved_by_name, width: 150 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'withheld', header: 'Tax withheld', kind: 'money', cell: (row) => row.withheld_minor, width: 120 },
  { id: 'total', header: 'Paid out', kind: 'money', cell: (row) => row.total_minor, width: 130 },
];
const filters = [{ name: 'status', label: 'State', options: choicesOf(BATCH_LOOKS) }];

export default function BatchList() {
  const may = useMay();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const list = useList(batchEndpoints.list, { query: { division } }, { filters: ['status'] });
  const making = values.get('new') === '1' && may('payment.create') && may('show_royaltor.list');
  return (
    <>
      <PageHeader title="Royalty payments" division tabs={paymentTabs(may)}
        subtitle="Batches to royaltors: made, approved by another, paid">
        {may('payment.create') && may('show_royaltor.list') && (
          <Button variant="primary" onClick={() => set({ new: '1' })}>New batch</Button>)}
      </PageHeader>
      <DataTable label="Royalty payment batches" {...list} columns={columns} filters={filters}
        rowKey={(row) => row.id} searchPlaceholder="Number of a batch"
        {...(may('payment.show') ? { rowHref: (row: BatchRow) => `${BATCHES}/${row.id}` } : {})}
        empty={{ title: 'No batches yet', text: 'Issued statements and advances are paid together in a batch.' }} />
      {making && <BatchForm key={division} division={division}
        statement={Number(values.get('statement')) || null} onClose={() => set({ new: null, statement: null })} />}
    </>
  );
}
