/** The bank paid what had been taken out of a run: a person says whether the payment stands. */
import { call } from '#kit/client.ts';
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { RadioGroup } from '#web/controls/field/radio-group.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { runEndpoints, type RunDetail, type RunPayment } from './payment-run.contract.ts';
import styles from './run.module.css';

const CHOICES = [
  { value: 'paid', label: 'It is paid', note: 'The payment stands again and settles what it was made for.' },
  { value: 'not_paid', label: 'It is not paid, or the money is back', note: 'What it would have paid stays open.' },
] as const;

export function DecideForm({ run, payment, onClose }: { run: RunDetail; payment: RunPayment; onClose: () => void }) {
  const refresh = useRefresh([approvalEndpoints.list, runEndpoints.list, runEndpoints.payables]);
  const form = useResourceForm({
    initial: { decision: 'paid' as 'paid' | 'not_paid', reason: '' },
    submit: ({ decision, reason }) => call(runEndpoints.decidePayment, {
      params: { id: run.id, paymentId: payment.id }, body: { version: run.version, decision, reason } }),
    onSaved: () => {
      toast(`${payment.party_name} can be paid again`);
      onClose();
      void refresh();
    },
  });
  return (
    <Modal open onClose={onClose} title={`Decide about ${payment.number}`}>
      <FormFrame form={form} aria-label="Decide about the payment" guard={false}>
        <p className={styles.lead}>
          {`${formatAmount(payment.amount_minor, run.currency)} to ${payment.party_name} was taken out, and the bank `
            + `paid it on ${formatDay(payment.paid_anyway_on!)}. Until this is decided, ${payment.party_name} is held `
            + 'out of payments.'}
        </p>
        <RadioGroup label="The payment" choices={CHOICES} {...form.field('decision')} />
        <TextField label="Reason" required {...form.field('reason')} />
        <div className={styles.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={form.pending}>Save decision</Button>
        </div>
      </FormFrame>
    </Modal>
  );
}
