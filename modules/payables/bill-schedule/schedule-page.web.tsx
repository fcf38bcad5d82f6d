/** One recurring bill: its days, its drafts and its lines; and the page that adds one, from a bill or from nothing. */
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { today } from '#web/data/local-day.ts';
import { Money } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { DIVISION_CURRENCY, divisionAndCurrency, useDivision } from '#web/layout/division.ts';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useIdParam, useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { BILLS, STATE_LABELS } from '../bill/bill-words.web.tsx';
import { billEndpoints } from '../bill/bill.contract.ts';
import { billScheduleEndpoints, type BillScheduleDay, type BillScheduleDetail, type BillScheduleLine }
  from './bill-schedule.contract.ts';
import { emptySchedule, scheduleDraftOf, scheduleOfBill } from './schedule-draft.web.ts';
import { ScheduleForm } from './schedule-form.web.tsx';
import { everyWords, scheduleBadge, SCHEDULES, untilWords } from './schedule-words.web.tsx';

export function ScheduleCreate() {
  const { go } = useNavigation();
  const [division] = useDivision();
  const from = Number(useQueryValues().values.get('bill_id'));
  const read = useEndpoint(billEndpoints.show, { params: { id: from } }, { enabled: from > 0 });
  const bill = from > 0 ? read.data?.data : undefined;
  const isWaiting = from > 0 && !bill && !read.isError;
  return (
    <>
      <PageHeader title="New recurring bill" back={SCHEDULES} subtitle={bill ? `As ${bill.number}`
        : 'A draft is made on each day; another person approves it as any bill'} />
      <PageContent record>
        {isWaiting ? <Skeleton width={420} height={18} /> : (
          <ScheduleForm schedule={null} vendorName={bill?.vendor_name} initial={bill ? scheduleOfBill(bill, today())
            : emptySchedule(division, DIVISION_CURRENCY[division] as 'USD', today())}
          onSaved={(saved) => { toast(`${saved.name} saved`); go(`${SCHEDULES}/${saved.id}`, { replace: true }); }} />)}
      </PageContent>
    </>
  );
}

export function SchedulePage() {
  const may = useMay();
  const id = useIdParam('billScheduleId');
  const [isEditing, setEditing] = useState(false);
  const read = useEndpoint(billScheduleEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun="recurring bill" list={SCHEDULES} error={read.error}
      onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Recurring bill'} back={SCHEDULES} waiting={!row}
        activity={row && { entity: 'bill_schedule', id: row.id }} badges={row && scheduleBadge(row)}
        subtitle={row && [may('vendor.show') ? <AppLink key="vendor" className="gr-link"
          href={`/admin/vendors/${row.vendor_id}`}>{row.vendor_name}</AppLink> : row.vendor_name,
        everyWords(row), divisionAndCurrency(row)]}>
        {row && may('bill.update') && row.status !== 'ended' && (
          <Actions row={row} isEditing={isEditing} onEdit={setEditing} />)}
      </PageHeader>
      {!row && <PageContent record><Skeleton width={420} height={18} /></PageContent>}
      {row && isEditing && (
        <PageContent record>
          <ScheduleForm schedule={row} initial={scheduleDraftOf(row)} vendorName={row.vendor_name}
            onSaved={(saved) => { toast(`${saved.name} saved`); setEditing(false); void read.refetch(); }} />
        </PageContent>)}
      {row && !isEditing && <Body row={row} />}
    </>
  );
}

interface ActionsProps { row: BillScheduleDetail; isEditing: boolean; onEdit: (editing: boolean) => void }

function Actions({ row, isEditing, onEdit }: ActionsProps) {
  const [isEnding, setEnding] = useState(false);
  const args = { params: { id: row.id }, body: { version: row.version } };
  const refresh = [billScheduleEndpoints.list];
  const pause = useAction(billScheduleEndpoints.pause, { done: `${row.name} is paused`, refresh });
  const resume = useAction(billScheduleEndpoints.resume, { done: `${row.name} goes on`, refresh });
  const skip = useAction(billScheduleEndpoints.skip, { done: `${formatDay(row.next_on)} is skipped`, refresh });
  const end = useAction(billScheduleEndpoints.end, { done: `${row.name} has ended`, refresh });
  return (
    <>
      {row.status === 'active'
        ? <Button pending={pause.pending} onClick={() => void pause.run(args)}>Pause</Button>
        : <Button variant="primary" pending={resume.pending} onClick={() => void resume.run(args)}>Resume</Button>}
      <Button onClick={() => onEdit(!isEditing)}>{isEditing ? 'Stop editing' : 'Edit'}</Button>
      <ActionMenu label={`Actions of ${row.name}`} actions={[
        ...(row.status === 'active' ? [{ label: `Skip ${formatDay(row.next_on)}`,
          onSelect: () => void skip.run(args) }] : []),
        { label: 'End', danger: true, divided: true, onSelect: () => setEnding(true) }]} />
      <ConfirmDialog open={isEnding} title={`End ${row.name}`} confirm="End recurring bill" danger
        text="No more drafts are made. Drafts and bills that were made stay." pending={end.pending}
        onCancel={() => setEnding(false)} onConfirm={() => void end.run(args).finally(() => setEnding(false))} />
    </>
  );
}

