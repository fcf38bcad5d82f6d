/** Where to go after signing in: the chooser of the system administrator and of people with several customers. */
import { useQueryClient } from '@tanstack/react-query';
import { call, remote } from '#kit/client.ts';
import { ActionButton } from '#web/controls/action-button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { AppLink, useNavigation } from '#web/navigation/navigation.tsx';
import { forgetUser, useCurrentUser } from '#web/query/current-user.ts';
import type { sessionEndpoints } from './session.contract.ts';
import styles from './portals.module.css';

const logout = remote<typeof sessionEndpoints.logout>('POST', '/api/auth/logout');

function SignOut() {
  const client = useQueryClient();
  const { go } = useNavigation();
  return (
    <ActionButton variant="quiet" action={() => call(logout, {})}
      onDone={() => { forgetUser(client); go('/login', { replace: true }); }}>Sign out</ActionButton>
  );
}

function StaffOffice() {
  return (
    <li><AppLink href="/admin" className={styles.choice}>
      <strong>Staff office</strong><span>Applications, quotes, productions, money</span>
    </AppLink></li>
  );
}

export function Select() {
  return (
    <PublicLayout title="Where to?" text="You administer this installation.">
      <ul className={styles.list}><StaffOffice /></ul>
      <SignOut />
    </PublicLayout>
  );
}

const ROLE_WORDS: Record<string, string> = { admin: 'Admin', signer: 'Signer', member: 'Member' };

export function SelectPortal() {
  const user = useCurrentUser();
  if (!user) return null;
  const administers = user.role === 'system_admin';
  return (
    <PublicLayout title="Choose a house"
      text={user.customers.length > 1 ? 'You belong to more than one organisation.' : undefined}>
      {user.customers.length === 0 && !administers
        ? <EmptyState title="You do not belong to an organisation yet"
            text="An admin of your organisation has to confirm you. You will get mail when that is done." />
        : (
          <ul className={styles.list}>
            {administers && <StaffOffice />}
            {user.customers.map((customer) => (
              <li key={customer.id}>
                <AppLink href={`/customer/${customer.id}`} className={styles.choice}>
                  <strong>{customer.name}</strong>
                  <span>{ROLE_WORDS[customer.role] ?? customer.role}
                    {customer.status === 'pending' && <Badge tone="warn">Waiting for confirmation</Badge>}</span>
                </AppLink>
              </li>
            ))}
          </ul>
        )}
      <SignOut />
    </PublicLayout>
  );
}
