/** A vendor's whole area: name, address, password, sessions, and whom to ask about bills and orders. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { ActionButton } from '#web/controls/button/action-button.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { toast } from '#web/data/toast.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { ownSessionEndpoints } from '../own-session/own-session.contract.ts';
import { passkeyEndpoints } from '../passkey/passkey.contract.ts';
import { SecuritySections } from '../security/own-security.web.tsx';
import { twoFactorEndpoints } from '../two-factor/two-factor.contract.ts';
import { userEndpoints } from '../user/user.contract.ts';
import { sessionEndpoints, type CurrentUser } from './session.contract.ts';
import { signOut } from './sign-out.web.ts';

function NameForm({ person }: { person: CurrentUser }) {
  const refresh = useRefresh([sessionEndpoints.me]);
  const { first_name, last_name } = person;
  const form = useResourceForm({
    initial: { first_name, last_name, phone: person.phone ?? '' }, draftKey: 'account/vendor',
    record: { version: person.version, read: sessionEndpoints.me },
    submit: (body) => call(userEndpoints.update, { params: { id: person.id },
      body: { ...body, version: person.version } }),
    onSaved: () => { toast('Profile saved'); void refresh(); },
  });
  return (
    <Section title="About you">
      <FormFrame form={form} aria-label="About you">
        <TextField label="First name" required autoComplete="given-name" {...form.field('first_name')} />
        <TextField label="Last name" required autoComplete="family-name" {...form.field('last_name')} />
        <TextField label="Phone" type="tel" autoComplete="tel" {...form.field('phone')} />
        <FormActions><Button type="submit" variant="primary" pending={form.pending}>Save profile</Button></FormActions>
      </FormFrame>
    </Section>
  );
}

/** The new address counts once its link was opened; sending the old one again takes the change back. */
function EmailForm({ person }: { person: CurrentUser }) {
  const refresh = useRefresh([sessionEndpoints.me]);
  const [sent, setSent] = useState(0);
  const keep = useAction(userEndpoints.update, { done: 'Your address stays' });
  const form = useResourceForm({
    initial: { email: '' },
    submit: ({ email }) => call(userEndpoints.update, { params: { id: person.id }, body: { email } }),
    onSaved: () => { setSent(sent + 1); void refresh(); },
  });
  return (
    <Section title="Email address">
      <p>You sign in with <strong>{person.email}</strong>.</p>
      {person.pending_email === null ? (
        <FormFrame form={form} guard={false} aria-label="Change the email address">
          <TextField label="New email" type="email" required autoComplete="email" {...form.field('email')} />
          <FormActions><Button type="submit" pending={form.pending}>Send the link</Button></FormActions>
        </FormFrame>
      ) : (
        <Callout tone="info" title={`Waiting for ${person.pending_email}`} action={(
          <Button pending={keep.pending} onClick={() => void keep.run({ params: { id: person.id },
            body: { email: person.email } })}>Keep the old address</Button>)}>
          Open the link we sent there. Until then nothing changes.
        </Callout>
      )}
    </Section>
  );
}

export default function VendorAccount() {
  const client = useQueryClient();
  const read = useEndpoint(sessionEndpoints.me, {});
  const person = read.data?.data;
  // The page comes as a whole: sections that came one by one would push what is below.
  const security = [useEndpoint(twoFactorEndpoints.show, {}), useEndpoint(passkeyEndpoints.list, {}),
    useEndpoint(ownSessionEndpoints.list, {})];
  if ([read, ...security].some((one) => one.isPending)) return <p className="gr-hidden" role="status">Loading</p>;
  return (
    <PublicLayout title="Your account" text={person && `Signed in as ${person.email}`}>
      {!person ? <NotLoaded title="Your account did not load" read={read} /> : (
        <>
          <NameForm key={person.id} person={person} />
          <EmailForm person={person} />
          <SecuritySections />
          <Section title="Questions">
            <p>For orders, bills and payments, write to the person who placed the order with you, or reply to any of our
              emails. Bank details are changed by our accounts payable staff.</p>
          </Section>
        </>
      )}
      <ActionButton variant="quiet" wide action={() => signOut(client)}>Sign out</ActionButton>
    </PublicLayout>
  );
}
