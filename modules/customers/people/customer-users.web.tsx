/** The people of a customer, as staff see and change them: who belongs, who asks, who is invited. */
import { useState } from 'react';
import type { CustomerRole } from '#kit/auth.ts';
import { call } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { customerEndpoints } from '../customer/customer.contract.ts';
import { CustomerFrame, type CustomerRow } from '../customer/customer-frame.web.tsx';
import { choicesOf, ROLE_LABELS } from '../customer/customer-labels.web.ts';
import { customerPeopleEndpoints, type CustomerUser, type Invitation, type JoinRequest } from './people.contract.ts';
import styles from './people.module.css';

export default function CustomerUsers() {
  return <CustomerFrame fullWidth>{(customer) => <UsersOf customer={customer} />}</CustomerFrame>;
}

const columns: readonly Column<CustomerUser>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => `${row.first_name} ${row.last_name}`, width: 240,
    fixed: true },
  { id: 'email', header: 'Email', kind: 'muted', cell: (row) => row.email, width: 280 },
  { id: 'role', header: 'Role', cell: (row) => ROLE_LABELS[row.role], width: 110 },
  { id: 'state', header: 'Status', kind: 'badge', width: 130, cell: (row) => row.disabled
    ? <Badge tone="error" small>Disabled</Badge>
    : row.email_verified ? null : <Badge tone="warn" small>Not verified</Badge> },
  { id: 'since', header: 'Since', kind: 'date', cell: (row) => row.created_at, width: 130 },
];

function UsersOf({ customer }: { customer: CustomerRow }) {
  const may = useMay();
  const here = `/admin/customers/${customer.id}/users`;
  const list = useList(customerEndpoints.users, { params: { id: customer.id } });
  return (
    <PageContent record fullWidth>
      <Requests customer={customer} />
      <DataTable label="Users" {...list} columns={columns} rowKey={(row) => row.id} variant="record"
        searchPlaceholder="Name or email"
        {...(may('user.show') && { rowHref: (row: CustomerUser) => `${here}/${row.id}` })}
        empty={{ title: 'Nobody belongs to this customer yet', text: 'Invite someone by email.' }} />
      <Invite customer={customer} />
      <AttachUser customer={customer} />
    </PageContent>
  );
}

function Requests({ customer }: { customer: CustomerRow }) {
  const read = useEndpoint(customerPeopleEndpoints.joinRequests, { params: { id: customer.id } });
  const requests = read.data?.data ?? [];
  if (requests.length === 0) return null;
  return (
    <Section title="Ask to join" count={requests.length}
      description={spell`They signed up for this organization. Its own admins decide as well.`}>
      {requests.map((request) => <RequestRow key={request.id} customer={customer} request={request} />)}
    </Section>
  );
}

function RequestRow({ customer, request }: { customer: CustomerRow; request: JoinRequest }) {
  const [role, setRole] = useState<CustomerRole>('member');
  const name = `${request.first_name} ${request.last_name}`;
  const decide = useAction(customerPeopleEndpoints.decide);
  const answer = async (decision: 'accept' | 'refuse') => {
    const params = { id: customer.id, requestId: request.id };
    const done = await decide.run({ params, body: { decision, role } });
    if (done) toast(`${name} was ${decision === 'accept' ? 'accepted' : 'declined'}`);
  };
  return (
    <FormGrid>
      <div><strong>{name}</strong><br />{request.email}</div>
      <FormActions>
        <AsyncSelect<CustomerRole> label={`Role of ${name}`} hideLabel value={role} options={choicesOf(ROLE_LABELS)}
          onChange={(value) => setRole(value ?? 'member')} />
        <Button variant="primary" pending={decide.pending} onClick={() => void answer('accept')}>
          Accept<span className="gr-hidden"> {name}</span></Button>
        <Button pending={decide.pending} onClick={() => void answer('refuse')}>
          Decline<span className="gr-hidden"> {name}</span></Button>
      </FormActions>
    </FormGrid>
  );
}

