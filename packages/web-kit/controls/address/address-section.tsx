/** An optional address of a record as a section of its form: `address` field, errors and country list in one place. */
import type { Address } from '#kit/field.ts';
import { Section } from '../../layout/page-content.tsx';
import { AddressForm, type Place } from './address-form.tsx';
import type { ResourceForm } from '../form/use-resource-form.ts';

/** Initial values of an empty address form. */
export const NO_ADDRESS: Address = {
  country_code: 'US', thoroughfare: '', premise: '', locality: '', administrative_area: '', postal_code: '',
};

/** An address nobody typed is none. */
export function addressOf(address: Address): Address | null {
  const typed = Object.entries(address).some(([key, text]) => key !== 'country_code' && text !== '');
  const { premise, ...rest } = address;
  return typed ? { ...rest, ...(premise ? { premise } : {}) } : null;
}

/** Errors below a path of the form: `address.locality` as `locality`. */
function errorsBelow(errors: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).filter(([path]) => path.startsWith(`${name}.`))
    .map(([path, text]) => [path.slice(name.length + 1), text]));
}

export interface AddressSectionProps {
  form: ResourceForm<Record<string, unknown>>;
  /** The field: 'address'. */
  name: string;
  title: string;
  description?: string | undefined;
  countries: readonly Place[];
  territoriesOf: (country: string) => readonly Place[];
  disabled?: boolean | undefined;
}

export function AddressSection({ title, description, ...fields }: AddressSectionProps) {
  return <Section title={title} description={description}><AddressFields {...fields} optional /></Section>;
}

/** The same without a section of its own: in dialogs. */
export function AddressFields({ form, name, countries, territoriesOf, disabled, optional }:
Omit<AddressSectionProps, 'title' | 'description'> & { optional?: boolean | undefined }) {
  const address = form.values[name] as Address;
  return (
    <AddressForm name={name} value={address} countries={countries} disabled={disabled} optional={optional}
      territories={territoriesOf(address.country_code)} onChange={(value) => form.set(name, value)}
      errors={errorsBelow(form.errors as Record<string, string>, name)} />
  );
}
