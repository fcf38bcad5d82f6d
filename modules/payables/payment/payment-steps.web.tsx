/** Dialogs of a payment: posted on a day, settled, withdrawn, come back, changed. */
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { paymentEndpoints, type PaymentDetail } from '#modules/receivables/payments/payment.contract.ts';
import { call } from '#kit/client.ts';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useTypedName } from '#web/controls/field/typed-name.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { PayForm } from './pay-form.web.tsx';
import { payEndpoints } from './pay.contract.ts';

export type Step = 'posted' | 'cleared' | 'void' | 'returned';

interface Words { title: string; text: string; button: string; done: string }
function wordsOf(payment: PaymentDetail, step: Step): Words {
  const amount = formatAmount(payment.amount_minor, payment.currency);
  switch (step) {
    case 'posted': return { title: `Post ${payment.number}`, button: `Post ${amount}`, done: 'Payment posted',
      text: `Post it once ${amount} has left ${payment.bank_account ?? 'the account'}.` };
    case 'cleared': return { title: `Settle ${payment.number}`, button: 'Mark as settled', done: 'Payment settled',
      text: 'The bank has paid it. A match with a line of the statement says so by itself.' };
    case 'void': return { title: `Withdraw ${payment.number}`, button: 'Withdraw payment', done: 'Payment withdrawn',
      text: payment.status === 'posted' ? `The posting of ${amount} is reversed. What it paid is open again.`
        : 'Nothing is paid. What it would have paid is free again.' };
    case 'returned': return { title: `Payment ${payment.number} came back`, button: 'Take back payment',
      done: 'The payment is taken back; it is payable again', text: `The posting of ${amount} is reversed. Bank `
        + `details of ${payment.party_name} are confirmed before the next payment.` };
  }
}

/** Form for a step of a payment; steps that reverse a posting require typing the number first (U12). */
export function StepForm({ payment, step, refresh: reads, onClose }: {
  payment: PaymentDetail; step: Step; refresh: readonly AnyEndpoint[]; onClose: () => void;
}) {
  const refresh = useRefresh([...reads]);
  const words = wordsOf(payment, step);
  const takesBack = step === 'returned' || (step === 'void' && payment.status === 'posted');
  const isDated = step !== 'void' || payment.status === 'posted';
  const asksReason = step === 'void' || step === 'returned';
  const typed = useTypedName(payment.number, takesBack);
  const form = useResourceForm({
    initial: { on: today() as string | null, reason: '', reference: payment.reference },
    submit: ({ on, reason, reference }) => call(paymentEndpoints.status, { params: { id: payment.id }, body: {
      status: step, version: payment.version, reason, ...(isDated && on ? { on } : {}),
      ...(step === 'posted' ? { reference } : {}) } }),
    onSaved: () => { toast(words.done); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={words.title} width={480}>
      <FormFrame form={form} aria-label={words.title}>
        <p>{words.text}</p>
        {isDated && <DateField label={step === 'posted' ? 'Paid on' : 'Date'} required {...form.field('on')} />}
        {step === 'posted' && <TextField label="Reference" maxLength={200} {...form.field('reference')}
          caption="As it appears on the bank statement" />}
        {asksReason && <TextField label="Reason" required rows={2} maxLength={500} {...form.field('reason')} />}
        {typed.field}
        <FormActions>
          <Button type="submit" variant={asksReason ? 'danger' : 'primary'} pending={form.pending} reason={typed.held}>
            {words.button}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

export function PaymentEdit({ payment, onClose }: { payment: PaymentDetail; onClose: () => void }) {
  const refresh = useRefresh([paymentEndpoints.list, payEndpoints.payables, approvalEndpoints.list]);
  const party = payment.party_type === 'customer' ? 'customer' as const : 'vendor' as const;
  return (
    <Modal open onClose={onClose} title={`Change ${payment.number}`} width={860}>
      {payment.status === 'approved' && <Callout tone="info">A change takes the approval back.</Callout>}
      <PayForm wanted={{ row: payment, bill: null, asked: { account: payment.bank_account_id, type: party,
        party: payment.party_id, method: methodOf(payment), division: payment.division,
        currency: payment.currency } }}
      onSaved={() => { toast('Payment changed; another person approves it'); void refresh(); onClose(); }} />
    </Modal>
  );
}

/** Cash and set-off never leave by themselves. */
function methodOf({ method }: PaymentDetail) {
  return method === 'cash' || method === 'set_off' ? null : method;
}
