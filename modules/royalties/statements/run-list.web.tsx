/** Statement runs: the statements of a division, currency and period, calculated and approved together. */
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { choicesOf, periodWords, RUN_LOOKS, SALES, salesTabs } from '../royalty-words.web.ts';
import { runEndpoints, type RunRow } from './statement.contract.ts';

const columns: readonly Column<RunRow>[] = [
  { id: 'period_to', header: 'Period', kind: 'title', cell: periodWords, sort: true, fixed: true, width: 220 },
  { id: 'status', header: 'State', kind: 'badge', width: 130, cell: (row) => (
    <Badge small tone={RUN_LOOKS[row.status].tone}>{RUN_LOOKS[row.status].label}</Badge>) },
  { id: 'statements', header: 'Statements', kind: 'number', cell: (row) => row.statement_count, width: 100 },
  { id: 'calculated_by', header: 'Calculated by', kind: 'muted', cell: (row) => row.calculated_by_name, width: 160 },
  { id: 'approved_by', header: 'Approved by', kind: 'muted', cell: (row) => row.approved_by_name, width: 160 },
  { id: 'issued_at', header: 'Issued', kind: 'date', cell: (row) => row.issued_at, width: 120 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'net', header: 'Net royalties', kind: 'money', cell: (row) => row.net_minor, width: 130 },
  { id: 'pay', header: 'To pay', kind: 'money', cell: (row) => row.pay_minor, width: 130 },
];
const filters = [{ name: 'status', label: 'State', options: choicesOf(RUN_LOOKS) }];

export default function RunList() {
  const may = useMay();
  const [division] = useDivision();
  const list = useList(runEndpoints.list, { query: { division } }, { filters: ['status'] });
  return (
    <>
      <PageHeader
        title="Sales & royalties"
        division
        tabs={salesTabs(may)}
        subtitle="Runs: the statements of one period, calculated and approved together"
      >
        {may('show_royaltor.update') && (
          <ButtonLink variant="primary" href={`${SALES}/statement-runs/create?division=${division}`}>
            Calculate statements
          </ButtonLink>
        )}
      </PageHeader>
      <DataTable
        label="Statement runs"
        {...list}
        columns={columns}
        filters={filters}
        rowKey={(row) => row.id}
        {...(may('show_royaltor.show') ? { rowHref: (row: RunRow) => `${SALES}/statement-runs/${row.id}` } : {})}
        empty={{
          title: 'No runs yet',
          text: 'A run calculates the statements of every royaltor who earned something.',
        }}
      />
    </>
  );
}
