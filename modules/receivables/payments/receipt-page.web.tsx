/** One receipt: what it paid, what is on account, and the application of the rest to open invoices. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useTypedName } from '#web/controls/field/typed-name.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { AwaitingApproval } from '#web/data/approvers.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { AppLink, useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { BankAccountField } from '#modules/banking/bank-account/bank-account-field.web.tsx';
import { invoiceEndpoints } from '../invoices/invoice.contract.ts';
import { METHOD_LABELS, PAYMENT_TONES, paymentLabel, paymentNoun } from '../invoices/invoice-labels.web.ts';
import { AtProcessor, Disputed } from './at-processor.web.tsx';
import { paymentEndpoints, type PaymentDetail } from './payment.contract.ts';

const LIST = '/admin/accounts-receivable/payments';
const INVOICES = '/admin/accounts-receivable/invoices';

export default function ReceiptPage() {
  const id = useIdParam('paymentId');
  const read = useEndpoint(paymentEndpoints.show, { params: { id } });
  if (read.isError && !read.data) {
    return <RecordProblem noun="payment" list={LIST} error={read.error} onRetry={() => void read.refetch()} />;
  }
  const payment = read.data?.data;
  return (
    <>
      <PageHeader title={payment ? `${paymentNoun(payment)} ${payment.number}` : 'Payment'}
        activity={payment && { entity: 'payment', id: payment.id }}
        back={LIST}
        badges={payment && <Badge tone={PAYMENT_TONES[payment.status]}>{paymentLabel(payment)}</Badge>}
        waiting={!payment}
        subtitle={payment && [
          <AppLink key="party" href={`/admin/customers/${payment.party_id}/information`} className="gr-link">
            {payment.party_name}
          </AppLink>, METHOD_LABELS[payment.method], <DateText key="date" value={payment.paid_on} />,
        ]}>
        {payment && <Actions payment={payment} />}
      </PageHeader>
      {payment ? <Body payment={payment} /> : (
        <PageContent record>{[420, 360].map((width) => <p key={width}><Skeleton width={width} height={18} /></p>)}
        </PageContent>
      )}
    </>
  );
}

function Body({ payment }: { payment: PaymentDetail }) {
  const may = useMay();
  const { currency } = payment;
  const receipt = payment.direction === 'in' && !['draft', 'void'].includes(payment.status);
  return (
    <PageContent record fullWidth>
      {payment.direction === 'in' && payment.status === 'draft' && (
        <Callout tone="info" title={spell`Post-dated check`}>
          Posts on <DateText value={payment.paid_on} />. Until then it does not reduce what the customer owes.
          {payment.planned_minor ? ` ${formatAmount(payment.planned_minor, currency)} will be applied then.` : ''}
        </Callout>
      )}
      {payment.kind === 'refund' && payment.status === 'draft' && (
        <AwaitingApproval endpoint={approvalEndpoints.approvers} kind="refund" askedBy={payment.created_by_name}
          askedById={payment.created_by_id} />
      )}
      {payment.credit_note_id !== null && (
        <Callout tone="info" title="Credit on account">
          <AppLink href={`${INVOICES}/${payment.credit_note_id}`} className="gr-link">{payment.number}</AppLink> was
          more than its invoice still owed. Apply the rest to another document or refund it.
        </Callout>
      )}
      {payment.processor && <AtProcessor refund={payment.processor} />}
      <Disputed payment={payment} />
      {payment.status === 'returned' && !payment.processor && payment.kind !== 'dispute' && (
        <Callout tone="error" title="Returned by the bank">
          {payment.reversal_reason} {payment.returned_on && <DateText value={payment.returned_on} />}
        </Callout>
      )}
      {receipt && <Use payment={payment} />}
      <Section title="Payment">
        <KeyValue facts={[
          { label: 'Amount', value: <Money minor={payment.amount_minor} currency={currency} /> },
          payment.bank_currency !== null && { label: 'Bank amount',
            value: <Money minor={payment.bank_amount_minor} currency={payment.bank_currency} /> },
          { label: 'Account', value: payment.bank_account_id !== null && may('bank_account.show')
            ? <AppLink href={`/admin/banking/bank-accounts/${payment.bank_account_id}`} className="gr-link">
              {payment.bank_account}</AppLink> : payment.account }, payment.reference !== '' && { label: 'Reference',
            value: payment.reference },
          payment.created_by_name !== null && { label: 'Recorded by', value: payment.created_by_name },
          payment.approved_by_name !== null && { label: 'Approved by', value: payment.approved_by_name },
          payment.transaction_id !== null && { label: 'Journal', value: (
            <AppLink href={`/admin/accounting/transactions/${payment.transaction_id}`} className="gr-link">
              <CodeText>{`Transaction ${payment.transaction_id}`}</CodeText>
            </AppLink>) },
          payment.direction === 'in' && may('payment.update') && { label: 'Ledger', value: (
            <AppLink href={`/admin/accounting/payments/${payment.id}`} className="gr-link">
              Postings and linked journals
            </AppLink>) },
          payment.memo !== '' && { label: 'Note', value: payment.memo, wide: true },
        ]} />
      </Section>
      {receipt && (
        <Section title="Applied to" count={payment.applications.length}>
          <DataTable label="Applied to" variant="record" columns={applied} rows={payment.applications}
            rowKey={(row) => row.invoice_id} rowHref={(row) => `${INVOICES}/${row.invoice_id}`}
            empty={unapplied(payment)} />
        </Section>
      )}
      {receipt && payment.open_documents.length > 0 && <OpenDocuments payment={payment} />}
    </PageContent>
  );
}

function Use({ payment }: { payment: PaymentDetail }) {
  return (
    <StatStrip label="Use of the receipt" stats={[
      { label: `${payment.kind === 'credit' ? 'Credit' : 'Received'}, ${payment.currency}`,
        value: <Money minor={payment.amount_minor} /> },
      { label: payment.deposit_id ? 'Held as deposit' : 'Applied or refunded', sign: '−',
        value: <Money minor={payment.applied_minor} /> },
      { label: 'On account', sign: '=', strong: true, value: <Money minor={payment.unapplied_minor} /> },
    ]} />
  );
}

const unapplied = (payment: PaymentDetail) => (payment.unapplied_minor > 0
  ? { title: 'Nothing yet', text: 'What is not refunded is on account.' }
  : { title: 'Nothing', text: 'All of it was refunded, held as a deposit or disputed.' });

const applied: readonly Column<PaymentDetail['applications'][number]>[] = [
  { id: 'number', header: 'Invoice', kind: 'title', cell: (row) => row.number, width: 220, fixed: true },
  { id: 'on', header: 'Applied on', kind: 'date', cell: (row) => row.applied_on, width: 140 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.applied_minor), width: 140 },
];

const DOCUMENTS = { invoice: 'Invoice', proforma: 'Pro forma', deposit: 'Deposit for' } as const;

function OpenDocuments({ payment }: { payment: PaymentDetail }) {
  type Row = PaymentDetail['open_documents'][number];
  const columns: readonly Column<Row>[] = [
    { id: 'number', header: 'Document', kind: 'title', cell: (row) => `${DOCUMENTS[row.kind]} ${row.number}`,
      width: 240, fixed: true },
    { id: 'title', header: 'Production', kind: 'muted', cell: (row) => row.title, width: 200 },
    { id: 'due', header: 'Due', kind: 'date', cell: (row) => row.due_on, width: 130 },
    { id: 'total', header: 'Total', kind: 'money', cell: (row) => BigInt(row.total_minor), width: 130 },
    { id: 'open', header: 'Open', kind: 'money', cell: (row) => BigInt(row.balance_minor), width: 130 },
    { id: 'apply', header: 'Apply', kind: 'actions', width: 190,
      cell: (row) => <ApplyButton payment={payment} row={row} /> },
  ];
  return (
    <Section title="Open documents" count={payment.open_documents.length}
      description="Invoices can be paid in part. Pro formas and deposits must be paid in full.">
      <DataTable label="Open documents" variant="record" columns={columns} rows={payment.open_documents}
        rowKey={(row) => `${row.kind}-${row.id}`}
        rowHref={(row) => (row.kind === 'deposit' ? `/admin/customers/${payment.party_id}/finance`
          : `${INVOICES}/${row.id}`)} />
    </Section>
  );
}

function ApplyButton({ payment, row }: { payment: PaymentDetail; row: PaymentDetail['open_documents'][number] }) {
  const may = useMay();
  const told = { refresh: [paymentEndpoints.list, invoiceEndpoints.list],
    onFailure: (failure: { message: string }) => { toast(failure.message, { tone: 'error' }); } };
  const apply = useAction(invoiceEndpoints.pay, { done: 'Applied', ...told });
  const hold = useAction(paymentEndpoints.holdAsDeposit, { done: 'Held as deposit', ...told });
  if (!may('invoice.manage_payments')) return null;
  const whole = row.kind !== 'invoice';
  const amount = whole ? row.balance_minor : Math.min(row.balance_minor, payment.unapplied_minor);
  if (amount > payment.unapplied_minor || (row.kind === 'deposit' && (payment.kind !== 'receipt'
    || payment.amount_minor !== amount || payment.unapplied_minor !== amount))) return null;
  const pending = apply.pending || hold.pending;
  return (
    <Button size="small" pending={pending} onClick={() => void (row.kind === 'deposit'
      ? hold.run({ params: { id: payment.id }, body: { deposit_id: row.id } })
      : apply.run({ params: { id: row.id }, body: { payment_id: payment.id, amount_minor: amount } }))}>
      {row.kind === 'deposit' ? 'Hold' : 'Apply'} {formatAmount(amount, payment.currency)}
    </Button>
  );
}

type OpenDialog = 'refund' | 'return' | 'approve' | 'pay' | 'withdraw' | null;

function Actions({ payment }: { payment: PaymentDetail }) {
  const may = useMay();
  const user = useCurrentUser();
  const [doing, setDoing] = useState<OpenDialog>(null);
  const close = () => setDoing(null);
  const status = useAction(paymentEndpoints.status, { refresh: [approvalEndpoints.list], done: 'Done' });
  const change = (to: 'approved' | 'posted') => {
    close();
    void status.run({ params: { id: payment.id }, body: { status: to, version: payment.version } });
  };
  const receipt = payment.direction === 'in' && payment.status === 'posted';
  const waits = payment.kind === 'receipt' && payment.status === 'draft';
  const refund = payment.kind === 'refund' && ['draft', 'approved'].includes(payment.status);
  const toCard = payment.processor !== null && payment.processor.status !== 'failed';
  const sent = payment.processor?.status === 'sent';
  const more = [
    ...(receipt && payment.unapplied_minor > 0 && may('payment.create')
      ? [{ label: 'Refund', onSelect: () => setDoing('refund') }] : []),
    ...(receipt && payment.kind === 'receipt' && may('payment.updateStatus')
      ? [{ label: 'Returned by the bank', danger: true, onSelect: () => setDoing('return') }] : []),
    ...(((refund && !sent) || waits) && may('payment.updateStatus')
      ? [{ label: waits ? spell`Return the check` : payment.status === 'draft' ? 'Decline' : 'Withdraw', danger: true,
        onSelect: () => setDoing('withdraw') }] : []),
  ];
  const amount = formatAmount(payment.amount_minor, payment.currency);
  return (
    <>
      {payment.kind === 'receipt' && !['draft', 'void'].includes(payment.status) && (
        <PdfLink href={`/api/admin/staff/accounting/payments/${payment.id}/document`}
          title={`Receipt ${payment.number ?? ''}`}
          fileName={`${payment.number ?? 'receipt'}.pdf`}>PDF</PdfLink>)}
      {more.length > 0 && <ActionMenu label="More" actions={more} />}
      {refund && payment.status === 'draft' && may('payment.updateStatus') && (
        <Button variant="primary" pending={status.pending} onClick={() => setDoing('approve')}
          reason={payment.created_by_id !== null && payment.created_by_id === user?.id
            ? 'You asked for this refund. Someone else must approve it.' : undefined}>Approve {amount}</Button>)}
      {refund && payment.status === 'approved' && !toCard && may('payment.updateStatus') && (
        <Button variant="primary" pending={status.pending} onClick={() => setDoing('pay')}>Mark as paid</Button>)}
      <ConfirmDialog open={doing === 'approve'} title="Approve this refund?" confirm={`Approve ${amount}`}
        text="Someone other than the person who asked for it has to approve it." onCancel={close}
        onConfirm={() => change('approved')} />
      <ConfirmDialog open={doing === 'pay'} title="Has this refund left the bank?" confirm={`Post ${amount}`}
        text="It is posted with today's date." onCancel={close} onConfirm={() => change('posted')} />
      {doing === 'refund' && <RefundForm payment={payment} onClose={close} />}
      {(doing === 'return' || doing === 'withdraw') && (
        <ReasonForm payment={payment} to={doing === 'return' ? 'returned' : 'void'} onClose={close} />)}
    </>
  );
}

interface FormProps { payment: PaymentDetail; onClose: () => void }

function RefundForm({ payment, onClose }: FormProps) {
  const { go } = useNavigation();
  const [key] = useState(() => crypto.randomUUID());
  const toCard = payment.to_card_minor ?? 0;
  const form = useResourceForm({
    initial: { amount_minor: payment.unapplied_minor as number | null, reason: '',
      bank_account_id: payment.bank_account_id, by_processor: toCard >= payment.unapplied_minor },
    submit: (values) => call(paymentEndpoints.refund, { params: { id: payment.id },
      body: { amount_minor: values.amount_minor ?? 0, reason: values.reason, by_processor: values.by_processor,
        bank_account_id: values.by_processor ? null : values.bank_account_id } }, { idempotencyKey: key }),
    onSaved: (answer) => { toast('The refund waits for approval'); onClose(); go(`${LIST}/${answer.data.id}`); },
  });
  return (
    <Modal open onClose={onClose} title="Refund">
      <FormFrame form={form} aria-label="Refund">
        <MoneyField label="Amount" required currency={payment.currency} {...form.field('amount_minor')}
          caption={`On account: ${formatAmount(payment.unapplied_minor, payment.currency)}`} />
        {toCard > 0 && <Checkbox label="Back to the card or account it came from" {...form.field('by_processor')}
          caption={`Up to ${formatAmount(toCard, payment.currency)}; the fee of the card processor stays paid`} />}
        {!form.values.by_processor && (
          <BankAccountField label="Paid from" division={payment.division} currency={payment.currency}
            {...form.field('bank_account_id')} />)}
        <TextField label="Reason" required rows={2} {...form.field('reason')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            Refund {formatAmount(form.values.amount_minor ?? 0, payment.currency)}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

function reasonWords(payment: PaymentDetail, returned: boolean): { title: string; text: string; button: string } {
  const amount = formatAmount(payment.amount_minor, payment.currency);
  if (returned) {
    return { title: 'Returned by the bank', text: `The bank took ${amount} back: what it paid is owed again.`,
      button: 'Take the receipt back' };
  }
  if (payment.kind === 'receipt') {
    return { title: spell`Return the check`, text: spell`The check for ${amount} will not be posted.`,
      button: spell`Return the check` };
  }
  return { title: 'Withdraw refund', text: `${amount} is on account again, and can be used or refunded anew.`,
    button: 'Withdraw refund' };
}

/** Both take back what is posted, so that the number is typed first (U12). */
export function ReasonForm({ payment, to, onClose }: FormProps & { to: 'returned' | 'void' }) {
  const refresh = useRefresh([paymentEndpoints.list, paymentEndpoints.receipts, invoiceEndpoints.list]);
  const returned = to === 'returned';
  const typed = useTypedName(payment.number ?? payment.party_name, true);
  const words = reasonWords(payment, returned);
  const form = useResourceForm({
    initial: { reason: '', fee_minor: null as number | null, recharge: false },
    submit: (values) => call(paymentEndpoints.status, { params: { id: payment.id }, body: { status: to,
      version: payment.version, reason: values.reason, fee_minor: values.fee_minor ?? 0, recharge: values.recharge } }),
    onSaved: () => { toast(returned ? 'The invoices are open again' : 'Withdrawn'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={words.title}>
      <FormFrame form={form} aria-label="Reason">
        <p>{words.text}</p>
        <TextField label="Reason" required rows={2} {...form.field('reason')} />
        {returned && <MoneyField label="Bank charge" currency={payment.currency} {...form.field('fee_minor')} />}
        {returned && <Checkbox label="Bill the charge to the customer, as an invoice" {...form.field('recharge')} />}
        {typed.field}
        <FormActions>
          <Button type="submit" variant="danger" pending={form.pending} reason={typed.held}>
            {words.button}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
