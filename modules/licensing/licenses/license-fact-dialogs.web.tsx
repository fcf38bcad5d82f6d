/** Facts of a licence that may change at any time: its representative, its cast, and whether it rests. */
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useAction } from '#web/query/use-action.ts';
import { ActionDialog, useFields } from '../action-dialog.web.tsx';
import { StaffSelect } from '../staff-select.web.tsx';
import { optionsOf, ORCHESTRATION_WORDS, plainWords } from '../words.web.ts';
import styles from '../licensing.module.css';
import type { LicenseDialogProps } from './license-view.web.ts';
import { licenseEndpoints } from './license.contract.ts';

export function RepDialog({ view, onClose }: LicenseDialogProps) {
  const { license } = view;
  const action = useAction(licenseEndpoints.update, { onFailure: () => undefined, onDone: onClose,
    done: 'The representative is changed' });
  const { values, field } = useFields({ license_rep_id: license.license_rep_id }, action.failure);
  return (
    <ActionDialog waits title="Representative" submit="Save representative" action={action} onClose={onClose}
      known={['license_rep_id']} text={spell`The person who answers for this license; its tasks go to them.`}
      onSubmit={() => void action.run({ params: { licenseId: license.id },
        body: { version: license.version, license_rep_id: values.license_rep_id } })}>
      <StaffSelect label="Representative" selectedLabel={license.license_rep_name ?? undefined}
        {...field('license_rep_id')} />
    </ActionDialog>
  );
}

export function CastDialog({ view, onClose }: LicenseDialogProps) {
  const { license } = view;
  const action = useAction(licenseEndpoints.update, { onFailure: () => undefined, onDone: onClose, done: 'Saved' });
  const { values, field } = useFields({ cast_size: license.cast_size, orchestration: license.orchestration as string
    | null }, action.failure);
  return (
    <ActionDialog waits title="Cast and orchestration" submit="Save" action={action} onClose={onClose}
      known={['cast_size', 'orchestration']} text={spell`Neither changes the price of the license.`}
      onSubmit={() => void action.run({ params: { licenseId: license.id }, body: { version: license.version,
        cast_size: values.cast_size, orchestration: values.orchestration as typeof license.orchestration } })}>
      <div className={styles.pair}>
        <NumberField label="Cast" {...field('cast_size')} />
        {license.show_type === 'musical' && (
          <AsyncSelect<string> label="Orchestration" clearable {...field('orchestration')}
            options={optionsOf(ORCHESTRATION_WORDS).map((one) => ({ ...one, label: plainWords(one.label) }))} />
        )}
      </div>
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
      text={holds ? 'It does not become valid by itself and nobody is reminded until the hold is released.'
        : `It was put on hold: ${license.hold_reason ?? 'no reason given'}`}
      onSubmit={() => void action.run({ params: { licenseId: license.id }, body: { version: license.version,
        on_hold: holds, hold_reason: holds ? values.hold_reason : null } })}>
      {holds && <TextField label="Reason" required rows={3} {...field('hold_reason')} />}
    </ActionDialog>
  );
}
