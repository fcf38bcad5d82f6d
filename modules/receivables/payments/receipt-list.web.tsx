/** Money from customers and refunds to them; what is on account stands out. A receipt is recorded here. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/async-select.tsx';
import { Button } from '#web/controls/button.tsx';
import { DateField } from '#web/controls/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form-frame.tsx';
import { MoneyField } from '#web/controls/money-field.tsx';
import { TextField } from '#web/controls/text-field.tsx';
import { useResourceForm } from '#web/controls/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { useDivision } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { customerEndpoints } from '#modules/customers/customer/customer.contract.ts';
import {
  choicesOf, METHOD_LABELS, PAYMENT_LABELS, PAYMENT_TONES, receivablesTabs,
} from '../invoices/invoice-labels.web.ts';
import { paymentEndpoints, type PaymentRow } from './payment.contract.ts';

const customers = optionsFrom(customerEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: row.number }));

const BASE = '/admin/accounts-receivable/payments';
const CURRENCY = { US: 'USD', EU: 'EUR', UK: 'GBP', PROD: 'USD' } as const;

const columns: readonly Column<PaymentRow>[] = [
  { id: 'number', header: 'Number', kind: 'title', cell: (row) => row.number, sort: true, fixed: true, width: 190 },
  { id: 'party', header: 'Customer', kind: 'muted', cell: (row) => row.party_name, width: 240 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => (row.direction === 'in' ? 'Receipt' : 'Refund'),
    width: 90 },
  { id: 'paid_on', header: 'Date', kind: 'date', cell: (row) => row.paid_on, sort: true, width: 120 },
  { id: 'method', header: 'By', kind: 'muted', cell: (row) => METHOD_LABELS[row.method], width: 90 },
  { id: 'reference', header: 'Reference', kind: 'muted', cell: (row) => row.reference, width: 180 },
  { id: 'status', header: 'Status', kind: 'badge', width: 130,
    cell: (row) => <Badge tone={PAYMENT_TONES[row.status]} small>{PAYMENT_LABELS[row.status]}</Badge> },
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
  { name: 'kind', label: 'Kind', options: choicesOf({ receipt: 'Receipts', refund: 'Refunds' }) },
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

function ReceiptForm({ division, onClose }: { division: keyof typeof CURRENCY; onClose: () => void }) {
  const { go } = useNavigation();
  const [key] = useState(() => crypto.randomUUID());
  const form = useResourceForm({
    initial: { customer_id: null as number | null, currency: CURRENCY[division] as 'USD' | 'EUR' | 'GBP' | null,
      amount_minor: null as number | null, method: 'wire' as PaymentRow['method'] | null,
        received_on: null as string | null,
      reference: '', memo: '' },
    submit: (values) => call(paymentEndpoints.create, { body: { ...values, division,
      customer_id: values.customer_id ?? 0, currency: values.currency ?? CURRENCY[division],
        method: values.method ?? 'wire', amount_minor: values.amount_minor ?? 0,
      received_on: values.received_on ?? '' } }, { idempotencyKey: key }),
    onSaved: (answer) => {
      toast(`${answer.data.number} recorded`);
      go(`${BASE}/${answer.data.id}`);
    },
  });
  return (
    <Modal open onClose={onClose} title="Record receipt" width={600}>
      <FormFrame form={form} aria-label="Receipt">
        <AsyncSelect label="Customer" required {...form.field('customer_id')}
          source={customers} />
        <FormGrid>
          <MoneyField label="Amount" required currency={form.values.currency ?? CURRENCY[division]}
            {...form.field('amount_minor')} />
          <AsyncSelect label="Currency" required {...form.field('currency')}
            options={choicesOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' })} />
          <DateField label="Received on" required {...form.field('received_on')} />
          <AsyncSelect label="By" required options={choicesOf(METHOD_LABELS)} {...form.field('method')} />
        </FormGrid>
        <TextField label="Reference" {...form.field('reference')} caption="What the bank shows." />
        <TextField label="Note" {...form.field('memo')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            Record {formatAmount(form.values.amount_minor ?? 0, form.values.currency ?? CURRENCY[division])}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
