/** Waiving a part of what a cancellation keeps: one person approves the amount, another cancels with it. */
import { useState } from 'react';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { errorsOf, FailureNote, useFields } from '../../action-dialog.web.tsx';
import styles from '../../licensing.module.css';
import { licenseEndpoints, type StaffCancellation } from '../license.contract.ts';

interface Props {
  licenseId: number;
  answer: StaffCancellation;
  /** The approved waiver that the cancellation uses. */
  used: StaffCancellation['waiver'];
  onUse: (waiver: StaffCancellation['waiver']) => void;
}

export function Waiver({ licenseId, answer, used, onUse }: Props) {
  const me = useCurrentUser()?.id;
  const { waiver, currency } = answer;
  const isOwn = waiver !== null && waiver.approved_by_id === me;
  return (
    <>
      {waiver && !isOwn && (
        <Checkbox value={used !== null} onChange={(on) => onUse(on ? waiver : null)}
          label={`Waive ${formatAmount(waiver.waive_minor, currency)}, approved by ${waiver.approved_by_name}: ${
            waiver.reason}`} />
      )}
      {isOwn && (
        <p className={styles.muted}>{`You approved that ${formatAmount(waiver.waive_minor, currency)} is waived. `
          + 'Another person has to cancel the production.'}</p>
      )}
      <ApproveWaiver licenseId={licenseId} currency={currency} />
    </>
  );
}

function ApproveWaiver({ licenseId, currency }: { licenseId: number; currency: string }) {
  const [open, setOpen] = useState(false);
  const approve = useAction(licenseEndpoints.approveWaiver, { refresh: [licenseEndpoints.cancellation],
    onFailure: () => undefined, done: 'Waiver approved',
    onDone: () => setOpen(false) });
  const { values, field } = useFields({ waive_minor: null as number | null, reason: '' }, approve.failure);
  if (!open) return <p><Button size="small" onClick={() => setOpen(true)}>Approve a waiver</Button></p>;
  const missing = values.waive_minor ? values.reason.trim() === '' ? 'Give a reason' : undefined
    : 'Enter the amount that is waived';
  return (
    <fieldset className="gr-fieldset">
      <legend>Approve a waiver</legend>
      <FailureNote failure={approve.failure} known={['waive_minor', 'reason']} />
      <MoneyField label="Amount waived" required currency={currency} {...field('waive_minor')}
        caption="Deducted from what we keep. Another person then cancels the production." />
      <TextField label="Reason for the waiver" required {...field('reason')} error={errorsOf(approve.failure).reason} />
      <Button pending={approve.pending} {...(missing && { reason: missing })}
        onClick={() => void approve.run({ params: { licenseId },
          body: { waive_minor: values.waive_minor!, reason: values.reason.trim() } })}>
        Approve waiver
      </Button>
    </fieldset>
  );
}
