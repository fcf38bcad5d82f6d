/** Interest on an overdue invoice: how it came about, day by day, and the buttons to bill or to waive it. */
import { useState } from 'react';
import { dateInWords } from '#kernel/calendar/calendar.ts';
import { formatRate } from '#kernel/money/money.ts';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { AppLink, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { invoiceEndpoints, type InvoiceDetail } from '../invoices/invoice.contract.ts';
import { lateInterestEndpoints, type InterestCharge, type LateInterestDetail } from './late-interest.contract.ts';
import styles from './late-interest.module.css';

const LIST = '/admin/accounts-receivable/invoices';

export function LateInterest({ invoice }: { invoice: InvoiceDetail }) {
  const [to, setTo] = useState<string | null>(null);
  const asks = invoice.kind === 'invoice' && invoice.number !== null;
  const read = useEndpoint(lateInterestEndpoints.show, { params: { id: invoice.id },
    query: to === null ? {} : { to_on: to } }, { enabled: asks });
  const interest = read.data?.data;
  if (!interest || interest.none === 'not_overdue' || interest.none === 'interest_itself') return null;
  const isEmpty = interest.steps.length === 0 && interest.charges.length === 0;
  if (isEmpty && to === null && (interest.rate !== null || interest.none === 'not_agreed')) return null;
  return (
    <Section title="Interest on late payment" description={basisText(interest)}>
      {interest.rate !== null && (
        <>
          <div className={styles.bar}>
            <DateField label="To" value={interest.to_on} error={read.error?.message} onChange={setTo} />
            <Actions invoice={invoice} interest={interest} />
          </div>
          <DataTable label="Interest that is not billed" variant="record" columns={stepColumns(interest)}
            rows={interest.steps} rowKey={(row) => row.from_on} totalLabel="Not billed yet"
            empty={{ title: 'Nothing to bill', text: 'Every late day is billed or waived.' }} />
        </>
      )}
      {interest.charges.length > 0 && (
        <DataTable label="Interest billed and waived" variant="record" columns={chargeColumns}
          rows={interest.charges} rowKey={(row) => row.id} />
      )}
    </Section>
  );
}

const NONE = {
  not_overdue: '', interest_itself: '', not_agreed: 'No interest is agreed in the contract, so none is billed.',
  no_business: 'No interest is agreed in the contract. The law grants it against businesses and public bodies, and '
    + 'this customer is recorded as neither.',
  no_rate: 'No rate is agreed in the contract, and the division has no statutory rate. It is set with its rules.',
  disputed: 'The customer disputes a payment. No interest is billed until the bank decides.',
};

function basisText({ rate, none }: LateInterestDetail): string {
  if (rate === null) return none === null ? '' : NONE[none];
  const yearly = formatRate(BigInt(rate.ppm));
  const contract = rate.signed_on === null ? '' : `the contract of ${rate.license_number}, signed ${
    dateInWords(rate.signed_on)}`;
  if (rate.basis === 'contract') {
    return `${yearly} a month by ${contract}. Open amount × ${yearly} × 12 × days ÷ 365, from the day after the due `
      + 'date through the day of payment.';
  }
  return `${yearly} a year by law, for businesses and public bodies: ${contract === '' ? 'there is no signed contract'
    : `no rate is agreed in ${contract}`}. Open amount × ${yearly} × days ÷ 365, from the day after the due date `
    + 'through the day of payment.';
}

interface ActionProps { invoice: InvoiceDetail; interest: LateInterestDetail }

function Actions({ invoice, interest }: ActionProps) {
  const may = useMay();
  const { go } = useNavigation();
  const [doing, setDoing] = useState<'bill' | 'waive' | null>(null);
  const { to_on, amount_minor } = interest;
  const bill = useAction(lateInterestEndpoints.bill, { done: (answer) => `${answer.data.number ?? ''} was issued`,
    refresh: [invoiceEndpoints.list, invoiceEndpoints.show, lateInterestEndpoints.show],
    onDone: (answer) => go(`${LIST}/${answer.data.id}`) });
  if (!may('invoice.manage_payments') || amount_minor === 0) return null;
  const sum = formatAmount(amount_minor, interest.currency);
  return (
    <div className={styles.actions}>
      <Button onClick={() => setDoing('waive')}>Waive</Button>
      <Button variant="primary" pending={bill.pending} onClick={() => setDoing('bill')}>Bill {sum}</Button>
      <ConfirmDialog open={doing === 'bill'} title="Bill this interest?" confirm={`Bill ${sum}`}
        text={`An invoice of its own is issued to ${invoice.customer_name}, without tax. The same days of ${
          invoice.number} cannot be billed again.`}
        onCancel={() => setDoing(null)}
        onConfirm={() => {
          setDoing(null);
          void bill.run({ params: { id: invoice.id }, body: { to_on, amount_minor } });
        }} />
      {doing === 'waive' && <WaiveForm invoice={invoice} interest={interest} onClose={() => setDoing(null)} />}
    </div>
  );
}

function WaiveForm({ invoice, interest, onClose }: ActionProps & { onClose: () => void }) {
  const refresh = useRefresh([lateInterestEndpoints.show]);
  const [key] = useState(() => crypto.randomUUID());
  const { to_on, amount_minor } = interest;
  const form = useResourceForm({ initial: { reason: '' },
    submit: (values) => call(lateInterestEndpoints.waive, { params: { id: invoice.id },
      body: { to_on, amount_minor, reason: values.reason } }, { idempotencyKey: key }),
    onSaved: () => { toast('Interest waived'); void refresh(); onClose(); } });
  const sum = formatAmount(amount_minor, interest.currency);
  return (
    <Modal open onClose={onClose} title={`Waive ${sum} of interest`}>
      <FormFrame form={form} aria-label="Waive interest">
        <p>The days to {dateInWords(to_on)} are not billed. Later days can be.</p>
        <TextField label="Reason" required rows={2} {...form.field('reason')}
          caption="Kept with the invoice; the customer is not told." />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Waive {sum}</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

type Step = LateInterestDetail['steps'][number];
function stepColumns(interest: LateInterestDetail): readonly Column<Step>[] {
  const days = interest.steps.reduce((all, step) => all + step.days, 0);
  return [
    { id: 'from', header: 'From', kind: 'date', cell: (row) => row.from_on, width: 130, fixed: true },
    { id: 'to', header: 'To', kind: 'date', cell: (row) => row.to_on, width: 130 },
    { id: 'days', header: 'Days', kind: 'number', cell: (row) => row.days, width: 80, total: days },
    { id: 'principal', header: 'Open amount', kind: 'money', cell: (row) => BigInt(row.principal_minor), width: 140 },
    { id: 'interest', header: `Interest, ${interest.currency}`, kind: 'money', width: 140,
      cell: (row) => BigInt(row.interest_minor), total: BigInt(interest.amount_minor) },
  ];
}

const chargeColumns: readonly Column<InterestCharge>[] = [
  { id: 'from', header: 'From', kind: 'date', cell: (row) => row.from_on, width: 130, fixed: true },
  { id: 'to', header: 'To', kind: 'date', cell: (row) => row.to_on, width: 130 },
  { id: 'state', header: 'State', width: 110, cell: (row) => (row.credited_at !== null
    ? <Badge tone="neutral">Credited</Badge> : row.state === 'waived' ? <Badge tone="warn">Waived</Badge>
      : <Badge tone="ok">Billed</Badge>) },
  { id: 'bill', header: 'Invoice', width: 190, cell: (row) => (row.interest_invoice_id === null ? ''
    : <AppLink className="gr-link" href={`${LIST}/${row.interest_invoice_id}`}>
      {row.interest_invoice_number}</AppLink>) },
  { id: 'reason', header: 'Reason', kind: 'muted', width: 240, cell: (row) => row.reason },
  { id: 'by', header: 'By', kind: 'muted', width: 160, cell: (row) => row.created_by_name ?? '' },
  { id: 'amount', header: 'Interest', kind: 'money', width: 130, cell: (row) => BigInt(row.amount_minor) },
];
