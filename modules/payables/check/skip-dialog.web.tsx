/** Blank forms that were damaged or lost: their numbers are kept as spoiled. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { CheckAccountField, useCheckAccount } from './check-account.web.tsx';
import { checkEndpoints } from './check.contract.ts';

export default function SkipDialog({ onClose }: { onClose: () => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const [chosen, setChosen] = useState<number | null>(null);
  const { account } = useCheckAccount(chosen);
  const id = account?.id ?? 0;
  const refresh = useRefresh([checkEndpoints.list, checkEndpoints.next]);
  const next = useEndpoint(checkEndpoints.next, { query: { bank_account_id: id } }, { enabled: id > 0 });
  const form = useResourceForm({
    initial: { through_number: '', reason: '' },
    submit: (values) => call(checkEndpoints.skip, { body: { ...values, bank_account_id: id } },
      { idempotencyKey: key }),
    onSaved: ({ data }) => { toast(`${data.spoiled} recorded as spoiled`); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title="Record spoiled forms" width={480}>
      <FormFrame form={form} aria-label="Spoiled forms">
        <p>{`Every form from number ${next.data?.data.next_check_number ?? ''} through this one is recorded as spoiled.`
          + ' The number after it is the next one.'}</p>
        <CheckAccountField chosen={chosen} onChange={setChosen} />
        <TextField label="Through number" required inputMode="numeric" maxLength={9}
          {...form.field('through_number')} />
        <TextField label="Reason" required rows={2} maxLength={500} {...form.field('reason')} />
        <FormActions>
          <Button type="submit" variant="danger" pending={form.pending}>Record as spoiled</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
