/** A payment at the card processor: status of a refund to the card, and disputes of the customer. */
import { isOpenDispute } from '#kernel/receivables/dispute.ts';
import { Callout } from '#web/data/callout.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import type { PaymentDetail, ProcessorRefund } from './payment.contract.ts';

const RECEIPTS = '/admin/accounts-receivable/payments';
const DISPUTES = '/admin/accounts-receivable/disputes';

/** Refund to the card. */
export function AtProcessor({ refund }: { refund: ProcessorRefund }) {
  const from = refund.receipt_id !== null && (
    <> It gives back <AppLink className="gr-link" href={`${RECEIPTS}/${refund.receipt_id}`}>
      {refund.receipt_number}</AppLink>.</>);
  const test = refund.is_test ? ' Test payment, no money moves.' : '';
  if (refund.status === 'waiting' || refund.status === 'approved' || refund.status === 'sent') {
    return (
      <Callout tone="info" title={refund.status === 'sent' ? 'With the card processor' : 'Goes back to the card'}>
        {refund.status === 'sent' ? 'Posted as soon as the card processor has paid it.'
          : 'Sent to the card processor once it is approved.'}{from}{test}
      </Callout>
    );
  }
  if (refund.status === 'withdrawn') return null;
  if (refund.status === 'failed') {
    return (
      <Callout tone="error" title="The card did not take it">
        {refund.failure}. Pay it by bank transfer.{from}{test}
      </Callout>
    );
  }
  return (
    <Callout tone={refund.attention === '' ? 'ok' : 'warn'} title={refund.origin === 'found'
      ? 'Refunded to the card, at the card processor' : 'Refunded to the card'}>
      {refund.settled_at && <DateText value={refund.settled_at.slice(0, 10)} />}, {refund.refund_id}.{from}
      {refund.attention !== '' && ` ${refund.attention}.`}{test}
    </Callout>
  );
}

/** Status of a disputed payment: on its receipt, and on the money that the dispute took. */
export function Disputed({ payment }: { payment: PaymentDetail }) {
  const number = payment.kind === 'dispute' ? payment.reference : payment.dispute?.dispute_id;
  if (!number) return null;
  const link = <AppLink className="gr-link" href={`${DISPUTES}?search=${number}`}>Open the dispute</AppLink>;
  if (payment.kind === 'dispute') {
    return payment.status === 'returned'
      ? <Callout tone="ok" title="The dispute was won, and the money is back">{link}</Callout>
      : <Callout tone="warn" title="Taken by a dispute of the customer">{link}</Callout>;
  }
  const { dispute } = payment;
  if (!dispute || dispute.status === 'won' || dispute.status === 'closed') return null;
  const sum = formatAmount(dispute.amount_minor, payment.currency);
  return (
    <Callout tone={dispute.status === 'inquiry' ? 'info' : 'warn'} title={dispute.status === 'inquiry'
      ? `The customer asks their bank about ${sum}` : dispute.status === 'lost'
        ? `A dispute of ${sum} was lost` : `The customer disputes ${sum}`}>
      {isOpenDispute(dispute.status) && 'What it paid is open again until the bank decides. '}
      {dispute.status === 'lost' && 'What it paid is open again. '}{link}
    </Callout>
  );
}
