/** License rep of an application, and the date the customer was promised an answer by. */
import { useQueryClient } from '@tanstack/react-query';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { StaffSelect } from '../staff-select.web.tsx';
import { applicationEndpoints, type ApplicationDetail } from './application.contract.ts';

export function RepForm({ application }: { application: ApplicationDetail }) {
  const client = useQueryClient();
  const form = useResourceForm({
    initial: { license_rep_id: application.license_rep_id, clearance_expected_on: application.clearance_expected_on },
    record: { entity: 'license_application', id: application.id, version: application.version,
      read: applicationEndpoints.show },
    submit: (values) => call(applicationEndpoints.update,
      { params: { id: application.id }, body: { version: application.version, ...values } }),
    onSaved: () => {
      toast('Saved');
      void client.invalidateQueries({ predicate: (query) =>
        String(query.queryKey[0]).includes('license_applications') });
    },
  });
  return (
    <FormFrame form={form} aria-label="Representative">
      <FormGrid>
        <StaffSelect label="Representative" clearable selectedLabel={application.license_rep_name
          ?? undefined} {...form.field('license_rep_id')} />
        <DateField label="Clearance expected on" {...form.field('clearance_expected_on')} />
      </FormGrid>
      <FormActions>
        <Button type="submit" variant={form.dirty ? 'primary' : 'secondary'} pending={form.pending}
          reason={form.dirty ? undefined : 'Nothing has changed'}>Save</Button>
      </FormActions>
    </FormFrame>
  );
}
