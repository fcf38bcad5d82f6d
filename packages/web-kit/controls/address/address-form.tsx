/**
 * Address: country, address 1 (with suggestions where a places service is set up), address 2, city, state, postal
 * code. Labels follow the country; the required texts are those of SPEC.md 5. State is a list where the country's
 * subdivisions are known, else free text. Source: states S52-S59, rules R3-R8, R26, R27, messages M25-M28.
 */
import { useState } from 'react';
import { AddressSuggestions } from './address-suggestions.tsx';
import { addressErrors, addressWords, type Address, type AddressErrors } from './address-rules.ts';
import { AsyncSelect } from '../select/async-select.tsx';
import { FormGrid } from '../form/form-frame.tsx';
import { installedPlaces } from '#web/maps/google-maps.ts';
import type { PlacesPort } from './places-port.ts';
import { TextField } from '../field/text-field.tsx';
import { useAddressSearch } from './use-address-search.ts';

/** A country or subdivision as the utilities answer it. */
export type Place = { code: string; name: string };

export type AddressFormProps = {
  value: Address;
  onChange: (address: Address) => void;
  countries: readonly Place[];
  /** Subdivisions of the chosen country (`GET /api/utilities/territories?country=`); empty: free text. */
  territories?: readonly Place[] | undefined;
  /** Errors of the server or the form's schema; the form's own checks show after a field was left. */
  errors?: AddressErrors | undefined;
  places?: PlacesPort | undefined;
  disabled?: boolean | undefined;
  /** The record may do without one: nothing is asked for before something is typed. */
  optional?: boolean | undefined;
  /** Path of the address in the form: field names become `${name}.locality` and so on. */
  name?: string | undefined;
};

const asOptions = (places: readonly Place[]) =>
  places.map(({ code, name }) => ({ value: code, label: name, children: code }));

export function AddressForm(props: AddressFormProps) {
  const { value, onChange, countries, territories = [], errors = {}, places = installedPlaces(), disabled } = props;
  const [left, setLeft] = useState<Partial<Record<keyof Address, boolean>>>({});
  const search = useAddressSearch(places, value, onChange);
  const words = addressWords(value.country_code);
  // The country alone is where typing starts, no address yet.
  const wanted = !props.optional || Object.entries(value).some(([key, text]) => key !== 'country_code' && text !== '');
  const own = wanted ? addressErrors(value) : {};

  function field(key: keyof Address) {
    return {
      name: props.name ? `${props.name}.${key}` : key,
      disabled,
      error: errors[key] ?? (left[key] ? own[key] : undefined),
      onBlur: () => setLeft((was) => ({ ...was, [key]: true })),
    };
  }
  const set = (key: keyof Address) => (text: string) => onChange({ ...value, [key]: text });

  return (
    <FormGrid>
      <div data-wide>
        <AsyncSelect label="Country" {...field('country_code')} value={value.country_code || null}
          options={asOptions(countries)}
          onChange={(code) => onChange({ ...value, country_code: code ?? '', administrative_area: '' })} />
      </div>
      <div data-wide>
        <AddressSuggestions search={search}>
          <TextField label="Address 1" required={wanted} autoComplete="address-line1" {...field('thoroughfare')}
            value={value.thoroughfare}
            onChange={(text) => { set('thoroughfare')(text); search.ask(text); }} />
        </AddressSuggestions>
      </div>
      <div data-wide>
        <TextField label="Address 2" autoComplete="address-line2" {...field('premise')} value={value.premise ?? ''}
          onChange={set('premise')} />
      </div>
      <TextField label={words.locality} required={wanted} autoComplete="address-level2" {...field('locality')}
        value={value.locality} onChange={set('locality')} />
      {territories.length > 0
        ? <AsyncSelect label={words.area} {...field('administrative_area')} value={value.administrative_area || null}
            options={asOptions(territories)} clearable
            onChange={(code) => onChange({ ...value, administrative_area: code ?? '' })} />
        : <TextField label={words.area} autoComplete="address-level1" {...field('administrative_area')}
            value={value.administrative_area} onChange={set('administrative_area')} />}
      <TextField label={words.postal} required={wanted} autoComplete="postal-code" {...field('postal_code')}
        value={value.postal_code} onChange={set('postal_code')} />
    </FormGrid>
  );
}
