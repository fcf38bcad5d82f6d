/**
 * The field of a hand scanner, which types a code and Enter: what was taken last stands large below it and can be taken
 * back, codes that were refused wait in a list, and nothing that is scanned meanwhile gets lost.
 */
import { Undo2, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { readFailure } from '#web/query/use-action.ts';
import styles from './stock.module.css';

export interface Taken {
  /** Scanned item and its result: 'Libretto', 'HAM-LIB-01-003, 4 of 12'. */
  title: string;
  text: string;
  undo: () => void;
}
/** Refused: why, in one sentence. */
export interface Refused { problem: string }

type RefusedCode = Refused & { code: string };

export interface ScanFieldProps {
  /** Answers what was taken, or why not; a failure of a call is told like a refusal. */
  take: (code: string) => Promise<Taken | Refused> | Taken | Refused;
  error?: string | undefined;
  caption?: string | undefined;
  /** In place of the last scan, while there is none. */
  hint: string;
  /** The scanner types into it as soon as the dialog is open. */
  first?: boolean | undefined;
}

export function ScanField({ take, error, caption, hint, first }: ScanFieldProps) {
  const [text, setText] = useState('');
  const [waiting, setWaiting] = useState(0);
  const [done, setDone] = useState<readonly Taken[]>([]);
  const [refused, setRefused] = useState<readonly RefusedCode[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const queue = useRef(Promise.resolve());
  const latest = useRef(take);
  useLayoutEffect(() => { latest.current = take; });
  useLayoutEffect(() => { if (first) input.current?.setAttribute('data-autofocus', ''); }, [first]);
  const forget = (code: string) => setRefused((old) => old.filter((one) => one.code !== code));
  const read = async (code: string): Promise<void> => {
    let answer: Taken | Refused;
    try {
      answer = await latest.current(code);
    } catch (failure) {
      answer = { problem: readFailure(failure).message };
    }
    forget(code);
    if ('problem' in answer) {
      const { problem } = answer;
      setRefused((old) => [{ code, problem }, ...old]);
    } else {
      const taken = answer;
      setDone((old) => [...old, taken]);
    }
    setWaiting((count) => count - 1);
  };
  const last = done.at(-1);
  const undo = (): void => {
    last?.undo();
    setDone(done.slice(0, -1));
    input.current?.focus();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.target !== input.current) return;
    const code = text.trim().toUpperCase();
    if (event.key === 'z' && (event.ctrlKey || event.metaKey) && code === '' && last) {
      event.preventDefault();
      undo();
    }
    if (event.key !== 'Enter') return;
    // Enter ends a scan; it must not send the form. The next one may come before this is read: one after the other.
    event.preventDefault();
    if (code === '') return;
    setText('');
    setWaiting((count) => count + 1);
    queue.current = queue.current.then(() => read(code));
  };
  return (
    <div className={styles.desk} onKeyDown={onKey}>
      <div className={styles.big}>
        <TextField label="Scan or type a code, then Enter" value={text} onChange={setText} inputRef={input}
          error={error} caption={caption} autoComplete="off" />
      </div>
      <div className={styles.last} data-taken={last !== undefined || undefined}>
        <span className={styles.what} role="status">
          {last ? <><strong>{last.title}</strong><span>{last.text}</span></> : <span>{hint}</span>}
          {waiting > 0 && <span>Reading…</span>}
        </span>
        {last && (
          <Button icon={<Glyph icon={Undo2} size={15} />} onClick={undo}>
            Undo<span className="gr-hidden"> the last scan, {last.title}</span>
          </Button>
        )}
      </div>
      <NotTaken rows={refused} onDismiss={(code) => { forget(code); input.current?.focus(); }} />
    </div>
  );
}

function NotTaken({ rows, onDismiss }: { rows: readonly RefusedCode[]; onDismiss: (code: string) => void }) {
  return (
    <div role="alert">
      {rows.length > 0 && (
        <ul className={styles.refused} aria-label="Not taken">
          {rows.map((one) => (
            <li key={one.code}>
              <span className={styles.what}><strong>{one.code}</strong><span>{one.problem}</span></span>
              <IconButton label={`Dismiss ${one.code}`} icon={<Glyph icon={X} />} type="button" variant="quiet"
                onClick={() => onDismiss(one.code)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
