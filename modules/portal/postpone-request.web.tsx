/** Asking to postpone the run to dates that are not known yet. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useAction } from '#web/query/use-action.ts';
import type { ProductionProps } from './production-frame.web.tsx';
import styles from './portal.module.css';

export function PostponeRequest({ production, portal }: ProductionProps) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const ask = useAction(portalEndpoints.requestAmendment, { refresh: [portalEndpoints.license],
    done: 'We have your request and will answer soon', onDone: () => { setOpen(false); setReason(''); } });
  return (
    <>
      <Button onClick={() => setOpen(true)} {...(portal.held && { reason: portal.held })}>Ask to postpone</Button>
      <Modal open={open} onClose={() => setOpen(false)} title="Postpone without new dates?" footer={(
        <>
          <Button onClick={() => setOpen(false)}>Keep the dates</Button>
          <Button variant="primary" pending={ask.pending}
            {...(reason.trim() === '' && { reason: 'Enter a reason first' })}
            onClick={() => void ask.run({ params: { id: portal.customerId, licenseId: production.id },
              body: { changes: { postpone: true }, reason: reason.trim() } })}>Send the request</Button>
        </>
      )}>
        <div className={styles.stack}>
          <p>{spell`Your license stays valid and its price the same. All performances to come wait for new dates, and
            your old dates are given up once we confirm. Choose the new dates here when you know them; we check that
            they are free.`}</p>
          <p className={styles.muted}>If you know the new dates already, ask for a change instead.</p>
          <TextField label="Why?" required rows={3} maxLength={2000} value={reason} onChange={setReason} />
        </div>
      </Modal>
    </>
  );
}
