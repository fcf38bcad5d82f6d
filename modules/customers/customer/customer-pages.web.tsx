/** The pages of one customer: information, messages, activity, and the page that adds one. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Recipients } from '#modules/identity/email-group/recipients.web.tsx';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActivityLog } from '#web/data/activity-log.tsx';
import { ActivityTimeline } from '#web/data/activity-timeline.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { TrashButton } from '#web/layout/trash-list.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { PendingActions } from '../people/pending-customer.web.tsx';
import { DetailsChange } from '../own-details/details-change.web.tsx';
import { ShippingAddresses } from '../shipping-address/shipping-addresses.web.tsx';
import { customerEndpoints } from './customer.contract.ts';
import { CustomerForm } from './customer-form.web.tsx';
import { CustomerFrame, type CustomerRow } from './customer-frame.web.tsx';

export function CustomerAdd() {
  const { go } = useNavigation();
  return (
    <>
      <PageHeader title="Add customer" back="/admin/customers" />
      <PageContent record>
        <CustomerForm row={null} onSaved={(row) => {
          toast(`${row.name} was added`);
          go(`/admin/customers/${row.id}/information`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

function StatusButton({ customer }: { customer: CustomerRow }) {
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const activate = useAction(customerEndpoints.activate, { done: 'Customer activated' });
  const deactivate = useAction(customerEndpoints.deactivate, { done: 'Customer deactivated' });
  if (customer.status === 'pending') return <PendingActions customer={customer} />;
  if (!may('customer.update')) return null;
  if (customer.status !== 'active') {
    return (
      <Button variant="primary" pending={activate.pending}
        onClick={() => void activate.run({ params: { id: customer.id }, body: { version: customer.version } })}>
        Activate customer
      </Button>
    );
  }
  return (
    <>
      <Button pending={deactivate.pending} onClick={() => setAsking(true)}>Deactivate</Button>
      <ConfirmDialog open={asking} title={`Deactivate ${customer.name}?`} confirm="Deactivate"
        text={spell`Nobody can apply or sign for this customer until it is active again. Running licenses go on.`}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void deactivate.run({ params: { id: customer.id }, body: { version: customer.version } });
        }} />
    </>
  );
}

export function CustomerInformation() {
  const refresh = useRefresh([customerEndpoints.list]);
  const may = useMay();
  return (
    <CustomerFrame actions={(customer) => (
      <>
        {may('customer.delete') && (
          <TrashButton row={customer} list="/admin/customers" endpoints={customerEndpoints}
            reason={customer.license_count > 0 ? spell`This customer has licenses. Deactivate it instead.` : undefined}
            text="Its people can no longer work for it. It can be restored from the trash." />
        )}
        <StatusButton customer={customer} />
      </>
    )}>
      {(customer) => (
        <PageContent record>
          <DetailsChange customerId={customer.id} />
          <CustomerForm
            key={customer.id}
            row={customer}
            onSaved={() => {
              toast('Customer saved');
              void refresh();
            }}
          />
          <ShippingAddresses customerId={customer.id} />
        </PageContent>
      )}
    </CustomerFrame>
  );
}

export function CustomerActivity() {
  return <CustomerFrame>{(customer) => <ActivityOf customer={customer} />}</CustomerFrame>;
}

function ActivityOf({ customer }: { customer: CustomerRow }) {
  const [page, setPage] = useState(1);
  const read = useEndpoint(customerEndpoints.activity, { params: { id: customer.id }, query: { page } });
  return <PageContent record><ActivityLog read={read} page={page} onPage={setPage} /></PageContent>;
}

export function CustomerMessages() {
  return <CustomerFrame>{(customer) => <MessagesOf customer={customer} />}</CustomerFrame>;
}

function MessagesOf({ customer }: { customer: CustomerRow }) {
  const read = useEndpoint(customerEndpoints.messages, { params: { id: customer.id }, query: { per_page: 50 } });
  const may = useMay();
  return (
    <PageContent record>
      {may('customer.update') && <MessageForm customer={customer} onSent={() => void read.refetch()} />}
      <Section title="Sent and received" count={read.data?.meta.total}>
        {read.data?.data.length === 0 && <EmptyState title="No messages yet"
          text="Perusals sent to this customer appear here, with their replies." />}
        <ActivityTimeline items={(read.data?.data ?? []).map((row) => ({
          id: row.id, who: row.author, what: row.subject || 'Message', when: row.created_at, note: row.body,
        }))} />
      </Section>
    </PageContent>
  );
}

function MessageForm({ customer, onSent }: { customer: CustomerRow; onSent: () => void }) {
  const form = useResourceForm({
    initial: {
      subject: '',
      body: '',
      recipients: customer.statement_email ? [customer.statement_email] : ([] as string[]),
    },
    submit: (values) => call(customerEndpoints.sendMessage, { params: { id: customer.id }, body: values }),
    onSaved: () => {
      toast('Message sent');
      form.reset();
      onSent();
    },
    draftKey: `customer/${customer.id}/message`,
  });
  return (
    <FormFrame form={form} aria-label="Send a message">
      <Recipients label="To" required {...form.field('recipients')} />
      <TextField label="Subject" {...form.field('subject')} />
      <TextField label="Message" required rows={5} {...form.field('body')} />
      <FormActions><Button type="submit" variant="primary" pending={form.pending}>Send message</Button></FormActions>
    </FormFrame>
  );
}
