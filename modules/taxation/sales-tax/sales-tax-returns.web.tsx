/** Sales tax returns of a division: periods to prepare, what waits, what is paid. */
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { salesTaxReturnEndpoints, type SalesTaxReturnRow } from './sales-tax-return.contract.ts';
import { returnHref, stepWords } from './sales-tax-words.web.ts';
import type { UsDivision } from './sales-tax.contract.ts';

const columns: readonly Column<SalesTaxReturnRow>[] = [
  { id: 'state', header: 'State', kind: 'title', cell: (row) => row.state_name, fixed: true, width: 140 },
  { id: 'period', header: 'Period', kind: 'muted', width: 220,
    cell: (row) => `${formatDay(row.from)} – ${formatDay(row.to)}` },
  { id: 'due', header: 'Due', kind: 'date', cell: (row) => row.due_on, width: 120 },
  { id: 'step', header: 'Status', kind: 'badge', width: 180, cell: (row) => {
    const [words, tone] = stepWords(row);
    return <Badge tone={tone} small>{words}</Badge>;
  } },
  { id: 'net', header: 'To pay', kind: 'number', width: 120,
    cell: (row) => (row.net_minor === null ? '' : formatAmount(row.net_minor)) },
  { id: 'discount', header: 'Vendor discount', kind: 'number', width: 130,
    cell: (row) => (row.discount_minor ? formatAmount(row.discount_minor) : '') },
  { id: 'filed', header: 'Filed on', kind: 'date', cell: (row) => row.filed_on, width: 120 },
  { id: 'receipt', header: 'Confirmation', kind: 'muted', cell: (row) => row.receipt, width: 150 },
  { id: 'bill', header: 'Bill', kind: 'muted', cell: (row) => row.bill_number, width: 150 },
];

export function SalesTaxReturns({ division }: { division: UsDivision }) {
  const read = useEndpoint(salesTaxReturnEndpoints.list, { query: { division } });
  const rows = read.data?.data;
  const readRows = useLoadedRows(rows ?? []);
  return (
    <Section title="Returns" count={rows?.length}
      description="By the filing calendar of each state where the division is registered">
      <DataTable label="Sales tax returns" columns={columns} rows={rows} readPage={readRows} variant="record"
        rowKey={(row) => row.key} rowHref={returnHref} error={read.isError ? read.error : null}
        onRetry={() => void read.refetch()}
        empty={{ title: 'No return is due', text: 'Enter a registration for sales tax and the filing calendar of its '
          + 'state. Periods that have ended appear here.' }} />
    </Section>
  );
}
