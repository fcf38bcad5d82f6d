/** General ledger: the lines of one account with a running balance, each leading to its transaction. */
import { call } from '#kit/client.ts';
import type { QueryIn, ResponseOf } from '#kit/endpoint.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { EXPORT_PAGE, type ReadPage } from '#web/data/export-button.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ledgerAccountEndpoints } from '../ledger-account/ledger-account.contract.ts';
import { debitCredit } from '../debit-credit.web.ts';
import { classWord } from '../ledger-account/account-class.web.ts';
import { accountingTabs } from '../accounting-tabs.ts';
import { Checks, FailedChecks, ReportDates, useReportDates, WAITING } from './report-parts.web.tsx';
import { reportEndpoints } from './report.contract.ts';

type Row = ResponseOf<typeof reportEndpoints.generalLedger>['data']['rows'][number];

const columns: readonly Column<Row>[] = [
  { id: 'date', header: 'Date', kind: 'date', cell: (row) => row.transaction_at, width: 110 },
  {
    id: 'description',
    header: 'Description',
    kind: 'title',
    width: 300,
    cell: (row) => row.description || row.kind.replaceAll('_', ' '),
  },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number ?? row.transaction_id, width: 190 },
  { id: 'memo', header: 'Memo', kind: 'muted', cell: (row) => row.memo, width: 180 },
  ...debitCredit<Row>(),
  { id: 'balance', header: 'Balance', kind: 'money', cell: (row) => BigInt(row.balance_minor) },
];

/** The pages of the account's lines, for the export. */
function linesOf(query: Omit<QueryIn<typeof reportEndpoints.generalLedger>, 'page' | 'per_page'>): ReadPage<Row> {
  return async (page, signal) => {
    const { data } = await call(reportEndpoints.generalLedger, { query: { ...query, page, per_page: EXPORT_PAGE } },
      { signal });
    return { rows: data.rows, pages: data.last_page, total: data.total };
  };
}

/** Filters of the lines besides the dates, as passed here by a statement. */
const PART_NAMES = ['show_id', 'customer_class_id', 'closing_entries'] as const;

function partsOf(values: URLSearchParams): Record<string, string> {
  return Object.fromEntries(PART_NAMES.flatMap((name) => {
    const value = values.get(name);
    return value ? [[name, value]] : [];
  }));
}

function Movement({ report }: { report: ResponseOf<typeof reportEndpoints.generalLedger>['data'] }) {
  return (
    <StatStrip label="Movement of the account" stats={[
      { label: 'Opening', value: formatAmount(report.opening_minor) },
      { label: 'Debit', value: formatAmount(report.debit_minor), sign: '+' },
      { label: 'Credit', value: formatAmount(report.credit_minor), sign: '−' },
      { label: 'Closing', value: formatAmount(report.closing_minor), sign: '=', strong: true },
    ]} />
  );
}

export default function GeneralLedger() {
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const account = values.get('account');
  const page = Number(values.get('page') ?? 1);
  const may = useMay();
  const given = { ...useReportDates('from', 'as_of'), ...partsOf(values) };
  const read = useEndpoint(reportEndpoints.generalLedger,
    { query: { division, account: account ?? '', page, per_page: 50, ...given } }, { enabled: account !== null });
  const report = account === null ? undefined : read.data?.data;
  const span = new URLSearchParams({ division, ...(account ? { account } : {}), ...given }).toString();
  return (
    <>
      <PageHeader title="General ledger" division tabs={accountingTabs(may)}
        badges={report && <Checks checks={report.checks} />}
        subtitle={report ? [`${report.account.code} ${report.account.name}`, `${report.currency}, debits positive`,
          ...(report.part === null ? [] : [`Only ${report.part}`])]
          : account !== null && WAITING} />
      <ReportDates names={['from', 'as_of']} before={(
        <AsyncSelect label="Account" value={account}
          selectedLabel={report && `${report.account.code} ${report.account.name}`}
          onChange={(code) => set({ account: code, page: null })}
          source={async (search, wanted, signal) => {
            const answer = await call(ledgerAccountEndpoints.list, { query: { division, page: wanted, per_page: 25,
              ...(search ? { search } : {}) } }, { signal });
            return {
              meta: answer.meta,
              data: answer.data.map((row) => ({
                value: row.code,
                label: `${row.code} ${row.name}`,
                children: classWord(row.class),
              })),
            };
          }} />
      )} />
      {account === null ? (
        <PageContent>
          <EmptyState title="Choose an account" text="Its lines appear here with a running balance." />
        </PageContent>
      ) : (
        <>
          {report && (
            <PageContent fullWidth>
              <FailedChecks checks={report.checks} />
              <Movement report={report} />
              {report.last_page > 1 && <p data-print="only">Part {page} of {report.last_page}</p>}
            </PageContent>
          )}
          <DataTable label="Ledger lines" variant="ledger" columns={columns} rows={report?.rows}
            readPage={may('export.download') ? linesOf({ division, account, ...given }) : undefined}
            rowKey={(row) => row.id}
            error={read.error} onRetry={() => void read.refetch()}
            rowHref={(row) => `/admin/accounting/transactions/${row.transaction_id}/journal-entries?${span}`}
            empty={{ title: 'No lines in these days' }} />
          {report && report.last_page > 1 && (
            <div data-print="hide">
              <PageContent fullWidth right={`${page} of ${report.last_page}`}>
                <Button reason={page <= 1 ? 'This is the first page' : undefined}
                  onClick={() => set({ page: String(page - 1) })}>Earlier lines</Button>
                {' '}
                <Button reason={page >= report.last_page ? 'This is the last page' : undefined}
                  onClick={() => set({ page: String(page + 1) })}>Later lines</Button>
              </PageContent>
            </div>
          )}
        </>
      )}
    </>
  );
}
