/** An application on its way: who has it now, until when we answer, what we asked, what it would cost (RT20). */
import { useState } from 'react';
import { minorOf } from '#kernel/money/money.ts';
import { spell } from '#kernel/text/english.ts';
import { applicationEndpoints, type CustomerApplication,
} from '#modules/licensing/applications/application.contract.ts';
import { exemptionWords } from '#modules/taxation/exemption-certificates/exemption-words.web.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { ActivityTimeline } from '#web/data/activity-timeline.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { daySpan, formatDay, formatDeadline } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { applicationHolder, applicationTone, applicationWords, declineWords, eventWords,
} from './application-words.web.ts';
import {
  addOnPrice, bandText, deductionText, nightText, purposeLabel, unionLabel,
} from './apply-words.web.ts';
import {
  Lines, Notes, PortalHead, PriceLines, PromiseFacts, QueryBoundary, usePortal, type Portal,
} from './portal-parts.web.tsx';
import { firstOpenStep, valuesOf } from './apply-values.web.ts';
import { counted, sentence } from './portal-words.web.ts';
import styles from './portal.module.css';

interface Props { row: CustomerApplication; portal: Portal }

function useEvent({ row, portal }: Props, done: string) {
  const action = useAction(applicationEndpoints.customerStatus, { done });
  const run = (event: 'submit' | 'respond' | 'withdraw', message?: string) => action.run({
    params: { id: portal.customerId, applicationId: row.id },
    body: { event, version: row.version, ...(message && { message }) } });
  return { run, pending: action.pending };
}

function Answer(props: Props) {
  const { row, portal } = props;
  const [text, setText] = useState('');
  const { run, pending } = useEvent(props, 'Thank you, we go on');
  const open = row.information_requests.filter((request) => request.answered_at === null);
  if (open.length === 0) return null;
  const missing = portal.held ?? (text.trim() === '' ? 'Write your answer first' : undefined);
  return (
    <Card title="We have a question" first={portal.maySee}>
      <div className={styles.stack}>
        {open.map((request) => (
          <p key={request.id} className={styles.prose}>{request.message}
            <span className={styles.small}> Asked on {formatDay(request.created_at)}.</span></p>
        ))}
        {portal.maySee && row.allowed_events.includes('respond')
          ? (
            <>
              <TextField label="Your answer" required rows={4} maxLength={5000} value={text} onChange={setText} />
              <div><Button variant="primary" pending={pending} {...(missing && { reason: missing })}
                onClick={() => void run('respond', text.trim())}>Send the answer</Button></div>
            </>
          )
          : <p className={styles.muted}>{spell`An admin or signer of your organization answers.`}</p>}
      </div>
    </Card>
  );
}

function Where({ row, portal }: Props) {
  return (
    <Card title="Status" right={<Badge tone={applicationTone(row.status)}>{applicationWords(row.status)}</Badge>}>
      <div className={styles.stack}>
        <p className={styles.prose}>{applicationHolder(row.status)}</p>
        {row.sla_due_at && !row.sla_paused && row.decided_at === null && (
          <p className={styles.muted}>You&apos;ll hear from us by <strong>{formatDeadline(row.sla_due_at)}</strong>.</p>
        )}
        {row.sla_paused && <p className={styles.muted}>Our time to answer rests until we hear from you.</p>}
        {row.clearance_expected_on && (
          <p className={styles.muted}>We expect their word by {formatDay(row.clearance_expected_on)}.</p>
        )}
        {row.status === 'declined' && (
          <Callout tone="error" title={declineWords(row.decision_reason_code) || 'We are sorry.'}>
            {row.decision_note}</Callout>
        )}
        {row.warnings.map((text) => <Callout key={text} tone="warn" title={text} />)}
        {row.licenses.map((license) => (
          <ButtonLink key={license.id} href={`${portal.base}/productions/${license.id}/quote`} variant="primary">
            Read the offer for {license.title}</ButtonLink>
        ))}
        {row.license_rep_name && <p className={styles.small}>{row.license_rep_name} looks after it.</p>}
      </div>
    </Card>
  );
}

function Outlook({ row }: { row: CustomerApplication }) {
  return row.outlook.map(({ show_id: id, title, availability, price }) => (
    <Card key={id} title={row.outlook.length > 1 ? title : 'Price estimate'}>
      <div className={styles.stack}>
        {availability && (
          <Callout tone={availability.verdict === 'clear' ? 'ok' : availability.verdict === 'blocked' ? 'error'
            : 'warn'}
            title={availability.reason_public} />
        )}
        {price?.priced
          ? <><PriceLines rows={price.rows} totals={price.totals} currency={price.currency} promise={price.promise} />
            <PromiseFacts promise={price.promise} /></>
          : <p className={styles.muted}>{price?.message ?? 'The price comes with our offer.'}</p>}
      </div>
    </Card>
  ));
}

type Venue = CustomerApplication['license_venues'][number];

