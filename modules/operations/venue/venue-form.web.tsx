/** The form of a venue. */
import { call } from '#kit/client.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import type { Address } from '#kit/field.ts';
import { spell } from '#kernel/text/english.ts';
import { AddressSection, addressOf, NO_ADDRESS } from '#web/controls/address/address-section.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Section } from '#web/layout/page-content.tsx';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { venue, venueEndpoints } from './venue.contract.ts';

export type VenueRow = ResponseOf<typeof venueEndpoints.show>['data'];
export const VENUE_KIND_LABELS = { theatre: spell`Theater`, school_hall: 'School hall', arena: 'Arena',
  church: 'Church',
  outdoor: 'Outdoors', other: 'Other' };

const { fields } = venue;
const ZONES = Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
export interface VenueFormProps { row: VenueRow | null; mayWrite: boolean; onSaved: (row: VenueRow) => void }

export function VenueForm({ row, mayWrite, onSaved }: VenueFormProps) {
  const form = useResourceForm<Record<string, unknown>, { data: VenueRow }>({
    initial: { ...formValues(fields, row), address: row?.address ?? NO_ADDRESS },
    record: row && { entity: 'venue', id: row.id, version: row.version, read: venueEndpoints.show },
    submit: (values, sending) => {
      const body = { ...bodyValues(fields, values), address: addressOf(values.address as Address) };
      return row
        ? call(venueEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } })
        : call(venueEndpoints.create, { body }, sending);
    },
    onSaved: ({ data }) => onSaved(data),
    draftKey: row ? `venue/${row.id}` : 'venue/new',
  });
  const zone = form.field('time_zone') as { value: string | null; onChange: (v: string | null) => void };
  const show = fieldsOf(form, fields, { choices: { kind: VENUE_KIND_LABELS },
    disabled: mayWrite ? [] : Object.keys(fields) });
  return (
    <FormFrame form={form} labels={labelsOf(fields)}>
      <Section title="The house">
        <FormGrid>
          {show('name')}{show('kind')}{show('capacity')}
          <AsyncSelect label="Time zone" required options={ZONES} {...zone} disabled={!mayWrite}
            caption="Performance times are local to it." error={form.errors.time_zone} />
          {show('phone')}{show('website')}{show.others('time_zone', 'active')}
        </FormGrid>
        {show('active')}
      </Section>
      <AddressSection form={form} name="address" title="Address" countries={COUNTRIES} territoriesOf={territoriesOf}
        disabled={!mayWrite} />
      {mayWrite && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>{row ? 'Save venue' : 'Add venue'}</Button>
        </FormActions>
      )}
    </FormFrame>
  );
}