const invitedColumns = (customer: CustomerRow): readonly Column<Invitation>[] => [
  { id: 'email', header: 'Invited', kind: 'title', cell: (row) => row.email, width: 260, fixed: true },
  { id: 'role', header: 'Role', cell: (row) => ROLE_LABELS[row.role], width: 90 },
  { id: 'by', header: 'By', kind: 'muted', cell: (row) => row.invited_by, width: 160 },
  { id: 'until', header: 'Good until', kind: 'date', width: 120, cell: (row) => row.expires_at },
  { id: 'state', header: 'Status', kind: 'badge', width: 100,
    cell: (row) => row.expired ? <Badge tone="warn" small>Expired</Badge> : null },
  { id: 'actions', header: 'Actions', kind: 'actions', width: 170,
    cell: (row) => <InvitationActions customer={customer} row={row} /> },
];

function InvitationActions({ customer, row }: { customer: CustomerRow; row: Invitation }) {
  const params = { id: customer.id, invitationId: row.id };
  const resend = useAction(customerPeopleEndpoints.resend, { done: `${row.email} got a new link` });
  const revoke = useAction(customerPeopleEndpoints.revoke, { done: 'The link does not work any more' });
  return (
    <>
      <Button size="small" variant="quiet" pending={resend.pending} onClick={() => void resend.run({ params })}>
        Send again</Button>
      <Button size="small" variant="quiet" pending={revoke.pending} onClick={() => void revoke.run({ params })}>
        Take back</Button>
    </>
  );
}

function Invite({ customer }: { customer: CustomerRow }) {
  const read = useEndpoint(customerPeopleEndpoints.invitations, { params: { id: customer.id } });
  const refresh = useRefresh([customerPeopleEndpoints.invitations]);
  const form = useResourceForm({
    initial: { email: '', role: 'member' as CustomerRole | null },
    submit: ({ email, role }) => call(customerPeopleEndpoints.invite, { params: { id: customer.id },
      body: { email, role: role! } }),
    onSaved: ({ data }) => {
      toast(`${data.email} was invited`);
      form.reset();
      void refresh();
    },
  });
  const rows = read.data?.data ?? [];
  return (
    <Section title="Invite by email"
      description="The link is good for a week; someone without an account creates one there.">
      <FormFrame form={form} aria-label="Invite by email">
        <FormGrid>
          <TextField label="Email" type="email" required autoComplete="off" {...form.field('email')} />
          <AsyncSelect label="Role" required options={choicesOf(ROLE_LABELS)} {...form.field('role')} />
        </FormGrid>
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Send invitation</Button>
        </FormActions>
      </FormFrame>
      {rows.length > 0 && (
        <DataTable label="Invitations" rows={rows} columns={invitedColumns(customer)} rowKey={(row) => row.id}
          variant="record" />
      )}
    </Section>
  );
}

function AttachUser({ customer }: { customer: CustomerRow }) {
  const [person, setPerson] = useState<number | null>(null);
  const [role, setRole] = useState<CustomerRole>('member');
  const attach = useAction(customerEndpoints.attachUser, { done: 'Added', onDone: () => setPerson(null) });
  return (
    <Section title="Add someone with an account" description="They belong to this customer at once.">
      <div className={styles.stack}><FormGrid>
        <AsyncSelect<number> label="Person" value={person} onChange={setPerson}
          error={attach.failure?.fields.user_id?.[0]}
          source={optionsFrom(customerEndpoints.people, (row) => ({ value: row.id,
            label: `${row.first_name} ${row.last_name}`, children: row.email }),
          { query: { role: 'customer', excluded_from_customer: customer.id } })} />
        <AsyncSelect<CustomerRole> label="Role" value={role} onChange={(value) => setRole(value ?? 'member')}
          options={choicesOf(ROLE_LABELS)} />
      </FormGrid>
      <FormActions>
        <Button pending={attach.pending} reason={person === null ? 'Choose a person first' : undefined}
          onClick={() => person !== null && void attach.run({ params: { id: customer.id },
            body: { user_id: person, role } })}>Add person</Button>
      </FormActions></div>
    </Section>
  );
}
