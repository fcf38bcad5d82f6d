/** Sends the remittance advice of a payment, or of each payment of a run. */
import { useState } from 'react';
import { Recipients } from '#modules/identity/email-group/recipients.web.tsx';
import { paymentEndpoints, type PaymentDetail } from '#modules/receivables/payments/payment.contract.ts';
import { ApiError, call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { UNPRINTABLE, UnprintableQuestion } from '#web/controls/failure/unprintable-question.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { payEndpoints } from './pay.contract.ts';

export function RemittanceForm({ payment, onClose }: { payment: PaymentDetail; onClose: () => void }) {
  const [asked, setAsked] = useState(false);
  const refresh = useRefresh([paymentEndpoints.list]);
  const form = useResourceForm({
    initial: { recipients: payment.payee_email === null ? [] as string[] : [payment.payee_email], message: '',
      unprintable_accepted: false },
    submit: (values) => call(payEndpoints.sendRemittance, { params: { id: payment.id }, body: values })
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === UNPRINTABLE) setAsked(true);
        throw error;
      }),
    onSaved: () => { toast('On its way'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Remittance advice ${payment.number}`}>
      <FormFrame form={form} aria-label="Mail">
        <Recipients label="To" required {...form.field('recipients')} />
        <TextField label="Message" rows={4} {...form.field('message')} caption="The remittance advice goes with it." />
        <UnprintableQuestion asked={asked} {...form.field('unprintable_accepted')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Send remittance advice</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

/** To the address of each payee that has not had it yet; names the payees without one. */
export function useRunRemittances(runId: number): { pending: boolean; send: () => void } {
  const action = useAction(payEndpoints.sendRunRemittances, { done: ({ data }) => {
    const missing = data.without_address.length === 0 ? '' : ` No email address: ${data.without_address.join(', ')}.`;
    return `${data.sent === 1 ? '1 remittance advice' : `${data.sent} remittance advices`} on the way.${missing}`;
  } });
  return { pending: action.pending, send: () => void action.run({ params: { id: runId } }) };
}
