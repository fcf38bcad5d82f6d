/** One person of a customer (RT122): account, role here, the other houses; staff change the role or take them out. */
import { useState } from 'react';
import type { CustomerRole } from '#kit/auth.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormActions, FormGrid } from '#web/controls/form/form-frame.tsx';
import { Badge } from '#web/data/badge.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { customerEndpoints } from '../customer/customer.contract.ts';
import { CustomerFrame, type CustomerRow } from '../customer/customer-frame.web.tsx';
import { choicesOf, ROLE_LABELS } from '../customer/customer-labels.web.ts';
import { customerPeopleEndpoints } from './people.contract.ts';

type Person = ResponseOf<typeof customerPeopleEndpoints.show>['data'];
interface Props { customer: CustomerRow; person: Person }

function Account({ person }: Props) {
  return (
    <Section title={`${person.first_name} ${person.last_name}`} right={(
      <>
        {person.disabled && <Badge tone="error">Disabled</Badge>}
        {!person.email_verified && <Badge tone="warn">Address not verified</Badge>}
      </>
    )}>
      <KeyValue facts={[
        { label: 'Email', value: <a href={`mailto:${person.email}`} className="gr-link">{person.email}</a> },
        person.phone !== null && { label: 'Phone', value: person.phone },
        { label: 'Member since', value: formatInstant(person.created_at) },
        person.last_seen_at !== null && { label: 'Last seen', value: formatInstant(person.last_seen_at) },
      ]} />
    </Section>
  );
}

function Belonging({ customer, person }: Props) {
  const { go } = useNavigation();
  const [leaving, setLeaving] = useState(false);
  const params = { id: customer.id, userId: person.id };
  const role = useAction(customerEndpoints.userRole, { done: 'Role changed' });
  const remove = useAction(customerEndpoints.removeUser, { done: `${person.first_name} no longer belongs here`,
    onDone: () => go(`/admin/customers/${customer.id}/users`) });
  return (
    <Section title={`At ${customer.name}`} description="They are notified of every change by email.">
      <FormGrid>
        <AsyncSelect<CustomerRole> label="Role" value={person.role} options={choicesOf(ROLE_LABELS)}
          disabled={role.pending}
          onChange={(value) => value && value !== person.role && void role.run({ params, body: { role: value } })} />
      </FormGrid>
      <FormActions>
        <Button variant="danger" pending={remove.pending} onClick={() => setLeaving(true)}>
          Remove from customer</Button>
      </FormActions>
      <ConfirmDialog open={leaving} danger title={`Remove ${person.first_name} ${person.last_name}?`}
        confirm="Remove" text={spell`The account stays, but no longer sees this customer's licenses and invoices.`}
        onCancel={() => setLeaving(false)}
        onConfirm={() => {
          setLeaving(false);
          void remove.run({ params });
        }} />
    </Section>
  );
}

function Houses({ customer, person }: Props) {
  const others = person.houses.filter((house) => house.id !== customer.id);
  if (others.length === 0) return null;
  return (
    <Section title="Other customers" count={others.length}>
      <KeyValue facts={others.map((house) => ({ label: ROLE_LABELS[house.role], value: (
        <AppLink href={`/admin/customers/${house.id}/users`} className="gr-link">{house.name}</AppLink>) }))} />
    </Section>
  );
}

function PersonOf({ customer }: { customer: CustomerRow }) {
  const userId = useIdParam('userId');
  const may = useMay();
  const read = useEndpoint(customerPeopleEndpoints.show, { params: { id: customer.id, userId } });
  if (read.isError && !read.data) {
    return (
      <PageContent record>
        <EmptyState role="alert" title={read.error.status === 404 ? 'This person does not belong here'
          : 'This person did not load'} text={read.error.status === 404
          ? 'They may have been taken out, or the link is wrong.' : read.error.message}
        action={may('customer.manage_users') && (
          <ButtonLink href={`/admin/customers/${customer.id}/users`}>All users</ButtonLink>)} />
      </PageContent>
    );
  }
  const person = read.data?.data;
  if (!person) return <PageContent record><p><Skeleton width={320} height={16} /></p></PageContent>;
  return (
    <PageContent record>
      <Account customer={customer} person={person} />
      {may('customer.manage_users') && <Belonging customer={customer} person={person} />}
      <Houses customer={customer} person={person} />
    </PageContent>
  );
}

export default function CustomerUser() {
  return <CustomerFrame>{(customer) => <PersonOf customer={customer} />}</CustomerFrame>;
}
