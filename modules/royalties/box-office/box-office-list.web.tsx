/** Box-office reports of a division: what is missing, what asks for an answer, what was earned. */
import { spell } from '#kernel/text/english.ts';
import {
  boxOfficeBulk, boxOfficeEndpoints, type ReportRow,
} from '#modules/licensing/box-office/box-office.contract.ts';
import { ReportDrawer } from '#modules/licensing/box-office/report-drawer.web.tsx';
import { periodWords, reportLook, REPORT_LOOKS } from '#modules/licensing/box-office/report-words.web.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useDivision } from '#web/layout/division.ts';
import { Columns } from '#web/layout/page-content.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { SalesHeader, stateFilter } from '../royalty-list.web.tsx';
import { FLAG_WORDS, invoiceHref, productionHref } from './report-places.web.ts';

const reported = (row: ReportRow) => row.status !== 'expected';

const columns: readonly Column<ReportRow>[] = [
  { id: 'period_to', header: 'Period', kind: 'title', cell: periodWords, sort: true, fixed: true, width: 190 },
  { id: 'title', header: 'Production', kind: 'text', cell: (row) => row.title, width: 190 },
  { id: 'customer', header: 'Customer', kind: 'muted', cell: (row) => row.customer_name, width: 190 },
  { id: 'license', header: spell`License`, kind: 'code', cell: (row) => row.license_number, width: 140 },
  { id: 'venue', header: 'Venue', kind: 'muted', cell: (row) => row.venue_name, width: 150, hidden: true },
  { id: 'status', header: 'Status', kind: 'badge', width: 120, cell: (row) => (
    <Badge small tone={reportLook(row).tone}>{reportLook(row).label}</Badge>) },
  { id: 'due_on', header: 'Due', kind: 'date', sort: true, width: 115,
    cell: (row) => (row.status === 'expected' || row.status === 'queried' ? row.due_on : null) },
  { id: 'questions', header: 'Questions', kind: 'number', cell: (row) => row.open_questions || '', width: 85 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'gross_minor', header: spell`Gross receipts`, kind: 'money', sort: true, width: 120,
    cell: (row) => (reported(row) ? row.gross_minor : null) },
  { id: 'earned', header: 'Royalty', kind: 'money', cell: (row) => row.earned_minor, width: 110 },
  { id: 'due', header: 'To pay', kind: 'money', cell: (row) => row.due_minor, width: 110 },
];
const filters = [
  stateFilter(REPORT_LOOKS),
  { name: 'flag', label: 'Attention', options: optionsOf(FLAG_WORDS) },
  { name: 'due_from', label: 'Due', verb: 'from', kind: 'date' as const },
  { name: 'due_to', label: 'Due', verb: 'until', kind: 'date' as const },
];

export default function BoxOfficeList() {
  const may = useMay();
  const { go } = useNavigation();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const list = useList(boxOfficeEndpoints.list, { query: { division } },
    { filters: ['status', 'flag', 'due_from', 'due_to', 'license_id'], bulk: boxOfficeBulk });
  const reportId = Number(values.get('report')) || null;
  const row = list.rows?.find((one) => one.id === reportId);
  const opens = may('license.show');
  return (
    <>
      <SalesHeader division subtitle="Box-office reports of every production">
        {may('import.create') && <ButtonLink href="/admin/imports">Import reports</ButtonLink>}
      </SalesHeader>
      <Columns side={row && opens && (
        <ReportDrawer key={row.id} licenseId={row.license_id} reportId={row.id} invoiceHref={invoiceHref}
          onClose={() => set({ report: null })} onCorrect={() => go(productionHref(row))} />
      )}>
        <DataTable label="Box-office reports of the division" {...list} columns={columns} filters={[...filters,
            { name: 'license_id', label: spell`License`, linked: { name: list.rows?.[0]?.license_number } }]}
          rowKey={(one) => one.id} current={row?.id ?? null} searchPlaceholder={spell`License, production or customer`}
          {...(opens ? { onOpen: (one: ReportRow) => set({ report: String(one.id) }) } : {})}
          empty={{ title: 'No reports yet',
            text: 'A report is expected once the first performance of a production has been played.' }} />
      </Columns>
    </>
  );
}
