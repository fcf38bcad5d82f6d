/** Data the bank requires in the payment files of an account, by the method that needs it. */
import { spell } from '#kernel/text/english.ts';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { profileEndpoints, runEndpoints, type FileProfile, type RunRow } from './payment-run.contract.ts';

interface Props { accountId: number; method: RunRow['method']; onClose: () => void }

export function ProfileForm({ accountId, method, onClose }: Props) {
  const read = useEndpoint(profileEndpoints.show, { params: { id: accountId } });
  const row = read.data?.data;
  return (
    <Modal open onClose={onClose} title="Payment files of the account">
      {row ? <Fields row={row} method={method} onClose={onClose} /> : <Skeleton height={120} />}
    </Modal>
  );
}

function Fields({ row, method, onClose }: { row: FileProfile; method: RunRow['method']; onClose: () => void }) {
  const refresh = useRefresh([runEndpoints.show, runEndpoints.preview]);
  const { bank_account_id: id, ...initial } = row;
  const form = useResourceForm({
    initial,
    submit: (values) => call(profileEndpoints.update, { params: { id }, body: values }),
    onSaved: () => {
      toast('Details saved');
      void refresh();
      onClose();
    },
  });
  return (
    <FormFrame form={form} aria-label="Payment files" guard={false}>
      <FormGrid>
        <TextField label="Company name" required {...form.field('originator_name')}
          caption="As payees read it on their statement." />
        {method === 'ach' && (
          <>
            <TextField label="Company id" required {...form.field('company_id')}
              caption="Ten characters from the bank." />
            <TextField label="Routing number of the bank" required {...form.field('destination_routing')} />
            <TextField label="Name of the bank" required {...form.field('destination_name')} />
            <TextField label="Origin id" {...form.field('origin_id')} caption="If different from the company ID." />
          </>)}
        {method === 'sepa' && (
          <>
            <TextField label={spell`Organization id`} value={form.field('organization_id').value ?? ''}
              onChange={(text) => form.set('organization_id', text === '' ? null : text)} />
            <AsyncSelect label="Version" {...form.field('pain_version')}
              options={[{ value: '09', label: 'pain.001.001.09' }, { value: '03', label: 'pain.001.001.03' }]}
              onChange={(value) => form.set('pain_version', value ?? '09')} />
            <AsyncSelect label="Addresses" {...form.field('addresses')}
              options={[{ value: 'structured', label: 'Structured' }, { value: 'hybrid', label: 'Hybrid' },
                { value: 'none', label: 'None' }]}
              onChange={(value) => form.set('addresses', value ?? 'structured')} />
          </>)}
        {method === 'bacs' && <TextField label="Service user number" required {...form.field('service_user')} />}
      </FormGrid>
      {method === 'ach' && (
        <Checkbox label="Balanced file: it charges the account itself" {...form.field('balanced')} />)}
      {method === 'sepa' && <Checkbox label="Ask for one debit of the total" {...form.field('one_debit')} />}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Save</Button>
      </FormActions>
    </FormFrame>
  );
}
