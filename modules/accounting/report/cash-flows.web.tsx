/** Cash flows: the statement with the direct reading of its first part; each figure leads to its transactions. */
import { addDays } from '#kernel/calendar/calendar.ts';
import { call } from '#kit/client.ts';
import type { QueryIn, ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EXPORT_PAGE, ExportButton, type ReadPage } from '#web/data/export-button.tsx';
import { Money } from '#web/data/money.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { financeTabs } from '../accounting-tabs.ts';
import { FailedChecks, ReportDates, useReportDates, WAITING } from './report-parts.web.tsx';
import { reportEndpoints } from './report.contract.ts';
import { checksOf, headOf, StatementColumns, useStatementColumns } from './statement-columns.web.tsx';
import { StatementFields, StatementFiles } from './statement-settings.web.tsx';
import { Frame, Sum } from './statement-parts.web.tsx';
import styles from './report.module.css';

type Report = ResponseOf<typeof reportEndpoints.cashFlows>['data'];
type Section = Report['indirect'];
type Flow = Section['rows'][number];

const BASE = '/admin/finance/cash-flows';
/** The result has a statement of its own; every other figure has its transactions. */
const hrefOf = ({ division, from, to }: Report, row: string): string => row === 'net_result'
  ? `/admin/finance/profit-loss?${new URLSearchParams({ division, from, to })}`
  : `${BASE}/transactions?${new URLSearchParams({ division, from, to, row })}`;

function Rows({ report, section, title }: { report: Report; section: Section; title: string }) {
  if (section.rows.length === 0) return null;
  return (
    <>
      <tr className={styles.group}><th scope="rowgroup">{title}</th><td /></tr>
      {section.rows.map((row) => (
        <tr key={row.key} className={styles.row}>
          <th scope="row"><AppLink className={styles.lead} href={hrefOf(report, row.key)}>{row.title}</AppLink></th>
          <td><Money minor={row.amount_minor} /></td>
        </tr>
      ))}
    </>
  );
}

const isChange = (row: Flow): boolean => row.key.startsWith('change:');
const only = (section: Section, keep: (row: Flow) => boolean): Section => ({ ...section,
  rows: section.rows.filter(keep) });

function Statement({ report }: { report: Report }) {
  const sheet = (as_of: string): string =>
    `/admin/finance/balance-sheet?${new URLSearchParams({ division: report.division, as_of })}`;
  return (
    <table className={styles.statement}>
      <caption className="gr-hidden">Cash flows in {report.currency}</caption>
      <tbody>
        <Rows report={report} section={only(report.indirect, (row) => !isChange(row))} title="Operations" />
        <Rows report={report} section={only(report.indirect, isChange)} title="Changes in balances" />
        <Sum label="Cash from operations" minor={report.indirect.total_minor} />
        <Rows report={report} section={report.investing} title="Investing" />
        {report.investing.rows.length > 0 && <Sum label="Cash from investing" minor={report.investing.total_minor} />}
        <Rows report={report} section={report.financing} title="Financing" />
        {report.financing.rows.length > 0 && <Sum label="Cash from financing" minor={report.financing.total_minor} />}
        <Sum label="Exchange differences on cash" minor={report.exchange_minor} href={hrefOf(report, 'exchange')} />
        <Sum label="Change in cash" minor={report.closing_minor - report.opening_minor} />
        <Sum label={`Cash before ${formatDay(report.from)}`} minor={report.opening_minor}
          href={sheet(addDays(report.from, -1))} />
        <Sum label={`Cash on ${formatDay(report.to)}`} minor={report.closing_minor} result href={sheet(report.to)} />
      </tbody>
    </table>
  );
}

function Direct({ report }: { report: Report }) {
  return (
    <table className={styles.statement}>
      <caption className="gr-hidden">Cash from operations by payer and payee, in {report.currency}</caption>
      <tbody>
        <Rows report={report} section={report.direct} title="Cash from operations by payer and payee" />
        <Sum label="Cash from operations" minor={report.direct.total_minor} result />
      </tbody>
    </table>
  );
}

interface PrintedLine { part: string; line: string; minor: number }
const PRINTED: readonly Column<PrintedLine>[] = [
  { id: 'part', header: 'Part', cell: (row) => row.part },
  { id: 'line', header: 'Line', cell: (row) => row.line },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.minor) },
];

function printed(report: Report | undefined): PrintedLine[] {
  if (!report) return [];
  const of = (part: string, section: Section) => [...section.rows.map((row) => ({ part, line: row.title,
    minor: row.amount_minor })), { part, line: 'Total', minor: section.total_minor }];
  const cash = (line: string, minor: number): PrintedLine => ({ part: 'Cash', line, minor });
  return [...of('Operations', report.indirect), ...of('Operations, direct', report.direct),
    ...of('Investing', report.investing), ...of('Financing', report.financing),
    cash('Exchange differences', report.exchange_minor), cash(`Before ${report.from}`, report.opening_minor),
    cash(`On ${report.to}`, report.closing_minor)];
}

