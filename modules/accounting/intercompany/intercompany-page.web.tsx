/** One entry between divisions, with its posting in each. */
import { Check } from 'lucide-react';
import { useState } from 'react';
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { billEndpoints } from '#modules/payables/bill/bill.contract.ts';
import { paymentEndpoints } from '#modules/receivables/payments/payment.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useTypedName } from '#web/controls/field/typed-name.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { AwaitingApproval } from '#web/data/approvers.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { INTERCOMPANY, IntercompanyBadge, journalHref, KIND_LABELS, sidesInWords }
  from './intercompany-words.web.tsx';
import { intercompanyEndpoints } from './intercompany.contract.ts';

type Detail = ResponseOf<typeof intercompanyEndpoints.show>['data'];
const STALE = [approvalEndpoints.list, intercompanyEndpoints.list, intercompanyEndpoints.balances, billEndpoints.list,
  billEndpoints.payable, paymentEndpoints.list];

function Actions({ row, onReverse }: { row: Detail; onReverse: () => void }) {
  const may = useMay();
  const user = useCurrentUser();
  const approve = useAction(intercompanyEndpoints.approve, { refresh: STALE, done: `${row.number} posted` });
  const withdraw = useAction(intercompanyEndpoints.withdraw, { refresh: STALE, done: `${row.number} withdrawn` });
  if (!may('transaction.update')) return null;
  if (row.status === 'posted') return <Button variant="danger" onClick={onReverse}>Reverse entry</Button>;
  if (row.status !== 'waiting') return null;
  const args = { params: { id: row.id }, body: { version: row.version } };
  if (user?.id === row.requested_by_id) {
    return <Button pending={withdraw.pending} onClick={() => void withdraw.run(args)}>Withdraw entry</Button>;
  }
  return (
    <>
      <DeclineButton endpoint={intercompanyEndpoints.decline} params={{ id: row.id }} body={{}} refresh={STALE}
        title={row.number} size="regular" text="Nothing is posted. The person who entered it sees the reason." />
      <Button variant="primary" icon={<Glyph icon={Check} size={16} />} pending={approve.pending}
        onClick={() => void approve.run(args)}>{`Post ${formatAmount(row.amount_minor, row.currency)}`}</Button>
    </>
  );
}

