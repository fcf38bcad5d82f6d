/** Shipping addresses of a customer: a section of its information. */
import { useState } from 'react';
import { addressLine } from '#kernel/address/address-lines.ts';
import { call } from '#kit/client.ts';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ShippingDialog } from '#web/controls/address/shipping-form.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { shippingAddressEndpoints, type ShippingAddress } from './shipping-address.contract.ts';

const columns: readonly Column<ShippingAddress>[] = [
  { id: 'label', header: 'Name', kind: 'title', cell: (row) => row.label, width: 180 },
  { id: 'attention', header: 'Receives it', kind: 'muted', cell: (row) => row.attention, width: 160 },
  { id: 'address', header: 'Address', kind: 'text', cell: (row) => addressLine(row.address), width: 300 },
  { id: 'usual', header: 'Use', kind: 'badge', width: 100,
    cell: (row) => row.is_default && <Badge tone="ok" small>Usual</Badge> },
];

export function ShippingAddresses({ customerId }: { customerId: number }) {
  const mayWrite = useMay()('customer.update');
  const read = useEndpoint(shippingAddressEndpoints.list, { params: { id: customerId } });
  const refresh = useRefresh([shippingAddressEndpoints.list]);
  const [open, setOpen] = useState<ShippingAddress | 'new' | null>(null);
  const rows = read.data?.data;
  const paramsOf = (row: ShippingAddress) => ({ id: customerId, addressId: row.id });
  return (
    <Section title="Shipping addresses" description="Used for orders and rental materials." flush
      right={mayWrite && <Button onClick={() => setOpen('new')}>Add address</Button>}>
      <DataTable label="Shipping addresses" rows={rows} error={read.error} onRetry={() => void read.refetch()}
        columns={columns} variant="record" rowKey={(row) => row.id} onOpen={mayWrite ? setOpen : undefined}
        empty={{ title: 'No shipping address', text: 'Orders go to the billing address.' }} />
      <ShippingDialog open={open} title="Add shipping address" count={rows?.length ?? 0}
        countries={COUNTRIES} territoriesOf={territoriesOf}
        create={(body) => call(shippingAddressEndpoints.create, { params: { id: customerId }, body })}
        update={(row, body) => call(shippingAddressEndpoints.update, { params: paramsOf(row),
          body: { ...body, version: row.version } })}
        remove={(row) => call(shippingAddressEndpoints.remove, { params: paramsOf(row) })}
        onClose={() => setOpen(null)} onChanged={() => void refresh()} />
    </Section>
  );
}