function Unclassified({ accounts }: { accounts: Report['unclassified'] }) {
  if (accounts.length === 0) return null;
  return (
    <Callout tone="error" title="Accounts without a cash-flow class">
      {accounts.map(({ id, code, name }) => (
        <p key={id}><AppLink href={`/admin/accounting/chart-of-accounts/${id}/information`}>{code} {name}</AppLink></p>
      ))}
    </Callout>
  );
}

export function CashFlows() {
  const [division] = useDivision();
  const may = useMay();
  const dates = useReportDates('from', 'to');
  const read = useEndpoint(reportEndpoints.cashFlows, { query: { division, ...dates } });
  const report = read.data?.data;
  const readPage = useLoadedRows(report && printed(report));
  const columns = useStatementColumns('cash_flows', dates);
  return (
    <>
      <PageHeader title="Cash flows" division={!columns.group} tabs={financeTabs(may)}
        badges={checksOf(columns, report)}
        subtitle={report ? headOf(columns, report.currency, `${formatDay(report.from)} – ${formatDay(report.to)}`)
          : WAITING}>
        <StatementFiles statement="cash_flows" title="Cash flows" days={dates} />
        {readPage && <ExportButton label="Cash flows" columns={PRINTED} readPage={readPage} waiting={!report} />}
      </PageHeader>
      <ReportDates names={['from', 'to']} taken={report} after={<StatementFields group />} />
      {columns.wanted ? <StatementColumns of={columns} /> : (
      <Frame read={read}>
        {report && (
          <>
            <FailedChecks checks={report.checks} />
            <Unclassified accounts={report.unclassified} />
            <Statement report={report} />
            <Direct report={report} />
          </>
        )}
      </Frame>)}
    </>
  );
}

type Line = ResponseOf<typeof reportEndpoints.cashFlowLines>['data']['rows'][number];

const columnsOf = (total: number | undefined): readonly Column<Line>[] => [
  { id: 'date', header: 'Date', kind: 'date', cell: (row) => row.transaction_at, width: 110 },
  { id: 'description', header: 'Description', kind: 'title', width: 340,
    cell: (row) => row.description || row.kind.replaceAll('_', ' ') },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number ?? row.transaction_id, width: 200 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 150,
    ...(total === undefined ? {} : { total: BigInt(total) }) },
];

function pagesOf(query: Omit<QueryIn<typeof reportEndpoints.cashFlowLines>, 'page' | 'per_page'>): ReadPage<Line> {
  return async (page, signal) => {
    const { data } = await call(reportEndpoints.cashFlowLines, { query: { ...query, page, per_page: EXPORT_PAGE } },
      { signal });
    return { rows: data.rows, pages: data.last_page, total: data.total };
  };
}

export function CashFlowLines() {
  const [division] = useDivision();
  const may = useMay();
  const { values, set } = useQueryValues();
  const row = values.get('row') ?? 'direct:customers';
  const page = Number(values.get('page') ?? 1);
  const dates = useReportDates('from', 'to');
  const read = useEndpoint(reportEndpoints.cashFlowLines, { query: { division, ...dates, row, page, per_page: 50 } });
  const report = read.data?.data;
  return (
    <>
      <PageHeader title={report?.title ?? 'Cash flows'} crumbs={[{ label: report?.title ?? 'Transactions' }]}
        back={`${BASE}?${new URLSearchParams({ division, ...dates })}`}
        subtitle={report ? [report.division, report.currency, `${formatDay(report.from)} – ${formatDay(report.to)}`]
          : WAITING} />
      <DataTable label="Transactions of a cash flow" variant="ledger" columns={columnsOf(report?.amount_minor)}
        rows={report?.rows} totalLabel="Total"
        readPage={may('export.download') ? pagesOf({ division, ...dates, row }) : undefined}
        rowKey={(line) => line.transaction_id} error={read.error} onRetry={() => void read.refetch()}
        rowHref={(line) => `/admin/accounting/transactions/${line.transaction_id}/journal-entries`}
        empty={{ title: 'No transactions in these days' }} />
      {report && report.last_page > 1 && (
        <PageContent fullWidth right={`${page} of ${report.last_page}`}>
          <Button reason={page <= 1 ? 'This is the first page' : undefined}
            onClick={() => set({ page: String(page - 1) })}>Later transactions</Button>
          {' '}
          <Button reason={page >= report.last_page ? 'This is the last page' : undefined}
            onClick={() => set({ page: String(page + 1) })}>Earlier transactions</Button>
        </PageContent>
      )}
    </>
  );
}
