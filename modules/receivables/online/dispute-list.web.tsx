/** Card payments that customers dispute with their bank: days to answer by, and outcomes. */
import { DIVISION_LABELS } from '#kit/field.ts';
import { spell } from '#kernel/text/english.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge, type Tone } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { receivablesTabs } from '../invoices/invoice-labels.web.ts';
import { disputeEndpoints, type DisputeRow } from './online-payment.contract.ts';

const LABELS: Record<DisputeRow['status'], string> = { inquiry: spell`Inquiry`, needs_response: 'To be answered',
  under_review: 'With the bank', won: 'Won', lost: 'Lost', closed: spell`Inquiry closed` };
const TONES: Record<DisputeRow['status'], Tone> = { inquiry: 'brass', needs_response: 'warn', under_review: 'info',
  won: 'ok', lost: 'error', closed: 'neutral' };

/** The processor's words, as an office says them. */
const REASONS: Readonly<Record<string, string>> = { fraudulent: 'Not made by the cardholder',
  duplicate: 'Charged twice', product_not_received: 'Not received', product_unacceptable: 'Not as described',
  subscription_canceled: spell`Was canceled`, credit_not_processed: 'Refund missing',
  unrecognized: spell`Not recognized`,
  insufficient_funds: 'Not enough money', bank_cannot_process: 'The bank could not process it',
  debit_not_authorized: spell`Debit not authorized`, incorrect_account_details: 'Wrong account',
  noncompliant: 'Rules of the card', general: 'No reason given' };
const reasonOf = (row: DisputeRow): string => REASONS[row.reason] ?? row.reason.replaceAll('_', ' ');

const columns: readonly Column<DisputeRow>[] = [
  { id: 'customer', header: 'Customer', kind: 'title', cell: (row) => row.customer_name, fixed: true, width: 220 },
  { id: 'invoice', header: 'Document', kind: 'muted', cell: (row) => row.invoice_number ?? String(row.invoice_id ?? ''),
    width: 170 },
  { id: 'created_at', header: 'Since', kind: 'date', cell: (row) => row.created_at, sort: true, width: 120 },
  { id: 'status', header: 'Status', kind: 'badge', width: 140,
    cell: (row) => <Badge tone={TONES[row.status]} small>{LABELS[row.status]}</Badge> },
  { id: 'due_at', header: 'Answer by', kind: 'date', sort: true, width: 130,
    cell: (row) => (row.status === 'needs_response' || row.status === 'inquiry' ? row.due_at : null) },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 60 },
  { id: 'amount_minor', header: 'Disputed', kind: 'money', cell: (row) => BigInt(row.amount_minor), sort: true,
    width: 130 },
  { id: 'taken', header: 'Taken', kind: 'money', cell: (row) => BigInt(row.taken_minor), width: 120 },
  { id: 'fee', header: 'Fee', kind: 'money', cell: (row) => BigInt(row.fee_minor), width: 90 },
  { id: 'reason', header: 'Reason', kind: 'muted', cell: reasonOf, width: 210 },
  { id: 'number', header: 'Number', kind: 'muted', width: 250, cell: (row) => (row.evidence_url === null
    ? row.dispute_id : (
      <a className="gr-link" href={row.evidence_url} target="_blank" rel="noreferrer">{row.dispute_id}</a>)) },
  { id: 'note', header: 'Note', kind: 'muted', cell: (row) => row.attention, width: 260 },
];
function hrefOf(row: DisputeRow): string {
  if (row.receipt_id !== null) return `/admin/accounts-receivable/payments/${row.receipt_id}`;
  return row.invoice_id === null ? `/admin/customers/${row.customer_id}`
    : `/admin/accounts-receivable/invoices/${row.invoice_id}`;
}

const filters = [
  { name: 'status', label: 'Status', options: optionsOf(LABELS) },
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
];

export default function DisputeList() {
  const may = useMay();
  const list = useList(disputeEndpoints.list, {}, { filters: ['status', 'division', 'customer_id'] });
  const waiting = list.rows?.some((row) => row.status === 'needs_response') ?? false;
  return (
    <>
      <PageHeader title="Disputes" tabs={receivablesTabs(may)}
        subtitle="Card payments and bank debits that customers dispute with their bank" />
      {waiting && (
        <Callout tone="warn" title="Disputes waiting for your evidence">
          Give evidence on the card processor’s page, under the dispute number. The invoice is open again until then; if
          the bank decides for you, it is marked paid.
        </Callout>)}
      <DataTable label="Disputes" {...list} columns={columns} rowKey={(row) => row.id}
        rowHref={hrefOf}
        filters={[...filters,
          { name: 'customer_id', label: 'Customer', linked: { name: list.rows?.[0]?.customer_name } }]}
        searchPlaceholder="Customer or number of the dispute"
        empty={{ title: 'No disputes', text: 'A cardholder can dispute a payment with their bank for some months. The '
          + 'card processor then takes the money and a fee, and asks for evidence.' }} />
    </>
  );
}
