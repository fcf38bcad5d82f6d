/** Performances of one venue: date, curtain by the venue's clock, type, house, box office, fee. */
import { bandsOfType } from '#kernel/pricing/price-bands.ts';
import { Plus, Repeat } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useAction } from '#web/query/use-action.ts';
import { boxOfficeEndpoints, type ReportRow } from '../../box-office/box-office.contract.ts';
import type { LicenseView } from '../license-view.web.ts';
import { licenseEndpoints } from '../license.contract.ts';
import type { LicenseVenueRow } from '../venues/license-venue.contract.ts';
import { clockWords, PERFORMANCE_STATUS_WORDS, PERFORMANCE_TYPE_WORDS, plainWords, wordsOf,
  zoneWords } from '../../words.web.ts';
import { PerformanceDialog } from './performance-dialog.web.tsx';
import { performanceEndpoints, type PerformanceRow } from './performance.contract.ts';
import { SeriesDialog } from './series-dialog.web.tsx';
import styles from '../../licensing.module.css';

/** 'Thu  Feb 11, 2027' with the weekday in a column of its own. */
export function PerformanceDay({ day }: { day: string }) {
  const words = formatDay(day, 'weekday');
  return <time dateTime={day}><span className={styles.weekday}>{words.slice(0, 3)}</span>{words.slice(5)}</time>;
}

/** Box-office status of a performance: the due date of its report, or the reported takings. */
function boxOffice(row: PerformanceRow, reports: readonly ReportRow[]): string {
  const report = reports.find((one) => one.performance_id === row.id)
    ?? reports.find((one) => one.performance_id === null && one.status !== 'replaced'
      && one.period_from <= row.local_date
      && row.local_date <= one.period_to && (one.license_venue_id ?? row.license_venue_id) === row.license_venue_id);
  if (!report || row.status === 'cancelled') return '';
  if (report.status === 'expected') return report.due_on ? `Due ${formatDay(report.due_on, 'short')}` : 'Due';
  return report.performance_id === row.id ? formatAmount(report.gross_minor) : plainWords(report.status);
}

export const PERFORMANCE_TONES = { performed: 'ok', cancelled: 'error', postponed: 'warn',
  planned: 'neutral' } as const;

function columnsOf(rows: readonly PerformanceRow[], venue: LicenseVenueRow,
  reports: readonly ReportRow[]): Column<PerformanceRow>[] {
  const played = rows.filter((row) => row.status === 'planned' || row.status === 'performed');
  const houseOf = (type: string): number => bandsOfType(venue.ticketing, type).rows
    .reduce((sum, row) => sum + row.number_of_seats, 0) || (venue.capacity ?? 0);
  const house = played.reduce((sum, row) => sum + houseOf(row.type), 0);
  const fees = played.every((row) => row.unit_fee_minor === null) ? undefined
    : played.reduce((sum, row) => sum + BigInt(row.unit_fee_minor ?? 0), 0n);
  const seatsOf = (row: PerformanceRow) => {
    const seats = row.status === 'cancelled' ? 0 : houseOf(row.type);
    return seats ? seats.toLocaleString('en-US') : '';
  };
  const states = rows.some((row) => row.status !== 'planned');
  return [
    { id: 'ordinal', header: 'No.', kind: 'number', cell: (row) => row.ordinal ?? '', width: 44 },
    { id: 'date', header: 'Date', kind: 'date', cell: (row) => <PerformanceDay day={row.local_date} />, width: 150,
      total: `${played.length} ${played.length === 1 ? 'performance' : 'performances'}` },
    { id: 'curtain', header: 'Curtain', cell: (row) => clockWords(row.local_time), width: 90 },
    { id: 'type', header: 'Type', width: 130,
      cell: (row) => `${wordsOf(PERFORMANCE_TYPE_WORDS, row.type)}${row.is_free ? ', free' : ''}` },
    ...(states ? [{ id: 'status', header: 'Status', kind: 'badge' as const, width: 100, cell: (row: PerformanceRow) => (
      <Badge small tone={PERFORMANCE_TONES[row.status]} title={row.cancel_reason
        ?? undefined}>{PERFORMANCE_STATUS_WORDS[row.status]}</Badge>
    ) }] : []),
    { id: 'seats', header: 'Seats', kind: 'number', cell: seatsOf, width: 80,
      total: house ? house.toLocaleString('en-US') : '' },
    ...(reports.length > 0 ? [{ id: 'report', header: 'Box office', kind: 'muted' as const, width: 110,
      cell: (row: PerformanceRow) => boxOffice(row, reports) }] : []),
    { id: 'fee', header: 'Fee', kind: 'money', cell: (row) => row.unit_fee_minor, width: 100, total: fees },
  ];
}

export function PerformanceTable({ view, venue }: { view: LicenseView; venue: LicenseVenueRow }) {
  const { license } = view;
  const may = useMay();
  const [series, setSeries] = useState(false);
  const [dialog, setDialog] = useState<PerformanceRow | 'new' | null>(null);
  const remove = useAction(performanceEndpoints.remove, { refresh: [licenseEndpoints.show],
    done: 'Performance removed' });
  const rows = (license.performances ?? []).filter((row) => row.license_venue_id === venue.id);
  const reported = useEndpoint(boxOfficeEndpoints.listOfLicense, { params: { licenseId: license.id },
    query: { per_page: 100, sort_by: 'period_to' } }, { enabled: view.place.kind === 'production' });
  const reports = reported.data?.data ?? [];
  const draft = license.phase === 'draft';
  const edits = draft && may('license.update');
  const columns: readonly Column<PerformanceRow>[] = edits ? [...columnsOf(rows, venue, reports),
    { id: 'actions', header: 'Actions', kind: 'actions', width: 40, cell: (row) => (
      <ActionMenu label={`Actions for ${formatDay(row.local_date)}`} actions={[
        { label: 'Change', onSelect: () => setDialog(row) },
        { label: 'Remove', danger: true,
          onSelect: () => void remove.run({ params: { licenseId: license.id, id: row.id } }) },
      ]} />
    ) }] : columnsOf(rows, venue, reports);
  return (
    <>
      <div className={styles.subhead}>
        <h3>Performances<span className={styles.count}>{rows.length}</span></h3>
        <span className={styles.muted}>Times in {zoneWords(venue.time_zone)}</span>
        {edits && <Button icon={<Glyph icon={Repeat} />} onClick={() => setSeries(true)}>Add weekly run</Button>}
        {edits && <Button icon={<Glyph icon={Plus} />} onClick={() => setDialog('new')}>Add performance</Button>}
      </div>
      <DataTable label={`Performances at ${venue.name}`} variant="record" columns={columns} rows={rows}
        rowKey={(row) => row.id} totalLabel=" "
        empty={{ title: 'No performances yet', text: 'Dates decide whether the rights are free.' }} />
      {series && <SeriesDialog license={license} venue={venue} onClose={() => setSeries(false)} />}
      {dialog && <PerformanceDialog license={license} venue={venue} onClose={() => setDialog(null)}
        performance={dialog === 'new' ? undefined : dialog} />}
    </>
  );
}
