/** Current rights check of a licence, and the clearance that staff recorded over it. */
import { TextField } from '#web/controls/field/text-field.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { ActionDialog, useFields } from '../action-dialog.web.tsx';
import type { LicenseDialogProps } from '../licenses/license-view.web.ts';
import { AvailabilityPanel } from './availability-panel.web.tsx';
import { availabilityEndpoints } from './availability.contract.ts';

export function ClearanceDialog({ view, onClose }: LicenseDialogProps) {
  const { license } = view;
  const read = useEndpoint(availabilityEndpoints.ofLicense, { params: { licenseId: license.id } });
  const action = useAction(availabilityEndpoints.clear, { onFailure: () => undefined, onDone: onClose,
    done: 'Clearance saved' });
  const { values, field } = useFields({ reason: '' }, action.failure);
  const answer = read.data?.data;
  const withdraws = Boolean(answer?.override_reason) && !values.reason.trim();
  return (
    <ActionDialog title="Rights and clearance" action={action} known={['reason']} onClose={onClose}
      submit={withdraws ? 'Withdraw clearance' : 'Record clearance'} danger={withdraws}
      reason={withdraws || values.reason.trim() ? undefined : 'Say who cleared it and why'}
      onSubmit={() => void action.run({ params: { licenseId: license.id },
        body: { version: license.version, reason: values.reason.trim() || null } })}>
      {read.isError && <Callout tone="error" title="The rights could not be checked">{read.error.message}</Callout>}
      {!answer && !read.isError && <Skeleton height={60} />}
      {answer && <AvailabilityPanel answer={answer} />}
      {answer?.override_reason && (
        <Callout tone="ok" title={`Cleared by ${answer.override_by_name ?? 'staff'}`}>{answer.override_reason}</Callout>
      )}
      <TextField label="Clearance" rows={3}
        caption="Name of the person who cleared it, and the reason. Leave blank to withdraw a recorded clearance."
        {...field('reason')} />
    </ActionDialog>
  );
}
