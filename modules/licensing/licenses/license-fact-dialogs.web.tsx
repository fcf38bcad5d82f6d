/** Facts of a licence that may change at any time: its representative, and whether it rests. */
import { TextField } from '#web/controls/text-field.tsx';
import { useAction } from '#web/query/use-action.ts';
import { ActionDialog, useFields } from '../action-dialog.web.tsx';
import { StaffSelect } from '../staff-select.web.tsx';
import type { LicenseDialogProps } from './license-view.web.ts';
import { licenseEndpoints } from './license.contract.ts';

export function RepDialog({ view, onClose }: LicenseDialogProps) {
  const { license } = view;
  const action = useAction(licenseEndpoints.update, { onFailure: () => undefined, onDone: onClose,
    done: 'The representative is changed' });
  const { values, field } = useFields({ license_rep_id: license.license_rep_id }, action.failure);
  return (
    <ActionDialog title="Representative" submit="Save representative" action={action} onClose={onClose}
      known={['license_rep_id']} text="The person who answers for this licence; its tasks go to them."
      onSubmit={() => void action.run({ params: { licenseId: license.id },
        body: { version: license.version, license_rep_id: values.license_rep_id } })}>
      <StaffSelect label="Representative" selectedLabel={license.license_rep_name ?? undefined}
        {...field('license_rep_id')} />
    </ActionDialog>
  );
}

export function HoldDialog({ view, onClose }: LicenseDialogProps) {
  const { license } = view;
  const holds = !license.on_hold;
  const action = useAction(licenseEndpoints.update, { onFailure: () => undefined, onDone: onClose,
    done: holds ? 'It is on hold' : 'The hold is released' });
  const { values, field } = useFields({ hold_reason: '' }, action.failure);
  return (
    <ActionDialog title={holds ? 'Put on hold' : 'Release the hold'} submit={holds ? 'Put on hold' : 'Release hold'}
      action={action} onClose={onClose} known={['hold_reason']}
      reason={holds && !values.hold_reason.trim() ? 'Give a reason' : undefined}
      text={holds ? 'Nothing is sent and nothing runs by itself until the hold is released.'
        : `It was put on hold: ${license.hold_reason ?? 'no reason given'}`}
      onSubmit={() => void action.run({ params: { licenseId: license.id }, body: { version: license.version,
        on_hold: holds, hold_reason: holds ? values.hold_reason : null } })}>
      {holds && <TextField label="Reason" required rows={3} {...field('hold_reason')} />}
    </ActionDialog>
  );
}
