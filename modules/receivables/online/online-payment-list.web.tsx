/** Payments by card and bank debit: what became of each, and what nobody has explained yet. */
import { DIVISION_LABELS } from '#kit/field.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge, type Tone } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { receivablesTabs } from '../invoices/invoice-labels.web.ts';
import { onlinePaymentEndpoints, type OnlinePaymentRow } from './online-payment.contract.ts';

const STATUS_LABELS: Record<OnlinePaymentRow['status'], string> = { open: 'Begun', processing: 'With the bank',
  paid: 'Paid', failed: 'Not paid', expired: 'Not finished' };
const TONES: Record<OnlinePaymentRow['status'], Tone> = { open: 'neutral', processing: 'info', paid: 'ok',
  failed: 'error', expired: 'outline' };
const METHOD_LABELS: Record<OnlinePaymentRow['method'], string> = { card: 'Card', ach: 'ACH debit', sepa: 'SEPA debit',
  bacs: 'BACS debit' };

const columns: readonly Column<OnlinePaymentRow>[] = [
  { id: 'invoice', header: 'Document', kind: 'title', cell: (row) => `${row.invoice_number ?? row.invoice_id ?? ''}${
    row.document_count > 1 ? ` and ${row.document_count - 1} more` : ''}`,
    fixed: true, width: 180 },
  { id: 'customer', header: 'Customer', kind: 'muted', cell: (row) => row.customer_name, width: 220 },
  { id: 'created_at', header: 'Begun', kind: 'date', cell: (row) => row.created_at, sort: true, width: 120 },
  { id: 'method', header: 'Method', kind: 'muted', width: 130,
    cell: (row) => `${METHOD_LABELS[row.method]}${row.is_test ? ', test' : ''}` },
  { id: 'status', header: 'Status', kind: 'badge', width: 130,
    cell: (row) => <Badge tone={TONES[row.status]} small>{STATUS_LABELS[row.status]}</Badge> },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 60 },
  { id: 'amount_minor', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), sort: true,
    width: 130 },
  { id: 'receipt', header: 'Receipt', kind: 'muted', cell: (row) => row.payment_number ?? '', width: 170 },
  { id: 'note', header: 'Note', kind: 'muted', cell: (row) => row.attention || row.failure, width: 260 },
];
const filters = [
  { name: 'status', label: 'Status', options: optionsOf(STATUS_LABELS) },
  { name: 'method', label: 'Method', options: optionsOf(METHOD_LABELS) },
  { name: 'attention', label: 'To look at', options: optionsOf({ true: 'To look at' }) },
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
];

function hrefOf(row: OnlinePaymentRow): string {
  if (row.payment_id !== null) return `/admin/accounts-receivable/payments/${row.payment_id}`;
  return row.invoice_id === null ? `/admin/customers/${row.customer_id}`
    : `/admin/accounts-receivable/invoices/${row.invoice_id}`;
}

export default function OnlinePaymentList() {
  const may = useMay();
  const list = useList(onlinePaymentEndpoints.list, {},
    { filters: ['status', 'method', 'attention', 'division', 'customer_id'] });
  return (
    <>
      <PageHeader title="Card payments" tabs={receivablesTabs(may)}
        subtitle="Cards and bank debits that customers pay in the portal" />
      <Clearing />
      <Unknown />
      <OpenRefunds />
      <DataTable label="Card payments" {...list} columns={columns} rowKey={(row) => row.id} rowHref={hrefOf}
        filters={[...filters,
          { name: 'customer_id', label: 'Customer', linked: { name: list.rows?.[0]?.customer_name } }]}
        searchPlaceholder="Number of the processor"
        empty={{ title: 'No card payments yet', text: 'Customers pay by card or bank debit on their invoices as soon '
          + 'as the division has a key of the card processor. Settings says how to set it.' }} />
    </>
  );
}

function Clearing() {
  const read = useEndpoint(onlinePaymentEndpoints.clearing, {});
  return (read.data?.data ?? []).map((row) => (
    <Callout key={`${row.division} ${row.currency}`} tone="info" title={`${DIVISION_LABELS[row.division]}: ${
      formatAmount(row.ledger_minor, row.currency)} with the processor`}>
      On account 1020, before its fees, until it is paid out.
    </Callout>
  ));
}

/** Somebody paid on a checkout that this installation did not make, or another one shares the account. */
function Unknown() {
  const read = useEndpoint(onlinePaymentEndpoints.unknown, {});
  const [first, ...others] = read.data?.data ?? [];
  if (!first) return null;
  return (
    <Callout tone="warn" title={others.length === 0 ? 'The processor told of an unknown payment'
      : `The processor told of ${others.length + 1} unknown payments`}>
      {`${first.type} ${first.object_id}, ${formatDay(first.happened_at.slice(0, 10))}. ${first.note}. Look for it at `
        + 'the processor: refund it there, or record the receipt by hand.'}
    </Callout>
  );
}

/** Money left at the processor, and no credit of the customer covers it yet. */
function OpenRefunds() {
  const read = useEndpoint(onlinePaymentEndpoints.refunds, {});
  return (read.data?.data ?? []).map((row) => (
    <Callout key={row.id} tone="warn" title={`${formatAmount(row.amount_minor, row.currency)} refunded to ${
      row.customer_name} at the card processor`}>
      {`${row.attention}. `}
      {row.receipt_id !== null && (
        <AppLink className="gr-link" href={`/admin/accounts-receivable/payments/${row.receipt_id}`}>Receipt</AppLink>)}
    </Callout>
  ));
}
