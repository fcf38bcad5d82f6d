/** One report: its figures, the questions that wait for an answer, the decision, and how the royalty was calculated. */
import { deductionLabel } from '#kernel/pricing/deduction-words.ts';
import { spell } from '#kernel/text/english.ts';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { urlOf } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatDay, formatInstant } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { Trace, TraceIcon } from '#web/data/trace.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Drawer } from '#web/layout/overlay.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ActionDialog, errorsOf, FailureNote, useFields } from '../action-dialog.web.tsx';
import { licenseEndpoints } from '../licenses/license.contract.ts';
import { traceSteps } from '../licenses/pricing/price-trace.web.ts';
import { boxOfficeEndpoints, type ReportDetail } from './box-office.contract.ts';
import { HOLD_WORDS, periodWords, REPORT_LOOKS } from './report-words.web.ts';
import styles from '../licensing.module.css';
import { LICENSE_MONEY } from '../money/license-money.web.ts';

export function ReportDrawer({ licenseId, reportId, invoiceHref, onClose, onCorrect }: {
  licenseId: number; reportId: number; invoiceHref: (invoiceId: number) => string; onClose: () => void;
  onCorrect: (report: ReportDetail) => void;
}) {
  const read = useEndpoint(boxOfficeEndpoints.show, { params: { licenseId, id: reportId } });
  const report = read.data?.data.id === reportId ? read.data.data : undefined;
  return (
    <Drawer open onClose={onClose} width={396} icon={<TraceIcon />} title={report ? periodWords(report) : 'Report'}
      footer={report && <ReportActions key={report.version} report={report} onCorrect={() => onCorrect(report)} />}>
      {read.isError && <NotLoaded title="The report did not load" read={read} />}
      {!report && !read.isError && <Skeleton height={160} />}
      {report && <ReportBody report={report} invoiceHref={invoiceHref} />}
    </Drawer>
  );
}

export function ReportBadges({ report }: { report: ReportDetail }) {
  const look = REPORT_LOOKS[report.status];
  return (
    <>
      <Badge tone={look.tone}>{look.label}</Badge>
      {report.held && <Badge tone="error" title="Not counted until you answer the question below">Held</Badge>}
      {report.overdue && <Badge tone="error">Overdue</Badge>}
      {report.minimum_pending && <Badge tone="warn"
        title="The minimum waits for an answer below">Minimum waits</Badge>}
    </>
  );
}

