/**
 * A question with two answers, on the browser's own modal dialog: focus stays inside, Escape means "no", the focus
 * returns to where it was. The safe answer has the focus first. For purge, void and period close ask for the name
 * (`typed`): the confirming button stays held until it has been typed exactly (U12).
 */
import { useId, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { DialogFrame } from './dialog-frame.tsx';
import { useTypedName } from '../field/typed-name.tsx';
import styles from './confirm-dialog.module.css';

export type ConfirmDialogProps = {
  open: boolean;
  title: string;
  text: ReactNode;
  confirm: string;
  cancel?: string | undefined;
  danger?: boolean | undefined;
  pending?: boolean | undefined;
  /** Text the user has to type before the confirming button works. */
  typed?: string | undefined;
  /** Why the confirming button waits for something in `text`. */
  held?: string | undefined;
  onConfirm: () => void;
  onCancel: () => void;
};

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, text, confirm, cancel = 'Cancel', typed, onConfirm, onCancel } = props;
  const id = useId();
  const { field, held } = useTypedName(typed, open);
  return (
    <DialogFrame open={open} title={title} describedBy={`${id}-text`} onCancel={onCancel}>
      <div id={`${id}-text`} className={styles.text}>{text}</div>
      {field}
      <div className={styles.actions}>
        <Button onClick={onCancel}>{cancel}</Button>
        <Button variant={props.danger ? 'danger' : 'primary'} pending={props.pending} onClick={onConfirm}
          reason={props.held ?? held}>{confirm}</Button>
      </div>
    </DialogFrame>
  );
}
