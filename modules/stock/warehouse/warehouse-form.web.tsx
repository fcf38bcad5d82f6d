/** The form of a warehouse. */
import { call } from '#kit/client.ts';
import type { Address } from '#kit/field.ts';
import { AddressSection, addressOf, NO_ADDRESS } from '#web/controls/address/address-section.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Section } from '#web/layout/page-content.tsx';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { warehouse, warehouseEndpoints, type WarehouseRow } from './warehouse.contract.ts';

export const WAREHOUSES = '/admin/warehouses';
const { fields } = warehouse;
const ZONES = Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter((line) => line !== '');

interface WarehouseFormProps {
  row: WarehouseRow | null;
  mayWrite: boolean;
  onSaved: (row: WarehouseRow) => void;
}

export function WarehouseForm({ row, mayWrite, onSaved }: WarehouseFormProps) {
  const form = useResourceForm<Record<string, unknown>, { data: WarehouseRow }>({
    initial: { ...formValues(fields, row), address: row?.address ?? NO_ADDRESS,
      returns_address: row?.returns_address ?? NO_ADDRESS, carriers: (row?.carriers ?? []).join('\n') },
    record: row && { entity: 'warehouse', id: row.id, version: row.version, read: warehouseEndpoints.show },
    submit: (values, sending) => {
      const body = { ...bodyValues(fields, values), address: addressOf(values.address as Address),
        returns_address: addressOf(values.returns_address as Address), carriers: linesOf(String(values.carriers)) };
      return row
        ? call(warehouseEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } })
        : call(warehouseEndpoints.create, { body }, sending);
    },
    onSaved: ({ data }) => onSaved(data),
    draftKey: row ? `warehouse/${row.id}` : 'warehouse/new',
  });
  const disabled = mayWrite ? (row ? ['code'] : []) : Object.keys(fields);
  const show = fieldsOf(form, fields, { disabled });
  const zone = form.field('time_zone') as { value: string | null; onChange: (v: string | null) => void };
  const carriers = form.field('carriers') as { value: string; onChange: (v: string) => void };
  const places = { form, countries: COUNTRIES, territoriesOf, disabled: !mayWrite };
  return (
    <FormFrame form={form} labels={labelsOf(fields)}>
      <Section title="The warehouse">
        <FormGrid>
          {show('name')}{show('code')}{show('division')}
          <AsyncSelect label="Time zone" required options={ZONES} {...zone} disabled={!mayWrite}
            error={form.errors.time_zone} />
          {show('contact_name')}{show('email')}{show('phone')}{show('ship_cutoff')}{show('return_lead_days')}
        </FormGrid>
        <TextField label="Carriers, one per line" rows={3} {...carriers} disabled={!mayWrite}
          error={form.errors.carriers} />
        <FormGrid>
          {show('default_for_division')}{show('active')}{show.others('time_zone', 'carriers')}
        </FormGrid>
      </Section>
      <AddressSection {...places} name="address" title="Address" />
      <AddressSection {...places} name="returns_address" title="Returns go to"
        description="Only if different from the address above." />
      {mayWrite && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            {row ? 'Save warehouse' : 'Add warehouse'}
          </Button>
        </FormActions>
      )}
    </FormFrame>
  );
}
