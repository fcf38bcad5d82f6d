/** The sections of an application: what is asked for, where and when, what rights and price say, who answers for it. */
import { MapPin } from 'lucide-react';
import { addressLine } from '#kernel/address/address-lines.ts';
import { formatRate } from '#kernel/money/money.ts';
import { spell } from '#kernel/text/english.ts';
import { exemptionWords } from '#modules/taxation/exemption-certificates/exemption-words.web.ts';
import { CodeText } from '#web/data/code-text.tsx';
import { Callout } from '#web/data/callout.tsx';
import { ActivityTimeline } from '#web/data/activity-timeline.tsx';
import { Avatar } from '#web/data/avatar.tsx';
import { DateText, daySpan, formatInstant } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { PhaseBadge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { Trace } from '#web/data/trace.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Columns, PageContent, Section, SideColumn } from '#web/layout/page-content.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { useMay } from '#web/query/current-user.ts';
import { AvailabilityPanel } from '../availability/availability-panel.web.tsx';
import { licenseHref } from '../licenses/license-place.web.ts';
import { PerformanceDay } from '../licenses/performances/performance-table.web.tsx';
import { PromiseFacts, sumLabel } from '../licenses/pricing/price-rows.web.tsx';
import { priceStats, traceSteps } from '../licenses/pricing/price-trace.web.ts';
import {
  APPLICATION_DECLINE_WORDS, clockWords, dueWords, ORCHESTRATION_WORDS, ORGANISATION_WORDS,
  PERFORMANCE_TYPE_WORDS, plainWords, PURPOSE_WORDS, UNANSWERED, wordsOf, zoneWords,
} from '../words.web.ts';
import { ApplicationFrame } from './application-frame.web.tsx';
import { EVENT_PAST } from './application-history.web.ts';
import type { ApplicationView } from './application-view.web.ts';
import { RepForm } from './application-rep.web.tsx';
import type { ApplicationDetail } from './application.contract.ts';
import { ticketColumns } from '../licenses/venues/ticket-columns.web.tsx';
import styles from '../licensing.module.css';

export function InformationScreen() {
  return <ApplicationFrame>{(view) => <Information view={view} />}</ApplicationFrame>;
}
export function VenuesScreen() {
  return <ApplicationFrame>{(view) => <Venues view={view} />}</ApplicationFrame>;
}
export function QuoteScreen() {
  return <ApplicationFrame>{(view) => <Quotes view={view} />}</ApplicationFrame>;
}
export function RepScreen() {
  return <ApplicationFrame>{(view) => <Rep view={view} />}</ApplicationFrame>;
}

function Information({ view }: { view: ApplicationView }) {
  const { application } = view;
  return (
    <Columns side={<SideColumn label="Rights and price" width={372}><Outlook application={application} /></SideColumn>}>
      <PageContent record fullWidth>
        <Notes application={application} />
        <Section title="Production">
          <KeyValue facts={[
            { label: spell`Producing organization`,
              value: application.producing_organisation || application.customer_name },
            { label: 'Kind', value: wordsOf(ORGANISATION_WORDS, application.organisation_type) },
            { label: 'Purpose', value: wordsOf(PURPOSE_WORDS, application.purpose) },
            { label: 'First performance', value: <DateText value={application.first_performance_on}
              style="weekday" /> },
            { label: 'Last performance', value: <DateText value={application.last_performance_on} style="weekday" /> },
            { label: 'Performances', value: application.number_of_performances },
            { label: 'Venue', value: application.venue_names },
            application.cast_size !== null && { label: 'Cast', value: application.cast_size },
            Boolean(application.orchestration) && { label: 'Orchestration',
              value: plainWords(wordsOf(ORCHESTRATION_WORDS, application.orchestration)) },
            { label: 'Union', value: application.union_status === 'none' ? 'None'
              : plainWords(application.union_status) },
            { label: 'Admission', value: application.is_free_admission ? 'Free' : 'Tickets are sold' },
            { label: 'Filming', value: [application.needs_video && 'Archival recording', application.needs_streaming
              && 'Streaming'].filter(Boolean).join(', ') || 'None' },
            application.add_ons.length > 0 && { label: 'Add-ons', value: application.add_ons.map((one) =>
              (one.quantity > 1 ? `${one.name} × ${one.quantity}` : one.name)).join(', ') },
            application.alternatives.length > 0 && { label: 'Other dates', value: application.alternatives
              .map((one) => daySpan(one.first_performance_on, one.last_performance_on)).join('; ') },
            { label: 'Tax exemption', value: application.tax_exemptions.map(exemptionWords).join('; ')
              || 'No certificate' },
          ]} />
        </Section>
        {application.message && <Section title="Message from customer"><p
          className={styles.text}>{application.message}</p></Section>}
        {application.information_requests.length > 0 && <Questions application={application} />}
        <Section title="Activity">
          <ActivityTimeline items={application.events.map((event) => ({ id: event.id,
            who: event.actor_name ?? 'The system', when: event.created_at,
            what: EVENT_PAST[event.event] ?? plainWords(event.event).toLowerCase(),
            ...(event.reason ? { note: event.reason } : {}) }))} />
        </Section>
      </PageContent>
    </Columns>
  );
}

function Notes({ application }: { application: ApplicationDetail }) {
  const declined = application.decision_reason_code;
  if (application.warnings.length === 0 && !declined && application.licenses.length === 0) return null;
  return (
    <div className={styles.stack}>
      {application.warnings.map((warning) => <Callout key={warning} tone="warn">{warning}</Callout>)}
      {declined && (
        <Callout tone="error" title={`Declined: ${wordsOf(APPLICATION_DECLINE_WORDS, declined).toLowerCase()}`}>
          {application.decision_note}
        </Callout>
      )}
      {application.licenses.length > 0 && (
        <Callout tone="ok" title="Quoted">
          {application.licenses.map((license) => (
            <div key={license.id} className={styles.row}>
              <a className="gr-link" href={licenseHref({ ...license,
                customer_id: application.customer_id })}>{license.title}</a>
              <CodeText>{license.number}</CodeText>
            </div>
          ))}
        </Callout>
      )}
    </div>
  );
}

function Questions({ application }: { application: ApplicationDetail }) {
  return (
    <Section title="Asked and answered" count={application.information_requests.length}>
      <ul className={styles.lines}>
        {application.information_requests.map((asked) => (
          <li key={asked.id}>
            <div className={styles.grow}>
              <p className={styles.text}>{asked.message}</p>
              <p className={styles.faint}>Asked {formatInstant(asked.created_at)}</p>
              {asked.answer ? <p className={styles.text}><strong>{asked.answer}</strong></p> : <p
                className={styles.soon}>No answer yet</p>}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Outlook({ application }: { application: ApplicationDetail }) {
  return (
    <div className={styles.stack}>
      <h2 className={styles.venueName}>Rights and price</h2>
      {application.outlook.length === 0 && <p
        className={styles.muted}>Dates and a venue are needed to say whether the rights are free.</p>}
      {application.outlook.map((one) => (
        <section key={one.show_id} className={styles.outlook} aria-label={one.title}>
          {one.availability ? <AvailabilityPanel answer={one.availability} heading={<span
            className="gr-serif">{one.title}</span>} />
            : <span className="gr-serif">{one.title}</span>}
          {one.price?.priced ? (
            <div className={styles.between}>
              <span className={styles.muted}>{one.price.promise ? `Guaranteed, plus ${one.price.promise.rate}`
                : 'Price'}</span>
              <Money minor={one.price.totals.total_minor} currency={one.price.currency} strong />
            </div>
          ) : <p className={styles.muted}>{one.price?.message ?? 'Not priced.'}</p>}
        </section>
      ))}
      {application.override_reason && <Callout tone="info"
        title="Far ahead, allowed because">{application.override_reason}</Callout>}
    </div>
  );
}

type VenueOf = ApplicationDetail['license_venues'][number];
type PerformanceOf = VenueOf['performances'][number] & { place: number };
const performanceColumns: readonly Column<PerformanceOf>[] = [
  { id: 'no', header: 'No.', kind: 'number', cell: (row) => row.place, width: 50 },
  { id: 'date', header: 'Date', kind: 'title', cell: (row) => <PerformanceDay day={row.local_date} /> },
  { id: 'time', header: 'Curtain', cell: (row) => clockWords(row.local_time), width: 100 },
  { id: 'type', header: 'Type', cell: (row) =>
    `${wordsOf(PERFORMANCE_TYPE_WORDS, row.type)}${row.is_free ? ', free' : ''}` },
];

function Venues({ view }: { view: ApplicationView }) {
  const venues = view.application.license_venues;
  return (
    <PageContent record fullWidth>
      {venues.length === 0 && <EmptyState title="No venue named yet"
        text="The customer adds it, or answers when asked." />}
      {venues.map((venue) => (
        <section key={venue.id} className={styles.venue} aria-label={venue.name}>
          <div className={styles.venueHead}>
            <span className={styles.tile}><Glyph icon={MapPin} size={17} /></span>
            <div className={styles.grow}>
              <h2 className={styles.venueName}>{venue.name}</h2>
              <p className={styles.muted}>{[addressLine(venue.address), venue.capacity === null ? ''
                : `${venue.capacity.toLocaleString('en-US')} seats`, ...venue.deductions.map((one) =>
                `${plainWords(one.type).toLowerCase()} at most ${formatRate(BigInt(one.cap_ppm))}`)]
                .filter(Boolean).join(' · ')}</p>
            </div>
          </div>
          <DataTable label={`Ticketing of ${venue.name}`} variant="record" columns={ticketColumns(venue.ticketing)}
            rows={venue.ticketing.map((row, index) => ({ ...row, place: index + 1 }))} rowKey={(row) => row.place}
            totalLabel={venue.ticketing.length === 1 ? '1 price' : `${venue.ticketing.length} prices`}
              empty={{ title: 'No ticket prices yet' }} />
          <div className={styles.subhead}>
            <h3>Performances<span className={styles.count}>{venue.performances.length}</span></h3>
            <span className={styles.muted}>Times in {zoneWords(venue.time_zone)}</span>
          </div>
          <DataTable label={`Performances at ${venue.name}`} variant="record" columns={performanceColumns}
            rows={venue.performances.map((row, index) => ({ ...row, place: index + 1 }))} rowKey={(row) => row.place}
              empty={{ title: 'No dates yet' }} />
        </section>
      ))}
    </PageContent>
  );
}

function Quotes({ view }: { view: ApplicationView }) {
  const { application } = view;
  return (
    <PageContent record>
      {application.licenses.length > 0 && (
        <Section title="Quotes" count={application.licenses.length}>
          <DataTable label="Quotes of the application" variant="record" rows={application.licenses}
            rowKey={(row) => row.id}
            rowHref={(row) => licenseHref({ ...row, customer_id: application.customer_id })}
            columns={[
              { id: 'title', header: 'Title', kind: 'title', cell: (row) => row.title },
              { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number },
              { id: 'phase', header: 'Phase', kind: 'badge', cell: (row) => <PhaseBadge phase={row.phase} small /> },
            ]} />
        </Section>
      )}
      {application.outlook.map((one) => (
        <Section key={one.show_id} title={<span className="gr-serif">{one.title}</span>}
          right={one.price?.priced && [formatAmount(one.price.totals.total_minor, one.price.currency),
            one.price.promise && `plus ${one.price.promise.rate}`].filter(Boolean).join(', ')}>
          {one.price?.priced ? (
            <div className={styles.stack}>
              <StatStrip label={`Price of ${one.title}`}
                stats={priceStats(one.price.lines, { tax_minor: one.price.totals.tax_minor,
                deposit_minor: one.price.totals.security_deposit_minor, total_minor: one.price.totals.total_minor },
                  sumLabel(one.price))} />
              <PromiseFacts promise={one.price.promise} />
              <Trace steps={traceSteps(one.price.trace)} total={{ minor: one.price.totals.total_minor,
                currency: one.price.currency, ...(one.price.promise ? { label: 'Guaranteed' } : {}) }} />
            </div>
          ) : <p className={styles.muted}>{one.price?.message
            ?? 'It cannot be priced yet: dates, venue and ticket prices are needed.'}</p>}
        </Section>
      ))}
      {application.outlook.length === 0 && application.licenses.length === 0 && (
        <EmptyState title="Nothing to price yet"
          text="Dates, a venue and ticket prices are what a price is worked out from." />
      )}
    </PageContent>
  );
}

function Rep({ view }: { view: ApplicationView }) {
  const { application } = view;
  const may = useMay();
  return (
    <PageContent record>
      <Section title="Representative">
        {application.license_rep_name ? (
          <p className={styles.row}><Avatar name={application.license_rep_name}
            size="md" /><strong>{application.license_rep_name}</strong></p>
        ) : <p className={styles.muted}>No representative yet.</p>}
        <p className={styles.muted}>
          {promiseOf(view)}
        </p>
      </Section>
      {may('license.update') && application.allowed_events.length > 0 && <Section title="Change"><RepForm
        key={application.id} application={application} /></Section>}
    </PageContent>
  );
}

function promiseOf({ application, on }: ApplicationView): string {
  if (application.sla_paused) return 'The promised answer rests until the customer replies.';
  if (!application.sla_due_at || !UNANSWERED.includes(application.status)) return '';
  const due = dueWords(application.sla_due_at, on).toLowerCase();
  return `The answer is promised for ${formatInstant(application.sla_due_at)} (${due}).`;
}
