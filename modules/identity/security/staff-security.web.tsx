/** Security of a person of the staff: one's own page, or what an administrator does for somebody else (XR17). */
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { Unauthorized } from '#web/controls/failure/unauthorized.tsx';
import { Badge } from '#web/data/badge.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { personSecurityEndpoints, type PersonSecurity } from '../person-security/person-security.contract.ts';
import { StaffFrame } from '../staff/staff-frame.web.tsx';
import { SecuritySections } from './own-security.web.tsx';

export function StaffSecurity() {
  const id = useIdParam('staffId');
  const user = useCurrentUser();
  const may = useMay()('user.update');
  const { go } = useNavigation();
  if (!user) return null;
  const own = user.id === id;
  if (!own && !may) return <Unauthorized onBack={() => go('/admin')} />;
  return (
    <StaffFrame>
      {(person) => <PageContent record>{own ? <SecuritySections /> : <OtherSecurity id={person.id} />}</PageContent>}
    </StaffFrame>
  );
}

function OtherSecurity({ id }: { id: number }) {
  const read = useEndpoint(personSecurityEndpoints.show, { params: { id } });
  const person = read.data?.data;
  if (read.isError && !person) {
    return <RecordProblem noun="person" list="/admin/staff" error={read.error} onRetry={() => void read.refetch()} />;
  }
  return person ? <Facts person={person} /> : <p aria-busy="true"><Skeleton width={360} height={16} /></p>;
}

function Facts({ person }: { person: PersonSecurity }) {
  const [asking, setAsking] = useState<'sessions' | 'factors' | null>(null);
  const end = useAction(personSecurityEndpoints.endSessions, { done: 'Signed out everywhere' });
  const remove = useAction(personSecurityEndpoints.removeFactors, { done: 'Two-factor sign-in was taken off' });
  const name = person.first_name;
  const run = () => {
    setAsking(null);
    void (asking === 'sessions' ? end : remove).run({ params: { id: person.id } });
  };
  return (
    <Section title="Sign-in" right={(
      <>
        <Button size="small" pending={remove.pending} onClick={() => setAsking('factors')}
          reason={person.refused ?? (person.two_factor ? undefined : 'Two-factor sign-in is off')}>
          Take two-factor off
        </Button>
        <Button size="small" pending={end.pending} onClick={() => setAsking('sessions')}
          reason={person.refused ?? undefined}>Sign out everywhere</Button>
      </>
    )}>
      <KeyValue facts={[
        { label: 'Two-factor sign-in', value: <Badge tone={person.two_factor ? 'ok' : 'neutral'} small>
          {person.two_factor ? 'On' : 'Off'}</Badge> },
        { label: 'Open sessions', value: person.sessions },
        person.last_seen_at !== null && { label: 'Last seen', value: formatInstant(person.last_seen_at) },
        { label: 'Authenticator app', value: person.code ? 'In use' : 'Not set up' },
        { label: 'Passkeys', value: person.passkeys },
        person.two_factor && { label: 'Recovery codes left', value: person.recovery_codes_left },
      ]} />
      <ConfirmDialog open={asking !== null} danger onCancel={() => setAsking(null)} onConfirm={run}
        title={asking === 'sessions' ? `Sign ${name} out everywhere?` : `Take two-factor sign-in off ${name}?`}
        confirm={asking === 'sessions' ? 'Sign out everywhere' : 'Take two-factor off'}
        text={asking === 'sessions' ? 'Every device has to sign in again, at once.'
          : 'For somebody who lost telephone and recovery codes. Make sure that it is them who asks. They are signed '
            + 'out, the password alone signs in, and they learn of it by mail.'} />
    </Section>
  );
}
