/** Royalty statements of a division, from calculated to paid. */
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useDivision } from '#web/layout/division.ts';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { RoyaltorFilter } from '../royaltor-filter.web.tsx';
import {
  CalculateLink, CURRENCY_FILTER, opensAt, SalesHeader, stateColumn, stateFilter,
} from '../royalty-list.web.tsx';
import { periodWords, SALES, STATEMENT_LOOKS, statementName } from '../royalty-words.web.ts';
import { statementBulk, statementEndpoints, type StatementRow } from './statement.contract.ts';

const FILTERS = ['status', 'currency', 'period_from', 'period_to', 'royaltor_id', 'show_royaltor_id'] as const;

/** Shared with the run, whose statements are read in one table too. */
export const statementColumns: readonly Column<StatementRow>[] = [
  { id: 'royaltor', header: 'Royaltor', kind: 'title', cell: (row) => row.royaltor_name, fixed: true, width: 200 },
  { id: 'subject', header: 'Show', kind: 'muted', cell: (row) => row.subject, width: 200 },
  { id: 'number', header: 'Number', kind: 'code', cell: statementName, width: 150 },
  { id: 'period_to', header: 'Period', kind: 'muted', cell: periodWords, sort: true, width: 190 },
  stateColumn(STATEMENT_LOOKS),
  { id: 'opening', header: 'Opening', kind: 'money', cell: (row) => row.opening_minor, width: 110, hidden: true },
  { id: 'earnings', header: 'Became due', kind: 'money', cell: (row) => row.earnings_minor, width: 110 },
  { id: 'recouped', header: 'Recouped', kind: 'money', cell: (row) => row.recouped_minor, width: 110 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'net_minor', header: 'Net royalty', kind: 'money', cell: (row) => row.net_minor, sort: true, width: 120 },
  { id: 'withheld', header: 'Tax withheld', kind: 'money', width: 110, hidden: true,
    cell: (row) => (row.status === 'paid' ? row.withheld_minor : row.expected_wht_minor) },
  { id: 'payable', header: 'Payment', kind: 'money', cell: (row) => row.payable_minor, width: 120 },
  { id: 'closing', header: 'Balance', kind: 'money', cell: (row) => row.closing_minor, width: 110 },
];
const chosen = [
  stateFilter(STATEMENT_LOOKS), CURRENCY_FILTER,
  { name: 'period_from', label: 'Period', verb: 'begins from', kind: 'date' as const },
  { name: 'period_to', label: 'Period', verb: 'ends by', kind: 'date' as const },
];

export default function StatementList() {
  const may = useMay();
  const [division] = useDivision();
  const list = useList(statementEndpoints.list, { query: { division } }, { filters: FILTERS, bulk: statementBulk });
  const [one] = list.rows ?? [];
  const filters = [...chosen, { name: 'show_royaltor_id', label: 'Agreement',
      linked: { name: one && `${one.royaltor_name}, ${one.subject}` } }];
  return (
    <>
      <SalesHeader division
        subtitle="Statements to royaltors: calculated, approved by a second person, issued, paid">
        <CalculateLink division={division} />
      </SalesHeader>
      <DataTable label="Royalty statements" {...list} columns={statementColumns} filters={filters}
        rowKey={(row) => row.id} searchPlaceholder="Name of a royaltor" tools={<RoyaltorFilter />}
        {...opensAt<StatementRow>(may('show_royaltor.show'), (row) => `${SALES}/statements/${row.id}`)}
        empty={{ title: 'No statements yet', text: 'They are calculated for a division, a currency and a period.' }} />
    </>
  );
}