function ReverseDialog({ row, onClose }: { row: Detail; onClose: () => void }) {
  const refresh = useRefresh(STALE);
  const typed = useTypedName(row.number, true);
  const form = useResourceForm({
    initial: { reversed_on: null as string | null, reason: '' },
    submit: (values) => call(intercompanyEndpoints.reverse, { params: { id: row.id },
      body: { version: row.version, ...values } }),
    onSaved: () => { toast(`${row.number} reversed`); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Reverse ${row.number}`} width={480}>
      <FormFrame form={form} aria-label="Reversal">
        <p>{`Both postings are reversed on the same day, in ${DIVISION_LABELS[row.debtor]} and in ${
          DIVISION_LABELS[row.creditor]}.`}</p>
        <DateField label="Date" {...form.field('reversed_on')} caption="Defaults to today" />
        <TextField label="Reason" required rows={2} {...form.field('reason')} maxLength={500} />
        {typed.field}
        <FormActions>
          <Button type="submit" variant="danger" pending={form.pending} reason={typed.held}>Reverse entry</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

function Side({ row, side }: { row: Detail; side: 'debtor' | 'creditor' }) {
  const posting = row[`${side}_transaction_id`];
  const reversal = row[`${side}_reversal_id`];
  const own = row[`${side}_currency`];
  const documentSide = row.bill_id === null ? 'creditor' : 'debtor';
  return (
    <Section title={DIVISION_LABELS[row[side]]} description={side === 'debtor' ? 'Owes' : 'Is owed'}>
      <KeyValue facts={[
        { label: 'Due account', value: side === 'debtor' ? '2500 Due to divisions' : '1500 Due from divisions' },
        { label: 'Account', value: row[`${side}_account`] },
        side === 'creditor' && row.customer_id !== null && { label: 'Customer', value: <AppLink className="gr-link"
          href={`/admin/customers/${row.customer_id}`}>{row.customer_name}</AppLink> },
        side === 'debtor' && row.vendor_id !== null && { label: 'Vendor', value: <AppLink className="gr-link"
          href={`/admin/vendors/${row.vendor_id}`}>{row.vendor_name}</AppLink> },
        side === 'debtor' && row.bill_id !== null && { label: 'Bill', value: <AppLink className="gr-link"
          href={`/admin/accounting/bills/${row.bill_id}`}>{row.bill_number}</AppLink> },
        side === documentSide && row.payment_id !== null && { label: side === 'debtor' ? 'Payment' : 'Receipt',
          value: <AppLink className="gr-link" href={`${side === 'debtor' ? '/admin/accounts-payable/payments'
            : '/admin/accounts-receivable/payments'}/${row.payment_id}`}>{row.payment_number}</AppLink> },
        { label: 'Amount', value: formatAmount(row.amount_minor, row.currency) },
        own !== row.currency && { label: `In ${own}`, value: formatAmount(row[`${side}_base_minor`], own) },
        posting !== null && { label: 'Posting',
          value: <AppLink className="gr-link" href={journalHref(posting)}>{`Transaction ${posting}`}</AppLink> },
        reversal !== null && { label: 'Reversal',
          value: <AppLink className="gr-link" href={journalHref(reversal)}>{`Transaction ${reversal}`}</AppLink> },
      ]} />
    </Section>
  );
}

function Facts({ row }: { row: Detail }) {
  return (
    <Section title="About this entry">
      <KeyValue facts={[
        { label: 'Type', value: KIND_LABELS[row.kind] },
        { label: 'Date', value: formatDay(row.dated_on) },
        { label: 'Description', value: row.description },
        { label: 'Requested by', value: <>{row.requested_by_name}, <DateText value={row.requested_at} /></> },
        row.decided_at !== null && { label: 'Decided by',
          value: <>{row.decided_by_name}, <DateText value={row.decided_at} /></> },
        row.decline_reason !== '' && { label: 'Reason for declining', value: row.decline_reason },
        row.reversed_on !== null && { label: 'Reversed by',
          value: `${row.reversed_by_name}, ${formatDay(row.reversed_on)}` },
        row.reversal_reason !== '' && { label: 'Reason for the reversal', value: row.reversal_reason },
      ]} />
    </Section>
  );
}

export default function IntercompanyPage() {
  const id = useIdParam('intercompanyEntryId');
  const [reversing, setReversing] = useState(false);
  const read = useEndpoint(intercompanyEndpoints.show, { params: { id } });
  const row = read.data?.data.id === id ? read.data.data : undefined;
  if (read.isError && !row) {
    return <RecordProblem noun="intercompany entry" list={INTERCOMPANY} error={read.error}
      onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.number ?? 'Intercompany entry'} back={INTERCOMPANY} waiting={!row}
        activity={row && { entity: 'intercompany_entry', id: row.id }}
        badges={row && <IntercompanyBadge status={row.status} />}
        subtitle={row && [sidesInWords(row), formatAmount(row.amount_minor, row.currency)]}>
        {row && <Actions row={row} onReverse={() => setReversing(true)} />}
      </PageHeader>
      <PageContent record>
        {!row && [420, 520, 380].map((width) => <p key={width}><Skeleton width={width} height={18} /></p>)}
        {row?.status === 'waiting' && (
          <AwaitingApproval endpoint={approvalEndpoints.approvers} kind="intercompany" askedBy={row.requested_by_name}
            askedById={row.requested_by_id} />)}
        {row && <Side row={row} side="debtor" />}
        {row && <Side row={row} side="creditor" />}
        {row && <Facts row={row} />}
      </PageContent>
      {row && reversing && <ReverseDialog row={row} onClose={() => setReversing(false)} />}
    </>
  );
}
