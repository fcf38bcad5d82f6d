/** The run of a production: every performance with its state, set to performed,
  postponed or cancelled with a reason. */
import { useMemo, useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { TextField } from '#web/controls/field/text-field.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { ActionDialog, useFields } from '../../action-dialog.web.tsx';
import { LicenseFrame } from '../license-frame.web.tsx';
import type { LicenseView } from '../license-view.web.ts';
import { licenseEndpoints } from '../license.contract.ts';
import { clockWords, PERFORMANCE_STATUS_WORDS, PERFORMANCE_TYPE_WORDS, wordsOf } from '../../words.web.ts';
import { PERFORMANCE_TONES, PerformanceDay } from './performance-table.web.tsx';
import { performanceEndpoints, type PerformanceRow } from './performance.contract.ts';

type Status = PerformanceRow['status'];

export default function PerformancesTab() {
  return <LicenseFrame>{(view) => <Run view={view} />}</LicenseFrame>;
}

const columns: readonly Column<PerformanceRow>[] = [
  { id: 'ordinal', header: 'No.', kind: 'number', cell: (row) => row.ordinal ?? '', width: 50 },
  { id: 'date', header: 'Date', kind: 'title', cell: (row) => <PerformanceDay day={row.local_date} />, width: 160 },
  { id: 'time', header: 'Curtain', cell: (row) => clockWords(row.local_time), width: 90 },
  { id: 'venue', header: 'Venue', kind: 'muted', cell: (row) => row.venue_name, width: 220 },
  { id: 'type', header: 'Type', cell: (row) =>
    `${wordsOf(PERFORMANCE_TYPE_WORDS, row.type)}${row.is_free ? ', free' : ''}`, width: 120 },
  { id: 'status', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <Badge small tone={PERFORMANCE_TONES[row.status]}>{PERFORMANCE_STATUS_WORDS[row.status]}</Badge> },
  { id: 'reason', header: 'Reason', kind: 'muted', cell: (row) => row.cancel_reason, width: 180 },
  { id: 'fee', header: 'Fee', kind: 'money', cell: (row) => row.unit_fee_minor, width: 100 },
];

function Run({ view }: { view: LicenseView }) {
  const { license, on } = view;
  const may = useMay();
  const [change, setChange] = useState<{ row: PerformanceRow; status: Status } | null>(null);
  const rows = useMemo(() => [...license.performances ?? []]
    .sort((a, b) => a.starts_at.localeCompare(b.starts_at)), [license.performances]);
  const live = ['licensed', 'in_production', 'settlement'].includes(license.phase) && may('license.update');
  const count = (status: Status) => rows.filter((row) => row.status === status).length;
  const shown = live ? [...columns, { id: 'actions', header: 'Actions', kind: 'actions' as const, width: 44,
    cell: (row: PerformanceRow) => <RowMenu row={row} on={on} onChange={(status) => setChange({ row, status })} /> }]
      : columns;
  return (
    <PageContent record fullWidth>
      <StatStrip label="The run" stats={[
        { label: 'Performances', value: rows.length, strong: true }, { label: 'Planned', value: count('planned') },
        { label: 'Performed', value: count('performed') },
        ...(count('postponed') ? [{ label: 'Postponed', value: count('postponed') }] : []),
        ...(count('cancelled') ? [{ label: spell`Canceled`, value: count('cancelled'), tone: 'error' as const }] : []),
      ]} />
      <Section>
        <DataTable label="The run" variant="record" columns={shown} rows={rows} rowKey={(row) => row.id}
          empty={{ title: 'No performances', text: 'They are entered with the venue while it is a quote.' }} />
      </Section>
      {change && <StatusDialog {...change} licenseId={license.id} onClose={() => setChange(null)} />}
    </PageContent>
  );
}

function RowMenu({ row, on, onChange }: { row: PerformanceRow; on: string; onChange: (status: Status) => void }) {
  const tooSoon = row.local_date > on ? 'It has not been played yet' : undefined;
  return (
    <ActionMenu label={`Actions for ${formatDay(row.local_date)}`} actions={[
      ...(row.status !== 'performed' ? [{ label: 'It was performed', reason: tooSoon, onSelect: () =>
        onChange('performed') }] : []),
      ...(row.status !== 'postponed' && row.status !== 'cancelled'
        ? [{ label: 'Postponed', onSelect: () => onChange('postponed') }] : []),
      ...(row.status !== 'planned' ? [{ label: 'Planned again', onSelect: () => onChange('planned') }] : []),
      ...(row.status !== 'cancelled' ? [{ label: spell`Canceled`, danger: true, divided: true, onSelect: () =>
        onChange('cancelled') }] : []),
    ]} />
  );
}

function StatusDialog({ row, status, licenseId,
  onClose }: { row: PerformanceRow; status: Status; licenseId: number; onClose: () => void }) {
  const action = useAction(performanceEndpoints.update, { refresh: [licenseEndpoints.show], onFailure: () => undefined,
    onDone: onClose, done: 'Saved' });
  const { values, field } = useFields({ reason: '' }, action.failure);
  const asks = status === 'cancelled' || status === 'postponed';
  const word = PERFORMANCE_STATUS_WORDS[status]?.toLowerCase() ?? status;
  return (
    <ActionDialog title={`${formatDay(row.local_date, 'weekday')}: ${word}`} submit={`Set to ${word}`}
      danger={status === 'cancelled'}
      action={action} onClose={onClose} known={['reason']}
        reason={asks && !values.reason.trim() ? 'Give a reason' : undefined}
      text={asks ? spell`To change the fee with it, amend the license instead.` : undefined}
      onSubmit={() => void action.run({ params: { licenseId, id: row.id }, body: { version: row.version, status,
        ...(asks ? { reason: values.reason } : {}) } })}>
      {asks && <TextField label="Reason" required rows={2} {...field('reason')} />}
    </ActionDialog>
  );
}
