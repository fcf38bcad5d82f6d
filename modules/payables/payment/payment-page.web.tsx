/** One payment: what it settles, how it leaves, its postings with linked journals, and what its status allows. */
import { pageOf, DOCUMENT_KINDS, type DocumentKind }
  from '#modules/accounting/transaction/transaction-document.contract.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { paymentEndpoints, type PaymentDetail, type SettledPart }
  from '#modules/receivables/payments/payment.contract.ts';
import { AwaitingApproval } from '#web/data/approvers.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Money } from '#web/data/money.tsx';
import { divisionAndCurrency } from '#web/layout/division.ts';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { PAYABLES } from '../payables-tabs.ts';
import { PaymentActions } from './payment-actions.web.tsx';
import { PaymentLinks } from './payment-links.web.tsx';
import { carrierOf, isReturned, KIND_LABELS, METHOD_LABELS, partyHref, paymentBadge, PAYMENTS, RECEIPTS }
  from './payment-words.web.tsx';

/** Under Accounting. */
export function PaymentPage() {
  return <Record id={useIdParam('paymentId')} list={PAYMENTS} />;
}

/** Under Payables: the same record. */
export function PayablePayment() {
  return <Record id={useIdParam('paymentId')} list={`${PAYABLES}/payments`} />;
}

function Record({ id, list }: { id: number; list: string }) {
  const read = useEndpoint(paymentEndpoints.show, { params: { id } });
  const payment = read.data?.data;
  if (read.isError && !payment) {
    return <RecordProblem noun="payment" list={list} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={payment ? `${KIND_LABELS[payment.kind]} ${payment.number}` : 'Payment'} back={list}
        waiting={!payment} crumbs={payment && [{ label: payment.number }]}
        activity={payment && { entity: 'payment', id: payment.id }} badges={payment && paymentBadge(payment)}
        subtitle={payment && [<Party key="party" payment={payment} />, METHOD_LABELS[payment.method],
          formatDay(payment.paid_on), divisionAndCurrency(payment)]}>
        {payment && <PaymentActions payment={payment} list={list} />}
      </PageHeader>
      {payment ? <Body payment={payment} /> : (
        <PageContent record>{[420, 360].map((width) => <p key={width}><Skeleton width={width} height={18} /></p>)}
        </PageContent>)}
    </>
  );
}

function Party({ payment }: { payment: PaymentDetail }) {
  const href = partyHref(payment);
  return href === null ? payment.party_name : <AppLink className="gr-link" href={href}>{payment.party_name}</AppLink>;
}

function Notices({ payment }: { payment: PaymentDetail }) {
  const waits = payment.allowed.includes('approve');
  return (
    <>
      {waits && (
        <AwaitingApproval endpoint={approvalEndpoints.approvers}
          kind={payment.kind === 'refund' ? 'refund' : 'payment'} askedBy={payment.created_by_name}
          askedById={payment.created_by_id} />)}
      {payment.payment_run !== null && ['draft', 'approved'].includes(payment.status) && (
        <Callout tone="info" title="In a payment run">
          Approved, sent and taken out in payment run <AppLink className="gr-link"
            href={`${PAYABLES}/payment-runs/${payment.payment_run_id}`}>{payment.payment_run}</AppLink>.
        </Callout>)}
      {payment.batch_id !== null && (
        <Callout tone="info" title="In a batch of royalty payments">
          Approved, paid and returned in batch <AppLink className="gr-link"
            href={`${PAYABLES}/royalty-payments/${payment.batch_id}`}>{payment.batch_number}</AppLink>.
        </Callout>)}
      {payment.intercompany !== null && (
        <Callout tone="info" title={payment.direction === 'in' ? 'Collected by another division'
          : 'Paid by another division'}>
          Reverse it with its intercompany entry <AppLink className="gr-link"
            href={`/admin/accounting/intercompany/${payment.intercompany.id}`}>{payment.intercompany.number}</AppLink>.
        </Callout>)}
      {payment.direction === 'in' && (
        <Callout tone="info" title="A receipt">
          It is applied, refunded and returned under <AppLink className="gr-link" href={`${RECEIPTS}/${payment.id}`}>
            Accounts receivable</AppLink>.
        </Callout>)}
      {payment.status === 'approved' && payment.method === 'check' && payment.check_id !== null && (
        <Callout tone="info" title="To be printed">Printing posts it and takes the next number.</Callout>)}
      {(payment.processor || payment.kind === 'dispute') && (
        <Callout tone="info" title={payment.processor ? 'A refund to the card' : 'Taken by a dispute'}>
          How it stands with the card processor is shown under <AppLink className="gr-link"
            href={`${RECEIPTS}/${payment.id}`}>Accounts receivable</AppLink>.
        </Callout>)}
      {payment.reversal_reason !== null && !payment.processor && payment.kind !== 'dispute' && (
        <Callout tone={isReturned(payment) ? 'error' : 'info'}
          title={isReturned(payment) ? 'Returned by the bank' : 'Taken back'}>
          {payment.reversal_reason} {payment.returned_on && <DateText value={payment.returned_on} />}
        </Callout>)}
    </>
  );
}

