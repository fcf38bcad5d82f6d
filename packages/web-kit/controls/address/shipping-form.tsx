/** The form of a place where things are sent to: its name, who receives them, the address, whether it is the usual. */
import type { Address } from '#kit/field.ts';
import { spell } from '#kernel/text/english.ts';
import { toast, undoable } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { ActionButton } from '../button/action-button.tsx';
import type { Place } from './address-form.tsx';
import { AddressFields, NO_ADDRESS } from './address-section.tsx';
import { Button } from '../button/button.tsx';
import { Checkbox } from '../field/checkbox.tsx';
import { FormActions, FormFrame, FormGrid } from '../form/form-frame.tsx';
import { TextField } from '../field/text-field.tsx';
import { useResourceForm } from '../form/use-resource-form.ts';

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
          value={form.values.label as string} onChange={(value) => form.set('label', value)}
          caption="Stage door, school office, warehouse." />
        <TextField label="Recipient" maxLength={160} {...form.field('attention')}
          value={form.values.attention as string} onChange={(value) => form.set('attention', value)}
          caption={spell`Empty: the organization.`} />
      </FormGrid>
      <AddressFields form={form} name="address" countries={countries} territoriesOf={territoriesOf} />
      <Checkbox label="The usual one" caption="Orders go here unless they say otherwise."
        disabled={alone || row?.is_default === true} value={form.values.is_default as boolean}
        onChange={(value) => form.set('is_default', value)} />
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Save address</Button>
      </FormActions>
    </FormFrame>
  );
}

export interface ShippingDialogProps<Row extends ShippingPlace> {
  /** The one that is changed, 'new', or none: closed. */
  open: Row | 'new' | null;
  /** Of a new one. */
  title: string;
  /** Number of addresses the customer has. */
  count: number;
  countries: readonly Place[];
  territoriesOf: (country: string) => readonly Place[];
  create: (body: ShippingPlace) => Promise<unknown>;
  update: (row: Row, body: ShippingPlace) => Promise<unknown>;
  remove: (row: Row) => Promise<unknown>;
  onClose: () => void;
  /** Something was written: the list is read again. */
  onChanged: () => void;
}

/** Adds, changes and removes an address; a removed one can be had back. */
export function ShippingDialog<Row extends ShippingPlace>(props: ShippingDialogProps<Row>) {
  const { open, title, count, countries, territoriesOf, create, update, remove, onClose, onChanged } = props;
  const row = open === 'new' ? null : open;
  const removed = ({ label, attention, address, is_default }: Row): void => {
    onClose();
    onChanged();
    undoable('Address removed', () => create({ label, attention, address, is_default }).then(onChanged));
  };
  return (
    <Modal open={open !== null} onClose={onClose} width={640} title={row?.label ?? title}>
      {open !== null && (
        <ShippingForm row={row} alone={count === 0} countries={countries} territoriesOf={territoriesOf}
          submit={(body) => (row ? update(row, body) : create(body))}
          onSaved={() => { onClose(); onChanged(); toast('Address saved'); }} />
      )}
      {row && (
        <ActionButton variant="quiet" action={() => remove(row)} onDone={() => removed(row)}>
          Remove this address
        </ActionButton>
      )}
    </Modal>
  );
}
