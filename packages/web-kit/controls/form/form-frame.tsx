/**
 * The form element around the fields of one `useResourceForm`: error summary, offer to restore a draft, what others
 * changed meanwhile, guard for unsaved changes, submit by Enter or mod+Enter.
 */
import { lazy, Suspense, useContext, type KeyboardEvent, type ReactNode } from 'react';
import { ModalClose } from '#web/layout/modal-close.ts';
import { Button } from '../button/button.tsx';
import { FormErrorSummary } from './form-error-summary.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';
import type { ResourceForm } from './use-resource-form.ts';
import styles from './form-frame.module.css';

/** Two people rarely meet in one form: the part that compares arrives when they do. */
const MergePanel = lazy(() => import('./merge-panel.tsx').then((file) => ({ default: file.MergePanel })));

export type FormFrameProps<Values extends Record<string, unknown>> = {
  form: ResourceForm<Values>;
  /** Words for paths in the error summary. */
  labels?: Record<string, string> | undefined;
  /** Switches the question about unsaved changes off: for a dialog that asks by itself. */
  guard?: boolean | undefined;
  'aria-label'?: string | undefined;
  children: ReactNode;
};

export function FormFrame<Values extends Record<string, unknown>>(props: FormFrameProps<Values>) {
  const { form, labels, guard = true, children } = props;
  function pick(path: string) {
    const controls = form.formRef.current?.querySelectorAll<HTMLElement>('[name], [data-path]') ?? [];
    for (const control of controls) {
      if (control.getAttribute('name') === path || control.dataset.path === path) { control.focus(); return; }
    }
  }
  function submitByKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    // A button that is held has a reason, which holds for the keys as well.
    const button = form.formRef.current?.querySelector<HTMLElement>('button[type="submit"]');
    if (button) button.click();
    else void form.submit();
  }
  return (
    <form ref={form.formRef} noValidate aria-label={props['aria-label']} className={styles.form}
      onKeyDown={submitByKey}
      onSubmit={(event) => { event.preventDefault(); event.stopPropagation(); void form.submit(); }}>
      {form.draft.found && <DraftOffer onRestore={form.draft.restore} onDiscard={form.draft.discard} />}
      <FormErrorSummary errors={form.errors} failure={form.failure} labels={labels} onPick={pick} />
      {form.merge.found && (
        <Suspense fallback={null}>
          <MergePanel found={form.merge.found} loaded={form.merge.loaded} pending={form.pending} labels={labels}
            words={form.words.current} root={form.formRef} onChoose={form.merge.choose} onClose={form.merge.close} />
        </Suspense>
      )}
      {children}
      {form.waiting && <WaitingNote onSend={() => void form.submit()} onCallOff={form.callOff} />}
      {guard && <UnsavedGuard dirty={form.dirty && !form.pending} />}
    </form>
  );
}

/** Offers to restore or discard changes typed here and not saved. */
export function DraftOffer({ onRestore, onDiscard }: { onRestore: () => void; onDiscard: () => void }) {
  return (
    <div role="status" className={styles.draft}>
      <span>You left changes here that were not saved.</span>
      <Button size="small" onClick={onRestore}>Restore draft</Button>
      <Button size="small" variant="quiet" onClick={onDiscard}>Discard</Button>
    </div>
  );
}

/** Shows that a save is waiting for the connection (use-waiting.ts): send it now, or cancel it. */
export function WaitingNote({ onSend, onCallOff }: { onSend: () => void; onCallOff: () => void }) {
  return (
    <div role="status" className={`${styles.draft} ${styles.waiting}`}>
      <span>Waiting for the connection. Your changes are sent by themselves when it is back.</span>
      <Button size="small" onClick={onSend}>Send now</Button>
      <Button size="small" variant="quiet" onClick={onCallOff}>Do not send</Button>
    </div>
  );
}

/**
 * The last row of a form: the primary button named after its result, and what else there is to do. In a dialog it ends
 * with the way out, as the foot of every other dialog does.
 */
export function FormActions({ children }: { children: ReactNode }) {
  const close = useContext(ModalClose);
  return (
    <div className={styles.actions} data-form-actions>
      {children}
      {close && <Button onClick={close}>Cancel</Button>}
    </div>
  );
}

/** Two columns of fields that become one on a phone; `data-wide` on a child spans both. */
export function FormGrid({ children }: { children: ReactNode }) {
  return <div className={styles.grid} data-form-grid>{children}</div>;
}