/** `onPage`: its state stands in the head of the page, and its facts have the width of one. */
export function ReportBody({ report, invoiceHref, onPage }: {
  report: ReportDetail; invoiceHref: (invoiceId: number) => string; onPage?: boolean | undefined;
}) {
  const money = (minor: number | null) => <Money minor={minor} />;
  const open = report.questions.filter((question) => question.answer === null);
  const reported = report.status !== 'expected';
  return (
    <div className={styles.stack}>
      {!onPage && <div className={styles.row}><ReportBadges report={report} /></div>}
      {report.query_note && report.status === 'queried' && <Callout tone="warn"
        title="Asked back">{report.query_note}</Callout>}
      {open.map((question) => (holdOf(question.kind)
        ? <Hold key={question.id} report={report} question={question} />
        : <Question key={question.id} report={report} question={question} />))}
      {report.added && <Callout tone="info" title="Counted in addition to another report">{report.add_reason}</Callout>}
      {report.replaced_by_id !== null && report.status !== 'replaced' && <Callout tone="info"
        title="Being replaced">Another report replaces it once that one is accepted.</Callout>}
      <KeyValue {...(onPage ? {} : { layout: 'rows' as const })} facts={[
        Boolean(report.venue_name) && { label: 'Venue', value: report.venue_name },
        !reported && report.due_on !== null && { label: 'Report due', value: formatDay(report.due_on) },
        reported && { label: spell`Gross receipts ${report.currency}`, value: money(report.gross_minor) },
        report.vat_minor > 0 && { label: 'Tax in them', value: money(-report.vat_minor) },
        ...report.deductions.map((one) => ({ label: deductionLabel(one.type),
          value: <>{money(-one.allowed_minor)}{one.allowed_minor !== one.amount_minor
            && <span className={styles.faint}> of {formatAmount(one.amount_minor)}</span>}</> })),
        reported && { label: spell`Net receipts`, value: money(report.net_minor) },
        report.running_costs_minor !== null && { label: 'Running costs', value: money(report.running_costs_minor) },
        report.performances_held !== null && { label: 'Performances held', value: report.performances_held },
        report.paid_admissions !== null && { label: 'Paid admissions',
          value: report.paid_admissions.toLocaleString('en-US') },
        report.complimentary !== null && { label: 'Comps', value: report.complimentary.toLocaleString('en-US') },
        report.attachments.length > 0 && { label: 'Files', value: report.attachments.map((file) => (
          <a key={file.file_id} className="gr-link" href={urlOf(boxOfficeEndpoints.file, { licenseId: report.license_id,
            id: report.id, attachedFileId: file.file_id })}>{file.name}</a>)) },
        report.earned_minor !== null && { label: 'Royalty earned', value: money(report.earned_minor) },
        Boolean(report.recouped_minor) && { label: 'Kept against the advance', value: money(-(report.recouped_minor
          ?? 0)) },
        report.due_minor !== null && { label: 'Due', value: <Money minor={report.due_minor} strong /> },
        report.invoice_id !== null && { label: 'Invoice', value: (
          <AppLink className="gr-link" href={invoiceHref(report.invoice_id)}>{report.invoice_number ?? 'Open'}</AppLink>
        ) },
        Boolean(report.certified_name) && { label: 'Certified by', value: report.certified_name },
        report.submitted_at !== null && { label: 'Submitted', value: formatInstant(report.submitted_at) },
      ]} />
      {report.questions.filter((question) => question.answer !== null).map((question) => (
        <Callout key={question.id} tone="ok" icon={Check} title={question.question}>
          {answerWords(question)}
          {question.note} {question.answered_by_name && `(${question.answered_by_name})`}
        </Callout>
      ))}
      {report.trace.length > 0 && (
        <Trace steps={traceSteps(report.trace.map((step) => ({ ...step, rule_id: '' })))}
          {...(report.due_minor === null ? {} : { total: { label: 'Due', minor: report.due_minor,
            currency: report.currency } })} />
      )}
    </div>
  );
}

function answerWords({ answer, performances }: ReportDetail['questions'][number]): string {
  switch (answer) {
    case 'corrected': return performances === null ? 'Corrected. ' : `Corrected: ${performances} performances. `;
    case 'replace': return 'Replaces the other report. ';
    case 'add': return 'Counted. ';
    default: return 'As reported. ';
  }
}

const holdOf = (kind: string): keyof typeof HOLD_WORDS | null => (kind in HOLD_WORDS
  ? kind as keyof typeof HOLD_WORDS : null);

/** Reason the report is held, and the answers: it replaces the other one, counts for a reason, or is corrected. */
function Hold({ report, question }: { report: ReportDetail; question: ReportDetail['questions'][number] }) {
  const may = useMay();
  const action = useAction(boxOfficeEndpoints.answer, { refresh: [licenseEndpoints.show, ...LICENSE_MONEY],
    onFailure: () => undefined,
    done: 'Answered' });
  const { values, field } = useFields({ note: '' }, action.failure);
  const kind = holdOf(question.kind) ?? 'overlap';
  const send = (answer: 'replace' | 'add') => void action.run({
    params: { licenseId: report.license_id, id: report.id, questionId: question.id },
    body: { answer, note: values.note } });
  return (
    <Callout tone="error" title={HOLD_WORDS[kind]}><div className={styles.stack}>
      <p>{question.question} The report is saved but not counted until you answer.</p>
      {may('license.update') && (
        <div className={styles.tight}>
          <FailureNote failure={action.failure} known={['note', 'answer']} />
          <TextField label="Reason" {...field('note')}
            caption={kind === 'overlap' ? 'Required to count both reports' : undefined}
            error={errorsOf(action.failure).note ?? errorsOf(action.failure).answer} />
          <div className={styles.row}>
            {kind === 'overlap' && <Button size="small" pending={action.pending} onClick={() => send('replace')}>
              Replace the other report</Button>}
            <Button size="small" pending={action.pending} onClick={() => send('add')}
              reason={values.note.trim() ? undefined : 'Enter a reason first'}>
              {kind === 'overlap' ? 'Count both reports' : 'Count as reported'}</Button>
          </div>
          <p className={styles.faint}>If the figures or dates are wrong, correct the report.</p>
        </div>
      )}
    </div></Callout>
  );
}

