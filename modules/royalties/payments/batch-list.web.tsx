/** Payment batches to royaltors; a new one is made of what is issued and of advances that are due. */
import { Button } from '#web/controls/button/button.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useDivision } from '#web/layout/division.ts';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { opensAt, PaymentsHeader, stateColumn, stateFilter } from '../royalty-list.web.tsx';
import { BATCH_LOOKS, BATCHES, METHOD_WORDS } from '../royalty-words.web.ts';
import { BatchForm } from './batch-form.web.tsx';
import { batchEndpoints, type BatchRow } from './payment-batch.contract.ts';

const columns: readonly Column<BatchRow>[] = [
  { id: 'number', header: 'Batch', kind: 'title', cell: (row) => row.number, fixed: true, width: 190 },
  { id: 'pay_on', header: 'Pay on', kind: 'date', cell: (row) => row.pay_on, sort: true, width: 130 },
  stateColumn(BATCH_LOOKS),
  { id: 'method', header: 'Method', kind: 'muted', cell: (row) => METHOD_WORDS[row.method], width: 80 },
  { id: 'count', header: 'Payments', kind: 'number', cell: (row) => row.payment_count, width: 90 },
  { id: 'made_by', header: 'Made by', kind: 'muted', cell: (row) => row.created_by_name, width: 150 },
  { id: 'approved_by', header: 'Approved by', kind: 'muted', cell: (row) => row.approved_by_name, width: 150 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'withheld', header: 'Tax withheld', kind: 'money', cell: (row) => row.withheld_minor, width: 120 },
  { id: 'total', header: 'Amount', kind: 'money', cell: (row) => row.total_minor, width: 130 },
];

export default function BatchList() {
  const may = useMay();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const list = useList(batchEndpoints.list, { query: { division } }, { filters: ['status'] });
  const making = values.get('new') === '1' && may('payment.create') && may('show_royaltor.list');
  return (
    <>
      <PaymentsHeader subtitle="Payment batches to royaltors">
        {may('payment.create') && may('show_royaltor.list') && (
          <Button variant="primary" onClick={() => set({ new: '1' })}>New batch</Button>)}
      </PaymentsHeader>
      <DataTable label="Royalty payment batches" {...list} columns={columns} filters={[stateFilter(BATCH_LOOKS)]}
        rowKey={(row) => row.id} searchPlaceholder="Batch number"
        {...opensAt<BatchRow>(may('payment.show'), (row) => `${BATCHES}/${row.id}`)}
        empty={{ title: 'No batches yet', text: 'Issued statements and advances are paid together in a batch.' }} />
      {making && <BatchForm key={division} division={division}
        statement={Number(values.get('statement')) || null} run={Number(values.get('run')) || null}
        onClose={() => set({ new: null, statement: null, run: null })} />}
    </>
  );
}
