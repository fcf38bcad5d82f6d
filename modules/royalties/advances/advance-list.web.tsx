/** Advances to royaltors: what was promised, when it is due, how much of it has been recouped. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { divisionLabel } from '#web/layout/division.ts';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { newestRow } from '#web/query/newest-row.ts';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { RoyaltorFilter } from '../royaltor-filter.web.tsx';
import { SalesHeader, stateFilter } from '../royalty-list.web.tsx';
import { ADVANCE_EVENT_WORDS, ADVANCE_LOOKS } from '../royalty-words.web.ts';
import { advanceEndpoints, type AdvanceRow } from './advance.contract.ts';
import { AdvanceForm } from './advance-form.web.tsx';

/** It may be changed until it is paid or waits in a batch. */
const isOpen = (row: AdvanceRow) => row.status === 'scheduled' && row.batch_id === null;

/** A day, never cut, or the event in words where the day is not known yet. */
export const dueColumn: Column<Pick<AdvanceRow, 'due_on' | 'due_event'>> = { id: 'due_on', header: 'Due', kind: 'date',
  sort: true, width: 150, cell: (row) => row.due_on ?? <span>{ADVANCE_EVENT_WORDS[row.due_event]}</span> };

const columns: readonly Column<AdvanceRow>[] = [
  { id: 'royaltor', header: 'Royaltor', kind: 'title', cell: (row) => row.royaltor_name, fixed: true, width: 200 },
  { id: 'show', header: 'Show', kind: 'muted', cell: (row) => row.show_title, width: 200 },
  { id: 'status', header: 'Status', kind: 'badge', width: 120, cell: (row) => (row.batch_id !== null
    ? <Badge small tone="info">In a batch</Badge>
    : <Badge small tone={ADVANCE_LOOKS[row.status].tone}>{ADVANCE_LOOKS[row.status].label}</Badge>) },
  dueColumn,
  { id: 'paid_on', header: 'Paid', kind: 'date', cell: (row) => row.paid_on, width: 120 },
  { id: 'division', header: 'Division', kind: 'muted', width: 90,
    cell: (row) => divisionLabel(row.division) },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 56 },
  { id: 'amount_minor', header: 'Advance', kind: 'money', cell: (row) => row.amount_minor, sort: true, width: 120 },
  { id: 'recouped', header: 'Recouped', kind: 'money', cell: (row) => row.recouped_minor, width: 120 },
  { id: 'open', header: 'Balance', kind: 'money', cell: (row) => row.unrecouped_minor, width: 120 },
];

export default function AdvanceList() {
  const may = useMay();
  const { values, set } = useQueryValues();
  const [changed, setChanged] = useState<AdvanceRow | null>(null);
  const [cancelled, setCancelled] = useState<AdvanceRow | null>(null);
  const list = useList(advanceEndpoints.list, {}, { filters: ['status', 'royaltor_id', 'show_royaltor_id'] });
  const [one] = list.rows ?? [];
  const filters = [stateFilter(ADVANCE_LOOKS), { name: 'show_royaltor_id', label: 'Agreement',
      linked: { name: one && `${one.royaltor_name}, ${one.show_title}` } }];
  const writes = may('show_royaltor.update');
  const actions: Column<AdvanceRow> = { id: 'actions', header: 'Actions', kind: 'actions', width: 60,
    cell: (row) => isOpen(row) && (
      <ActionMenu label={`Actions for the advance to ${row.royaltor_name}`} actions={[
        { label: 'Change', onSelect: () => setChanged(row) },
        { label: 'Cancel', danger: true, onSelect: () => setCancelled(row) }]} />) };
  return (
    <>
      <SalesHeader subtitle="Advances on royalties that are still to come">
        {writes && (
          <Button variant="primary" onClick={() => set({ new: '1' })}>
            New advance
          </Button>
        )}
      </SalesHeader>
      <DataTable
        label="Advances"
        {...list}
        columns={writes ? [...columns, actions] : columns}
        filters={filters}
        rowKey={(row) => row.id}
        searchPlaceholder="Name of a royaltor"
        tools={<RoyaltorFilter />}
        empty={{ title: 'No advances yet', text: 'An agreement may promise money before anything is earned.' }}
      />
      {writes && values.get('new') === '1' && <AdvanceForm onClose={() => set({ new: null })} />}
      {changed && <AdvanceForm advance={newestRow(changed, list.rows)} onClose={() => setChanged(null)} />}
      {cancelled && <CancelAdvance advance={cancelled} onClose={() => setCancelled(null)} />}
    </>
  );
}

function CancelAdvance({ advance, onClose }: { advance: AdvanceRow; onClose: () => void }) {
  const cancel = useAction(advanceEndpoints.update, { done: spell`The advance is canceled`, onDone: onClose });
  return (
    <ConfirmDialog open danger title={`Cancel the advance of ${formatAmount(advance.amount_minor, advance.currency)}`}
      text={spell`${advance.royaltor_name} is not paid it. It stays in the list as canceled.`} confirm="Cancel advance"
      cancel="Keep it" pending={cancel.pending} onCancel={onClose}
      onConfirm={() => void cancel.run({ params: { id: advance.id },
        body: { status: 'cancelled', version: advance.version } })} />
  );
}
