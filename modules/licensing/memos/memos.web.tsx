/** Memos of a licence or an application: append-only, internal unless said otherwise. */
import { useState, type FormEvent } from 'react';
import type { CallArgs } from '#kit/client.ts';
import { Button } from '#web/controls/button.tsx';
import { Checkbox } from '#web/controls/checkbox.tsx';
import { TextField } from '#web/controls/text-field.tsx';
import { ActivityTimeline } from '#web/data/activity-timeline.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { errorsOf, FailureNote } from '../action-dialog.web.tsx';
import { memoEndpoints, type MemoRow } from './memo.contract.ts';
import styles from '../licensing.module.css';

type ListOf = typeof memoEndpoints.ofLicense | typeof memoEndpoints.ofApplication;
type AddTo = typeof memoEndpoints.addToLicense | typeof memoEndpoints.addToApplication;

export function Memos({ list, add, id, mayWrite }: { list: ListOf; add: AddTo; id: number; mayWrite: boolean }) {
  const read = useEndpoint(list, { params: { id }, query: { per_page: 50, sort_by: 'created_at',
    sort_direction: 'desc' } } as CallArgs<ListOf>);
  const rows = read.data?.data as readonly MemoRow[] | undefined;
  return (
    <div className={styles.stack}>
      <h2 className={styles.venueName}>Memos{rows && rows.length > 0 && <span
        className={styles.count}>{rows.length}</span>}</h2>
      {mayWrite && <MemoForm add={add} id={id} />}
      {read.isError && !rows && <p role="alert" className={styles.late}>{read.error.message}</p>}
      {!rows && !read.isError && <Skeleton height={60} />}
      {rows?.length === 0 && <p
        className={styles.muted}>Nothing written yet. What colleagues should know goes here.</p>}
      {rows && rows.length > 0 && (
        <ActivityTimeline items={rows.map((row) => ({
          id: row.id, who: row.author_name, what: row.internal ? 'wrote' : 'wrote for the customer',
            when: row.created_at,
          note: row.body,
        }))} />
      )}
    </div>
  );
}

function MemoForm({ add, id }: { add: AddTo; id: number }) {
  const [text, setText] = useState('');
  const [internal, setInternal] = useState(true);
  const action = useAction(add, { onFailure: () => undefined, onDone: () => setText(''), done: 'Memo written' });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) void action.run({ params: { id }, body: { body: text, internal } });
  };
  return (
    <form onSubmit={send} className={styles.stack} aria-label="Write a memo">
      <FailureNote failure={action.failure} known={['body']} />
      <TextField label="Memo" hideLabel rows={3} placeholder="Write a memo" value={text} onChange={setText}
        error={errorsOf(action.failure).body} />
      <div className={styles.row}>
        <div className={styles.grow}>
          <Checkbox label="Internal" caption={internal ? undefined : 'The customer will read it.'} value={internal}
            onChange={setInternal} />
        </div>
        <Button type="submit" pending={action.pending} reason={text.trim() ? undefined
          : 'Write something first'}>Add memo</Button>
      </div>
    </form>
  );
}
