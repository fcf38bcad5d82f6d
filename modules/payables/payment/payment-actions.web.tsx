/** Actions by status of a payment: approve, post, settle, change, withdraw, return, send the remittance advice. */
import { useState } from 'react';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { paymentEndpoints, type PaymentDetail } from '#modules/receivables/payments/payment.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { TrashButton } from '#web/layout/trash-list.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { PaymentEdit, StepForm, type Step } from './payment-steps.web.tsx';
import { RemittanceForm } from './remittance.web.tsx';

const READS = [approvalEndpoints.list, paymentEndpoints.list, paymentEndpoints.payable];

export function PaymentActions({ payment, list }: { payment: PaymentDetail; list: string }) {
  const may = useMay();
  const [doing, setDoing] = useState<Step | 'edit' | 'send' | null>(null);
  const end = () => setDoing(null);
  const can = (event: PaymentDetail['allowed'][number]) => payment.allowed.includes(event);
  const decides = may('payment.updateStatus');
  const menu = [
    ...(can('update') && may('payment.update') ? [{ label: 'Change payment', onSelect: () => setDoing('edit') }] : []),
    ...(can('remit') && may('payment.update') ? [{ label: 'Send remittance advice',
      onSelect: () => setDoing('send') }] : []),
    ...(can('return') && decides ? [{ label: 'Returned by the bank', danger: true, divided: true,
      onSelect: () => setDoing('returned') }] : []),
    ...(can('void') && payment.status !== 'draft' && decides ? [{ label: 'Withdraw payment', danger: true,
      divided: !can('return'), onSelect: () => setDoing('void') }] : []),
  ];
  return (
    <>
      {can('remit') && (
        <PdfLink href={`/api/admin/staff/accounting/payments/${payment.id}/remittance`}
          title={`Remittance advice ${payment.number}`} fileName={`remittance-${payment.number}.pdf`}>
          Remittance advice
        </PdfLink>)}
      {can('trash') && may('payment.delete') && (
        <TrashButton row={payment} list={list} endpoints={paymentEndpoints}
          text="Its items become payable again. You can restore it from the trash." />)}
      {can('approve') && decides && <Approval payment={payment} />}
      {can('post') && decides && (
        <Button variant="primary" onClick={() => setDoing('posted')}>
          {`Post ${formatAmount(payment.amount_minor, payment.currency)}`}
        </Button>)}
      {can('settle') && decides && <Button onClick={() => setDoing('cleared')}>Mark as settled</Button>}
      {menu.length > 0 && <ActionMenu actions={menu} label={`Actions of ${payment.number}`} />}
      {doing === 'edit' && <PaymentEdit payment={payment} onClose={end} />}
      {doing === 'send' && <RemittanceForm payment={payment} onClose={end} />}
      {doing !== null && doing !== 'edit' && doing !== 'send' && (
        <StepForm payment={payment} step={doing} refresh={READS} onClose={end} />)}
    </>
  );
}

function Approval({ payment }: { payment: PaymentDetail }) {
  const user = useCurrentUser();
  const approve = useAction(paymentEndpoints.status, { done: `${payment.number} approved`, refresh: READS });
  const own = user !== undefined && [payment.created_by_id, payment.last_changed_by_id].includes(user?.id ?? 0);
  const reason = own ? 'You made or changed this payment. Another person approves it.' : undefined;
  return (
    <>
      <DeclineButton endpoint={paymentEndpoints.status} params={{ id: payment.id }}
        body={{ version: payment.version, status: 'void' }} title={payment.number}
        text="It is withdrawn. The person who made it sees the reason." refresh={READS} />
      <Button variant="primary" pending={approve.pending} reason={reason} onClick={() => void approve.run({
        params: { id: payment.id }, body: { status: 'approved', version: payment.version } })}>
        {`Approve ${formatAmount(payment.amount_minor, payment.currency)}`}
      </Button>
    </>
  );
}
