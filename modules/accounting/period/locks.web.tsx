/** Lock dates of the sub-ledgers, set by two persons, and who may post behind them for a time. */
import { useState } from 'react';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Approvers } from '#web/data/approvers.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { toast } from '#web/data/toast.tsx';
import { useDivision, type Division } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { accountingTabs } from '../accounting-tabs.ts';
import { partySource } from '../transaction/party-source.web.ts';
import { LOCK_LABELS } from './lock-labels.ts';
import { periodLockEndpoints, type EXCEPTED_LOCKS } from './period-lock.contract.ts';

type Lock = ResponseOf<typeof periodLockEndpoints.list>['data'][number];
type Exception = ResponseOf<typeof periodLockEndpoints.exceptions>['data'][number];
const CHOICES = (['sales', 'purchase', 'tax', 'bank', 'period'] as const)
  .map((value) => ({ value, label: LOCK_LABELS[value] }));

/** Each division has a lock date of each, and one for everything. */
const SUB_LEDGERS = 5;

export default function Locks() {
  const may = useMay();
  const [division] = useDivision();
  const [open, setOpen] = useState<Lock | 'exception' | null>(null);
  const locks = useEndpoint(periodLockEndpoints.list, { query: { division } });
  const edit = may('transaction.update');
  return (
    <>
      <PageHeader title="Locks" division tabs={accountingTabs(may)}
        subtitle="Nothing is posted on or before a lock date; setting one takes two people" />
      <PageContent fullWidth>
        <Section title="Lock dates">
          <DataTable label="Lock dates" variant="record" rows={locks.data?.data} expectedRows={SUB_LEDGERS}
            rowKey={(row) => row.sub_ledger}
            columns={edit ? [...lockColumns, actions(setOpen)] : lockColumns}
            error={locks.isError ? locks.error : null} onRetry={() => void locks.refetch()} />
        </Section>
        <Exceptions division={division} edit={edit} onAdd={() => setOpen('exception')} />
      </PageContent>
      {open === 'exception' && <ExceptionForm division={division} onClose={() => setOpen(null)} />}
      {open !== null && open !== 'exception' && <LockForm lock={open} onClose={() => setOpen(null)} />}
    </>
  );
}

const lockColumns: readonly Column<Lock>[] = [
  { id: 'what', header: 'What', kind: 'title', cell: (row) => LOCK_LABELS[row.sub_ledger], fixed: true, width: 220 },
  { id: 'through', header: 'Locked through', kind: 'date', cell: (row) => row.locked_through, width: 150 },
  { id: 'reason', header: 'Reason', kind: 'muted', cell: (row) => row.reason, width: 240 },
  { id: 'request', header: 'Asked for', width: 300, cell: (row) => row.requested && (
    <>
      <Badge tone="brass" small>{`${row.requested_by_name ?? ''}: ${row.requested_through === null ? 'lift it'
        : `through ${formatDay(row.requested_through)}`}`}</Badge>
      {' '}<Approvers endpoint={approvalEndpoints.approvers} kind="lock_date" askedById={row.requested_by_id} />
    </>) },
];

function actions(onSet: (row: Lock) => void): Column<Lock> {
  return { id: 'act', header: 'Action', kind: 'actions', width: 250,
    cell: (row) => <LockActions row={row} onSet={onSet} /> };
}

const OWN = 'You asked for this. Someone else must confirm it.';

function LockActions({ row, onSet }: { row: Lock; onSet: (row: Lock) => void }) {
  const user = useCurrentUser();
  const confirm = useAction(periodLockEndpoints.set, { done: 'Lock date set' });
  const mine = row.requested_by_id !== null && row.requested_by_id === user?.id;
  return (
    <>
      {row.requested && (
        <Button size="small" pending={confirm.pending}
          reason={mine ? OWN : undefined}
          onClick={() => void confirm.run({ body: { division: row.division,
            ...(row.request_id !== null && { request_id: row.request_id }),
            [`${row.sub_ledger}_through`]: row.requested_through } })}>Confirm</Button>
      )}
      {row.request_id !== null && (
        <DeclineButton endpoint={periodLockEndpoints.decline} params={{ id: row.request_id }} body={{}}
          title={LOCK_LABELS[row.sub_ledger]} reason={mine ? OWN : undefined}
          refresh={[periodLockEndpoints.list, approvalEndpoints.list]}
          text="The lock stays as it is. The person who asked sees the reason." />)}
      <Button size="small" variant="quiet" onClick={() => onSet(row)}>Change</Button>
    </>
  );
}

