/** Transfers between bank accounts: what is in transit with its age, the list, and the dialogs that move one on. */
import { lazy, Suspense, useState } from 'react';
import { diffDays } from '#kernel/calendar/calendar.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Button } from '#web/controls/button/button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { ActionMenu, type MenuAction } from '#web/data/action-menu.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { AGED_DAYS } from '../aged-days.ts';
import { bankingTabs } from '../banking-tabs.ts';
import { ReceiveForm, ReverseForm, TransferForm } from './transfer-dialogs.web.tsx';
import { transferEndpoints, type TransferRow, type TransitRow } from './transfer.contract.ts';

const LABELS = { in_transit: 'In transit', received: 'Received', reversed: 'Reversed' };
const TONES = { in_transit: 'warn', received: 'ok', reversed: 'neutral' } as const;
const daysOf = (day: string): number => diffDays(day, today());

const RecordActivity = lazy(() => import('#web/data/record-activity.tsx'));
type OpenDialog = { what: 'receive' | 'reverse' | 'activity'; row: TransferRow } | { what: 'new' } | null;

function columnsOf(actionsOf: (row: TransferRow) => readonly MenuAction[]): readonly Column<TransferRow>[] {
  return [
    { id: 'number', header: 'Transfer', kind: 'title', cell: (row) => row.number, sort: true, fixed: true, width: 170 },
    { id: 'from', header: 'From', kind: 'muted', cell: (row) => row.from_account, width: 170 },
    { id: 'to', header: 'To', kind: 'muted', cell: (row) => row.to_account, width: 170 },
    { id: 'amount_minor', header: 'Sent', kind: 'text', sort: true, width: 140,
      cell: (row) => formatAmount(row.amount_minor, row.from_currency) },
    { id: 'received', header: 'Received', kind: 'text', width: 140,
      cell: (row) => (row.status === 'in_transit' ? '' : formatAmount(row.received_minor, row.to_currency)) },
    { id: 'sent_on', header: 'Sent on', kind: 'date', cell: (row) => row.sent_on, sort: true, width: 120 },
    { id: 'received_on', header: 'Received on', kind: 'date', cell: (row) => row.received_on, width: 120 },
    { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], width: 100 },
    { id: 'state', header: 'Status', kind: 'badge', width: 150, cell: (row) => (
      <Badge tone={TONES[row.status]} small>
        {row.status === 'in_transit' && daysOf(row.sent_on) > AGED_DAYS
          ? `In transit, ${daysOf(row.sent_on)} days` : LABELS[row.status]}
      </Badge>) },
    { id: 'actions', header: 'Actions', kind: 'actions', width: 90, cell: (row) => (
      <ActionMenu actions={actionsOf(row)} label={`Actions of ${row.number}`} />) },
  ];
}

const filters = [
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
  { name: 'status', label: 'Status', options: optionsOf(LABELS) },
];

export default function TransferList() {
  const may = useMay();
  const { go } = useNavigation();
  const [doing, setDoing] = useState<OpenDialog>(null);
  const list = useList(transferEndpoints.list, {}, { filters: ['id', 'division', 'status', 'bank_account_id'] });
  const end = () => setDoing(null);
  const actionsOf = (row: TransferRow): readonly MenuAction[] => [
    ...(row.status === 'in_transit' && may('bank_transaction.update')
      ? [{ label: 'Record arrival', onSelect: () => setDoing({ what: 'receive', row }) }] : []),
    ...(may('transaction.view') ? [row.sent_transaction_id, row.received_transaction_id].flatMap((id, k) => (id === null
      ? [] : [{ label: k === 0 ? 'Posting when sent' : 'Posting when received',
        onSelect: () => go(`/admin/accounting/transactions/${id}`) }])) : []),
    { label: 'Activity', onSelect: () => setDoing({ what: 'activity', row }) },
    ...(row.status !== 'reversed' && may('transaction.update')
      ? [{ label: 'Reverse', danger: true, divided: true, onSelect: () => setDoing({ what: 'reverse', row }) }] : []),
  ];
  return (
    <>
      <PageHeader title="Transfers" subtitle="Between two bank accounts of a division" tabs={bankingTabs(may)}>
        {may('bank_transaction.create') && (
          <Button variant="primary" onClick={() => setDoing({ what: 'new' })}>New transfer</Button>
        )}
      </PageHeader>
      <InTransit />
      <DataTable label="Transfers" {...list} columns={columnsOf(actionsOf)} filters={filters} rowKey={(row) => row.id}
        searchPlaceholder="Number, account or note"
        empty={{ title: 'No transfers yet',
          text: 'Money between two accounts, also in two currencies, is entered here.' }} />
      {doing?.what === 'new' && <TransferForm onClose={end} />}
      {doing?.what === 'receive' && <ReceiveForm row={doing.row} onClose={end} />}
      {doing?.what === 'reverse' && <ReverseForm row={doing.row} onClose={end} />}
      {doing?.what === 'activity' && (
        <Suspense fallback={null}>
          <RecordActivity record={{ entity: 'bank_transfer', id: doing.row.id }} onClose={end} />
        </Suspense>)}
    </>
  );
}

/** Balance of Transfers in transit; any amount that no transfer explains is named. */
function InTransit() {
  const read = useEndpoint(transferEndpoints.transit, {});
  return (read.data?.data ?? []).map((row) => <TransitNote key={`${row.division} ${row.currency}`} row={row} />);
}

function TransitNote({ row }: { row: TransitRow }) {
  const aged = row.oldest_on !== null && daysOf(row.oldest_on) > AGED_DAYS;
  const rest = row.ledger_minor - row.transfers_minor;
  return (
    <Callout tone={aged || rest !== 0 ? 'warn' : 'info'}
      title={`${DIVISION_LABELS[row.division]}: ${formatAmount(row.ledger_minor, row.currency)} in transit`}>
      {row.oldest_on !== null && `The oldest transfer left on ${formatDay(row.oldest_on)}. `}
      {rest !== 0 && `${formatAmount(rest, row.currency)} on account 1050 belongs to no transfer. Check its postings.`}
    </Callout>
  );
}
