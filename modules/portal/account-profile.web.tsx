/** One's own profile: name and phone, the address one signs in with, the organisations one belongs to. */
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { CustomerRole } from '#kit/auth.ts';
import { call } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { sessionEndpoints, type CurrentUser } from '#modules/identity/session/session.contract.ts';
import { userEndpoints } from '#modules/identity/user/user.contract.ts';
import { LanguageField, languageOf, type LanguageChoice } from '#web/controls/field/language-field.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { AccountFrame } from './account-frame.web.tsx';
import { roleName } from './people-words.web.ts';
import { QueryBoundary } from './portal-parts.web.tsx';
import styles from './portal.module.css';

function NameCard({ person }: { person: CurrentUser }) {
  const refresh = useRefresh([sessionEndpoints.me]);
  const { first_name, last_name } = person;
  const form = useResourceForm({
    initial: { first_name, last_name, phone: person.phone ?? '',
      language: (person.language ?? 'default') as LanguageChoice }, draftKey: 'account/profile',
    record: { version: person.version, read: sessionEndpoints.me },
    submit: (body) => call(userEndpoints.update, { params: { id: person.id },
      body: { ...body, language: languageOf(body.language), version: person.version } }),
    onSaved: () => { toast('Profile saved'); void refresh(); },
  });
  return (
    <Card title="About you">
      <FormFrame form={form} aria-label="About you">
        <FormGrid>
          <TextField label="First name" required autoComplete="given-name" {...form.field('first_name')} />
          <TextField label="Last name" required autoComplete="family-name" {...form.field('last_name')} />
          <TextField label="Phone" type="tel" autoComplete="tel" caption="For questions about a production."
            {...form.field('phone')} />
          <LanguageField byDefault={spell`As my organization`} {...form.field('language')} />
        </FormGrid>
        <div className={styles.actions}>
          <Button type="submit" variant="primary" pending={form.pending}>Save profile</Button>
        </div>
      </FormFrame>
    </Card>
  );
}

function EmailForm({ person, onDone }: { person: CurrentUser; onDone: () => void }) {
  const form = useResourceForm({
    initial: { email: '' },
    submit: ({ email }) => call(userEndpoints.update, { params: { id: person.id }, body: { email } }),
    onSaved: onDone,
  });
  return (
    <FormFrame form={form} guard={false} aria-label="Change the email address">
      <FormGrid>
        <TextField label="New email" type="email" required autoComplete="email" {...form.field('email')} />
      </FormGrid>
      <div className={styles.actions}>
        <Button type="submit" variant="primary" pending={form.pending}>Send the link</Button>
        <Button variant="quiet" onClick={onDone}>Keep the address</Button>
      </div>
    </FormFrame>
  );
}

/** The new address counts once its link was opened; sending the old one again takes the change back. */
function EmailCard({ person }: { person: CurrentUser }) {
  const [changing, setChanging] = useState(false);
  const refresh = useRefresh([sessionEndpoints.me]);
  const keep = useAction(userEndpoints.update, { done: 'Your address stays' });
  return (
    <Card title="Email address" right={!changing && !person.pending_email && (
      <Button onClick={() => setChanging(true)}>Change address</Button>)}>
      <p className={styles.muted}>You sign in with <strong>{person.email}</strong>, and we write to it.</p>
      {person.pending_email && (
        <Callout tone="info" title={`Waiting for ${person.pending_email}`} action={(
          <Button pending={keep.pending} onClick={() => void keep.run({ params: { id: person.id },
            body: { email: person.email } })}>Keep the old address</Button>)}>
          Open the link we sent there. Until then nothing changes.
        </Callout>
      )}
      {changing && <EmailForm person={person} onDone={() => { setChanging(false); void refresh(); }} />}
    </Card>
  );
}

function Organisations({ houses }: { houses: CurrentUser['customers'] }) {
  if (houses.length === 0) return null;
  return (
    <Card title={houses.length === 1 ? spell`Your organization` : spell`Your organizations`}>
      <ul className={styles.list}>
        {houses.map((house) => (
          <li key={house.id}>
            <AppLink href={`/customer/${house.id}`} className={styles.item}>
              <span className={styles.itemText}>
                <strong>{house.name}</strong><span>{roleName(house.role as CustomerRole)}</span>
              </span>
              <span className={styles.itemSide}>
                {house.status === 'pending' && <Badge tone="warn">Waiting for confirmation</Badge>}
                <Glyph icon={ChevronRight} size={18} />
              </span>
            </AppLink>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export default function AccountProfile() {
  const read = useEndpoint(sessionEndpoints.me, {});
  return (
    <AccountFrame>
      <QueryBoundary read={read} cards={3}>
        {({ data }) => (
          <div className={styles.stack}>
            <NameCard key={data.id} person={data} />
            <EmailCard person={data} />
            <Organisations houses={data.customers} />
          </div>
        )}
      </QueryBoundary>
    </AccountFrame>
  );
}
