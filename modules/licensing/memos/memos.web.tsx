/** Memos of a licence or an application: append-only, internal unless said otherwise. */
import { useEffect, useMemo, useState, type FormEvent } from 'react';
import type { CallArgs } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { dropDraft, keepDraft, readDraft } from '#web/controls/form/form-draft.ts';
import { WaitingNote } from '#web/controls/form/form-frame.tsx';
import { MentionField } from '#web/controls/field/mention-field.tsx';
import { ActivityTimeline } from '#web/data/activity-timeline.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useResend } from '#web/query/use-resend.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { errorsOf, FailureNote } from '../action-dialog.web.tsx';
import { memoEndpoints, type MemoRow } from './memo.contract.ts';
import styles from '../licensing.module.css';

type ListOf = typeof memoEndpoints.ofLicense | typeof memoEndpoints.ofApplication;
type AddTo = typeof memoEndpoints.addToLicense | typeof memoEndpoints.addToApplication;
type Readers = typeof memoEndpoints.readersOfLicense | typeof memoEndpoints.readersOfApplication;

/** Calls about the memos of one kind of record. */
export interface MemoCalls { list: ListOf; add: AddTo; readers: Readers }

export const LICENSE_MEMOS: MemoCalls = { list: memoEndpoints.ofLicense, add: memoEndpoints.addToLicense,
  readers: memoEndpoints.readersOfLicense };
export const APPLICATION_MEMOS: MemoCalls = { list: memoEndpoints.ofApplication,
  add: memoEndpoints.addToApplication, readers: memoEndpoints.readersOfApplication };

export function Memos({ calls, id, mayWrite }: { calls: MemoCalls; id: number; mayWrite: boolean }) {
  const read = useEndpoint(calls.list, { params: { id }, query: { per_page: 50, sort_by: 'created_at',
    sort_direction: 'desc' } } as CallArgs<ListOf>);
  const rows = read.data?.data as readonly MemoRow[] | undefined;
  return (
    <div className={styles.stack}>
      <h2 className={styles.venueName}>Memos{rows && rows.length > 0 && <span
        className={styles.count}>{rows.length}</span>}</h2>
      {mayWrite && <MemoForm key={id} calls={calls} id={id} />}
      {read.isError && !rows && <p role="alert" className={styles.late}>{read.error.message}</p>}
      {!rows && !read.isError && <Skeleton height={60} />}
      {rows?.length === 0 && <p
        className={styles.muted}>No memos yet. Leave a note for your team.</p>}
      {rows && rows.length > 0 && (
        <ActivityTimeline items={rows.map((row) => ({
          id: row.id, who: row.author_name, what: row.internal ? 'wrote' : 'wrote for the customer',
            when: row.created_at,
          note: row.pieces.map(({ words, user_id }, place) => user_id === null ? words
            : <span key={place} className={styles.mention}>{words}</span>),
        }))} />
      )}
    </div>
  );
}

const NOTHING = { text: '', stored: '' };

/** Restores a memo that was written and not sent, on this page and after a reload. */
function useKeptMemo(key: string) {
  const [memo, setMemo] = useState(() => readDraft<typeof NOTHING>(key)?.values ?? NOTHING);
  useEffect(() => {
    if (memo.text !== '') return keepDraft(key, { loaded: NOTHING, values: memo });
    dropDraft(key);
    return undefined;
  }, [key, memo]);
  return [memo, setMemo] as const;
}

function MemoForm({ calls, id }: { calls: MemoCalls; id: number }) {
  const [memo, setMemo] = useKeptMemo(`memo/${calls.list.path}/${id}`);
  const [internal, setInternal] = useState(true);
  const action = useAction(calls.add, { onFailure: () => undefined, onDone: () => setMemo(NOTHING),
    done: 'Memo written' });
  const people = useMemo(() => optionsFrom(calls.readers, (one) => ({ value: one.id, label: one.name,
    children: one.email }), { params: { id } }), [calls, id]);
  const send = () => {
    if (memo.text.trim()) void action.run({ params: { id }, body: { body: memo.stored, internal } });
  };
  const resend = useResend(action, send);
  return (
    <form onSubmit={(event: FormEvent) => { event.preventDefault(); send(); }} className={styles.stack}
      aria-label="Write a memo" data-print="hide">
      {resend.on ? <WaitingNote onSend={send} onCallOff={resend.end} />
        : <FailureNote failure={action.failure} known={['body']} />}
      <MentionField label="Memo" hideLabel rows={3} placeholder="Write a memo, name colleagues with @" people={people}
        value={memo.text} onChange={(text, stored) => setMemo({ text, stored })}
        error={errorsOf(action.failure).body} />
      <div className={styles.row}>
        <div className={styles.grow}>
          <Checkbox label="Internal" caption={internal ? undefined : 'The customer will read it.'} value={internal}
            onChange={setInternal} />
        </div>
        <Button type="submit" pending={action.pending} reason={memo.text.trim() ? undefined
          : 'Write something first'}>Add memo</Button>
      </div>
    </form>
  );
}
