/** A report on hold, answered by the people who sent it: it replaces the other one, or counts for a reason. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { portalBoxOfficeEndpoints } from '#modules/licensing/box-office/box-office.contract.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { useAction } from '#web/query/use-action.ts';
import type { Report } from './box-office-values.web.ts';
import type { ProductionProps } from './production-frame.web.tsx';
import styles from './portal.module.css';

type Question = Report['questions'][number];
type Props = Pick<ProductionProps, 'production' | 'portal'> & { report: Report };

/** Why a report is not counted, to the person who sent it. */
const HELD_TEXTS: Readonly<Record<string, string>> = {
  overlap: 'No date is billed twice.',
  outside_run: 'These dates are outside your licensed run.',
  in_future: 'Some of these dates are in the future.',
  gross_over_limit: 'The gross is higher than these performances can earn at your ticket prices.',
  attendance_over_limit: 'Admissions are higher than the seating capacity of these performances.',
  no_running_costs: 'The running costs of the week are missing. The royalty is a share of its operating profit.',
};

/** An overlap names the other report, with its days and takings. */
function reasonOf({ kind, question }: Question): string {
  const text = HELD_TEXTS[kind];
  return text === undefined ? question : kind === 'overlap' ? `${question} ${text}` : text;
}

export function HeldReport(props: Props) {
  const open = props.report.questions.filter((question) => question.answer === null);
  const [first] = open.filter((question) => question.kind in HELD_TEXTS);
  const text = props.portal.maySee ? 'If the figures or dates are wrong, correct them below and send the report again.'
    : spell`An admin or signer of your organization answers or corrects it.`;
  const { gross_minor: gross, currency, query_note: note } = props.report;
  return (
    <Callout tone="warn" title="This report is on hold">
      <div className={styles.stack}>
        {note && <p>{note}</p>}
        {open.map((question) => <p key={question.id}>{reasonOf(question)}</p>)}
        <p>{`You reported ${formatAmount(gross, currency)}.`}</p>
        {first && first.kind !== 'no_running_costs' && props.portal.maySee
          && <Answer key={first.id} {...props} question={first} />}
        <p>{text}</p>
      </div>
    </Callout>
  );
}

/** One question at a time: an answer can settle the others or raise a new one. */
function Answer({ report, production, portal, question }: Props & { question: Question }) {
  const [note, setNote] = useState('');
  const action = useAction(portalBoxOfficeEndpoints.answer, { refresh: [portalEndpoints.license],
    done: 'Thank you. We will look at the report' });
  const overlaps = question.kind === 'overlap';
  const send = (answer: 'replace' | 'add') => void action.run({
    params: { id: portal.customerId, licenseId: production.id, reportId: report.id, questionId: question.id },
    body: { answer, note: note.trim() } });
  const missing = portal.held ?? (note.trim() === '' ? 'Enter a reason first' : undefined);
  const error = action.failure?.fields.note?.[0] ?? action.failure?.fields.answer?.[0];
  return (
    <div className={styles.stack}>
      <TextField label="Reason" rows={2} maxLength={2000} value={note} onChange={setNote} error={error}
        {...(overlaps && { caption: 'Needed if both reports count, for example for seats sold elsewhere.' })} />
      <div className={styles.actions}>
        {overlaps && <Button pending={action.pending} onClick={() => send('replace')}
          {...(portal.held && { reason: portal.held })}>Replace the other report</Button>}
        <Button pending={action.pending} onClick={() => send('add')} {...(missing && { reason: missing })}>
          {overlaps ? 'Count both reports' : 'Count as reported'}</Button>
      </div>
    </div>
  );
}
