/**
 * A button that runs one command: pending while it runs, held against a second press, failure told in place.
 *
 * `action` does the work (usually `call(endpoint, ...)`) and `onDone` gets its answer. A failure is handed to
 * `onFailure`; without one, its message stands beside the button until the next press. Nothing is optimistic:
 * money, status and stock writes wait for the server's answer (frontend.md 3.4).
 */
import { useRef, useState, type ReactNode } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { failureText } from '../failure/failure.ts';
import styles from './action-button.module.css';

export type ActionButtonProps<Result> = Omit<ButtonProps, 'onClick' | 'pending' | 'children' | 'type'> & {
  action: () => Promise<Result>;
  onDone?: ((result: Result) => void) | undefined;
  onFailure?: ((failure: unknown) => void) | undefined;
  children: ReactNode;
};

export function ActionButton<Result>(props: ActionButtonProps<Result>) {
  const { action, onDone, onFailure, children, ...button } = props;
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState('');
  const running = useRef(false);

  async function run() {
    if (running.current) return;
    running.current = true;
    setPending(true);
    setFailure('');
    try {
      const result = await action();
      onDone?.(result);
    } catch (caught) {
      if (onFailure) onFailure(caught);
      else setFailure(failureText(caught));
    } finally {
      running.current = false;
      setPending(false);
    }
  }

  return (
    <span className={styles.action} data-wide={button.wide || undefined}>
      <Button {...button} pending={pending} onClick={() => void run()}>{children}</Button>
      <span role="alert" className={styles.failure}>{failure}</span>
    </span>
  );
}
