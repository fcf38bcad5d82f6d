/**
 * Short news at the foot of the screen: `toast('Venue saved')`, and `undoable` for what can be taken back through the
 * server's restore call (never by delaying the command). Read out politely; errors at once. One `<Toasts/>` per
 * application.
 */
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { Glyph } from '#web/layout/icons.tsx';
import styles from './toast.module.css';

export interface ToastOptions {
  tone?: 'ok' | 'error';
  action?: { label: string; run: () => void };
  /** ms it stays; errors stay until closed. */
  duration?: number;
}
interface Toast extends ToastOptions { id: number; text: string }

/** ms an undo is offered (frontend.md 3.4). */
export const UNDO_DURATION = 8000;
const DURATION = 5000;
const LIMIT = 4;

let toasts: readonly Toast[] = [];
let next = 1;
const listeners = new Set<() => void>();

function publish(list: readonly Toast[]): void {
  toasts = list;
  for (const listener of listeners) listener();
}

export function dismiss(id: number): void {
  publish(toasts.filter((shown) => shown.id !== id));
}

/** Shows `text`; answers the toast's id for `dismiss`. */
export function toast(text: string, options: ToastOptions = {}): number {
  const id = next;
  next += 1;
  publish([...toasts, { ...options, id, text }].slice(-LIMIT));
  const duration = options.duration ?? (options.tone === 'error' ? 0 : DURATION);
  if (duration > 0) setTimeout(() => dismiss(id), duration);
  return id;
}

/** 'Venue moved to trash' with Undo for eight seconds; `undo` calls the restore endpoint. */
export function undoable(text: string, undo: () => Promise<unknown>): void {
  const run = () => {
    undo().then(() => toast('Restored'), (error: unknown) => {
      toast(error instanceof Error ? error.message : 'It could not be restored.', { tone: 'error' });
    });
  };
  toast(text, { action: { label: 'Undo', run }, duration: UNDO_DURATION });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts, () => toasts);
  return (
    <section className={styles.toasts} aria-label="Messages" data-print="hide">
      {shown.map((one) => (
        <div key={one.id} className={styles.toast} role={one.tone === 'error' ? 'alert' : 'status'}>
          <Glyph icon={one.tone === 'error' ? CircleAlert : CircleCheck} />
          <span>{one.text}</span>
          {one.action && (
            <button type="button" className={styles.action}
              onClick={() => { one.action?.run(); dismiss(one.id); }}>{one.action.label}</button>
          )}
          <button type="button" className={styles.close} aria-label="Close message" onClick={() => dismiss(one.id)}>
            <Glyph icon={X} size={14} />
          </button>
        </div>
      ))}
    </section>
  );
}
