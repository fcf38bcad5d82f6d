/** Tasks left before a month is closed: each line checks itself and links to the screen with the work. */
import { bookPeriodInWords } from '#kernel/calendar/calendar.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay, formatInstant } from '#web/data/date-text.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { accountingTabs } from '#modules/accounting/accounting-tabs.ts';
import { auditorPackageEndpoints } from './auditor-package.contract.ts';
import { closeChecklistEndpoints, type CloseChecklist, type CloseItem } from './close-checklist.contract.ts';

const LOOKS: Record<CloseItem['state'], { tone: 'ok' | 'error' | 'warn' | 'outline'; label: string }> = {
  done: { tone: 'ok', label: 'Done' }, open: { tone: 'error', label: 'To do' },
  warning: { tone: 'warn', label: 'Look at it' }, none: { tone: 'outline', label: 'Not needed' },
};
const columns: readonly Column<CloseItem>[] = [
  { id: 'state', header: 'Status', kind: 'badge', fixed: true, width: 120,
    cell: (row) => <Badge tone={LOOKS[row.state].tone} small>{LOOKS[row.state].label}</Badge> },
  { id: 'title', header: 'Check', kind: 'title', cell: (row) => row.title, fixed: true, width: 360 },
  { id: 'detail', header: 'Remaining work', kind: 'muted', cell: (row) => row.detail, width: 400 },
  { id: 'done', header: 'Last done', kind: 'muted', width: 260,
    cell: (row) => row.done && `${row.done.by ?? 'Automatically'}, ${formatInstant(row.done.at)}` },
];

function stateOf(report: CloseChecklist): string {
  if (report.state === 'closed') {
    return `Closed by ${report.closed_by_name}, confirmed by ${report.confirmed_by_name}, ${
      formatInstant(report.closed_at)}`;
  }
  const { requested_by_name: asker } = report;
  if (asker !== null) return `${asker} asked to close it; another person confirms`;
  return report.open === 0 ? 'Ready to close' : `${report.open} to do`;
}

export default function CloseChecklistPage() {
  const may = useMay();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const period = values.get('period');
  // Never from before: whoever comes back from the work of a line finds it done.
  const read = useEndpoint(closeChecklistEndpoints.read, { query: { division,
    ...(period ? { period: Number(period) } : {}) } }, { staleTime: 0 });
  const report = read.data?.data;
  const readRows = useLoadedRows(report?.items ?? []);
  return (
    <>
      <PageHeader title="Close a month" division tabs={accountingTabs(may)}
        subtitle={report ? [`${formatDay(report.starts)} – ${formatDay(report.ends)}`, stateOf(report)]
          : 'Remaining work before a month can be closed'}>
        {report && may('ledger_account.view') && (
          <ButtonLink href={`${auditorPackageEndpoints.file.path}?${new URLSearchParams({ division,
            period: String(report.period) })}`} download={`books-${division.toLowerCase()}-${report.period}.zip`}>
            Auditor’s package
          </ButtonLink>)}
        {report && report.state !== 'closed' && may('transaction.update') && (
          <ButtonLink variant="primary"
            href={`/admin/accounting/periods?division=${division}&year=${Math.floor(report.period / 100)}`}>
            {`${report.requested_by_name === null ? 'Close' : 'Confirm'} ${bookPeriodInWords(report.period)}`}
          </ButtonLink>)}
      </PageHeader>
      <DataTable label="Checks before the close" columns={columns} rows={report?.items} readPage={readRows}
        rowKey={(row) => row.key} rowHref={(row) => row.href} error={read.isError ? read.error : null}
        onRetry={() => void read.refetch()}
        empty={{ title: 'No month yet', text: 'Months are made with the first posting of the division.' }}
        tools={report && <AsyncSelect label="Month" hideLabel value={report.period}
          options={report.periods.map((one) => ({ value: one, label: bookPeriodInWords(one) }))}
          onChange={(chosen) => set({ period: chosen === null ? null : String(chosen) })} />} />
    </>
  );
}