function VenueFacts({ venue, currency }: { venue: Venue; currency: string }) {
  const nights = venue.performances.map((one) => nightText(one.local_date, one.local_time, one.type));
  const bands = venue.ticketing.map((band) => bandText({ label: band.label ?? '', seats: band.number_of_seats,
    price_minor: minorOf(band.price), type: band.performance_type ?? null }, currency));
  const deductions = venue.deductions.map((one) => deductionText(one.type, one.cap_ppm));
  return (
    <KeyValue columns={2} facts={[
      { label: 'Where', value: venue.name, wide: true },
      nights.length > 0 && { label: 'When', wide: true, value: <Lines texts={nights} /> },
      bands.length > 0 && { label: 'Seats and prices', wide: true, value: <Lines texts={bands} /> },
      deductions.length > 0 && { label: 'Deductions from gross', wide: true, value: <Lines texts={deductions} /> },
    ]} />
  );
}

/** 'April 8 to 10, 2027: available' */
function otherDates(row: CustomerApplication): string[] {
  return row.alternatives.map((one) => {
    const verdict = one.verdicts[0]?.availability?.verdict;
    const words = verdict === 'clear' ? ': available' : verdict === 'blocked' ? ': not available'
      : verdict === 'needs_clearance' ? ': subject to approval' : '';
    return `${daySpan(one.first_performance_on, one.last_performance_on)}${words}`;
  });
}

function Said({ row }: { row: CustomerApplication }) {
  const addOns = row.add_ons.map((one) => `${one.name}${one.quantity > 1 ? ` × ${one.quantity}` : ''}, ${
    addOnPrice(one, row.currency)}`);
  const other = otherDates(row);
  return (
    <Card title="Your request">
      <div className={styles.stack}>
        {row.license_venues.map((venue) => <VenueFacts key={venue.id} venue={venue} currency={row.currency} />)}
        <KeyValue columns={2} facts={[
          row.number !== null && { label: 'Reference', value: row.number },
          other.length > 0 && { label: 'Other dates', wide: true, value: <Lines texts={other} /> },
          { label: 'Produced by', value: row.producing_organisation }, { label: 'On stage', value: row.cast_size },
          { label: 'Purpose', value: purposeLabel(row.purpose) },
          row.union_status !== 'none' && { label: 'Union', value: unionLabel(row.union_status) },
          row.is_free_admission && { label: 'Admission', value: 'Free' },
          { label: 'Filming', value: [row.needs_video ? 'archival recording' : '', row.needs_streaming ? 'streaming'
            : ''].filter(Boolean).join(', ') || 'none' },
          addOns.length > 0 && { label: 'Add-ons', wide: true, value: <Lines texts={addOns} /> },
          row.tax_exemptions.length > 0 && { label: 'Tax exemption', wide: true,
            value: <Lines texts={row.tax_exemptions.map(exemptionWords)} /> },
          { label: 'Message', value: row.message, wide: true },
        ].filter((fact) => fact && fact.value)} />
      </div>
    </Card>
  );
}

function Withdraw(props: Props) {
  const [open, setOpen] = useState(false);
  const { run, pending } = useEvent(props, 'Your application is withdrawn');
  const { row, portal } = props;
  if (!portal.maySee || !row.allowed_events.includes('withdraw')) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)} {...(portal.held && { reason: portal.held })}>Withdraw</Button>
      <ConfirmDialog open={open} danger pending={pending} title="Withdraw this application?" confirm="Withdraw it"
        cancel="Keep it" text="Your dates will be released. You can apply again at any time."
        onCancel={() => setOpen(false)} onConfirm={() => void run('withdraw').then(() => setOpen(false))} />
    </>
  );
}

function Application({ row, portal }: Props) {
  const draft = row.status === 'draft';
  const show = row.shows[0];
  const resume = show && `${portal.base}/shows/apply/${show.show_id}?application=${row.id}`;
  return (
    <>
      <PortalHead title={row.show_titles || 'Application'}
        back={{ href: `${portal.base}/productions`, text: 'Productions' }}
        facts={[row.number, daySpan(row.first_performance_on, row.last_performance_on), row.number_of_performances > 0
          && sentence(counted(row.number_of_performances, 'performance')), row.submitted_at
          && `Handed in ${formatDay(row.submitted_at)}`]}>
        {draft && resume && <ButtonLink href={`${resume}&step=${firstOpenStep(valuesOf(row, show.show_id))}`}
          variant="primary">Continue</ButtonLink>}
        {row.status === 'info_requested' && resume && <ButtonLink href={resume}>Change the dates or seats</ButtonLink>}
        <Withdraw row={row} portal={portal} />
      </PortalHead>
      <Answer row={row} portal={portal} />
      <div className={styles.split}>
        <div className={styles.stack}>
          <Where row={row} portal={portal} /><Notes memos={row.memos} /><Said row={row} />
        </div>
        <div className={styles.stack}>
          <Outlook row={row} />
          {row.events.length > 0 && (
            <Card title="Activity">
              <ActivityTimeline items={row.events.map((event) =>
                ({ id: event.id, who: event.actor_name ?? 'Grand Rights',
                what: eventWords(event.event), when: event.created_at }))} />
            </Card>
          )}
          {row.status === 'declined' && show && (
            <AppLink className="gr-link" href={`${portal.base}/shows`}>Look at other shows</AppLink>
          )}
        </div>
      </div>
    </>
  );
}

export default function ApplicationPage() {
  const portal = usePortal();
  const applicationId = useIdParam('applicationId');
  const read = useEndpoint(applicationEndpoints.customerShow, { params: { id: portal.customerId, applicationId } });
  return (
    <QueryBoundary read={read} page="Application">
      {({ data }) => <Application row={data} portal={portal} />}
    </QueryBoundary>
  );
}
