/** Actions that the status of a payment allows on its own page. */
import type { PaymentDetail, ProcessorRefund } from '#modules/receivables/payments/payment.contract.ts';
import { PAID_ELSEWHERE } from '../disbursement/paid-elsewhere.server.ts';

type Facts = Pick<PaymentDetail, 'direction' | 'kind' | 'status' | 'method' | 'payment_run_id'> & {
  /** Names what it settles; a refund that receivables made does not. */
  has_parts: boolean;
  run_status: string | null;
  /** Status at the card processor; null if it is not paid through it. */
  processor: ProcessorRefund['status'] | null;
};
type Event = PaymentDetail['allowed'][number];

/** Runs and batches decide about their own payments; a check is printed and voided on its own page. */
export function eventsOf(payment: Facts): Event[] {
  // Royalties are decided at their batch.
  if (['royalty', 'royalty_advance'].includes(payment.kind)) return isOnItsWay(payment) ? ['remit'] : [];
  if (payment.direction === 'in' || !['vendor', 'refund', 'tax'].includes(payment.kind)) return [];
  if (payment.processor !== null && payment.processor !== 'failed') return eventsAtProcessor(payment.processor);
  // Another division paid: its intercompany entry takes it back.
  if (payment.method === PAID_ELSEWHERE) return isOnItsWay(payment) ? ['remit'] : [];
  const alone = payment.payment_run_id === null;
  const paper = payment.method === 'check' && payment.has_parts;
  const events: Record<PaymentDetail['status'], (Event | false)[]> = {
    draft: [alone && payment.has_parts && 'update', alone && 'approve', alone && 'void',
      alone && payment.has_parts && 'trash'],
    approved: [alone && payment.has_parts && 'update', alone && !paper && 'post', alone && 'void'],
    posted: ['settle', alone && !paper && 'return', alone && !paper && 'void'],
    cleared: [alone && !paper && 'return'],
    returned: [], void: [], reversed: [],
  };
  return [...events[payment.status], isOnItsWay(payment) && 'remit' as const].filter((event) => event !== false);
}

/** Refunds to a card are approved here, and withdrawn until they are sent; the card processor does the rest. */
function eventsAtProcessor(status: ProcessorRefund['status']): Event[] {
  if (status === 'waiting') return ['approve', 'void'];
  return status === 'approved' ? ['void'] : [];
}

/** The payee may be told: it is posted, or in a file that the bank has. */
export const isOnItsWay = (payment: Pick<Facts, 'kind' | 'status' | 'has_parts' | 'run_status'>): boolean =>
  (payment.has_parts || payment.kind === 'refund') && (payment.status === 'posted' || payment.status === 'cleared'
    || (payment.status === 'approved' && payment.run_status === 'exported'));
