/** The dialogs of a decision on an application. */
import { useState } from 'react';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ActionDialog, errorsOf, useFields, useReload } from '../action-dialog.web.tsx';
import { VerdictBadge } from '../availability/availability-panel.web.tsx';
import { licenseEndpoints } from '../licenses/license.contract.ts';
import { StaffSelect } from '../staff-select.web.tsx';
import { daySpan } from '#web/data/date-text.tsx';
import { APPLICATION_DECLINE_WORDS, optionsOf } from '../words.web.ts';
import type { ApplicationStep, ApplicationView } from './application-view.web.ts';
import {
  applicationEndpoints, type ApplicationDetail, type APPLICATION_DECLINE_REASONS,
} from './application.contract.ts';
import styles from '../licensing.module.css';

interface Props { view: ApplicationView; onClose: () => void }

export function ApplicationDialog({ step, ...props }: Props & { step: ApplicationStep }) {
  switch (step) {
    case 'assign': return <AssignDialog {...props} />;
    case 'request_info': return <AskDialog {...props} />;
    case 'need_clearance': return <ClearanceDialog {...props} />;
    case 'decline': return <DeclineDialog {...props} />;
    case 'approve': case 'convert': return <QuoteDialog approves={step === 'approve'} {...props} />;
  }
}

function useStatus(done: string, onDone: () => void) {
  return useAction(applicationEndpoints.status, { done, onDone, onFailure: () => undefined });
}

function AssignDialog({ view, onClose }: Props) {
  const { application } = view;
  const user = useCurrentUser();
  const action = useStatus('It is in review', onClose);
  const { values, field } = useFields({ license_rep_id: application.license_rep_id ?? user?.id ?? null },
    action.failure);
  const own = user ? `${user.first_name} ${user.last_name}` : undefined;
  return (
    <ActionDialog title="Start review" submit="Start review" action={action} onClose={onClose}
      known={['license_rep_id']}
      text="The customer will see that the application is in review."
        reason={values.license_rep_id ? undefined : 'Choose who reviews it'}
      onSubmit={() => void action.run({ params: { id: application.id }, body: { event: 'assign',
        version: application.version,
        ...(values.license_rep_id ? { license_rep_id: values.license_rep_id } : {}) } })}>
      <StaffSelect label="Reviewer" required selectedLabel={application.license_rep_name
        ?? own} {...field('license_rep_id')} />
    </ActionDialog>
  );
}

const ASKED: readonly { value: string; label: string }[] = [
  { value: 'license_venues', label: 'Venue and dates' }, { value: 'ticketing', label: 'Ticket prices' },
  { value: 'cast_size', label: 'Cast' }, { value: 'orchestration', label: 'Orchestration' },
  { value: 'union_status', label: 'Union status' }, { value: 'tax_exemption', label: 'Tax exemption' },
];

function AskDialog({ view, onClose }: Props) {
  const action = useAction(applicationEndpoints.requestInformation, { onFailure: () => undefined, onDone: onClose,
    done: 'The customer is asked' });
  const { values, set, field } = useFields({ message: '', fields: [] as readonly string[] }, action.failure);
  return (
    <ActionDialog waits title="Ask for information" submit="Ask the customer" action={action} onClose={onClose}
      known={['message']}
      text="The clock of the promised answer rests until they reply."
        reason={values.message.trim() ? undefined : 'Write what they should answer'}
      onSubmit={() => void action.run({ params: { id: view.application.id }, body: { message: values.message,
        fields: [...values.fields] } })}>
      <TextField label="Question for the customer" required rows={4} {...field('message')} />
      <div role="group" aria-label="Fields they can change" className={styles.pair}>
        {ASKED.map(({ value, label }) => (
          <Checkbox key={value} label={label} value={values.fields.includes(value)}
            onChange={(on) => set('fields', on ? [...values.fields, value]
              : values.fields.filter((one) => one !== value))} />
        ))}
      </div>
    </ActionDialog>
  );
}

function ClearanceDialog({ view, onClose }: Props) {
  const { application } = view;
  const action = useStatus('It waits for clearance', onClose);
  const { values, field } = useFields({ clearance_expected_on: application.clearance_expected_on, note: '' },
    action.failure);
  return (
    <ActionDialog title="Ask for clearance" submit="Wait for clearance" action={action} onClose={onClose}
      known={['clearance_expected_on', 'note']}
      text="The rights holder is asked; the customer reads that it takes longer."
      onSubmit={() => void action.run({ params: { id: application.id }, body: { event: 'need_clearance',
        version: application.version,
        ...(values.clearance_expected_on ? { clearance_expected_on: values.clearance_expected_on } : {}),
        ...(values.note.trim() ? { note: values.note } : {}) } })}>
      <DateField label="Answer expected on" min={view.on} {...field('clearance_expected_on')} />
      <TextField label="Note" rows={3} {...field('note')} />
    </ActionDialog>
  );
}

