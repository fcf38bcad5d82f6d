/** Statement runs: the statements of a division, currency and period, calculated and approved together. */
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useDivision } from '#web/layout/division.ts';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { CalculateLink, opensAt, SalesHeader, stateColumn, stateFilter } from '../royalty-list.web.tsx';
import { periodWords, RUN_LOOKS, SALES } from '../royalty-words.web.ts';
import { runEndpoints, type RunRow } from './statement.contract.ts';

const columns: readonly Column<RunRow>[] = [
  { id: 'period_to', header: 'Period', kind: 'title', cell: periodWords, sort: true, fixed: true, width: 220 },
  stateColumn(RUN_LOOKS),
  { id: 'statements', header: 'Statements', kind: 'number', cell: (row) => row.statement_count, width: 100 },
  { id: 'calculated_by', header: 'Calculated by', kind: 'muted', cell: (row) => row.calculated_by_name, width: 160 },
  { id: 'approved_by', header: 'Approved by', kind: 'muted', cell: (row) => row.approved_by_name, width: 160 },
  { id: 'issued_at', header: 'Issued', kind: 'date', cell: (row) => row.issued_at, width: 120 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'net', header: 'Net royalties', kind: 'money', cell: (row) => row.net_minor, width: 130 },
  { id: 'pay', header: 'To pay', kind: 'money', cell: (row) => row.pay_minor, width: 130 },
];

export default function RunList() {
  const may = useMay();
  const [division] = useDivision();
  const list = useList(runEndpoints.list, { query: { division } }, { filters: ['status'] });
  return (
    <>
      <SalesHeader division subtitle="Runs: the statements of one period, calculated and approved together">
        <CalculateLink division={division} />
      </SalesHeader>
      <DataTable
        label="Statement runs"
        {...list}
        columns={columns}
        filters={[stateFilter(RUN_LOOKS)]}
        rowKey={(row) => row.id}
        {...opensAt<RunRow>(may('show_royaltor.show'), (row) => `${SALES}/statement-runs/${row.id}`)}
        empty={{
          title: 'No runs yet',
          text: 'A run calculates the statements of every royaltor who earned something.',
        }}
      />
    </>
  );
}