function LockForm({ lock, onClose }: { lock: Lock; onClose: () => void }) {
  const refresh = useRefresh([periodLockEndpoints.list]);
  const name = `${lock.sub_ledger}_through`;
  const form = useResourceForm({
    initial: { [name]: lock.locked_through, reason: '' } as Record<string, string | null>,
    submit: (values) => call(periodLockEndpoints.set, { body: { division: lock.division,
      [name]: values[name] ?? null, reason: values.reason ?? '' } }),
    onSaved: () => { toast('Request sent: another person has to confirm it'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Lock: ${LOCK_LABELS[lock.sub_ledger].toLowerCase()}`}>
      <FormFrame form={form} aria-label="Lock date">
        <DateField label="Locked through" value={form.values[name] ?? null} error={form.errors[name]}
          onChange={(day) => form.set(name, day)}
          caption={lock.sub_ledger === 'hard' ? 'It only ever moves forward.' : 'Empty lifts the lock.'} />
        <TextField label="Reason" value={form.values.reason ?? ''} error={form.errors.reason}
          onChange={(reason) => form.set('reason', reason)} />
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Ask for it</Button></FormActions>
      </FormFrame>
    </Modal>
  );
}

function Exceptions({ division, edit, onAdd }: { division: Division; edit: boolean; onAdd: () => void }) {
  const read = useEndpoint(periodLockEndpoints.exceptions, { query: { division } });
  const revoke = useAction(periodLockEndpoints.revoke, { done: 'Ended' });
  const columns: readonly Column<Exception>[] = [
    { id: 'who', header: 'Who', kind: 'title', cell: (row) => row.user_name, fixed: true, width: 200 },
    { id: 'lock', header: 'Lock', cell: (row) => LOCK_LABELS[row.sub_ledger], width: 190 },
    { id: 'until', header: 'Until', kind: 'date', cell: (row) => row.until, width: 190 },
    { id: 'reason', header: 'Reason', kind: 'muted', cell: (row) => row.reason, width: 240 },
    { id: 'by', header: 'Granted by', kind: 'muted', cell: (row) => row.granted_by_name, width: 170 },
    { id: 'state', header: 'Status', kind: 'badge', width: 100, cell: (row) => (
      <Badge small tone={row.active ? 'warn' : 'outline'}>{row.active ? 'In force' : 'Over'}</Badge>) },
    ...(edit ? [{ id: 'act', header: 'Action', kind: 'actions' as const, width: 90, cell: (row: Exception) => (
      row.active && <Button size="small" variant="quiet" pending={revoke.pending}
        onClick={() => void revoke.run({ params: { id: row.id } })}>End</Button>) }] : []),
  ];
  return (
    <Section title="Exceptions" count={read.data?.data.length} right={edit && (
      <Button size="small" onClick={onAdd}>Grant an exception</Button>)}
      description="For a late document: one person, one lock, at most 31 days, granted by somebody else.">
      <DataTable label="Exceptions" variant="record" rows={read.data?.data} columns={columns} rowKey={(row) => row.id}
        error={read.isError ? read.error : null} onRetry={() => void read.refetch()}
        empty={{ title: 'No exceptions', text: 'The locks hold for everybody.' }} />
    </Section>
  );
}

function ExceptionForm({ division, onClose }: { division: Division; onClose: () => void }) {
  const refresh = useRefresh([periodLockEndpoints.exceptions]);
  const [key] = useState(() => crypto.randomUUID());
  const form = useResourceForm({
    initial: { user_id: null as number | null, lock: 'sales' as (typeof EXCEPTED_LOCKS)[number] | null,
      until: null as string | null, reason: '' },
    submit: (values) => call(periodLockEndpoints.grant, { body: { division, user_id: values.user_id ?? 0,
      lock: values.lock ?? 'sales', reason: values.reason,
      until: values.until === null ? '' : `${values.until}T23:59:59Z` } }, { idempotencyKey: key }),
    onSaved: () => { toast('Exception granted'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title="Grant an exception">
      <FormFrame form={form} aria-label="Exception">
        <AsyncSelect<number> label="Person" required {...form.field('user_id')}
          source={partySource('staff')} />
        <FormGrid>
          <AsyncSelect label="Lock" required options={CHOICES} {...form.field('lock')} />
          <DateField label="Until the end of" required {...form.field('until')} />
        </FormGrid>
        <TextField label="Reason" required {...form.field('reason')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Grant exception</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
