/**
 * The head of every licence screen (picture 02): title, phase and derived status, code line, phase line, actions and
 * tabs. The screen below it gets the licence and the answers that the head has read anyway.
 */
import { CalendarDays, CirclePause, Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { licenseNumbers } from '#kernel/licensing/license-address.ts';
import { spell } from '#kernel/text/english.ts';
import { Avatar } from '#web/data/avatar.tsx';
import { Badge, PhaseBadge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { divisionAndCurrency } from '#web/layout/division.ts';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { Stepper } from '#web/layout/stepper.tsx';
import type { TabItem } from '#web/layout/tabs.tsx';
import { AppLink, useAddress } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { amendmentEndpoints } from '../amendments/amendment.contract.ts';
import { checklistEndpoints } from '../checklist/checklist.contract.ts';
import { countLate } from '../checklist/late-items.web.ts';
import { CATEGORY_CHOICES, derivedStatus, derivedTone, ORCHESTRATION_WORDS, runWords } from '../words.web.ts';
import { LicenseActions } from './license-actions.web.tsx';
import { licenseEndpoints } from './license.contract.ts';
import { licenseHref, useLicensePlace, type LicensePlace } from './license-place.web.ts';
import { stepsOf } from './phase/license-steps.web.ts';
import type { LicenseView } from './license-view.web.ts';
import styles from '../licensing.module.css';

export const LICENSE_WITH = { with: 'customer,show,license_venues,performances,documents' };

export function LicenseFrame({ children }: { children: (view: LicenseView) => ReactNode }) {
  const place = useLicensePlace();
  const known = Number.isInteger(place.id);
  const read = useEndpoint(licenseEndpoints.show, { params: { licenseId: place.id }, query: LICENSE_WITH },
    { enabled: known });
  const phase = useEndpoint(licenseEndpoints.phase, { params: { licenseId: place.id } }, { enabled: known });
  const row = read.data?.data;
  const elsewhere = row !== undefined && place.customer_id !== null && row.customer_id !== place.customer_id;
  if (!known || elsewhere || (read.isError && !read.data)) {
    return (
      <RecordProblem noun={place.kind === 'quote' ? 'quote' : 'production'} list={place.back} error={read.error}
        onRetry={() => void read.refetch()} />
    );
  }
  if (!read.data || read.data.data.id !== place.id) return <LicenseLoading place={place} />;
  const view: LicenseView = { license: read.data.data, place, events: phase.data?.data.events ?? [], on: today() };
  return (
    <>
      <LicenseHead view={view} />
      {children(view)}
    </>
  );
}

function LicenseHead({ view }: { view: LicenseView }) {
  const { license, place, on } = view;
  const derived = derivedStatus(license.phase, license.status);
  const tabs = useLicenseTabs(view);
  const category = CATEGORY_CHOICES.find((choice) => choice.value === license.category)?.label ?? license.category;
  const cast = license.orchestration ? ORCHESTRATION_WORDS[license.orchestration] : null;
  return (
    <PageHeader title={license.title_on_license || license.show_title} back={place.back} tabs={tabs} crumbs={[
      ...(place.kind === 'quote' ? []
        : [{ label: license.customer_name, href: `/admin/customers/${license.customer_id}/productions` }]),
      { label: license.license_number ?? license.number, href: place.base }]}
      badges={(
        <>
          <PhaseBadge phase={license.phase} />
          {license.on_hold ? <Badge tone="warn" icon={CirclePause}
            title={license.hold_reason ?? undefined}>On hold</Badge>
            : license.dispute ? <Badge tone="error" icon={Scale}>Dispute</Badge>
              : derived && <Badge tone={derivedTone(derived)} icon={CalendarDays}>{derived}</Badge>}
          {license.offer_version > 0 && <Badge tone="outline">Version {license.offer_version}</Badge>}
        </>
      )}
      subtitle={[
        <Numbers key="number" license={license} />, place.base !== licenseHref(license)
          && <OtherPlace key="place" view={view} />,
        <AppLink key="customer" href={`/admin/customers/${license.customer_id}`}>{license.customer_name}</AppLink>,
        [category, cast].filter(Boolean).join(', '),
        divisionAndCurrency(license),
        runWords(license.first_performance_on, license.last_performance_on, on),
        license.license_rep_name && (
          <span key="rep" className={styles.person}>
            Rep <Avatar name={license.license_rep_name} size="sm" /> {license.license_rep_name}
          </span>
        ),
      ]}
      activity={place.kind === 'quote' ? { entity: 'license', id: license.id } : undefined}
      stepper={<Stepper steps={stepsOf(license, on)} label={spell`Phases of the license`} />}>
      <LicenseActions view={view} />
    </PageHeader>
  );
}

/** The number that is valid now, the quote it came from beside it. */
function Numbers({ license }: Pick<LicenseView, 'license'>) {
  const { now, former } = licenseNumbers(license);
  return <span><CodeText>{now}</CodeText>{former !== null && <small> formerly {former}</small>}</span>;
}

/** Both trees of pages show the record; the one that is not its own says which is. */
function OtherPlace({ view: { license, place } }: { view: LicenseView }) {
  return (
    <AppLink className="gr-link" href={licenseHref(license)}>{place.kind === 'quote' ? 'Licensed: open the production'
      : 'Not licensed: open the quote'}</AppLink>
  );
}

function useLicenseTabs({ license, place, on }: LicenseView): TabItem[] {
  const may = useMay();
  const { path } = useAddress();
  const checklist = useEndpoint(checklistEndpoints.list, { params: { licenseId: license.id } });
  const amendments = useEndpoint(amendmentEndpoints.list, { params: { licenseId: license.id },
    query: { per_page: 1 } });
  const items = checklist.data?.data ?? [];
  const done = items.filter((item) => item.status !== 'open').length;
  const late = countLate(items, license.phase, on);
  const venues = license.license_venues ?? [];
  const documents = license.documents?.length;
  const tab = (id: string, text: string, note?: ReactNode): TabItem => ({
    id, text, href: `${place.base}/${id}`, ...(note ? { note } : {}),
  });
  const first = [
    { ...tab('checklist', 'Checklist', late > 0 ? `${late} late`
      : items.length > 0 && `${done} of ${items.length}`), error: late > 0 },
    tab('information', 'Information'), tab('terms', 'Terms'), tab('documents', 'Documents', documents),
  ];
  const materials = may('license_material.list') ? [tab('materials', 'Materials'), tab('boms', 'BOMs')] : [];
  const changed = amendments.data?.meta.total ?? 0;
  if (place.kind === 'quote') {
    // A signed offer may be asked to be cancelled before it is a production.
    return [...first, tab('venues', 'Venues & performances', venues.length), ...materials, tab('price', 'Price'),
      tab('messages', 'Messages'), ...(changed > 0 ? [tab('amendments', 'Requests', changed)] : [])];
  }
  return [
    ...first, tab('venues', 'Venues', venues.length),
    tab('performances', 'Performances', license.number_of_performances), tab('box-office', 'Box office'), ...materials,
    tab('price', 'Price'), tab('amendments', 'Amendments', changed),
    tab('messages', 'Messages'),
    ...(may('license_material.list') ? [tab('sales-order', 'Sales order')] : []),
    ...(may('transaction.list') ? [{ ...tab('transactions', 'Transactions'),
      ...(path.startsWith(`${place.base}/invoices/`) ? { active: true } : {}) }] : []),
    tab('activity', 'Activity'),
  ];
}

/** Bars in the geometry of the head and of a first section. */
function LicenseLoading({ place }: { place: LicensePlace }) {
  return (
    <>
      <PageHeader title={place.kind === 'quote' ? 'Quote' : 'Production'} back={place.back}
        subtitle={<Skeleton width={340} />} stepper={<Skeleton height={46} />} />
      <PageContent record fullWidth>
        <div aria-busy="true" className={styles.stack}>
          <span className="gr-hidden" role="status">Loading</span>
          <Skeleton height={58} />
          {[92, 86, 94, 80, 88].map((width) => <Skeleton key={width} width={`${width}%`} height={16} />)}
        </div>
      </PageContent>
    </>
  );
}
