/** Exchange gains and losses: realized by document, unrealized by account and party. */
import { documentLanguage } from '#kernel/money/division.ts';
import { spellIn } from '#kernel/text/english.ts';
import { call } from '#kit/client.ts';
import type { QueryIn, ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EXPORT_PAGE, type ReadPage } from '#web/data/export-button.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { financeTabs } from '../accounting-tabs.ts';
import { Checks, FailedChecks, ReportDates, useReportDates, WAITING } from './report-parts.web.tsx';
import { reportEndpoints } from './report.contract.ts';

type Report = ResponseOf<typeof reportEndpoints.exchangeGainsLosses>['data'];
type Realized = Report['realized'][number];
type Unrealized = Report['unrealized'][number];

const realizedColumns = (report: Report | undefined): readonly Column<Realized>[] => [
  { id: 'date', header: 'Date', kind: 'date', cell: (row) => row.transaction_at, width: 110 },
  { id: 'document', header: 'Document', kind: 'title', width: 200,
    cell: (row) => row.document ?? (row.description || `Transaction ${row.transaction_id}`) },
  { id: 'party', header: 'Party', kind: 'muted', cell: (row) => row.party_name, width: 180 },
  { id: 'account', header: 'Account', kind: 'code', cell: (row) => row.account, width: 80 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'settled', header: 'Settled', kind: 'money', width: 120,
    cell: (row) => (row.settled_minor === null ? '' : BigInt(row.settled_minor)) },
  { id: 'document_rate', header: 'Document rate', kind: 'number', cell: (row) => row.document_rate, width: 120 },
  { id: 'settlement_rate', header: 'Settlement rate', kind: 'number', cell: (row) => row.settlement_rate, width: 120 },
  { id: 'gain', header: 'Gain or loss', kind: 'money', cell: (row) => BigInt(row.gain_minor), width: 130,
    ...(report ? { total: BigInt(report.realized_minor) } : {}) },
];

const unrealizedColumns = (report: Report | undefined): readonly Column<Unrealized>[] => [
  { id: 'account', header: 'Account', kind: 'title', cell: (row) => `${row.account} ${row.account_name}`, width: 260 },
  { id: 'party', header: 'Party', kind: 'muted', cell: (row) => row.party_name, width: 220 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'gain', header: 'Gain or loss', kind: 'money', cell: (row) => BigInt(row.gain_minor), width: 130,
    ...(report ? { total: BigInt(report.unrealized_minor) } : {}) },
];

function pagesOf(query: Omit<QueryIn<typeof reportEndpoints.exchangeGainsLosses>, 'page' | 'per_page'>):
ReadPage<Realized> {
  return async (page, signal) => {
    const { data } = await call(reportEndpoints.exchangeGainsLosses,
      { query: { ...query, page, per_page: EXPORT_PAGE } }, { signal });
    return { rows: data.realized, pages: data.last_page, total: data.total };
  };
}

function Pages({ report }: { report: Report }) {
  const { set } = useQueryValues();
  if (report.last_page === 1) return null;
  return (
    <p>
      <Button reason={report.page <= 1 ? 'This is the first page' : undefined}
        onClick={() => set({ page: String(report.page - 1) })}>Later lines</Button>
      {' '}
      <Button reason={report.page >= report.last_page ? 'This is the last page' : undefined}
        onClick={() => set({ page: String(report.page + 1) })}>Earlier lines</Button>
    </p>
  );
}

export default function ExchangeReport() {
  const [division] = useDivision();
  // In the English of the books, as their papers.
  const spell = spellIn(documentLanguage(division));
  const may = useMay();
  const { values } = useQueryValues();
  const dates = useReportDates('from', 'to');
  const page = Number(values.get('page') ?? 1);
  const read = useEndpoint(reportEndpoints.exchangeGainsLosses, { query: { division, ...dates, page, per_page: 50 } });
  const report = read.data?.data;
  const readUnrealized = useLoadedRows(report?.unrealized);
  const span = report ? { division, from: report.from, as_of: report.to } : { division };
  const failed = { error: read.error, onRetry: () => void read.refetch() };
  return (
    <>
      <PageHeader title="Exchange gains and losses" division tabs={financeTabs(may)}
        badges={report && <Checks checks={report.checks} />}
        subtitle={report ? [report.currency, `${formatDay(report.from)} – ${formatDay(report.to)}`] : WAITING} />
      <ReportDates names={['from', 'to']} taken={report} />
      <PageContent fullWidth>
        {report && <FailedChecks checks={report.checks} />}
        <Section title={spell`Realized`} description="Settled at another rate than that of the document.">
          <DataTable label={spell`Realized gains and losses`} variant="record" columns={realizedColumns(report)}
            rows={report?.realized} totalLabel="Total" rowKey={(row) => row.id} searchable={false} {...failed}
            readPage={may('export.download') ? pagesOf({ division, ...dates }) : undefined}
            rowHref={(row) => `/admin/accounting/transactions/${row.transaction_id}/journal-entries`}
            empty={{ title: 'Nothing was settled at another rate in these days' }} />
          {report && <Pages report={report} />}
        </Section>
        <Section title={spell`Unrealized`} description="Posted by revaluations, less what was taken back.">
          <DataTable label={spell`Unrealized gains and losses`} variant="record" columns={unrealizedColumns(report)}
            rows={report?.unrealized} totalLabel="Total" searchable={false} {...failed} readPage={readUnrealized}
            rowKey={(row) => `${row.account} ${row.currency} ${row.party_type ?? ''} ${row.party_id ?? ''}`}
            rowHref={(row) =>
              `/admin/accounting/general-ledger?${new URLSearchParams({ account: row.account, ...span })}`}
            empty={{ title: spell`No unrealized gain or loss is left`,
              text: 'No revaluation in this period, or all of it was reversed. Month-end revaluations '
                + 'are made under Accounting, Revaluations.' }} />
        </Section>
      </PageContent>
    </>
  );
}
