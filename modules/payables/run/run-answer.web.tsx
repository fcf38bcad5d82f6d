/** Uploads the bank's answer, at the list or at a run, and names what became of each payment. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { prenoteEndpoints } from '../prenote/prenote.contract.ts';
import { ANSWER_WORDS } from './run-acts.web.ts';
import { RUNS } from './run-words.web.tsx';
import { ANSWER_TYPES, runEndpoints, type AnswerResult, type RunRow } from './payment-run.contract.ts';
import styles from './run.module.css';

const ANY_RUN = 'Returns and notices of change (NACHA), a status report (pain.002) or a notification (camt.054). '
  + 'Each entry is recorded in the payment run that sent it, and prenotes in their list.';

const READS = [runEndpoints.list, runEndpoints.payables, prenoteEndpoints.list, prenoteEndpoints.candidates,
  prenoteEndpoints.corrections];

export default function AnswerDialog({ run = null, onClose }: { run?: Pick<RunRow, 'id' | 'method'> | null;
  onClose: () => void }) {
  const refresh = useRefresh(READS);
  const [answer, setAnswer] = useState<AnswerResult | null>(null);
  const upload = async (file: File, progress: (share: number) => void, signal: AbortSignal) => {
    const form = new FormData();
    form.append('file', file);
    const of = { form, signal, onUploadProgress: (event: { loaded: number; total?: number | undefined }) =>
      progress(event.total ? event.loaded / event.total : 0) };
    const { data } = run === null ? await call(runEndpoints.answers, {}, of)
      : await call(runEndpoints.answer, { params: { id: run.id } }, of);
    setAnswer(data);
    void refresh();
  };
  return (
    <Modal open onClose={onClose} title="The bank’s answer" width={640}>
      <div className={styles.stack}>
        {answer === null ? <p className={styles.lead}>{run === null ? ANY_RUN : ANSWER_WORDS[run.method]}</p>
          : <Result answer={answer} />}
        <FileDrop label={answer === null ? 'Answer file' : 'Another answer file'} onUpload={upload} taken="read"
          types={ANSWER_TYPES.map((type) => `.${type}`)} />
      </div>
    </Modal>
  );
}

type Outcome = AnswerResult['payments'][number]['outcome'];
const OUTCOME_WORDS: Readonly<Record<Outcome, string>> = { settled: 'settled', rejected: 'came back',
  changed: 'bank details corrected by the bank', paid_anyway: 'paid although taken out',
  disputed: 'return disputed' };
const PRENOTE_WORDS: Readonly<Record<AnswerResult['prenotes'][number]['outcome'], string>> = {
  returned: 'came back, confirm the bank details again', changed: 'bank details corrected by the bank',
  disputed: 'return disputed' };
const OTHER_WORDS: Readonly<Record<AnswerResult['others'][number]['outcome'], string>> = { settled: 'paid',
  rejected: 'returned', notice: 'notice of change', dispute: 'return disputed' };

/** Counts of what is new, for the heading. */
function countsOf(answer: AnswerResult): string {
  const counts = [answer.settled > 0 && `${answer.settled} settled`,
    answer.rejected > 0 && `${answer.rejected} came back`,
    answer.paid_anyway > 0 && `${answer.paid_anyway} paid although taken out`,
    answer.changed > 0 && `${answer.changed} corrected`, answer.disputed > 0 && `${answer.disputed} disputed`,
    answer.prenotes.length > 0 && (answer.prenotes.length === 1 ? '1 prenote' : `${answer.prenotes.length} prenotes`)];
  return counts.filter(Boolean).join(', ') || 'Nothing new in this file';
}

function Result({ answer }: { answer: AnswerResult }) {
  const runs = [...Map.groupBy(answer.payments, (one) => one.run_id)];
  return (
    <>
      <Callout tone={runs.length + answer.prenotes.length > 0 ? 'ok' : 'info'} title={countsOf(answer)} live>
        {runs.map(([id, payments]) => (
          <div key={id}>
            <AppLink className="gr-link" href={`${RUNS}/${id}`}>{payments[0]!.run}</AppLink>
            <ul>{payments.map((one) => (
              <li key={one.payment_id}><Payment of={one} />{`: ${OUTCOME_WORDS[one.outcome]}`}</li>))}</ul>
          </div>))}
        {answer.prenotes.length > 0 && (
          <div>
            Prenotes
            <ul>{answer.prenotes.map((one) => (
              <li key={`${one.number} ${one.outcome}`}>
                {`${one.payee}, `}
                <AppLink className="gr-link" href={`/admin/accounts-payable/prenotes?search=${one.number}`}>
                  {one.number}
                </AppLink>
                {`: ${PRENOTE_WORDS[one.outcome]}`}
              </li>))}</ul>
          </div>)}
        {answer.known > 0 && (
          <p>{answer.known === 1 ? '1 entry was read before.' : `${answer.known} entries were read before.`}</p>)}
      </Callout>
      {answer.failed.length > 0 && (
        <Callout tone="error" title={answer.failed.length === 1 ? 'One entry could not be recorded'
          : `${answer.failed.length} entries could not be recorded`}>
          <ul>{answer.failed.map((one) => (
            <li key={one.payment_id}><Payment of={one} />{` in `}
              <AppLink className="gr-link" href={`${RUNS}/${one.run_id}`}>{one.run}</AppLink>{`: ${one.message}`}
            </li>))}</ul>
        </Callout>)}
      {answer.unknown > 0 && (
        <Callout tone="warn" title={answer.unknown === 1 ? '1 entry belongs to no payment run'
          : `${answer.unknown} entries belong to no payment run`}>
          <ul>{answer.others.map((one, place) => (
            <li key={`${one.reference}${place}`}>{[one.name, formatAmount(one.amount_minor, one.currency),
              one.reference, OTHER_WORDS[one.outcome]].filter(Boolean).join(', ')}</li>))}</ul>
          {answer.unknown > answer.others.length && <p>{`And ${answer.unknown - answer.others.length} more.`}</p>}
        </Callout>)}
    </>
  );
}

function Payment({ of }: { of: Pick<AnswerResult['payments'][number], 'payment_id' | 'payment' | 'payee'> }) {
  return (
    <>
      {`${of.payee}, `}
      <AppLink className="gr-link" href={`/admin/accounts-payable/payments/${of.payment_id}`}>{of.payment}</AppLink>
    </>
  );
}
