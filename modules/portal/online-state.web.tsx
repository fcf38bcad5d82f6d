/** Paying by card or bank debit: notes to the ways, and how a payment that was begun stands. */
import { useEffect } from 'react';
import { Callout } from '#web/data/callout.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import type { PortalInvoice } from './money-words.web.ts';

type OnlinePayment = PortalInvoice['online_payment'];
type Method = PortalInvoice['payment_methods'][number]['method'];

const DEBIT = 'From your bank account. Your bank answers within some days; until then it does not count as paid.';
export const METHOD_NOTES: Record<Method, string> = {
  card: 'On the page of our payment service, and back here.', ach: DEBIT, sepa: DEBIT, bacs: DEBIT,
  bank_transfer: 'From your own bank. It counts when it arrives.',
  purchase_order: 'We note your order. It is not a payment; the invoice stays open.',
};

const ASK_EVERY_MS = 2000;

/** Back from the payment service, which has not said yet how it stands. */
export function useIsAsking(payment: OnlinePayment): boolean {
  return useQueryValues().values.get('paid') === '1' && payment?.status === 'open';
}

/** Back from the payment service: asks how it stands until it says something else than that it waits. */
export function OnlineState({ payment, ask }: { payment: OnlinePayment; ask?: () => void }) {
  const { values } = useQueryValues();
  const back = useIsAsking(payment);
  useEffect(() => {
    if (!back || !ask) return undefined;
    ask();
    const timer = setInterval(ask, ASK_EVERY_MS);
    return () => clearInterval(timer);
    // The action is new with every rendering; the payment and its state are what counts.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [back, payment?.id]);
  if (!payment) return null;
  const sum = formatAmount(payment.amount_minor, payment.currency);
  const test = payment.is_test ? ' Test payment, no money moved.' : '';
  if (back) return <Callout tone="info" live title="We are asking our payment service whether it is paid" />;
  if (payment.status === 'processing') {
    return (
      <Callout tone="info" live title={`A bank debit of ${sum} is on its way`}>
        Your bank answers within some days. Until then nothing counts as paid.{test}
      </Callout>
    );
  }
  if (payment.status === 'failed') {
    return (
      <Callout tone="error" live title={`${sum} was not paid`}>{payment.failure} Please pay another way.{test}</Callout>
    );
  }
  if (payment.status !== 'paid' || values.get('paid') !== '1') return null;
  return <Callout tone="ok" live title="Thank you, it is paid">{`We received ${sum}.${test}`}</Callout>;
}