function Body({ row }: { row: BillScheduleDetail }) {
  const may = useMay();
  return (
    <PageContent record fullWidth>
      {row.failure !== null && (
        <Callout tone="warn" title={`The bill of ${formatDay(row.next_on)} was not made`}>
          {`${row.failure}. We try again every hour. Mend the cause, change the recurring bill, or skip the day.`}
        </Callout>)}
      {row.status === 'paused' && (
        <Callout tone="info" title="Paused">Days that pass before it is resumed are left out.</Callout>)}
      <Section title="About this recurring bill">
        <KeyValue facts={[
          { label: 'Next bill', value: row.next_on === null ? 'None' : formatDay(row.next_on) },
          { label: 'Repeats', value: `${everyWords(row)}, from ${formatDay(row.starts_on)}` },
          { label: 'Ends', value: untilWords(row) },
          { label: `Net of each, ${row.currency}`, value: <Money minor={row.net_minor} /> },
          { label: 'Bills made', value: row.made_count === 0 ? '0' : <AppLink className="gr-link"
            href={`${BILLS}?schedule_id=${row.id}`}>{row.made_count}</AppLink> },
          row.created_by_name !== null && { label: 'Added by', value: row.created_by_name },
          row.last_changed_by_name !== null && { label: 'Changed by', value: row.last_changed_by_name },
          row.memo !== '' && { label: 'Note', value: row.memo },
        ]} />
      </Section>
      {row.coming.length > 0 && (
        <Section title="Days to come" count={row.coming.length}>
          <p>{row.coming.map((day) => formatDay(day)).join(' · ')}</p>
        </Section>)}
      <Section title="Lines of each bill" count={row.lines.length}>
        <DataTable label="Lines" variant="record" columns={lineColumns} rows={row.lines} rowKey={(line) => line.id} />
      </Section>
      <Section title="Bills made" count={row.days.length}>
        <DataTable label="Bills made" variant="record" columns={dayColumns} rows={row.days}
          rowKey={(day) => day.on} empty={{ title: 'None yet', text: row.status === 'active'
            ? `The first draft is made on ${formatDay(row.next_on)}.` : 'No draft was made.' }} />
        {may('bill.list') && row.days.length === 100 && (
          <ButtonLink href={`${BILLS}?schedule_id=${row.id}`}>See all</ButtonLink>)}
      </Section>
    </PageContent>
  );
}

const lineColumns: readonly Column<BillScheduleLine>[] = [
  { id: 'description', header: 'Description', kind: 'title', cell: (row) => row.description, fixed: true, width: 240 },
  { id: 'account', header: 'Account', kind: 'text', cell: (row) => row.account, width: 220 },
  { id: 'for', header: 'For', kind: 'muted', width: 200, cell: (row) => [row.show_title, row.license_number,
    row.material_name].filter((part) => part !== null).join(' · ') },
  { id: 'net', header: 'Net', kind: 'money', cell: (row) => BigInt(row.net_minor), width: 120 },
  { id: 'code', header: 'Tax code', kind: 'muted', cell: (row) => row.tax_code, width: 170 },
];

const dayColumns: readonly Column<BillScheduleDay>[] = [
  { id: 'on', header: 'Day', kind: 'date', cell: (row) => row.on, fixed: true, width: 130 },
  { id: 'bill', header: 'Bill', kind: 'title', width: 220, cell: (row) => (row.bill_id === null
    ? row.is_skipped ? 'Skipped' : 'Draft deleted'
    : <AppLink className="gr-link" href={`${BILLS}/${row.bill_id}`}>{row.number}</AppLink>) },
  { id: 'state', header: 'Status', kind: 'muted', cell: (row) => row.state && STATE_LABELS[row.state], width: 150 },
  { id: 'total', header: 'Total', kind: 'money', cell: (row) => (row.total_minor === null ? null
    : BigInt(row.total_minor)), width: 130 },
];
