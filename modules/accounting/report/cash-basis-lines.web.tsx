/** The payments behind one figure of the profit and loss on the cash basis; together they are the figure. */
import { call } from '#kit/client.ts';
import type { QueryIn, ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EXPORT_PAGE, type ReadPage } from '#web/data/export-button.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useReportDates, WAITING } from './report-parts.web.tsx';
import { reportEndpoints } from './report.contract.ts';

type Line = ResponseOf<typeof reportEndpoints.cashBasisLines>['data']['rows'][number];

const documentHref = (id: number): string => `/admin/accounting/transactions/${id}/journal-entries`;

const columnsOf = (total: number | undefined): readonly Column<Line>[] => [
  { id: 'date', header: 'Date', kind: 'date', cell: (row) => row.on, width: 110 },
  { id: 'payment', header: 'Payment', kind: 'title', width: 320,
    cell: (row) => row.description || row.kind.replaceAll('_', ' ') },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number ?? row.transaction_id, width: 160 },
  { id: 'document', header: 'Document', width: 240,
    cell: (row) => <AppLink href={documentHref(row.document_id)}>{row.document}</AppLink> },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 150,
    ...(total === undefined ? {} : { total: BigInt(total) }) },
];

function pagesOf(query: Omit<QueryIn<typeof reportEndpoints.cashBasisLines>, 'page' | 'per_page'>): ReadPage<Line> {
  return async (page, signal) => {
    const { data } = await call(reportEndpoints.cashBasisLines, { query: { ...query, page, per_page: EXPORT_PAGE } },
      { signal });
    return { rows: data.rows, pages: data.last_page, total: data.total };
  };
}

export default function CashBasisLines() {
  const [division] = useDivision();
  const may = useMay();
  const { values, set } = useQueryValues();
  const account = values.get('account') ?? '4000';
  const page = Number(values.get('page') ?? 1);
  const dates = useReportDates('from', 'to');
  const parts = Object.fromEntries(['show_id', 'customer_class_id'].flatMap((name) => {
    const value = values.get(name);
    return value === null ? [] : [[name, value]];
  }));
  const asked = { division, ...dates, account, ...parts } as QueryIn<typeof reportEndpoints.cashBasisLines>;
  const read = useEndpoint(reportEndpoints.cashBasisLines, { query: { ...asked, page, per_page: 50 } });
  const report = read.data?.data;
  const title = report ? `${report.account.code} ${report.account.name}` : 'Payments behind a figure';
  return (
    <>
      <PageHeader title={title} crumbs={[{ label: title }]}
        back={`/admin/finance/profit-loss?${new URLSearchParams({ division, ...dates, basis: 'cash', ...parts })}`}
        subtitle={report ? ['Cash basis', ...(report.part === null ? [] : [`Only ${report.part}`]), report.division,
          report.currency, `${formatDay(report.from)} – ${formatDay(report.to)}`] : WAITING} />
      <DataTable label="Payments behind a figure" variant="ledger" columns={columnsOf(report?.amount_minor)}
        rows={report?.rows} totalLabel="Total"
        readPage={may('export.download') ? pagesOf(asked) : undefined}
        rowKey={(line) => `${line.on} ${line.transaction_id} ${line.document_id}`} error={read.error}
        onRetry={() => void read.refetch()} rowHref={(line) => documentHref(line.transaction_id)}
        empty={{ title: 'No payments in these days' }} />
      {report && report.last_page > 1 && (
        <PageContent fullWidth right={`${page} of ${report.last_page}`}>
          <Button reason={page <= 1 ? 'This is the first page' : undefined}
            onClick={() => set({ page: String(page - 1) })}>Later payments</Button>
          {' '}
          <Button reason={page >= report.last_page ? 'This is the last page' : undefined}
            onClick={() => set({ page: String(page + 1) })}>Earlier payments</Button>
        </PageContent>
      )}
    </>
  );
}
