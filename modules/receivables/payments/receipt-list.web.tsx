/** Money from customers and refunds to them; what is on account stands out. */
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import {
  choicesOf, METHOD_LABELS, PAYMENT_LABELS, PAYMENT_TONES, paymentLabel, paymentNoun,
  receivablesTabs,
} from '../invoices/invoice-labels.web.ts';
import { paymentEndpoints, type PaymentRow } from './payment.contract.ts';
import { ReceiptForm } from './receipt-form.web.tsx';

const BASE = '/admin/accounts-receivable/payments';

const columns: readonly Column<PaymentRow>[] = [
  { id: 'number', header: 'Number', kind: 'title', cell: (row) => row.number, sort: true, fixed: true, width: 190 },
  { id: 'party', header: 'Customer', kind: 'muted', cell: (row) => row.party_name, width: 240 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => paymentNoun(row),
    width: 90 },
  { id: 'paid_on', header: 'Date', kind: 'date', cell: (row) => row.paid_on, sort: true, width: 120 },
  { id: 'method', header: 'Method', kind: 'muted', cell: (row) => METHOD_LABELS[row.method], width: 90 },
  { id: 'reference', header: 'Reference', kind: 'muted', cell: (row) => row.reference, width: 180 },
  { id: 'status', header: 'Status', kind: 'badge', width: 130,
    cell: (row) => <Badge tone={PAYMENT_TONES[row.status]} small>{paymentLabel(row)}</Badge> },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 60 },
  { id: 'amount_minor', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), sort: true,
    width: 130 },
  { id: 'unapplied_minor', header: 'On account', kind: 'money', sort: true, width: 130,
    cell: (row) => (row.direction === 'in' && row.unapplied_minor > 0 && ['posted', 'cleared'].includes(row.status)
      ? BigInt(row.unapplied_minor) : '') },
];
const filters = [
  { name: 'status', label: 'Status', options: choicesOf(PAYMENT_LABELS) },
  { name: 'method', label: 'Method', options: choicesOf(METHOD_LABELS) },
  { name: 'kind', label: 'Kind', options: choicesOf({ receipt: 'Receipts',
    credit: 'Credits on account', refund: 'Refunds' }) },
  { name: 'unapplied', label: 'On account', options: choicesOf({ true: 'On account' }) },
];

export default function ReceiptList() {
  const may = useMay();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const list = useList(paymentEndpoints.receipts, { query: { division } },
    { filters: ['status', 'method', 'kind', 'unapplied', 'customer_id'] });
  const record = (open: boolean) => set({ record: open ? '1' : null });
  return (
    <>
      <PageHeader title="Accounts receivable" division tabs={receivablesTabs(may)}
        subtitle="Money from customers, and refunds to them">
        {may('payment.create') && <Button variant="primary" onClick={() => record(true)}>Record receipt</Button>}
      </PageHeader>
      <DataTable label="Receipts" {...list} columns={columns} rowKey={(row) => row.id}
        filters={[...filters, { name: 'customer_id', label: 'Customer', linked: { name: list.rows?.[0]?.party_name } }]}
        rowHref={(row) => `${BASE}/${row.id}`} searchPlaceholder="Number, reference or customer"
        empty={{ title: 'Nothing received yet', text: 'Receipts are recorded here or on an invoice.' }} />
      {values.get('record') === '1' && may('payment.create') && (
        <ReceiptForm division={division} onClose={() => record(false)} />)}
    </>
  );
}
