/**
 * A command that asks something first: reason, day, names. The answer of the server decides: texts of a 422 stand at
 * their fields, a 409 or 412 (somebody was faster) in a panel that offers the current state. Nothing typed is lost.
 */
import { useState, type FormEvent, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { AnyEndpoint } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { KEY_REUSED, SAVED_AFTER_ALL } from '#web/controls/button/use-waiting.ts';
import { WaitingNote } from '#web/controls/form/form-frame.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import type { Action, Failure } from '#web/query/use-action.ts';
import { useResend } from '#web/query/use-resend.ts';
import styles from './licensing.module.css';

/** The first message of each field of a refusal, by its path. */
export function errorsOf(failure: Failure | null): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(failure?.fields ?? {}).flatMap(([path, [first]]) => (first ? [[path, first]]
    : [])));
}

/** Values of a small form, with the server's words at each field. */
export function useFields<V extends Record<string, unknown>>(initial: V, failure: Failure | null) {
  const [values, setValues] = useState(initial);
  const set = <K extends keyof V>(name: K, value: V[K]) => setValues((old) => ({ ...old, [name]: value }));
  return {
    values, set,
    field: <K extends keyof V & string>(name: K) => ({
      name, value: values[name], onChange: (value: V[K]) => set(name, value), error: errorsOf(failure)[name],
    }),
  };
}

/** Reads every licence and application anew: after somebody else was faster. */
export function useReload(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({
    predicate: (query) => /\/api\/admin\/staff\/license/.test(String(query.queryKey[0])),
  });
}

/** Error message, and the way on. `known` names the fields that show their own message. */
export function FailureNote({ failure, onReload, known = [] }: {
  failure: Failure | null; onReload?: (() => void) | undefined; known?: readonly string[];
}) {
  if (!failure) return null;
  if (failure.kind === 'stale') {
    return (
      <Callout live tone="warn" title="Someone changed this while you were reading"
        action={onReload && <Button size="small" onClick={onReload}>Show the current state</Button>}>
        {failure.message} What you typed stays here.
      </Callout>
    );
  }
  if (failure.kind === 'fields') {
    const others = Object.entries(errorsOf(failure)).filter(([path]) => !known.includes(path));
    if (others.length === 0) return null;
    return <Callout live tone="error" title={failure.message}>{others.map(([, text]) => text).join(' ')}</Callout>;
  }
  return (
    <Callout live tone={failure.kind === 'conflict' ? 'warn' : 'error'} title="This was not done"
      action={failure.kind === 'conflict' && onReload && (
        <Button size="small" onClick={onReload}>Show the current state</Button>
      )}>
      {failure.code === KEY_REUSED ? SAVED_AFTER_ALL : failure.message}
    </Callout>
  );
}

export interface ActionDialogProps {
  title: string;
  /** One sentence: what happens. */
  text?: ReactNode;
  /** The button, named after its result. */
  submit: string;
  danger?: boolean | undefined;
  /** The way out, where 'Cancel' would be read as the command itself. */
  leave?: string | undefined;
  /** Why it cannot be sent yet. */
  reason?: string | undefined;
  width?: number | undefined;
  action: Pick<Action<AnyEndpoint>, 'pending' | 'failure' | 'reset'>;
  /** Fields that show their own message. */
  known?: readonly string[] | undefined;
  /** It keeps words and decides nothing: without a connection it waits (use-resend.ts). */
  waits?: boolean | undefined;
  onSubmit: () => void;
  onClose: () => void;
  children?: ReactNode;
}

export function ActionDialog(props: ActionDialogProps) {
  const { action, onClose, reason } = props;
  const reload = useReload();
  const resend = useResend(action, props.onSubmit, props.waits ?? false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!reason && !action.pending) props.onSubmit();
  };
  return (
    <Modal open onClose={onClose} title={props.title} width={props.width}>
      <form onSubmit={send} noValidate className={styles.dialog}>
        {props.text && <p className={styles.lead}>{props.text}</p>}
        {resend.on ? <WaitingNote onSend={props.onSubmit} onCallOff={resend.end} /> : (
          <FailureNote failure={action.failure} known={props.known ?? []}
            onReload={() => { reload(); action.reset(); }} />
        )}
        {props.children}
        <div className={styles.dialogFoot}>
          <Button onClick={onClose}>{props.leave ?? 'Cancel'}</Button>
          <Button type="submit" variant={props.danger ? 'danger' : 'primary'} pending={action.pending} reason={reason}>
            {props.submit}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
