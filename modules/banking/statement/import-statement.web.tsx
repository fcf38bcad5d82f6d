/** The import of a bank's file: choose the account and the file, answer what it leaves open, look, import. */
import { useRef, useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { failureText } from '#web/controls/failure/failure.ts';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { RadioGroup } from '#web/controls/field/radio-group.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Progress } from '#web/data/progress.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { bankAccountLabel } from '../bank-account/bank-account-field.web.tsx';
import { bankAccountEndpoints } from '../bank-account/bank-account.contract.ts';
import { bankStatementEndpoints, STATEMENT_FILE_TYPES, type ProbableAnswer, type StatementPreview }
  from './bank-statement.contract.ts';
import { MappingForm, type Mapping } from './mapping-form.web.tsx';
import { PreviewLines, PreviewStatements } from './preview-lines.web.tsx';

type Report = (share: number) => void;
/** ms between two looks at a large import. */
const POLL_MS = 1_000;
interface Answers {
  mapping?: Mapping;
  date_order?: 'ymd' | 'dmy' | 'mdy';
  decimal_mark?: '.' | ',';
  account_confirmed?: 'true';
}
/** Of each line that looks known, by its place in the file. */
type Probable = Readonly<Record<number, ProbableAnswer>>;

/** The fields of the call; the client sends them as a form with the file. */
function bodyOf(account: number, { mapping, ...answers }: Answers) {
  return { bank_account_id: account, ...answers, ...(mapping && { mapping: JSON.stringify(mapping) }) };
}

function formOf(file: File, fields: Readonly<Record<string, string | number>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, String(value));
  data.append('file', file);
  return data;
}

/** The file being imported, and what the server reads in it. */
function useImport(onClose: (changed: boolean) => void) {
  const file = useRef<File | null>(null);
  const [account, setAccount] = useState<number | null>(null);
  const [answers, setAnswers] = useState<Answers>({});
  const [preview, setPreview] = useState<StatementPreview | null>(null);
  const [probable, setProbable] = useState<Probable | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState('');
  const [importing, setImporting] = useState<number | null>(null);
  const look = async (chosen: File, given: Answers, progress?: Report, signal?: AbortSignal) => {
    if (account === null) throw new Error('Choose a bank account first');
    file.current = chosen;
    setAnswers(given);
    const body = bodyOf(account, given);
    const answer = await call(bankStatementEndpoints.preview, { body }, { form: formOf(chosen, body),
      ...(signal && { signal }),
        ...(progress && { onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) }) });
    setPreview(answer.data);
    setProbable(null);
  };
  const working = async (text: string, work: () => Promise<void>) => {
    setBusy(text);
    setFailure('');
    try {
      await work();
    } catch (caught) {
      setFailure(failureText(caught));
    } finally {
      setBusy(null);
    }
  };
  return { account, setAccount, importing, preview, probable, setProbable, busy, failure, answers,
    choose: (chosen: File, progress: Report, signal: AbortSignal) => look(chosen, answers, progress, signal),
    answer: (more: Answers) => working('Reading', async () => {
      if (file.current) await look(file.current, { ...answers, ...more });
    }),
    restart: () => { setPreview(null); setAnswers({}); setFailure(''); },
    submit: () => working('Importing', async () => {
      if (!file.current || account === null || !preview) return;
      const body = { ...bodyOf(account, answers), sha256: preview.sha256,
        ...(probable && { probable_lines: JSON.stringify(probable) }) };
      const answer = await call(bankStatementEndpoints.create, { body }, { form: formOf(file.current, body) });
      if (answer.data.import_id !== null) {
        setImporting(answer.data.import_id);
        return;
      }
      onDone(answer.data, onClose);
    }) };
}

type Counts = { new_count: number; known_count: number; skipped_count: number; matched_count?: number };

