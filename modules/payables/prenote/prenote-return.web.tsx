/** Records that the bank of a payee returned a prenote. */
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { today } from '#web/data/local-day.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { prenoteEndpoints, type PrenoteRow } from './prenote.contract.ts';

export default function PrenoteReturn({ row, onClose }: { row: PrenoteRow; onClose: () => void }) {
  const refresh = useRefresh([prenoteEndpoints.list, prenoteEndpoints.candidates]);
  const form = useResourceForm({
    initial: { on: today() as string | null, reason: '' },
    submit: ({ on, reason }) => call(prenoteEndpoints.return, { params: { id: row.id },
      body: { version: row.version, on: on ?? '', reason } }),
    onSaved: () => { toast('Return recorded'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Prenote to ${row.payee} returned`} width={480}>
      <FormFrame form={form} aria-label="Returned prenote">
        <p>The bank details have to be confirmed by a second person before the next payment.</p>
        <DateField label="Returned on" required {...form.field('on')} />
        <TextField label="Reason" required maxLength={500} {...form.field('reason')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Record return</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
