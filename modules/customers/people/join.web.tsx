/** An invitation into a house (XR2): name and password for someone new, one press for someone signed in. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CustomerRole } from '#kit/auth.ts';
import { call, prepareCsrf } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { sessionEndpoints } from '#modules/identity/session/session.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useNavigation, useParams } from '#web/navigation/navigation.tsx';
import { remember } from '#web/navigation/remembered-location.ts';
import { forgetUser, useCurrentUser } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { invitationEndpoints } from './people.contract.ts';
import styles from './people.module.css';

type Invitation = ResponseOf<typeof invitationEndpoints.read>['data'];
interface Props { token: string; invitation: Invitation }

const ROLES: Record<CustomerRole, string> = {
  admin: 'apply, sign, pay and decide who belongs there', signer: 'apply, sign and pay',
  member: 'read everything and prepare applications',
};

/** Into the house, with what is known about the person read anew. */
function useEnter(): (customerId: number) => void {
  const client = useQueryClient();
  const { go } = useNavigation();
  return (customerId) => {
    forgetUser(client);
    go(`/customer/${customerId}`, { replace: true });
  };
}

function Newcomer({ token, invitation }: Props) {
  const enter = useEnter();
  const form = useResourceForm({
    initial: { first_name: '', last_name: '', password: '', password_confirmation: '' },
    submit: async (body) => {
      await prepareCsrf();
      const answer = await call(invitationEndpoints.join, { params: { token }, body });
      await call(sessionEndpoints.login, { body: { email: invitation.email, password: body.password } });
      return answer;
    },
    onSaved: ({ data }) => enter(data.customer_id),
  });
  return (
    <FormFrame form={form} guard={false} aria-label="Join">
      <FormGrid>
        <TextField label="First name" required autoComplete="given-name" {...form.field('first_name')} />
        <TextField label="Last name" required autoComplete="family-name" {...form.field('last_name')} />
      </FormGrid>
      <input type="hidden" autoComplete="username" value={invitation.email} readOnly />
      <TextField label="Password" type="password" required autoComplete="new-password"
        caption="At least 12 characters. A sentence you remember is better than symbols you forget."
        {...form.field('password')} />
      <TextField label="Password again" type="password" required autoComplete="new-password"
        {...form.field('password_confirmation')} />
      <Button type="submit" variant="primary" size="large" wide pending={form.pending}>
        Join {invitation.customer_name}</Button>
    </FormFrame>
  );
}

function SignInFirst({ token }: { token: string }) {
  const { go } = useNavigation();
  return (
    <Button variant="primary" size="large" wide onClick={() => {
      remember(`/join/${token}`);
      go('/login');
    }}>Sign in to accept</Button>
  );
}

function Accept({ token, invitation }: Props) {
  const enter = useEnter();
  const accept = useAction(invitationEndpoints.accept, {
    onDone: ({ data }) => enter(data.customer_id), onFailure: () => undefined,
  });
  return (
    <>
      {accept.failure && <Callout tone="error" live title={accept.failure.message} />}
      <Button variant="primary" size="large" wide pending={accept.pending}
        onClick={() => void accept.run({ params: { token } })}>Join {invitation.customer_name}</Button>
    </>
  );
}

/** Signed in as somebody else: the link is not theirs. */
function OtherAccount({ invitation, as }: { invitation: Invitation; as: string }) {
  return (
    <Callout tone="warn" title={`You are signed in as ${as}`}
      action={<ButtonLink href="/select-portal">{spell`Your organizations`}</ButtonLink>}>
      This invitation is for {invitation.email}. Sign out and open the link again to accept it.
    </Callout>
  );
}

function Choice({ token, invitation, onDeclined }: Props & { onDeclined: () => void }) {
  const user = useCurrentUser();
  const decline = useAction(invitationEndpoints.decline, { onDone: onDeclined });
  const signedIn = user?.email === invitation.email;
  return (
    <div className={styles.stack}>
      {user && !signedIn ? <OtherAccount invitation={invitation} as={user.email} />
        : signedIn ? <Accept token={token} invitation={invitation} />
        : invitation.has_account ? <SignInFirst token={token} />
        : <Newcomer token={token} invitation={invitation} />}
      <Button variant="quiet" wide pending={decline.pending} onClick={() => void prepareCsrf()
        .then(() => decline.run({ params: { token } }))}>Decline the invitation</Button>
    </div>
  );
}

export default function Join() {
  const { token = '' } = useParams();
  const [declined, setDeclined] = useState(false);
  const read = useEndpoint(invitationEndpoints.read, { params: { token } }, { staleTime: Number.POSITIVE_INFINITY });
  if (declined) {
    return (
      <PublicLayout title="You declined" text={<span role="status">We let the person who invited you know.</span>}>
        <AppLink href="/login" className="gr-link">Sign in</AppLink>
      </PublicLayout>
    );
  }
  if (read.isError) {
    return (
      <PublicLayout title="This invitation did not work" text={<span role="status">{read.error.message}</span>}>
        <AppLink href="/login" className="gr-link">Back to sign in</AppLink>
      </PublicLayout>
    );
  }
  if (!read.data) return <PublicLayout title="Reading your invitation …">{null}</PublicLayout>;
  const invitation = read.data.data;
  return (
    <PublicLayout title={`Join ${invitation.customer_name}`}
      text={`${invitation.invited_by} invites ${invitation.email} to ${ROLES[invitation.role]}.`}>
      <Choice token={token} invitation={invitation} onDeclined={() => setDeclined(true)} />
    </PublicLayout>
  );
}
