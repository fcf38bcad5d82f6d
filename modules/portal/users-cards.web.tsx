/** Decisions for an admin of the organization: join requests and invitations; plus the recent history. */
import { MailPlus, RotateCw, UndoDot } from 'lucide-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomerRole } from '#kit/auth.ts';
import { call, type ApiError } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { peopleEndpoints, type Invitation, type JoinRequest } from '#modules/customers/people/people.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { RadioGroup } from '#web/controls/field/radio-group.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { formatDay, formatInstant } from '#web/data/date-text.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { askingWords, eventText, ROLE_CHOICES, roleName } from './people-words.web.ts';
import { CardSkeleton, LoadError } from './portal-parts.web.tsx';
import styles from './portal.module.css';

interface Of { customerId: number }
type Read = UseQueryResult<ResponseOf<typeof peopleEndpoints.joinRequests>, ApiError>;

/** Under the title of what did not load: nobody takes it for nothing being there. */
function Unread({ title, error, retry }: { title: string; error: ApiError; retry: () => unknown }) {
  return <Card title={title}><LoadError error={error} onRetry={() => void retry()} /></Card>;
}

function Request({ customerId, request }: Of & { request: JoinRequest }) {
  const [role, setRole] = useState<CustomerRole>('member');
  const name = `${request.first_name} ${request.last_name}`;
  const decide = useAction(peopleEndpoints.decide);
  const answer = async (decision: 'accept' | 'refuse') => {
    const done = await decide.run({ params: { id: customerId, requestId: request.id }, body: { decision, role } });
    if (done) toast(decision === 'accept' ? spell`${name} belongs to your organization now` : `${name} was declined`);
  };
  return (
    <li className={styles.item} data-decide>
      <span className={styles.itemText}>
        <strong>{name}</strong>
        <span>{request.email}, asked on {formatInstant(request.created_at)}</span>
      </span>
      <span className={styles.row}>
        <AsyncSelect<CustomerRole> label={`Role of ${name}`} hideLabel value={role} options={ROLE_CHOICES.map(
          ({ value, label, note }) => ({ value, label, children: note }))}
        onChange={(value) => setRole(value ?? 'member')} />
        <Button variant="primary" pending={decide.pending} onClick={() => void answer('accept')}>
          Accept<span className="gr-hidden"> {name}</span></Button>
        <Button pending={decide.pending} onClick={() => void answer('refuse')}>
          Decline<span className="gr-hidden"> {name}</span></Button>
      </span>
    </li>
  );
}

/**
 * Shown while someone waits, or may: it is then the first task of the page, which has read them. Read here again, a
 * failure would be asked for again by each that is mounted.
 */
export function JoinRequests({ customerId, read }: Of & { read: Pick<Read, 'data' | 'error' | 'refetch'> }) {
  if (read.error && !read.data) return <Unread title={askingWords(0)} error={read.error} retry={read.refetch} />;
  if (!read.data) return <CardSkeleton title={askingWords(0)} lines={[44]} />;
  const requests = read.data.data;
  return (
    <Card first title={askingWords(requests.length)}>
      <p className={styles.muted}>{spell`They signed up for your organization. Accept only whom you know.`}</p>
      <ul className={styles.list}>
        {requests.map((request) => <Request key={request.id} customerId={customerId} request={request} />)}
      </ul>
    </Card>
  );
}

function Waiting({ customerId, row }: Of & { row: Invitation }) {
  const params = { id: customerId, invitationId: row.id };
  const resend = useAction(peopleEndpoints.resend, { done: `We sent ${row.email} a new link` });
  const revoke = useAction(peopleEndpoints.revoke, { done: 'The link does not work any more' });
  return (
    <li className={styles.item}>
      <span className={styles.itemText}>
        <strong>{row.email}</strong>
        <span>{roleName(row.role)}, {row.expired ? 'the link has expired'
          : `good until ${formatDay(row.expires_at)}`}</span>
      </span>
      <ActionMenu label={`Invitation to ${row.email}`} actions={[
        { label: 'Send again', icon: RotateCw, onSelect: () => void resend.run({ params }) },
        { label: 'Take back', icon: UndoDot, danger: true, onSelect: () => void revoke.run({ params }) },
      ]} />
    </li>
  );
}

export function Invitations({ customerId }: Of) {
  const read = useEndpoint(peopleEndpoints.invitations, { params: { id: customerId } });
  const refresh = useRefresh([peopleEndpoints.invitations]);
  const rows = read.data?.data ?? [];
  const form = useResourceForm({
    initial: { email: '', role: 'member' as CustomerRole },
    submit: (body) => call(peopleEndpoints.invite, { params: { id: customerId }, body }),
    onSaved: ({ data }) => {
      toast(`We sent ${data.email} an invitation`);
      form.reset();
      void refresh();
    },
  });
  return (
    <>
      <Card title="Invite someone">
        <FormFrame form={form} aria-label="Invite someone">
          <TextField label="Email" type="email" required autoComplete="off" {...form.field('email')} />
          <RadioGroup label="Permissions" choices={ROLE_CHOICES} {...form.field('role')} />
          <div className={styles.actions}>
            <Button type="submit" variant="primary" pending={form.pending} icon={<Glyph icon={MailPlus} size={18} />}>
              Send invitation</Button>
          </div>
        </FormFrame>
      </Card>
      {!read.data && read.error && <Unread title="Invited" error={read.error} retry={read.refetch} />}
      {rows.length > 0 && (
        <Card title="Invited">
          <ul className={styles.list}>
            {rows.map((row) => <Waiting key={row.id} customerId={customerId} row={row} />)}
          </ul>
        </Card>
      )}
    </>
  );
}

export function PeopleEvents({ customerId }: Of) {
  const read = useEndpoint(peopleEndpoints.userEvents, { params: { id: customerId }, query: { per_page: 10 } });
  if (read.isPending) return <CardSkeleton title="Changes" lines={[44, 44]} />;
  if (!read.data) return <Unread title="Changes" error={read.error} retry={read.refetch} />;
  const events = read.data.data;
  if (events.length === 0) return null;
  return (
    <Card title="Changes">
      <ul className={styles.list}>
        {events.map((event) => (
          <li key={event.id} className={styles.item}>
            <span className={styles.itemText}>
              <strong>{eventText(event)}</strong>
              <span>{[event.actor, formatInstant(event.created_at)].filter(Boolean).join(', ')}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export function RolesExplained() {
  return (
    <Card title="Roles">
      <ul className={styles.list}>
        {ROLE_CHOICES.map((role) => (
          <li key={role.value} className={styles.item}>
            <span className={styles.itemText}><strong>{role.label}</strong><span>{role.note}</span></span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
