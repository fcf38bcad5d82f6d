/** Before an action over many rows: the count is confirmed, typed where much goes away, and what it needs is asked. */
import { useState } from 'react';
import type { ZodType } from 'zod';
import type { BulkAction, BulkQuestion } from '#kit/bulk.ts';
import { call, remote } from '#kit/client.ts';
import type { Endpoint } from '#kit/endpoint.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import type { OptionSource } from '#web/controls/select/option.ts';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';

/** From so many rows on that go away, their number is typed (U12). */
const TYPED_FROM = 100;
const NUMBER = new Intl.NumberFormat('en-US');

export interface BulkQuestionDialogProps {
  action: BulkAction;
  count: number;
  /** All that match, not rows chosen one by one. */
  all: boolean;
  noun: readonly [string, string];
  onConfirm: (answer: unknown) => void;
  onCancel: () => void;
}

export function BulkQuestionDialog(props: BulkQuestionDialogProps) {
  const { action, count, all, noun } = props;
  const what = `${NUMBER.format(count)} ${noun[count === 1 ? 0 : 1]}`;
  const title = all ? `${action.label}: all ${what} that match?` : `${action.label}: ${what}?`;
  const text = `Each is done by itself, as by hand. What is refused is told with its reason; the rest goes on.${
    action.undo ? ' You can take it back afterwards.' : ''}`;
  if (action.asks) return <Asking {...props} asks={action.asks} title={title} text={text} />;
  return (
    <ConfirmDialog open title={title} text={text} confirm={`${action.label} ${what}`} danger={action.danger}
      typed={action.danger && count >= TYPED_FROM ? String(count) : undefined}
      onConfirm={() => props.onConfirm(undefined)} onCancel={props.onCancel} />
  );
}

interface AskingProps extends BulkQuestionDialogProps { asks: BulkQuestion; title: string; text: string }

function Asking({ asks, title, text, action, onConfirm, onCancel }: AskingProps) {
  const [answer, setAnswer] = useState<number | string | null>(null);
  const words = typeof answer === 'string' ? answer.trim() : answer;
  const empty = words === null || words === '';
  return (
    <Modal open title={title} onClose={onCancel} footer={(
      <>
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant={action.danger ? 'danger' : 'primary'} onClick={() => onConfirm(words)}
          reason={empty ? `${asks.label} first` : undefined}>{action.label}</Button>
      </>
    )}>
      <p>{text}</p>
      {asks.kind === 'person'
        ? <PersonField label={asks.label} value={typeof answer === 'number' ? answer : null} onChange={setAnswer} />
        : <TextField label={asks.label} required value={typeof answer === 'string' ? answer : ''} rows={3}
          maxLength={asks.max} onChange={setAnswer} />}
    </Modal>
  );
}

interface Person { id: number; first_name: string; last_name: string; email: string }
const PEOPLE = '/api/admin/staff/users';
const people = remote<Endpoint<typeof PEOPLE, undefined, ZodType<object, object>, undefined,
  ZodType<{ data: Person[]; meta: { current_page: number; last_page: number } }>>>('GET', PEOPLE);

const staff: OptionSource<number> = async (search, page, signal) => {
  const answer = await call(people, { query: { page, per_page: 20, active: true, ...(search ? { search } : {}) } },
    { signal });
  return { meta: answer.meta, data: answer.data.map((one) => ({ value: one.id, children: one.email,
    label: `${one.first_name} ${one.last_name}` })) };
};

/** Person picker; users without permission to read the staff can only choose themselves. */
function PersonField(props: { label: string; value: number | null; onChange: (value: number | null) => void }) {
  const user = useCurrentUser();
  const may = useMay();
  const self = user ? [{ value: user.id, label: `${user.first_name} ${user.last_name}`, children: user.email }] : [];
  return <AsyncSelect<number> {...props} required {...(may('user.show') ? { source: staff } : { options: self })} />;
}