function DeclineDialog({ view, onClose }: Props) {
  const { application } = view;
  const action = useStatus('Declined', onClose);
  const reasons = useEndpoint(applicationEndpoints.reasons, {});
  const free = [...new Set(application.outlook.flatMap((one) => one.availability?.alternatives ?? [])
    .map((run) => daySpan(run.from, run.to)))];
  const { values, set, field } = useFields({ reason_code: null as string | null, note: '', alternatives: free,
    extra: '' }, action.failure);
  const alternatives = [...values.alternatives, ...values.extra.split('\n')].map((text) => text.trim()).filter(Boolean);
  return (
    <ActionDialog title="Decline the application" submit="Decline application" danger action={action} onClose={onClose}
      known={['reason_code', 'note', 'alternatives']} reason={values.reason_code ? undefined : 'Choose the reason'}
      text="The customer reads the reason and what else is possible."
      onSubmit={() => void action.run({ params: { id: application.id }, body: { event: 'decline',
        version: application.version,
        reason_code: values.reason_code as (typeof APPLICATION_DECLINE_REASONS)[number],
        ...(values.note.trim() ? { note: values.note } : {}), ...(alternatives.length > 0 ? { alternatives }
          : {}) } })}>
      <AsyncSelect<string> label="Reason" required options={reasons.data?.data
        ?? optionsOf(APPLICATION_DECLINE_WORDS)} {...field('reason_code')} />
      <TextField label="In your words" rows={3} {...field('note')} />
      {free.length > 0 && (
        <div role="group" aria-label="Dates that would be free" className={styles.tight}>
          {free.map((run) => (
            <Checkbox key={run} label={`Offer ${run}`} value={values.alternatives.includes(run)}
              onChange={(on) => set('alternatives', on ? [...values.alternatives, run]
                : values.alternatives.filter((one) => one !== run))} />
          ))}
        </div>
      )}
      <TextField label="Alternatives" rows={2} caption="Another show, another season: one per line." {...field('extra')}
        error={errorsOf(action.failure).alternatives} />
    </ActionDialog>
  );
}

/** The dates that were applied for, then the others by rank. */
function datesOf(application: ApplicationDetail) {
  return [{ value: 0, label: daySpan(application.first_performance_on, application.last_performance_on) },
    ...application.alternatives.map((one) => ({ value: one.rank,
      label: daySpan(one.first_performance_on, one.last_performance_on),
      children: `Other dates ${one.rank}` }))];
}

/** Approving and quoting are two calls of the server and one decision of a person; the second repeats safely. */
function QuoteDialog({ view, onClose, approves }: Props & { approves: boolean }) {
  const { application } = view;
  const { go } = useNavigation();
  const reload = useReload();
  const [chosen, setChosen] = useState<readonly number[]>(() => {
    const picked = application.shows.filter((show) => show.chosen).map((show) => show.show_id);
    return picked.length > 0 ? picked : application.shows.slice(0, 1).map((show) => show.show_id);
  });
  const [dates, setDates] = useState(0);
  const convert = useAction(applicationEndpoints.convert, { onFailure: () => undefined,
    refresh: [licenseEndpoints.list],
    done: (answer) => (answer.data.license_ids.length === 1 ? 'The quote is made'
      : `${answer.data.license_ids.length} quotes are made`),
    onDone: (answer) => {
      onClose();
      const [first] = answer.data.license_ids;
      if (first) go(`/admin/quotes/${first}/venues`);
    } });
  const approve = useAction(applicationEndpoints.status, { onFailure: () => undefined });
  const action = approve.failure ? approve : convert;
  const { values, field } = useFields({ note: '' }, approve.failure);
  const submit = async () => {
    let version = application.version;
    if (approves) {
      const answer = await approve.run({ params: { id: application.id }, body: { event: 'approve', version,
        ...(values.note.trim() ? { note: values.note } : {}) } });
      if (!answer) return;
      version = answer.data.version;
    }
    await convert.run({ params: { id: application.id }, body: { version, show_ids: [...chosen],
      ...(dates > 0 && { alternative: dates }) } });
  };
  return (
    <ActionDialog title={approves ? 'Approve and quote' : 'Make quotes'}
      action={{ ...action, pending: approve.pending || convert.pending }}
      submit={chosen.length > 1 ? `Create ${chosen.length} quotes` : 'Create quote'} onClose={onClose} known={['note']}
      text="Every chosen show becomes a draft quote with the same venues and dates."
      reason={chosen.length > 0 ? undefined : 'Choose a show'} onSubmit={() => void submit()}>
      <div role="group" aria-label="Shows to quote" className={styles.tight}>
        {application.shows.map((show) => {
          const outlook = application.outlook.find((one) => one.show_id === show.show_id);
          return (
            <div key={show.show_id} className={styles.between}>
              <Checkbox label={show.title} value={chosen.includes(show.show_id)}
                onChange={(on) => setChosen(on ? [...chosen, show.show_id]
                  : chosen.filter((one) => one !== show.show_id))} />
              <VerdictBadge verdict={outlook?.availability?.verdict ?? null} small />
            </div>
          );
        })}
      </div>
      {application.alternatives.length > 0 && (
        <AsyncSelect<number> label="Dates" value={dates} options={datesOf(application)}
          onChange={(rank) => setDates(rank ?? 0)} />
      )}
      {approves && <TextField label="Note" rows={2}
        caption="Required if rights need clearance. Enter who cleared them." {...field('note')} />}
      {action.failure?.kind === 'conflict' && <Callout tone="info" action={<Button size="small"
        onClick={reload}>Read again</Button>}>It may have been decided already.</Callout>}
    </ActionDialog>
  );
}

