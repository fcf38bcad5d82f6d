/** The head of every application screen: shows, status, when the answer is due, and the decision as its actions. */
import { CalendarClock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Avatar } from '#web/data/avatar.tsx';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { divisionAndCurrency } from '#web/layout/division.ts';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { Stepper, type Step } from '#web/layout/stepper.tsx';
import type { TabItem } from '#web/layout/tabs.tsx';
import { AppLink, useParams } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { today } from '#web/data/local-day.ts';
import { dueWords, runWords, UNANSWERED } from '../words.web.ts';
import { ApplicationActions } from './application-actions.web.tsx';
import { StatusBadge } from './application-status.web.tsx';
import { applicationEndpoints, type ApplicationDetail } from './application.contract.ts';
import type { ApplicationView } from './application-view.web.ts';
import styles from '../licensing.module.css';

function useApplicationPlace() {
  const { applicationId, customerId } = useParams();
  const underCustomer = customerId !== undefined;
  return {
    id: Number(applicationId), underCustomer, customer_id: underCustomer ? Number(customerId) : null,
    base: underCustomer ? `/admin/customers/${customerId}/applications/${applicationId}`
      : `/admin/applications/${applicationId}`,
    back: underCustomer ? `/admin/customers/${customerId}` : '/admin/applications',
  };
}

export function ApplicationFrame({ children }: { children: (view: ApplicationView) => ReactNode }) {
  const place = useApplicationPlace();
  const known = Number.isInteger(place.id);
  const read = useEndpoint(applicationEndpoints.show, { params: { id: place.id } }, { enabled: known });
  const application = read.data?.data;
  // Below another customer's address there is no such application.
  const elsewhere = application !== undefined && place.customer_id !== null
    && application.customer_id !== place.customer_id;
  if (!known || elsewhere || (read.isError && !application)) {
    return (
      <RecordProblem noun="application" list={place.back} error={read.error}
        onRetry={() => void read.refetch()} />
    );
  }
  if (!application || application.id !== place.id) {
    return (
      <>
        <PageHeader title="Application" back={place.back} subtitle={<Skeleton width={320} />} stepper={<Skeleton
          height={46} />} />
        <PageContent record><Skeleton height={240} /></PageContent>
      </>
    );
  }
  const view: ApplicationView = { application, base: place.base, on: today() };
  return (
    <>
      <ApplicationHead view={view} back={place.back} tabs={place.underCustomer ? customerTabs(view)
        : staffTabs(view)} />
      {children(view)}
    </>
  );
}

function staffTabs({ application, base }: ApplicationView): TabItem[] {
  return [
    { id: 'information', text: 'Information', href: `${base}/information` },
    { id: 'venues', text: 'Venues & performances', href: `${base}/venues`, note: application.license_venues.length
      || undefined },
    { id: 'memos', text: 'Memos', href: `${base}/memos` },
  ];
}

function customerTabs({ application, base }: ApplicationView): TabItem[] {
  return [
    { id: 'license-rep', text: 'Representative', href: `${base}/license-rep` },
    { id: 'information', text: 'Information', href: `${base}/information` },
    { id: 'performance', text: 'Performances', href: `${base}/performance`, note: application.number_of_performances
      || undefined },
    { id: 'quote', text: 'Quote', href: `${base}/quote`, note: application.licenses.length || undefined },
  ];
}

const LINE = [
  { statuses: ['draft'], label: 'Draft' }, { statuses: ['submitted'], label: 'Submitted' },
  { statuses: ['in_review', 'info_requested', 'clearance'], label: 'In review' },
  { statuses: ['approved'], label: 'Approved' }, { statuses: ['converted'], label: 'Quoted' },
] as const;
const ENDED: Readonly<Record<string, string>> = { declined: 'Declined', withdrawn: 'Withdrawn', expired: 'Expired' };

function stepsOf(application: ApplicationDetail): Step[] {
  const { status } = application;
  const dayOf = (to: string) => formatDay(application.events.find((event) => event.to_status === to)?.created_at,
    'short');
  const ended = ENDED[status];
  if (ended) {
    return [
      { label: 'Draft', note: formatDay(application.created_at, 'short'), state: 'past' },
      ...(application.submitted_at ? [{ label: 'Submitted', note: formatDay(application.submitted_at, 'short'),
        state: 'past' as const }] : []),
      { label: ended, note: formatDay(application.decided_at ?? application.updated_at, 'short'), state: 'current' },
    ];
  }
  const place = LINE.findIndex((step) => (step.statuses as readonly string[]).includes(status));
  return LINE.map((step, index) => ({
    label: step.label, state: index < place ? 'past' : index === place ? 'current' : 'future',
    note: index > place ? '' : step.label === 'Draft' ? formatDay(application.created_at, 'short')
      : dayOf(step.statuses[0]),
  }));
}

function ApplicationHead({ view, back, tabs }: { view: ApplicationView; back: string; tabs: TabItem[] }) {
  const { application, on } = view;
  const open = UNANSWERED.includes(application.status) && !application.sla_paused;
  const due = open ? dueWords(application.sla_due_at, on) : '';
  return (
    <PageHeader title={application.shows.map((show) => show.title).join(', ') || 'Application'} back={back} tabs={tabs}
      crumbs={application.number ? [{ label: application.number }] : undefined}
      badges={(
        <>
          <StatusBadge status={application.status} />
          {due && <Badge tone={due.endsWith('late') ? 'error' : 'warn'} icon={CalendarClock}>
            {due.endsWith('late') ? `Reply ${due}` : `Reply due: ${due.toLowerCase()}`}
          </Badge>}
        </>
      )}
      subtitle={[
        application.number && <CodeText key="number">{application.number}</CodeText>,
        <AppLink key="customer"
          href={`/admin/customers/${application.customer_id}`}>{application.customer_name}</AppLink>,
        `${application.category}, ${divisionAndCurrency(application)}`,
        runWords(application.first_performance_on, application.last_performance_on, on),
        application.license_rep_name && (
          <span key="rep" className={styles.person}>
            Rep <Avatar name={application.license_rep_name} size="sm" /> {application.license_rep_name}
          </span>
        ),
      ]}
      activity={{ entity: 'license_application', id: application.id }}
      stepper={<Stepper steps={stepsOf(application)} label="Progress of the application" />}>
      <ApplicationActions view={view} />
    </PageHeader>
  );
}