function Body({ payment }: { payment: PaymentDetail }) {
  return (
    <PageContent record fullWidth>
      <Notices payment={payment} />
      <Section title="Payment"><Facts payment={payment} /></Section>
      <Settled payment={payment} />
      <PaymentLinks payment={payment} />
      {payment.remittances.length > 0 && (
        <Section title="Remittance advice" count={payment.remittances.length}>
          <DataTable label="Remittance advice" variant="record" columns={sentColumns} rows={payment.remittances}
            rowKey={(row) => row.at} />
        </Section>)}
    </PageContent>
  );
}

const sentColumns: readonly Column<PaymentDetail['remittances'][number]>[] = [
  { id: 'at', header: 'Sent', kind: 'date', cell: (row) => row.at, width: 140 },
  { id: 'to', header: 'To', kind: 'title', cell: (row) => row.recipients, width: 300, fixed: true },
  { id: 'by', header: 'By', kind: 'muted', cell: (row) => row.by_name, width: 180 },
];

function Facts({ payment }: { payment: PaymentDetail }) {
  const may = useMay();
  const carrier = carrierOf(payment);
  return (
    <KeyValue facts={[
      payment.withheld_minor > 0 && { label: 'Gross', value: <Money minor={payment.amount_minor
        + payment.withheld_minor} currency={payment.currency} /> },
      payment.withheld_minor > 0 && { label: 'Backup withholding', value: <Money minor={payment.withheld_minor}
        currency={payment.currency} /> },
      { label: 'Amount', value: <Money minor={payment.amount_minor} currency={payment.currency} /> },
      payment.bank_currency !== null && { label: 'Bank amount', value: <Money minor={payment.bank_amount_minor}
        currency={payment.bank_currency} /> },
      { label: payment.bank_account === null ? 'Account' : 'Bank account',
        value: payment.bank_account_id !== null && may('bank_account.show')
          ? <AppLink className="gr-link" href={`/admin/banking/bank-accounts/${payment.bank_account_id}`}>
            {payment.bank_account}</AppLink> : payment.bank_account ?? payment.account },
      carrier !== null && { label: 'Leaves with', value: may('payment.show')
        ? <AppLink className="gr-link" href={carrier.href}>{carrier.text}</AppLink> : carrier.text },
      payment.payee_last4 !== null && { label: 'To account', value: `•••• ${payment.payee_last4}` },
      payment.value_on !== null && { label: 'Value date', value: formatDay(payment.value_on) },
      payment.outcome_on !== null && payment.outcome === 'settled' && { label: 'Settled',
        value: formatDay(payment.outcome_on) },
      payment.reference !== '' && { label: 'Reference', value: payment.reference },
      payment.created_by_name !== null && { label: 'Made by', value: payment.created_by_name },
      payment.approved_by_name !== null && { label: 'Approved by', value: <>{payment.approved_by_name}
        {payment.approved_at !== null && <>, <DateText value={payment.approved_at} /></>}</> },
      payment.memo !== '' && { label: 'Note', value: payment.memo, wide: true },
    ]} />
  );
}

const isKind = (kind: string | null): kind is DocumentKind => kind !== null
  && (DOCUMENT_KINDS as readonly string[]).includes(kind);

function DocumentLink({ part }: { part: SettledPart }) {
  const { document_kind: kind, document_id: id } = part;
  return isKind(kind) && id !== null
    ? <AppLink className="gr-link" href={pageOf({ kind, id, number: part.document })}>{part.document}</AppLink>
    : part.document;
}

const partColumns = (parts: readonly SettledPart[]): readonly Column<SettledPart>[] => [
  { id: 'document', header: 'Document', kind: 'title', cell: (row) => <DocumentLink part={row} />, width: 220,
    fixed: true },
  { id: 'payee_number', header: 'Payee’s number', kind: 'code', width: 170,
    cell: (row) => (row.payee_number === row.document ? '' : row.payee_number) },
  { id: 'due', header: 'Due', kind: 'date', cell: (row) => row.due_on, width: 120 },
  { id: 'discount', header: 'Discount', kind: 'money', cell: (row) => (row.discount_minor === 0 ? ''
    : BigInt(row.discount_minor)), width: 120 },
  ...(parts.every((part) => part.discount_reason === '') ? [] : [{ id: 'discount_reason',
    header: 'Reason for discount', kind: 'muted' as const, cell: (row: SettledPart) => row.discount_reason,
    width: 220 }]),
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 130 },
];
const appliedColumns: readonly Column<PaymentDetail['applications'][number]>[] = [
  { id: 'number', header: 'Invoice', kind: 'title', cell: (row) => row.number, width: 220, fixed: true },
  { id: 'on', header: 'Applied on', kind: 'date', cell: (row) => row.applied_on, width: 140 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.applied_minor), width: 140 },
];

/** Items it settles; a refund pays back money on account. */
function Settled({ payment }: { payment: PaymentDetail }) {
  if (payment.direction === 'in') {
    return (
      <Section title="Applied to" count={payment.applications.length}>
        <DataTable label="Applied to" variant="record" columns={appliedColumns} rows={payment.applications}
          rowKey={(row) => row.invoice_id} rowHref={(row) => `/admin/accounts-receivable/invoices/${row.invoice_id}`}
          empty={{ title: 'Nothing yet', text: 'The whole receipt is on account.' }} />
      </Section>
    );
  }
  if (payment.parts.length === 0) return null;
  return (
    <Section title="Documents" count={payment.parts.length}>
      <DataTable label="Documents" variant="record" columns={partColumns(payment.parts)}
        rows={payment.parts}
        rowKey={(row) => row.open_item_id ?? row.document} />
    </Section>
  );
}
