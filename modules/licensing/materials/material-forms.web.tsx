/** A material of a licence: added, changed or taken off. */
import { call } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useAction } from '#web/query/use-action.ts';
import type { LicenseRow } from '../licenses/license.contract.ts';
import { licenseMaterialEndpoints, type LicenseMaterialRow } from './license-material.contract.ts';
import { TYPE_WORDS } from './material-words.web.ts';

export function AddForm({ license, onSaved }: { license: LicenseRow; onSaved: () => void }) {
  const source = optionsFrom(licenseMaterialEndpoints.available, (row) => ({ value: row.id, label: row.name,
    children: `${row.item_number} · ${TYPE_WORDS[row.type]}` }), { params: { licenseId: license.id } });
  const form = useResourceForm<Record<string, unknown>, unknown>({
    initial: { material_id: null, quantity: 1, included_in_package: true, unit_price_minor: null, note: '' },
    submit: (values, sending) => {
      const { unit_price_minor: unit, ...rest } = values;
      return call(licenseMaterialEndpoints.create, { params: { licenseId: license.id },
        // A material or an amount that is missing is named by the server, at its field.
        body: { ...rest, ...(unit === null ? {} : { unit_price_minor: unit }) } as never }, sending);
    },
    onSaved,
  });
  const id = form.field('material_id');
  return (
    <FormFrame form={form} guard={false}>
      <AsyncSelect<number> label="Material" required source={source} name="material_id" error={id.error}
        value={id.value as number | null} onChange={(value) => form.set('material_id', value)} />
      <Quantities form={form} currency={license.currency} disabled={false} />
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Add material</Button>
      </FormActions>
    </FormFrame>
  );
}

type Form = ReturnType<typeof useResourceForm<Record<string, unknown>>>;

/** Quantity, whether the package covers it, its price where it does not. */
function Quantities({ form, currency, disabled }: { form: Form; currency: string; disabled: boolean }) {
  const included = form.values.included_in_package as boolean;
  return (
    <>
      <FormGrid>
        <NumberField label="Copies" required name="quantity" disabled={disabled} error={form.errors.quantity}
          value={form.values.quantity as number | null} onChange={(value) => form.set('quantity', value)} />
        {!included && (
          <MoneyField label="Price each" name="unit_price_minor" currency={currency} disabled={disabled}
            caption={spell`Left empty: the price of the catalog.`} error={form.errors.unit_price_minor}
            value={form.values.unit_price_minor as number | null}
            onChange={(value) => form.set('unit_price_minor', value)} />
        )}
      </FormGrid>
      <Checkbox label="Part of the package" caption="Otherwise it is priced as a line of its own." value={included}
        disabled={disabled} onChange={(value) => form.set('included_in_package', value)} />
      <TextField label="Note" name="note" disabled={disabled} value={form.values.note as string}
        error={form.errors.note} onChange={(value) => form.set('note', value)} />
    </>
  );
}

interface ChangeFormProps { license: LicenseRow; row: LicenseMaterialRow; onSaved: (text: string) => void }

/** The row of one material (gaps G26): changed, or taken off. */
export function ChangeForm({ license, row, onSaved }: ChangeFormProps) {
  const may = useMay();
  const params = { licenseId: license.id, id: row.id };
  const form = useResourceForm<Record<string, unknown>, unknown>({
    initial: { quantity: row.quantity, included_in_package: row.included_in_package,
      unit_price_minor: row.unit_price_minor || null, note: row.note },
    record: { entity: 'license_material', id: row.id, version: row.version, read: licenseMaterialEndpoints.list },
    submit: (values) => {
      const { unit_price_minor: unit, ...rest } = values;
      return call(licenseMaterialEndpoints.update, { params, body: { ...rest, version: row.version,
        // A material or an amount that is missing is named by the server, at its field.
        ...(unit === null ? {} : { unit_price_minor: unit }) } as never });
    },
    onSaved: () => onSaved('Material saved'),
  });
  const remove = useAction(licenseMaterialEndpoints.remove, { onDone: () => onSaved(`${row.name} taken off`) });
  const mayWrite = may('license_material.update');
  return (
    <FormFrame form={form} guard={false}>
      <Quantities form={form} currency={license.currency} disabled={!mayWrite} />
      <FormActions>
        {mayWrite && <Button type="submit" variant="primary" pending={form.pending}>Save material</Button>}
        {may('license_material.delete') && (
          <Button type="button" variant="quiet" pending={remove.pending} onClick={() => void remove.run({ params })}>
            {spell`Take off the license`}
          </Button>
        )}
      </FormActions>
    </FormFrame>
  );
}
