/** Payouts of the card processor, as the bank books them. */
import { DIVISION_LABELS } from '#kit/field.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge, type Tone } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { receivablesTabs } from '../invoices/invoice-labels.web.ts';
import { payoutEndpoints, type PayoutRow } from './online-payment.contract.ts';

const LABELS: Record<PayoutRow['status'], string> = { posted: 'Posted', returned: 'Came back',
  attention: 'To look at' };
const TONES: Record<PayoutRow['status'], Tone> = { posted: 'ok', returned: 'error', attention: 'warn' };

const columns: readonly Column<PayoutRow>[] = [
  { id: 'payout', header: 'Payout', kind: 'title', cell: (row) => row.payout_id, fixed: true, width: 240 },
  { id: 'paid_on', header: 'Date', kind: 'date', cell: (row) => row.paid_on, sort: true, width: 120 },
  { id: 'account', header: 'Bank account', kind: 'muted', cell: (row) => row.bank_account ?? '', width: 190 },
  { id: 'parts', header: 'Parts', kind: 'number', cell: (row) => row.part_count, width: 80 },
  { id: 'fee_minor', header: 'Fees', kind: 'money', cell: (row) => BigInt(row.fee_minor), width: 110 },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 60 },
  { id: 'amount_minor', header: 'Paid out', kind: 'money', cell: (row) => BigInt(row.amount_minor), sort: true,
    width: 130 },
  { id: 'division', header: 'Division', kind: 'muted', cell: (row) => DIVISION_LABELS[row.division], width: 110 },
  { id: 'status', header: 'Status', kind: 'badge', width: 120,
    cell: (row) => <Badge tone={TONES[row.status]} small>{LABELS[row.status]}</Badge> },
  { id: 'note', header: 'Note', kind: 'muted', cell: (row) => row.note, width: 260 },
];
const filters = [
  { name: 'status', label: 'Status', options: optionsOf(LABELS) },
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
];

export default function PayoutList() {
  const may = useMay();
  const list = useList(payoutEndpoints.list, {}, { filters: ['status', 'division'] });
  return (
    <>
      <PageHeader title="Payouts" tabs={receivablesTabs(may)}
        subtitle="Payouts from the card processor, net of fees" />
      <DataTable label="Payouts" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => (row.transaction_id !== null && may('transaction.view')
          ? `/admin/accounting/transactions/${row.transaction_id}` : undefined)}
        searchPlaceholder="Number of the payout"
        empty={{ title: 'No payouts yet', text: 'The card processor pays out what customers paid by card some days '
          + 'later. Each payout is posted by itself and matched with the line of the bank.' }} />
    </>
  );
}
