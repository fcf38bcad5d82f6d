/** Trial balance: every account of a division; each figure leads to its lines. */
import type { ResponseOf } from '#kit/endpoint.ts';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { classWord } from '../ledger-account/account-class.web.ts';
import { accountingTabs } from '../accounting-tabs.ts';
import { Checks, DateFields, DatesOnPaper, FailedChecks, ReportDates, useReportDates, WAITING }
  from './report-parts.web.tsx';
import { reportEndpoints } from './report.contract.ts';
import { StatementColumns, useStatementColumns } from './statement-columns.web.tsx';
import { StatementFields, StatementFiles } from './statement-settings.web.tsx';

type Report = ResponseOf<typeof reportEndpoints.trialBalance>['data'];
type Row = Report['rows'][number];

function columnsOf(totals: Report['totals'] | undefined): readonly Column<Row>[] {
  const money = (id: keyof Report['totals'], header: string): Column<Row> => ({
    id, header, kind: 'money', cell: (row) => BigInt(row[id]), width: 150,
    ...(totals ? { total: BigInt(totals[id]) } : {}),
  });
  return [
    { id: 'code', header: 'Account', kind: 'code', cell: (row) => row.code, fixed: true, width: 90 },
    { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, fixed: true, width: 280 },
    { id: 'class', header: 'Class', kind: 'muted', cell: (row) => classWord(row.class), width: 110 },
    money('opening_minor', 'Opening'), money('debit_minor', 'Debit'), money('credit_minor', 'Credit'),
    money('closing_minor', 'Closing'),
  ];
}

const DATES = ['from', 'as_of'] as const;

const hasMovement = (row: Row): boolean => row.opening_minor !== 0 || row.debit_minor !== 0 || row.credit_minor !== 0
  || row.closing_minor !== 0;

export default function TrialBalance() {
  const { values, set } = useQueryValues();
  const all = values.get('all') === 'true';
  const [division] = useDivision();
  const may = useMay();
  const given = useReportDates(...DATES);
  const read = useEndpoint(reportEndpoints.trialBalance, { query: { division, ...given } });
  const report = read.data?.data;
  const rows = all ? report?.rows : report?.rows.filter(hasMovement);
  const readPage = useLoadedRows(rows);
  const columns = useStatementColumns('trial_balance', given);
  // The days that the report took, not only those in the address: the ledger ends at the figures shown here.
  const span = new URLSearchParams({ division, ...given, ...(report ? { as_of: report.as_of } : {}) }).toString();
  const exported = new URLSearchParams({ format: 'hledger', division, ...(given.from ? { from: given.from } : {}),
    ...(given.as_of ? { to: given.as_of } : {}) }).toString();
  return (
    <>
      <PageHeader
        title="Trial balance"
        division={!columns.group}
        tabs={accountingTabs(may)}
        badges={report && <Checks checks={columns.group && columns.table ? columns.table.checks : report.checks} />}
        subtitle={report ? [`${columns.group ? 'All divisions, USD' : report.currency}, debits positive`,
          `As of ${formatDay(report.as_of)}`] : WAITING}
      >
        <StatementFiles statement="trial_balance" title="Trial balance" days={{ from: given.from, to: given.as_of }} />
        {may('ledger_account.view') && (
          <ButtonLink href={`/api/admin/staff/accounting/journal_export?${exported}`}>
            Export journal
          </ButtonLink>
        )}
      </PageHeader>
      <DatesOnPaper names={DATES} taken={report} />
      {report?.checks.some((check) => !check.ok) && (
        <PageContent fullWidth><FailedChecks checks={report.checks} /></PageContent>)}
      {columns.wanted && <ReportDates names={DATES} taken={report} after={<StatementFields group />} />}
      {columns.wanted ? <StatementColumns of={columns} /> : <DataTable
        label="Trial balance"
        variant="ledger"
        columns={columnsOf(report?.totals)}
        rows={rows}
        readPage={readPage}
        lead={<><DateFields names={DATES} taken={report} /><StatementFields group /></>}
        tools={<Checkbox label="Include accounts with no activity" value={all}
          onChange={(on) => set({ all: on ? 'true' : null })} />}
        rowKey={(row) => row.account_id}
        error={read.error}
        onRetry={() => void read.refetch()}
        rowHref={(row) => `/admin/accounting/general-ledger?account=${row.code}&${span}`}
        totalLabel="Total"
        empty={{ title: 'Nothing has been posted in these days' }}
      />}
    </>
  );
}
