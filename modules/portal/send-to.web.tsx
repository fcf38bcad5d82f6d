/** Delivery address of a cart: a place the customer has on record, or another one typed here. */
import { addressLine } from '#kernel/address/address-lines.ts';
import { spell } from '#kernel/text/english.ts';
import { addressErrors } from '#web/controls/address/address-rules.ts';
import { AddressForm } from '#web/controls/address/address-form.tsx';
import { RadioGroup } from '#web/controls/field/radio-group.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import type { Address } from '#kit/field.ts';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import type { CartBody, ShopPrice } from '#modules/stock/shop/shop.contract.ts';
import styles from './portal.module.css';

/** null: the usual place. */
export type SendTo = { kept: number } | { name: string; address: Address } | null;
type Places = ShopPrice['places'];

const OTHER = 'other';

/** Shipping fields sent with the cart; null while another address is incomplete. */
export function shipToOf(sendTo: SendTo, places: Places): Pick<CartBody, 'ship_to' | 'ship_to_name'> | null {
  if (sendTo === null) return {};
  if ('kept' in sendTo) {
    const place = places[sendTo.kept];
    return place ? { ship_to: place.address, ship_to_name: place.name } : {};
  }
  if (Object.keys(addressErrors(sendTo.address)).length > 0) return null;
  const { premise, ...rest } = sendTo.address;
  return { ship_to: { ...rest, ...(premise ? { premise } : {}) }, ship_to_name: sendTo.name };
}

interface SendToProps {
  places: Places;
  value: SendTo;
  onChange: (value: SendTo) => void;
  /** Of the server, by the names of the address. */
  errors: Record<string, string>;
}

export function SendToChoice({ places, value, onChange, errors }: SendToProps) {
  const typed = value !== null && 'address' in value ? value : null;
  const chosen = typed || places.length === 0 ? OTHER : String(value !== null && 'kept' in value ? value.kept : 0);
  const blank: Address = { country_code: places[0]?.address.country_code ?? 'US', thoroughfare: '', premise: '',
    locality: '', administrative_area: '', postal_code: '' };
  const other = typed ?? { name: '', address: blank };
  return (
    <div className={styles.stack}>
      <RadioGroup label="Send to" value={chosen}
        choices={[...places.map((place, at) => ({ value: String(at), label: place.label,
          note: [place.name, addressLine(place.address)].filter(Boolean).join(', ') })),
        { value: OTHER, label: 'Another address' }]}
        onChange={(next) => onChange(next === OTHER ? other : { kept: Number(next) })} />
      {chosen === OTHER && (
        <>
          <TextField label="Name" value={other.name} maxLength={160}
            onChange={(name) => onChange({ ...other, name })} caption={spell`Empty: your organization.`} />
          <AddressForm name="ship_to" value={other.address} countries={COUNTRIES} errors={errors}
            territories={territoriesOf(other.address.country_code)}
            onChange={(address) => onChange({ ...other, address })} />
        </>
      )}
    </div>
  );
}
