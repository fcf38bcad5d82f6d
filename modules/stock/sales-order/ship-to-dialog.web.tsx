/** Destination of an order, until it has left: one of the customer's addresses, or another one typed here. */
import { addressLine } from '#kernel/address/address-lines.ts';
import { call } from '#kit/client.ts';
import type { Address } from '#kit/field.ts';
import { shippingAddressEndpoints } from '#modules/customers/shipping-address/shipping-address.contract.ts';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { AddressFields, addressOf, NO_ADDRESS } from '#web/controls/address/address-section.tsx';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { salesOrderEndpoints, type SalesOrderDetail } from './sales-order.contract.ts';

export function ShipToDialog({ order, onClose }: { order: SalesOrderDetail; onClose: () => void }) {
  return (
    <Modal open onClose={onClose} width={640} title={`Shipping address of ${order.number}`}>
      <ShipToForm order={order} onClose={onClose} />
    </Modal>
  );
}

function ShipToForm({ order, onClose }: { order: SalesOrderDetail; onClose: () => void }) {
  const refresh = useRefresh([salesOrderEndpoints.show, salesOrderEndpoints.list]);
  const form = useResourceForm<Record<string, unknown>, unknown>({
    initial: { ship_to_name: order.ship_to_name, ship_to: { ...NO_ADDRESS, ...order.ship_to } },
    record: { entity: 'sales_order', id: order.id, version: order.version, read: salesOrderEndpoints.show },
    submit: (values) => call(salesOrderEndpoints.update, { params: { id: order.id }, body: { version: order.version,
      ship_to_name: values.ship_to_name as string, ship_to: addressOf(values.ship_to as Address) } }),
    onSaved: () => { void refresh(); toast('The order goes there'); onClose(); },
  });
  return (
    <FormFrame form={form} guard={false}>
      {useMay()('customer.show') && (
        <Kept customerId={order.customer_id} customerName={order.customer_name} onChoose={(name, address) => {
          form.set('ship_to_name', name);
          form.set('ship_to', { ...NO_ADDRESS, ...address });
        }} />
      )}
      <TextField label="Name" maxLength={160} {...form.field('ship_to_name')}
        value={form.values.ship_to_name as string} onChange={(value) => form.set('ship_to_name', value)} />
      <AddressFields form={form} name="ship_to" countries={COUNTRIES} territoriesOf={territoriesOf} />
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Save</Button>
      </FormActions>
    </FormFrame>
  );
}

/** The addresses that the customer keeps; nothing where it keeps none. */
function Kept({ customerId, customerName, onChoose }: { customerId: number; customerName: string;
  onChoose: (name: string, address: Address) => void }) {
  const read = useEndpoint(shippingAddressEndpoints.list, { params: { id: customerId } });
  const rows = read.data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <AsyncSelect<number> label="An address of the customer" value={null}
      options={rows.map((row) => ({ value: row.id, label: row.label, children: addressLine(row.address) }))}
      onChange={(id) => {
        const row = rows.find((one) => one.id === id);
        if (row) onChoose(row.attention || customerName, row.address);
      }} />
  );
}
