/** Parts shared by every page of one staff member: header, tabs, refusal. One's own page needs no permission. */
import type { ReactNode } from 'react';
import { Avatar } from '#web/data/avatar.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useIdParam } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { staffEndpoints, type StaffRecord } from './staff.contract.ts';
import { fullName } from './staff-columns.web.tsx';
import { ROLE_LABELS } from './staff-words.web.ts';

export interface StaffFrameProps {
  children: (person: StaffRecord, own: boolean) => ReactNode;
  actions?: (person: StaffRecord, own: boolean) => ReactNode;
}

export function StaffFrame({ children, actions }: StaffFrameProps) {
  const id = useIdParam('staffId');
  const own = useCurrentUser()?.id === id;
  const may = useMay();
  const read = useEndpoint(staffEndpoints.show, { params: { id } });
  const person = read.data?.data;
  const back = may('user.show') ? '/admin/staff' : '/admin';
  if (read.isError && !person) {
    return <RecordProblem noun="member of staff" list={back} error={read.error} onRetry={() => void read.refetch()} />;
  }
  const base = `/admin/staff/${id}`;
  const tabs = [
    { id: 'profile', text: 'Profile', href: `${base}/profile` },
    { id: 'notifications', text: 'Notifications', href: `${base}/notifications` },
    { id: 'settings', text: 'Settings', href: `${base}/settings` },
    ...(own || may('user.update') ? [{ id: 'security', text: 'Security', href: `${base}/security` }] : []),
    { id: 'activity', text: 'Activity', href: `${base}/activity` },
  ];
  return (
    <>
      <PageHeader title={person ? fullName(person) : 'Member of staff'} back={back} tabs={tabs}
        badges={person ? (
          <>
            <Avatar name={fullName(person)} url={person.avatar_url} size="md" />
            <Badge tone={person.role === 'staff_user' ? 'neutral' : 'brass'}>{ROLE_LABELS[person.role]}</Badge>
            {!person.active && <Badge tone="error">Inactive</Badge>}
            {own && <Badge tone="info">You</Badge>}
          </>
        ) : <Skeleton width={160} height={30} />}
        waiting={!person && (actions ? true : 'facts')}
        subtitle={person && [person.job_title, person.email, person.teams.map((team) => team.name).join(', ')]}>
        {person && actions?.(person, own)}
      </PageHeader>
      {person ? children(person, own) : (
        <PageContent record>
          <div aria-busy="true">
            {[240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
          </div>
        </PageContent>
      )}
    </>
  );
}
