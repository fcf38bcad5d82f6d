/**
 * The browser's own modal dialog: it stands above everything, focus stays inside, Escape means "no", the focus returns
 * to where it was. For questions that may come on top of a form in a `Modal`.
 */
import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import styles from './confirm-dialog.module.css';

export type DialogFrameProps = {
  open: boolean;
  title: string;
  /** Id of the element that holds the question. */
  describedBy?: string | undefined;
  onCancel: () => void;
  children: ReactNode;
};

export function DialogFrame({ open, title, describedBy, onCancel, children }: DialogFrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!element || element.open === open) return;
    if (open) element.showModal();
    else element.close();
  }, [open]);
  // Unmounting while open gives the focus back as well, as the dialog is closed while still in the page.
  useLayoutEffect(() => {
    const element = dialog.current;
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={`${id}-title`} aria-describedby={describedBy}
      onCancel={(event) => { event.preventDefault(); onCancel(); }}>
      <h2 id={`${id}-title`} className={styles.title}>{title}</h2>
      {children}
    </dialog>
  );
}
