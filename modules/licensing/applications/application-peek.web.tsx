/** An application beside its list: what is asked for, what rights and price say, and what was asked back. */
import { CircleAlert } from 'lucide-react';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { today } from '#web/data/local-day.ts';
import { PeekEvents } from '#web/data/peek-record.tsx';
import { PeekDays, PeekLines, PeekNote, PeekSection, PeekView, PeekWait } from '#web/data/peek-view.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import {
  applicationLook, clockWords, dueWords, ORGANISATION_WORDS, plainWords, UNANSWERED, VERDICT_LOOKS, wordsOf,
} from '../words.web.ts';
import { EVENT_PAST } from './application-history.web.ts';
import { peekRows, sumLabel } from '../licenses/pricing/price-rows.web.tsx';
import { applicationEndpoints, type ApplicationDetail, type ApplicationRow } from './application.contract.ts';

export default function ApplicationPeek({ row }: { row: ApplicationRow }) {
  const read = useEndpoint(applicationEndpoints.show, { params: { id: row.id } });
  const detail = read.data?.data.id === row.id ? read.data.data : undefined;
  const look = applicationLook(row.status);
  const due = UNANSWERED.includes(row.status) && row.sla_due_at && !row.sla_paused
    ? dueWords(row.sla_due_at, today()) : '';
  return (
    <PeekView code={row.number} title={row.show_titles}
      under={[row.customer_name, row.venue_names].filter(Boolean).join(', ')}
      badges={(
        <>
          <Badge tone={look.tone}>{look.label}</Badge>
          {due && <Badge tone={due.endsWith('late') ? 'error' : 'warn'}>
            {due.endsWith('late') ? `Reply ${due}` : `Reply due: ${due.toLowerCase()}`}</Badge>}
        </>
      )}
      foot={(
        <>
          <ButtonLink href={`/admin/applications/${row.id}/venues`}>Venues</ButtonLink>
          <ButtonLink href={`/admin/applications/${row.id}/information`} variant="primary">Decide</ButtonLink>
        </>
      )}>
      {detail ? <Asked detail={detail} /> : !read.isError && (
        <><PeekWait title="Rights and price" lines={3} /><PeekWait title="Performances" lines={2} /></>
      )}
    </PeekView>
  );
}

function Asked({ detail }: { detail: ApplicationDetail }) {
  const waiting = detail.information_requests.find((one) => one.answered_at === null);
  return (
    <>
      {waiting && <Callout icon={CircleAlert} tone="warn" title="Waiting for the customer">{waiting.message}</Callout>}
      {detail.warnings.length > 0 && <Callout tone="warn">{detail.warnings.join(' ')}</Callout>}
      {detail.outlook.length > 0 && <Outlook detail={detail} />}
      <Days detail={detail} />
      <PeekSection title="Production">
        <KeyValue layout="rows" facts={[
          { label: 'Kind', value: wordsOf(ORGANISATION_WORDS, detail.organisation_type) },
          { label: 'Admission', value: detail.is_free_admission ? 'Free' : 'Tickets are sold' },
          detail.cast_size !== null && { label: 'Cast', value: detail.cast_size },
          detail.license_rep_name !== null && { label: 'Rep', value: detail.license_rep_name },
        ]} />
      </PeekSection>
      {detail.message && <PeekSection title="Message from customer"><PeekNote>{detail.message}</PeekNote></PeekSection>}
      <PeekEvents events={[...detail.events].sort((one, other) => other.created_at.localeCompare(one.created_at))
        .map((event) => ({ id: event.id, who: event.actor_name ?? 'The system', when: event.created_at,
          what: EVENT_PAST[event.event] ?? plainWords(event.event).toLowerCase() }))} />
    </>
  );
}

function Outlook({ detail }: { detail: ApplicationDetail }) {
  return (
    <PeekSection title="Rights and price">
      {detail.outlook.map(({ show_id, title, availability, price }) => {
        const verdict = availability && VERDICT_LOOKS[availability.verdict];
        return (
          <div key={show_id}>
            {detail.outlook.length > 1 && <PeekNote>{title}</PeekNote>}
            {verdict && <Badge small tone={verdict.tone}>{verdict.label}</Badge>}
            {availability && availability.verdict !== 'clear' && <PeekNote>{availability.reason_internal}</PeekNote>}
            {price?.priced ? (
              <PeekLines label={`Price of ${title}`}
                lines={[
                  ...peekRows(price.rows, price.promise),
                  ...(price.totals.tax_minor === 0 ? []
                    : [{ key: 'tax', label: 'Tax', minor: price.totals.tax_minor }]),
                ]}
                totals={[{ key: 'total', label: sumLabel(price), minor: price.totals.total_minor }]} />
            ) : price?.message && <PeekNote>{price.message}</PeekNote>}
          </div>
        );
      })}
    </PeekSection>
  );
}

function Days({ detail }: { detail: ApplicationDetail }) {
  const rows = detail.license_venues.flatMap((venue) => venue.performances.map((one, index) => ({
    key: `${venue.id}-${index}`, day: one.local_date, time: one.local_time, venue: venue.name })))
    .sort((one, other) => `${one.day}${one.time}`.localeCompare(`${other.day}${other.time}`));
  if (rows.length === 0) return null;
  const times = [...new Set(rows.map((one) => one.time))];
  const venues = [...new Set(rows.map((one) => one.venue))];
  return (
    <PeekSection title="Performances">
      <PeekDays days={rows.map(({ key, day }) => ({ key, day }))} />
      <PeekNote>
        {[times.length <= 2 ? times.map(clockWords).join(' and ') : `${times.length} curtain times`,
          venues.length <= 2 ? venues.join(' and ') : `${venues.length} venues`].join(', ')}
      </PeekNote>
    </PeekSection>
  );
}
