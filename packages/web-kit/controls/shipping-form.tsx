/** The form of a place where things are sent to: its name, who receives them, the address, whether it is the usual. */
import type { Address } from '#kit/field.ts';
import type { Place } from './address-form.tsx';
import { AddressFields, NO_ADDRESS } from './address-section.tsx';
import { Button } from './button.tsx';
import { Checkbox } from './checkbox.tsx';
import { FormActions, FormFrame, FormGrid } from './form-frame.tsx';
import { TextField } from './text-field.tsx';
import { useResourceForm } from './use-resource-form.ts';

export interface ShippingPlace { label: string; attention: string; address: Address; is_default: boolean }

export interface ShippingFormProps {
  /** null: a new one. */
  row: ShippingPlace | null;
  /** There is no other: it is the usual one. */
  alone: boolean;
  countries: readonly Place[];
  territoriesOf: (country: string) => readonly Place[];
  submit: (body: ShippingPlace) => Promise<unknown>;
  onSaved: () => void;
}

/** Premises that nobody typed are none. */
const whole = ({ premise, ...rest }: Address): Address => ({ ...rest, ...(premise ? { premise } : {}) });

export function ShippingForm({ row, alone, countries, territoriesOf, submit, onSaved }: ShippingFormProps) {
  const form = useResourceForm<Record<string, unknown>, unknown>({
    initial: { label: row?.label ?? '', attention: row?.attention ?? '', is_default: row?.is_default ?? alone,
      address: row ? { premise: '', ...row.address } : NO_ADDRESS },
    submit: ({ address, ...rest }) => submit({ ...rest, address: whole(address as Address) } as ShippingPlace),
    onSaved,
  });
  return (
    <FormFrame form={form} guard={false}>
      <FormGrid>
        <TextField label="Name of this address" required maxLength={80} {...form.field('label')}
          value={form.values.label as string} onChange={(value) => form.set('label', value as never)}
          caption="Stage door, school office, warehouse." />
        <TextField label="Who receives it" maxLength={160} {...form.field('attention')}
          value={form.values.attention as string} onChange={(value) => form.set('attention', value as never)}
          caption="Empty: the organisation." />
      </FormGrid>
      <AddressFields form={form} name="address" countries={countries} territoriesOf={territoriesOf} />
      <Checkbox label="The usual one" caption="Orders go here unless they say otherwise."
        disabled={alone || row?.is_default === true} value={form.values.is_default as boolean}
        onChange={(value) => form.set('is_default', value as never)} />
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Save address</Button>
      </FormActions>
    </FormFrame>
  );
}

/** '120 Harbor Way, 07094 Secaucus'. */
export const addressLine = (place: Address): string =>
  [place.thoroughfare, place.premise, `${place.postal_code} ${place.locality}`.trim()].filter(Boolean).join(', ');
