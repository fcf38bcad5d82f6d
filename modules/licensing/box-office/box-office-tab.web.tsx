/** Box office of a production: what is due, what came in, what it earned; each report opens beside the list. */
import { spell } from '#kernel/text/english.ts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Columns, PageContent, Section } from '#web/layout/page-content.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { LicenseFrame } from '../licenses/license-frame.web.tsx';
import type { LicenseView } from '../licenses/license-view.web.ts';
import { dueWords } from '../words.web.ts';
import { boxOfficeEndpoints, type ReportDetail, type ReportRow } from './box-office.contract.ts';
import { ReportDrawer } from './report-drawer.web.tsx';
import { ReportForm } from './report-form.web.tsx';
import { periodWords, reportLook } from './report-words.web.ts';
import styles from '../licensing.module.css';

export default function BoxOfficeTab() {
  return <LicenseFrame>{(view) => <BoxOffice view={view} />}</LicenseFrame>;
}

const counts = (row: ReportRow) => row.status !== 'expected' && row.status !== 'replaced' && !row.held;
/** A report that is to replace another one counts in its place once it is accepted, never beside it. */
function sumOf(rows: readonly ReportRow[], part: (row: ReportRow) => number | null): bigint {
  const waiting = new Set(rows.flatMap((row) => (row.status === 'replaced' ? [] : row.replaced_by_id ?? [])));
  return rows.filter((row) => counts(row) && !waiting.has(row.id))
    .reduce((sum, row) => sum + BigInt(part(row) ?? 0), 0n);
}

function columnsOf(rows: readonly ReportRow[], on: string): readonly Column<ReportRow>[] {
  return [
    { id: 'period', header: 'Period', kind: 'title', cell: periodWords, width: 200 },
    { id: 'venue', header: 'Venue', kind: 'muted', cell: (row) => row.venue_name, width: 160 },
    { id: 'status', header: 'Status', kind: 'badge', width: 120, cell: (row) => (
      <Badge small tone={reportLook(row).tone}>{reportLook(row).label}</Badge>
    ) },
    { id: 'due', header: 'Due', width: 90, cell: (row) => (row.status === 'expected' || row.status === 'queried'
      ? <span className={row.overdue ? styles.late : undefined}>{dueWords(row.due_on, on)}</span> : null) },
    { id: 'questions', header: 'Questions', kind: 'number', cell: (row) => row.open_questions || '', width: 80 },
    { id: 'gross', header: spell`Gross receipts`, kind: 'money', width: 110,
      cell: (row) => (counts(row) || row.held ? row.gross_minor : null),
      total: sumOf(rows, (row) => row.gross_minor) },
    { id: 'earned', header: 'Royalty', kind: 'money', width: 100, cell: (row) => row.earned_minor,
      total: sumOf(rows, (row) => row.earned_minor) },
    { id: 'owed', header: 'To pay', kind: 'money', width: 100, cell: (row) => row.due_minor, total: sumOf(rows,
      (row) => row.due_minor) },
  ];
}

function BoxOffice({ view }: { view: LicenseView }) {
  const { license, place, on } = view;
  const may = useMay();
  const { values, set } = useQueryValues();
  const [form, setForm] = useState<{ expected?: ReportRow; report?: ReportDetail } | null>(null);
  const list = useList(boxOfficeEndpoints.listOfLicense, { params: { licenseId: license.id } },
    { perPage: 100, sortBy: 'period_to', sortDirection: 'asc' });
  const rows = list.rows ?? [];
  const waiting = !list.rows && !list.error;
  const unknown = waiting && <Skeleton width={72} height={20} />;
  const amount = (part: (row: ReportRow) => number | null) => unknown || formatAmount(sumOf(rows, part));
  const open = Number(values.get('report')) || null;
  const show = (id: number | null) => set({ report: id === null ? null : String(id) });
  const enters = may('license.update') && ['licensed', 'in_production', 'settlement', 'closed'].includes(license.phase);
  const correct = (report: ReportDetail) => setForm(report.status === 'expected' ? { expected: report } : { report });
  return (
    <Columns side={open !== null && (
      <ReportDrawer key={open} licenseId={license.id} reportId={open} onClose={() => show(null)} onCorrect={correct}
        invoiceHref={(id) => `${place.base}/invoices/${id}`} />
    )}>
      <PageContent record fullWidth>
        {(waiting || rows.length > 0) && (
          <StatStrip label="Box office" waiting={waiting} stats={[
            { label: spell`Gross receipts ${license.currency}`, value: amount((row) => row.gross_minor), strong: true },
            { label: 'Royalty earned', value: amount((row) => row.earned_minor) },
            { label: 'To pay', value: amount((row) => row.due_minor) },
            ...(license.advance ? [{ label: 'Unrecouped advance',
              value: formatAmount(license.advance.left_minor) }] : []),
            { label: 'Reports missing', value: unknown || rows.filter((row) => row.status === 'expected'
              && row.period_to < on).length,
              ...(rows.some((row) => row.overdue) ? { tone: 'error' as const } : {}) },
          ]} />
        )}
        <Section title="Reports" count={list.rows ? rows.length : undefined} right={enters && (
          <Button icon={<Glyph icon={Plus} />} onClick={() => setForm({})}>Enter report</Button>
        )}>
          <DataTable label="Box-office reports" variant="record" columns={columnsOf(rows, on)} rows={list.rows}
            rowKey={(row) => row.id}
            onOpen={(row) => show(row.id)} current={open} error={list.error} onRetry={list.onRetry} totalLabel="Total"
            empty={{ title: 'No reports yet',
              text: 'They are expected once the first performance has been played.' }} />
        </Section>
        {form && <ReportForm license={license} expected={form.expected ?? null} report={form.report ?? null}
          onClose={() => setForm(null)} onSaved={show} />}
      </PageContent>
    </Columns>
  );
}
