/** The pages of one customer: information, users, messages, activity, and the page that adds one. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { AsyncSelect } from '#web/controls/async-select.tsx';
import { Button } from '#web/controls/button.tsx';
import { ConfirmDialog } from '#web/controls/confirm-dialog.tsx';
import { EmailChips } from '#web/controls/email-chips.tsx';
import { FormActions, FormFrame } from '#web/controls/form-frame.tsx';
import { TextField } from '#web/controls/text-field.tsx';
import { useResourceForm } from '#web/controls/use-resource-form.ts';
import { ActivityTimeline } from '#web/data/activity-timeline.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { customerEndpoints } from './customer.contract.ts';
import { CustomerForm } from './customer-form.web.tsx';
import { CustomerFrame, type CustomerRow } from './customer-frame.web.tsx';
import { choicesOf, ROLE_LABELS } from './customer-labels.web.ts';

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
        text="Nobody can apply or sign for this customer until it is active again. Running licences go on."
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
  return (
    <CustomerFrame actions={(customer) => <StatusButton customer={customer} />}>
      {(customer) => (
        <PageContent record>
          <CustomerForm
            key={customer.version}
            row={customer}
            onSaved={() => {
              toast('Customer saved');
              void refresh();
            }}
          />
        </PageContent>
      )}
    </CustomerFrame>
  );
}

export function CustomerActivity() {
  return <CustomerFrame>{(customer) => <ActivityOf customer={customer} />}</CustomerFrame>;
}

function ActivityOf({ customer }: { customer: CustomerRow }) {
  const read = useEndpoint(customerEndpoints.activity, { params: { id: customer.id }, query: { per_page: 50 } });
  const rows = read.data?.data;
  return (
    <PageContent record>
      {!rows && <Skeleton width={380} height={16} />}
      {rows?.length === 0 && <EmptyState title="Nothing has happened yet" />}
      {rows && rows.length > 0 && (
        <ActivityTimeline items={rows.map((row) => ({
          id: row.id, who: row.actor ?? 'System', what: row.action.replaceAll('_', ' '), when: row.created_at,
          changes: row.changes.map((change) => ({ field: change.field.replaceAll('_', ' '), before: change.before,
            after: change.after })),
        }))} />
      )}
    </PageContent>
  );
}

type Person = ResponseOf<typeof customerEndpoints.users>['data'][number];

export function CustomerUsers() {
  return <CustomerFrame fullWidth>{(customer) => <UsersOf customer={customer} />}</CustomerFrame>;
}

function UsersOf({ customer }: { customer: CustomerRow }) {
  const list = useList(customerEndpoints.users, { params: { id: customer.id } });
  const [leaving, setLeaving] = useState<Person | null>(null);
  const role = useAction(customerEndpoints.userRole, { done: 'Role changed' });
  const remove = useAction(customerEndpoints.removeUser, { done: 'Removed from the customer' });
  const columns: readonly Column<Person>[] = [
    { id: 'name', header: 'Name', kind: 'title', cell: (row) => `${row.first_name} ${row.last_name}`, width: 220 },
    { id: 'email', header: 'E-mail', kind: 'muted', cell: (row) => row.email, width: 260 },
    { id: 'role', header: 'Role', width: 180, cell: (row) => (
      <AsyncSelect label={`Role of ${row.first_name}`} hideLabel value={row.role as string}
        options={choicesOf(ROLE_LABELS)}
        onChange={(value) => value && void role.run({ params: { id: customer.id, userId: row.id },
          body: { role: value as Person['role'] } })} />
    ) },
    { id: 'state', header: 'State', kind: 'badge', cell: (row) => row.disabled ? <Badge tone="error">Disabled</Badge>
      : row.email_verified ? null : <Badge tone="warn">Not verified</Badge> },
    { id: 'remove', header: 'Remove', kind: 'actions',
      cell: (row) => <Button size="small" variant="quiet" onClick={() => setLeaving(row)}>Remove</Button> },
  ];
  return (
    <>
      <DataTable label="Users" {...list} columns={columns} rowKey={(row) => row.id} variant="record"
        empty={{ title: 'Nobody belongs to this customer yet', text: 'Attach a person who has an account.' }} />
      <PageContent record><AttachUser customer={customer} /></PageContent>
      <ConfirmDialog open={leaving !== null} danger title={`Remove ${leaving?.first_name ?? ''}?`} confirm="Remove"
        text="The account stays, but no longer sees this customer's licences and invoices."
        onCancel={() => setLeaving(null)}
        onConfirm={() => {
          if (leaving) void remove.run({ params: { id: customer.id, userId: leaving.id } });
          setLeaving(null);
        }} />
    </>
  );
}

function AttachUser({ customer }: { customer: CustomerRow }) {
  const [person, setPerson] = useState<number | null>(null);
  const [role, setRole] = useState<string | null>('member');
  const attach = useAction(customerEndpoints.attachUser, { done: 'Attached', onDone: () => setPerson(null) });
  return (
    <Section title="Attach a person" description="People sign up themselves; attach them here to this customer.">
      <AsyncSelect<number> label="Person" value={person} onChange={setPerson}
        error={attach.failure?.fields.user_id?.[0]}
        source={async (search, page, signal) => {
          const answer = await call(customerEndpoints.people, { query: {
            role: 'customer', excluded_from_customer: customer.id, page, ...(search ? { search } : {}) } }, { signal });
          return { meta: answer.meta, data: answer.data.map((row) => ({
            value: row.id, label: `${row.first_name} ${row.last_name}`, children: row.email })) };
        }} />
      <AsyncSelect label="Role" value={role} onChange={setRole} options={choicesOf(ROLE_LABELS)} />
      <FormActions>
        <Button variant="primary" pending={attach.pending}
          reason={person === null ? 'Choose a person first' : undefined}
          onClick={() => person !== null && void attach.run({ params: { id: customer.id },
            body: { user_id: person, role: (role ?? 'member') as Person['role'] } })}>Attach person</Button>
      </FormActions>
    </Section>
  );
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
        {read.data?.data.length === 0 && <EmptyState title="No messages yet" />}
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
      <EmailChips label="To" required {...form.field('recipients')} />
      <TextField label="Subject" {...form.field('subject')} />
      <TextField label="Message" required rows={5} {...form.field('body')} />
      <FormActions><Button type="submit" variant="primary" pending={form.pending}>Send message</Button></FormActions>
    </FormFrame>
  );
}