/** A question is answered where it stands; what waited for it is computed and posted. */
function Question({ report, question }: { report: ReportDetail; question: ReportDetail['questions'][number] }) {
  const may = useMay();
  const action = useAction(boxOfficeEndpoints.answer, { refresh: [licenseEndpoints.show, ...LICENSE_MONEY],
    onFailure: () => undefined,
    done: 'Answered' });
  const { values, field } = useFields({ performances: report.performances_held, note: '' }, action.failure);
  const asksCount = question.kind === 'no_performances';
  const send = (answer: 'as_reported' | 'corrected') => void action.run({
    params: { licenseId: report.license_id, id: report.id, questionId: question.id },
    body: { answer, note: values.note, ...(answer === 'corrected' && values.performances !== null
      ? { performances: values.performances } : {}) } });
  return (
    <Callout tone="warn" title={question.question}>
      {may('license.update') && (
        <div className={styles.tight}>
          <FailureNote failure={action.failure} known={['performances', 'note', 'answer']} />
          {asksCount && <NumberField label="Performances held" {...field('performances')} />}
          <TextField label="Note" {...field('note')} error={errorsOf(action.failure).note
            ?? errorsOf(action.failure).answer} />
          <div className={styles.row}>
            <Button size="small" pending={action.pending} onClick={() => send('as_reported')}>It is as reported</Button>
            {asksCount && <Button size="small" pending={action.pending} onClick={() => send('corrected')}
              reason={values.performances === null ? 'Enter the performances held' : undefined}>Correct it</Button>}
          </div>
        </div>
      )}
    </Callout>
  );
}

export function ReportActions({ report, onCorrect }: { report: ReportDetail; onCorrect: () => void }) {
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const [estimating, setEstimating] = useState(false);
  const params = { licenseId: report.license_id, id: report.id };
  const review = useAction(boxOfficeEndpoints.review, { refresh: [licenseEndpoints.show, ...LICENSE_MONEY] });
  if (!may('license.update')) return null;
  const can = (event: string) => report.allowed_events.includes(event);
  const correctable = report.status !== 'replaced' && report.status !== 'expected';
  return (
    <>
      {correctable && <Button onClick={onCorrect}>Correct</Button>}
      {can('query') && <Button onClick={() => setAsking(true)}>Send back with a question</Button>}
      {can('estimate') && <Button onClick={() => setEstimating(true)}>Estimate</Button>}
      {report.status === 'expected' && (
        <Button variant="primary" onClick={onCorrect}>{spell`Enter gross receipts`}</Button>
      )}
      {can('accept') && (
        <Button variant="primary" pending={review.pending} icon={<Glyph icon={Check} />}
          onClick={() => void review.run({ params, body: { event: 'accept', version: report.version } })}>
          Accept {formatAmount(report.gross_minor)}
        </Button>
      )}
      {asking && <ReviewDialog report={report} event="query" onClose={() => setAsking(false)} />}
      {estimating && <ReviewDialog report={report} event="estimate" onClose={() => setEstimating(false)} />}
    </>
  );
}

function ReviewDialog({ report, event, onClose }: { report: ReportDetail; event: 'query' | 'estimate'; onClose: () =>
  void }) {
  const action = useAction(boxOfficeEndpoints.review, { refresh: [licenseEndpoints.show, ...LICENSE_MONEY],
    onFailure: () => undefined,
    onDone: onClose,
    done: event === 'query' ? 'It is asked back' : 'It is estimated' });
  const { values, field } = useFields({ note: '' }, action.failure);
  const asks = event === 'query';
  return (
    <ActionDialog title={asks ? 'Send back with a question' : spell`Estimate the gross receipts`}
      submit={asks ? 'Ask the customer' : 'Estimate and bill'}
      action={action} onClose={onClose} known={['note']}
        reason={asks && !values.note.trim() ? 'Write what is to be checked' : undefined}
      text={asks ? 'The customer reads this and reports again.'
        : 'The full house is billed for a report that never came. A later report posts the difference.'}
      onSubmit={() => void action.run({ params: { licenseId: report.license_id, id: report.id },
        body: { event, version: report.version, ...(values.note.trim() ? { note: values.note } : {}) } })}>
      <TextField label={asks ? 'Points to check' : 'Note'} rows={3} required={asks} {...field('note')} />
    </ActionDialog>
  );
}