/** Shows the result of an import in a toast. */
function onDone({ new_count: added, known_count: known, skipped_count: skipped, matched_count: matched = 0 }: Counts,
  onClose: (changed: boolean) => void): void {
  const also = [matched > 0 && `${matched} matched`, known > 0 && `${known} here already`,
    skipped > 0 && `${skipped} left out`].filter(Boolean);
  const imported = added === 1 ? '1 line imported' : `${added.toLocaleString('en-US')} lines imported`;
  toast([imported, ...also].join(', '));
  onClose(true);
}

/** Why the file is not imported yet; undefined where it can be. */
function heldBy(preview: StatementPreview, isAnswered: boolean): string | undefined {
  if (preview.refusal !== null) return 'This file cannot be imported as it is';
  if (preview.is_known_file) return 'This file was imported before';
  return preview.probable_count > 0 && !isAnswered ? 'Answer the question about similar lines first' : undefined;
}

export function ImportStatement({ onClose }: { onClose: (changed: boolean) => void }) {
  const state = useImport(onClose);
  const { preview, busy, importing } = state;
  if (importing !== null) return <Importing id={importing} onClose={onClose} />;
  return (
    <Modal open onClose={() => onClose(false)} title="Import a bank statement" width={preview ? 980 : 560}
      footer={preview && <>
        <Button onClick={state.restart} disabled={busy !== null}>Choose another file</Button>
        <Button variant="primary" reason={heldBy(preview, state.probable !== null)} pending={busy === 'Importing'}
          onClick={() => void state.submit()}>
          Import
        </Button>
      </>}>
      {preview ? <Preview state={state} preview={preview} /> : <Choose state={state} />}
      {state.failure && <Callout tone="error" live>{state.failure}</Callout>}
    </Modal>
  );
}

/** A large file on its way. It goes on when the window is closed. */
function Importing({ id, onClose }: { id: number; onClose: (changed: boolean) => void }) {
  const [ended, setEnded] = useState(false);
  const read = useEndpoint(bankStatementEndpoints.progress, { params: { id } },
    ended ? {} : { refetchInterval: POLL_MS });
  const row = read.data?.data;
  const isOver = row?.status === 'finished' || row?.status === 'failed';
  if (isOver && !ended) setEnded(true);
  return (
    <Modal open onClose={() => onClose(true)} title="Import a bank statement" width={560}
      footer={<Button onClick={() => onClose(true)}>Close</Button>}>
      {row?.status === 'failed' && <Callout tone="error" live title="Nothing was imported">{row.failure}</Callout>}
      {row?.result && (
        <Callout tone="ok" live>{`${row.result.new_count.toLocaleString('en-US')} lines imported.`}</Callout>
      )}
      {!isOver && (
        <>
          <Progress label={row && row.lines_total > 0 ? 'Importing' : 'Reading the file'} unit="lines"
            done={row?.lines_done ?? 0} total={row?.lines_total ?? 0} />
          <Callout tone="info">You can close this window. You are notified when the import is finished.</Callout>
        </>
      )}
    </Modal>
  );
}

type ImportState = ReturnType<typeof useImport>;

const toAll = (preview: StatementPreview, answer: ProbableAnswer): Probable =>
  Object.fromEntries(preview.probable.map(({ at }) => [at, answer]));
/** null while nobody answered, and where lines are answered one by one. */
function sameForAll(of: Probable | null): ProbableAnswer | null {
  const answers = [...new Set(Object.values(of ?? {}))];
  return answers.length === 1 ? answers[0]! : null;
}

function Choose({ state }: { state: ImportState }) {
  const read = useEndpoint(bankAccountEndpoints.options, { query: {} });
  const rows = read.data?.data ?? [];
  return (
    <>
      <AsyncSelect<number> label="Bank account" required value={state.account} onChange={state.setAccount}
        options={rows.map((row) => ({ value: row.id, label: bankAccountLabel(row),
          children: `${row.division}, ${row.currency}` }))}
        caption={read.data && rows.length === 0 ? 'Add a bank account first.' : undefined} />
      <FileDrop label="Statement file" types={STATEMENT_FILE_TYPES.map((type) => `.${type}`)}
        disabled={state.account === null} onUpload={state.choose} taken="read" />
    </>
  );
}

