/** Reports to the tax service: orders of invoices and refunds of credit notes, with the outcome of each. */
import { useState } from 'react';
import { minorOf } from '#kernel/money/money.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { choicesOf, taxTabs } from '../tax-words.web.ts';
import { taxServiceEndpoints, type TransactionRow } from './tax-service.contract.ts';
import styles from './tax-service.module.css';

const STATES: Record<TransactionRow['report_state'], string> = { kept: 'Not sent', waiting: 'Waiting',
  reported: 'Reported', failed: 'Refused' };
const TONES = { kept: 'outline', waiting: 'info', reported: 'ok', failed: 'error' } as const;

const columns: readonly Column<TransactionRow>[] = [
  { id: 'transaction_id', header: 'Number', kind: 'title', cell: (row) => row.transaction_id, sort: true, fixed: true,
    width: 190 },
  { id: 'transaction_date', header: 'Date', kind: 'date', cell: (row) => row.transaction_date, sort: true, width: 120 },
  { id: 'to', header: 'Ships to', kind: 'muted', width: 160,
    cell: (row) => [row.to_city, row.to_state].filter(Boolean).join(', ') },
  { id: 'amount', header: 'Net', kind: 'money', cell: (row) => BigInt(minorOf(row.amount)), sort: true, width: 120 },
  { id: 'tax', header: 'Sales tax', kind: 'money', cell: (row) => BigInt(minorOf(row.sales_tax)), width: 110 },
  { id: 'state', header: 'Status', kind: 'badge', width: 120,
    cell: (row) => <Badge tone={TONES[row.report_state]} small>{STATES[row.report_state]}</Badge> },
  { id: 'error', header: 'Answer', kind: 'muted', cell: (row) => row.report_error, width: 320 },
];
const filters = [{ name: 'report_state', label: 'Status', options: choicesOf(STATES) }];

export default function TaxServicePage() {
  const may = useMay();
  const [open, setOpen] = useState<TransactionRow | null>(null);
  return (
    <>
      <PageHeader title="Taxes" tabs={taxTabs(may)}
        subtitle="Invoices and credit notes of the US divisions as the tax service has them, in USD" />
      <PageContent fullWidth>
        <Orders onOpen={setOpen} />
        <Refunds onOpen={setOpen} />
      </PageContent>
      {open && <Reported row={open} onClose={() => setOpen(null)} />}
    </>
  );
}

interface ListProps { onOpen: (row: TransactionRow) => void }

function Orders({ onOpen }: ListProps) {
  const list = useList(taxServiceEndpoints.orders, {}, { prefix: 'o_', filters: ['report_state'] });
  return (
    <Section title="Orders">
      <DataTable label="Orders of the tax service" {...list} variant="record" columns={columns}
        filters={filters} rowKey={(row) => row.transaction_id} onOpen={onOpen} searchPlaceholder="Number"
        empty={{ title: 'No orders', text: 'Once a key of the tax service is set up, invoices that are issued with a '
          + 'US ship-to address appear here within a minute.' }} />
    </Section>
  );
}

function Refunds({ onOpen }: ListProps) {
  const list = useList(taxServiceEndpoints.refunds, {}, { prefix: 'r_', filters: ['report_state'] });
  return (
    <Section title="Refunds">
      <DataTable label="Refunds of the tax service" {...list} variant="record" columns={columns}
        filters={filters} rowKey={(row) => row.transaction_id} onOpen={onOpen} searchPlaceholder="Number"
        empty={{ title: 'No refunds', text: 'Credit notes of reported invoices appear here.' }} />
    </Section>
  );
}

function Reported({ row, onClose }: { row: TransactionRow; onClose: () => void }) {
  const edit = useMay()('transaction.update');
  const isRefund = row.transaction_reference_id !== null;
  const done = { refresh: [taxServiceEndpoints.orders, taxServiceEndpoints.refunds], done: 'It is reported again',
    onDone: onClose };
  const retryOrder = useAction(taxServiceEndpoints.retryOrder, done);
  const retryRefund = useAction(taxServiceEndpoints.retryRefund, done);
  const body = { version: row.version };
  const retry = () => (isRefund ? retryRefund.run({ params: { refundId: row.transaction_id }, body })
    : retryOrder.run({ params: { orderId: row.transaction_id }, body }));
  return (
    <Modal open onClose={onClose} title={row.transaction_id}>
      <KeyValue columns={2} facts={[
        { label: 'Date', value: <DateText value={row.transaction_date} /> },
        isRefund && { label: 'Refund of', value: row.transaction_reference_id },
        { label: 'Net', value: formatAmount(minorOf(row.amount), 'USD') },
        { label: 'Shipping', value: formatAmount(minorOf(row.shipping), 'USD') },
        { label: 'Sales tax', value: formatAmount(minorOf(row.sales_tax), 'USD') },
        { label: 'Ships to', value: [row.to_street, row.to_city, row.to_state, row.to_zip].filter(Boolean).join(', ') },
        { label: 'Status', value: STATES[row.report_state] },
        row.reported_at !== null && { label: 'Reported', value: <DateText value={row.reported_at} /> },
        row.report_error !== null && { label: 'Answer of the tax service', value: row.report_error, wide: true },
        row.invoice_id !== null && { label: 'Document', value: (
          <AppLink href={`/admin/accounts-receivable/invoices/${row.invoice_id}`}>{row.transaction_id}</AppLink>) },
      ]} />
      <div className={styles.foot}>
        <Button onClick={onClose}>Close</Button>
        {edit && row.report_state !== 'reported' && (
          <Button variant="primary" pending={retryOrder.pending || retryRefund.pending} onClick={() => void retry()}>
            Report again
          </Button>)}
      </div>
    </Modal>
  );
}
