/** One form of the year: its layout, who gets it, and the steps of its filings. */
import { Download, History } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { FileForm } from './file-forms.web.tsx';
import { FormDrawer } from './form-drawer.web.tsx';
import { LayoutForm } from './layout-form.web.tsx';
import { STATUS_WORDS } from './year-end-words.web.ts';
import { yearEndEndpoints, type FilingRow, type YearEndFormRow, type YearEndReport, type YearEndSection }
  from './year-end.contract.ts';
import styles from './year-end.module.css';

const RecordActivity = lazy(() => import('#web/data/record-activity.tsx'));
const STALE = [approvalEndpoints.list, yearEndEndpoints.report];
const TONES = { draft: 'outline', prepared: 'warn', filed: 'ok' } as const;

function columnsOf(section: YearEndSection): readonly Column<YearEndFormRow>[] {
  const boxes = section.totals.map(({ box, head, amount_minor }): Column<YearEndFormRow> => ({ id: `box_${box}`,
    header: head, kind: 'money', width: 150, total: BigInt(amount_minor),
    cell: (row) => BigInt(row.boxes.find((one) => one.box === box)?.amount_minor ?? 0) }));
  return [
    { id: 'name', header: 'Recipient', kind: 'title', cell: (row) => row.name, fixed: true, width: 240 },
    { id: 'tin', header: 'Tax number', kind: 'code', cell: (row) => row.tin_last4 && `…${row.tin_last4}`, width: 100 },
    { id: 'country', header: 'Country', kind: 'muted', cell: (row) => row.country, width: 80 },
    ...(section.form === '1042_s' ? [{ id: 'rate', header: 'Rate', kind: 'number' as const, width: 80,
      cell: (row: YearEndFormRow) => (row.rate_ppm === null ? '' : `${row.rate_ppm / 10_000}%`) }] : []),
    ...boxes,
    { id: 'kind', header: 'Kind', kind: 'muted', width: 120,
      cell: (row) => (row.kind === 'correction' ? 'Correction' : 'Original') },
    { id: 'state', header: 'Status', kind: 'badge', width: 130,
      cell: (row) => <Badge tone={TONES[row.status]} small>{STATUS_WORDS[row.status]}</Badge> },
  ];
}

export function FormSection({ report, section }: { report: YearEndReport; section: YearEndSection }) {
  const readRows = useLoadedRows(section.rows);
  const [open, setOpen] = useState<YearEndFormRow | null>(null);
  return (
    <Section title={section.title} count={section.rows.length}
      right={<FormActions report={report} section={section} />}>
      <div className={styles.stack}>
        <Unverified section={section} year={report.year} />
        {section.filings.length > 0 && section.next > 0 && (
          <Callout tone="warn" title={section.next === 1 ? '1 form differs from what was filed'
            : `${section.next} forms differ from what was filed`}>
            Prepare the corrections. They are listed beside the forms that were filed.
          </Callout>)}
        {section.filings.map((filing) => <Filing key={filing.id} filing={filing} />)}
        <DataTable label={`${section.title} forms`} columns={columnsOf(section)} rows={section.rows} readPage={readRows}
          variant="record" rowKey={(row) => row.key} onOpen={setOpen} current={open?.key} totalLabel="Total"
          empty={{ title: 'No form is due', text: 'Payments of the year that reach the threshold appear here by '
            + 'recipient.' }} />
      </div>
      {open && <FormDrawer row={open} currency={report.currency} onClose={() => setOpen(null)} />}
    </Section>
  );
}

/** The heads of the CSV until somebody has compared them with the form of the year. */
function Unverified({ section: { layout, title }, year }: { section: YearEndSection; year: number }) {
  const may = useMay();
  const [editing, setEditing] = useState(false);
  const confirm = useAction(yearEndEndpoints.confirmLayout, { refresh: STALE, done: 'Layout confirmed' });
  if (layout === null) return null;
  const own = layout.tax_year === year;
  if (own && layout.confirmed_at !== null) return null;
  return (
    <>
      <Callout tone="warn" title={`The layout of the file is unverified for ${year}`} action={may('transaction.update')
        && <>
          {own && <Button size="small" pending={confirm.pending} onClick={() => void confirm.run({
            params: { id: layout.id }, body: { version: layout.version } })}>Confirm layout</Button>}
          <Button size="small" onClick={() => setEditing(true)}>Compare heads</Button>
        </>}>
        {`Compare the heads with ${title} as it is published for the year, change what differs, and confirm.`}
      </Callout>
      {editing && <LayoutForm layout={layout} year={year} title={title} onClose={() => setEditing(false)} />}
    </>
  );
}