function Preview({ state, preview }: { state: ImportState; preview: StatementPreview }) {
  const { refusal } = preview;
  if (preview.is_known_file) {
    return <Callout tone="info" title="This file is here already">It was imported before. Nothing was added.</Callout>;
  }
  if (refusal) return <Refused state={state} preview={preview} refusal={refusal} />;
  return (
    <>
      {preview.sheet && <Columns state={state} sheet={preview.sheet} />}
      <PreviewStatements preview={preview} />
      {preview.probable_count > 0 && (
        <RadioGroup required label={preview.probable_count === 1 ? '1 line looks like a line already here'
          : `${preview.probable_count} lines look like lines already here`}
          value={sameForAll(state.probable)} onChange={(answer) => state.setProbable(toAll(preview, answer))} choices={[
            { value: 'skip', label: 'They are the same: leave them out' },
            { value: 'import', label: 'They are different: import them too' }]} />
      )}
      <PreviewLines preview={preview} imported={(at) => state.probable?.[at] === 'import'}
        onImport={(at, on) => state.setProbable({ ...state.probable ?? toAll(preview, 'skip'),
          [at]: on ? 'import' : 'skip' })} />
    </>
  );
}

/** A sheet that was read, but from the wrong columns: they are chosen anew before anything is imported. */
function Columns({ state, sheet }: { state: ImportState; sheet: NonNullable<StatementPreview['sheet']> }) {
  const [changing, setChanging] = useState(false);
  if (!changing) return <p><Button onClick={() => setChanging(true)}>Change columns</Button></p>;
  return <MappingForm rows={sheet.rows} mapping={sheet.mapping} pending={state.busy !== null} onChoose={(mapping) => {
    setChanging(false);
    void state.answer({ mapping });
  }} />;
}

function Refused({ state, preview, refusal }: {
  state: ImportState; preview: StatementPreview; refusal: NonNullable<StatementPreview['refusal']>;
}) {
  if (refusal.suggestion === 'this_account') {
    return (
      <>
        <Callout tone="warn" title={refusal.message}>{`${refusal.advice} If the bank writes the number of this account `
          + 'in another way, say so after a look.'}</Callout>
        <p>
          <Button disabled={state.busy !== null} onClick={() => void state.answer({ account_confirmed: 'true' })}>
            I have looked: it is this account</Button>
        </p>
      </>
    );
  }
  if (preview.sheet) {
    return (
      <>
        <Callout tone="info" title={refusal.message}>{refusal.advice}</Callout>
        <MappingForm rows={preview.sheet.rows} mapping={preview.sheet.mapping} pending={state.busy !== null}
          onChoose={(mapping) => void state.answer({ mapping })} />
      </>
    );
  }
  const where = refusal.line === null ? '' : ` (line ${refusal.line} of the file)`;
  return (
    <>
      <Callout tone="warn" title={`${refusal.message}${where}`}>{refusal.advice}</Callout>
      {refusal.code === 'date_order_required' && (
        <RadioGroup label="Order of dates" value={state.answers.date_order ?? null} disabled={state.busy !== null}
          onChange={(date_order) => void state.answer({ date_order })} choices={[
            { value: 'dmy', label: 'Day first', note: refusal.suggestion === 'dmy' ? 'The file suggests it'
              : undefined },
            { value: 'mdy', label: 'Month first', note: refusal.suggestion === 'mdy' ? 'The file suggests it'
              : undefined }]} />
      )}
      {refusal.code === 'decimal_mark_required' && (
        <RadioGroup label="Decimals" value={state.answers.decimal_mark ?? null} disabled={state.busy !== null}
          onChange={(decimal_mark) => void state.answer({ decimal_mark })} choices={[
            { value: '.', label: 'Point: 1,234.56' }, { value: ',', label: 'Comma: 1.234,56' }]} />
      )}
    </>
  );
}
