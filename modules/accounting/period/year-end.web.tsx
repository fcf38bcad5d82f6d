/** Fiscal years of a division: computed retained earnings by default, a closing entry where the house wants one. */
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import type { Division } from '#kernel/money/division.ts';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { yearEndEndpoints, type FiscalYear } from './year-end.contract.ts';

const STATES: Record<FiscalYear['state'], { tone: 'ok' | 'warn' | 'outline'; label: string }> = {
  running: { tone: 'outline', label: 'Running' }, computed: { tone: 'ok', label: 'Computed' },
  waiting: { tone: 'warn', label: 'Draft to be posted' }, closed: { tone: 'ok', label: 'Closing entry' },
};

/** Something was posted into the year after its closing entry: another entry moves the rest. */
const differs = (row: FiscalYear): boolean => row.state === 'closed' && row.closed_minor !== row.result_minor;

const entryOf = (row: FiscalYear): string => `/admin/accounting/transactions/${row.transaction_id}/journal-entries`;

function YearAction({ row }: { row: FiscalYear }) {
  const may = useMay();
  const close = useAction(yearEndEndpoints.close, { done: 'Draft prepared: another person posts it' });
  const asks = may('transaction.update') && (row.state === 'computed' || differs(row));
  return (
    <>
      {row.transaction_id !== null && <ButtonLink size="small" href={entryOf(row)}>Open entry</ButtonLink>}
      {asks && (
        <Button size="small" pending={close.pending}
          onClick={() => void close.run({ body: { division: row.division, ends: row.ends } })}>
          Prepare closing entry
        </Button>)}
    </>
  );
}

const columns: readonly Column<FiscalYear>[] = [
  { id: 'year', header: 'Fiscal year', kind: 'title', fixed: true, width: 240,
    cell: (row) => `${formatDay(row.starts)} – ${formatDay(row.ends)}` },
  { id: 'result', header: 'Result', kind: 'money', width: 150, cell: (row) => BigInt(row.result_minor) },
  { id: 'closed', header: 'In retained earnings', kind: 'money', width: 170, cell: (row) => BigInt(row.closed_minor) },
  { id: 'state', header: 'Brought forward', kind: 'badge', width: 170,
    cell: (row) => (differs(row) ? <Badge tone="warn" small>Differs</Badge>
      : <Badge tone={STATES[row.state].tone} small>{STATES[row.state].label}</Badge>) },
  { id: 'act', header: 'Action', kind: 'actions', cell: (row) => <YearAction row={row} /> },
];

export function FiscalYears({ division }: { division: Division }) {
  const read = useEndpoint(yearEndEndpoints.list, { query: { division } });
  const rows = read.data?.data;
  const readPage = useLoadedRows(rows);
  return (
    <DataTable label="Fiscal years" columns={columns} rows={rows} readPage={readPage} rowKey={(row) => row.ends}
      error={read.error} onRetry={() => void read.refetch()}
      empty={{ title: 'No fiscal year yet', text: 'The first posting of the division begins one.' }} />
  );
}
