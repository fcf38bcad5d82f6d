/** A dialog of scans that is closed asks first: what was scanned is in nobody's books yet. */
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';

/** @param scanned lines that were scanned and not booked */
export function useLeaveScan(scanned: number, onClose: () => void): { leave: () => void; question: ReactNode } {
  const [asked, setAsked] = useState(false);
  const leave = (): void => {
    // The Escape that asks would answer the question too, if it stood there before the browser is done with the key.
    if (scanned > 0) window.setTimeout(() => setAsked(true));
    else onClose();
  };
  const question = (
    <ConfirmDialog open={asked} title="Leave without booking?" danger confirm="Leave" cancel="Go on scanning"
      text={`${scanned === 1 ? 'One line' : `${scanned} lines`} would have to be scanned again.`}
      onConfirm={onClose} onCancel={() => setAsked(false)} />
  );
  return { leave, question };
}
