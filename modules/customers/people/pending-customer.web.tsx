/** Staff actions on an organization that signed up: confirm it, merge it into a known customer, or decline it. */
import { useState } from 'react';
import type { CustomerRole } from '#kit/auth.ts';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { customerEndpoints } from '../customer/customer.contract.ts';
import type { CustomerRow } from '../customer/customer-frame.web.tsx';
import { choicesOf, ROLE_LABELS } from '../customer/customer-labels.web.ts';
import { customerPeopleEndpoints } from './people.contract.ts';

const activeCustomers = optionsFrom(customerEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: [row.number, row.billing_address?.locality].filter(Boolean).join(', ') }), { query: { status: 'active' } });

interface DialogProps { customer: CustomerRow; onClose: () => void }

export function PendingActions({ customer }: { customer: CustomerRow }) {
  const may = useMay();
  const [dialog, setDialog] = useState<'merge' | 'decline' | null>(null);
  const confirm = useAction(customerEndpoints.activate, { done: `${customer.name} is confirmed` });
  if (!may('customer.update')) return null;
  const close = () => setDialog(null);
  return (
    <>
      <ActionMenu label="More actions" actions={[
        { label: 'Merge into a customer …', onSelect: () => setDialog('merge') },
        { label: 'Decline …', danger: true, onSelect: () => setDialog('decline') },
      ]} />
      <Button variant="primary" pending={confirm.pending} onClick={() => void confirm.run({
        params: { id: customer.id }, body: { version: customer.version } })}>Confirm customer</Button>
      {dialog === 'merge' && <MergeDialog customer={customer} onClose={close} />}
      {dialog === 'decline' && <DeclineDialog customer={customer} onClose={close} />}
    </>
  );
}

function MergeDialog({ customer, onClose }: DialogProps) {
  const { go } = useNavigation();
  const refresh = useRefresh([customerEndpoints.list]);
  const form = useResourceForm({
    initial: { into_customer_id: null as number | null, role: 'member' as CustomerRole | null },
    submit: ({ into_customer_id, role }) => call(customerPeopleEndpoints.merge, { params: { id: customer.id },
      body: { into_customer_id: into_customer_id ?? 0, role: role ?? 'member', version: customer.version } }),
    onSaved: ({ data }) => {
      toast(`${customer.name} was folded into ${data.name}`);
      void refresh();
      go(`/admin/customers/${data.id}/users`, { replace: true });
    },
  });
  return (
    <Modal open onClose={onClose} title={`Merge ${customer.name}`}>
      <FormFrame form={form} guard={false} aria-label="Merge">
        <p>Its people and applications move to the other customer, this one is removed, and its people are notified by
          email.</p>
        <AsyncSelect<number> label="Into customer" required {...form.field('into_customer_id')}
          source={activeCustomers} />
        <AsyncSelect label="Their people become" required options={choicesOf(ROLE_LABELS)} {...form.field('role')} />
        <FormActions>
          <Button type="submit" variant="danger" pending={form.pending}>Merge</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

function DeclineDialog({ customer, onClose }: DialogProps) {
  const refresh = useRefresh([customerEndpoints.list]);
  const form = useResourceForm({
    initial: { reason: '' },
    submit: ({ reason }) => call(customerPeopleEndpoints.decline, { params: { id: customer.id },
      body: { reason, version: customer.version } }),
    onSaved: () => {
      toast(`${customer.name} was declined`);
      void refresh();
      onClose();
    },
  });
  return (
    <Modal open onClose={onClose} title={`Decline ${customer.name}`}>
      <FormFrame form={form} guard={false} aria-label="Decline">
        <p>It can no longer apply. Its people get your reason by mail.</p>
        <TextField label="Reason" required rows={4} {...form.field('reason')} />
        <FormActions>
          <Button type="submit" variant="danger" pending={form.pending}>Decline customer</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
