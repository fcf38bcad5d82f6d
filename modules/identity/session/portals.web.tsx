/** Destination after signing in: the chooser of the system administrator and of people with several customers. */
import { useQueryClient } from '@tanstack/react-query';
import { spell } from '#kernel/text/english.ts';
import { ActionButton } from '#web/controls/button/action-button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useCurrentUser, type Person } from '#web/query/current-user.ts';
import { ActingBanner } from '../acting/acting-banner.web.tsx';
import { ActForChooser } from '../acting/acting.web.tsx';
import { signOut } from './sign-out.web.ts';
import styles from './portals.module.css';

function SignOut() {
  const client = useQueryClient();
  return <ActionButton variant="quiet" wide action={() => signOut(client)}>Sign out</ActionButton>;
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
    <PublicLayout title="Choose a workspace" text="You administer this installation.">
      <ul className={styles.list}>
        <StaffOffice />
        <li><AppLink href="/system" className={styles.choice}>
          <strong>System</strong><span>Health, integrity, jobs, audit, settings</span>
        </AppLink></li>
        <li><AppLink href="/select-portal" className={styles.choice}>
          <strong>A customer’s portal</strong><span>Act for a customer, with both names recorded</span>
        </AppLink></li>
      </ul>
      <SignOut />
    </PublicLayout>
  );
}

const ROLE_WORDS: Record<string, string> = { admin: 'Admin', signer: 'Signer', member: 'Member' };

export function SelectPortal() {
  const user = useCurrentUser();
  if (!user) return null;
  if (user.role === 'system_admin') return <AdministratorPortals acting={user.acting_customer} />;
  return (
    <PublicLayout title="Choose a customer"
      text={user.customers.length > 1 ? spell`You belong to more than one organization.` : undefined}>
      {user.customers.length === 0
        ? <EmptyState title={spell`You do not belong to an organization yet`}
            text={spell`An admin of your organization has to confirm you. You will get mail when that is done.`} />
        : (
          <ul className={styles.list}>
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

/** A system administrator belongs to no customer: the portals are seen by acting for one. */
function AdministratorPortals({ acting }: { acting: Person['acting_customer'] }) {
  return (
    <PublicLayout title="Choose a customer" text="You see a portal as its customer does while you act for them.">
      {acting ? (
        <>
          <ActingBanner acting={acting} />
          <ul className={styles.list}>
            <li><AppLink href={`/customer/${acting.id}`} className={styles.choice}>
              <strong>{acting.name}</strong><span>Go on in their portal</span></AppLink></li>
          </ul>
        </>
      ) : <ActForChooser />}
      <ul className={styles.list}><StaffOffice /></ul>
      <SignOut />
    </PublicLayout>
  );
}