function FormActions({ report, section }: { report: YearEndReport; section: YearEndSection }) {
  const may = useMay();
  const [activity, setActivity] = useState<number | null>(null);
  const { division, year } = report;
  const { form, filings } = section;
  const prepare = useAction(yearEndEndpoints.prepare, { refresh: STALE, done: 'Forms prepared' });
  const waits = filings.some((one) => one.status === 'prepared');
  const file = `${yearEndEndpoints.export.path}?${new URLSearchParams({ division, year: String(year), form })}`;
  const whole = may('transaction.update') && may('royaltor.update') && may('vendor.update');
  return (
    <>
      {may('transaction.update') && !waits && (
        <Button size="small" reason={section.blocked ?? undefined} pending={prepare.pending}
          onClick={() => void prepare.run({ body: { division, year, form } })}>
          {filings.length === 0 ? 'Prepare forms' : 'Prepare corrections'}
        </Button>)}
      <ActionMenu label={`Files of ${section.title}`} actions={[
        { label: 'All forms, tax numbers masked (CSV)', icon: Download, onSelect: () => window.location.assign(file) },
        ...(whole ? filings.map((one) => ({ icon: Download, label: one.sequence === 0 ? 'Forms to file (CSV)'
          : `Corrections ${one.sequence} to file (CSV)`, onSelect: () => window.location.assign(
          yearEndEndpoints.irsFile.path.replace('{id}', String(one.id))) })) : []),
        ...filings.map((one) => ({ icon: History, onSelect: () => setActivity(one.id),
          label: one.sequence === 0 ? 'Activity of the filing' : `Activity of corrections ${one.sequence}` })),
      ]} />
      {activity !== null && (
        <Suspense fallback={null}>
          <RecordActivity record={{ entity: 'year_end_filing', id: activity }} onClose={() => setActivity(null)} />
        </Suspense>)}
    </>
  );
}

function Filing({ filing }: { filing: FilingRow }) {
  const may = useMay();
  const user = useCurrentUser();
  const [asking, setAsking] = useState(false);
  const waits = filing.status === 'prepared';
  const forms = filing.forms === 1 ? '1 form' : `${filing.forms} forms`;
  return (
    <>
      <KeyValue facts={[
        { label: filing.sequence === 0 ? 'Filing' : `Corrections ${filing.sequence}`,
          value: [forms, `layout revision ${filing.layout_revision}`, !filing.layout_confirmed && 'unverified']
            .filter(Boolean).join(', ') },
        { label: 'Prepared by', value: <>{filing.prepared_by_name}, <DateText value={filing.prepared_at} /></> },
        filing.filed_at !== null && { label: 'Filed by',
          value: <>{filing.filed_by_name}, <DateText value={filing.filed_at} /></> },
        filing.receipt !== '' && { label: 'Receipt', value: filing.receipt },
      ]} />
      {waits && may('transaction.update') && (
        <div className={styles.foot}>
          <DeclineButton endpoint={yearEndEndpoints.withdraw} params={{ id: filing.id }} label="Withdraw"
            body={{ version: filing.version }} title="Year-end forms" refresh={STALE}
            text="Nothing is filed. The forms can be prepared again." />
          <Button variant="primary" size="small" onClick={() => setAsking(true)}
            reason={user?.id === filing.prepared_by_id ? 'You prepared them. Another person marks them filed.'
              : undefined}>Mark filed</Button>
        </div>)}
      {asking && <FileForm filing={filing} refresh={STALE} onClose={() => setAsking(false)} />}
    </>
  );
}

