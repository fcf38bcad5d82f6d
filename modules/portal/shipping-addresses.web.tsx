/** Shipping addresses for books and parts: maintained by the organization's own people. */
import { useState } from 'react';
import { addressLine } from '#kernel/address/address-lines.ts';
import { call } from '#kit/client.ts';
import { portalShippingAddressEndpoints, type ShippingAddress }
  from '#modules/customers/shipping-address/shipping-address.contract.ts';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ShippingDialog } from '#web/controls/address/shipping-form.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { CardSkeleton, WAITING } from './portal-parts.web.tsx';
import styles from './portal.module.css';

export function ShippingAddresses({ customerId, mayChange }: { customerId: number; mayChange: boolean }) {
  const read = useEndpoint(portalShippingAddressEndpoints.list, { params: { id: customerId } });
  const refresh = useRefresh([portalShippingAddressEndpoints.list]);
  const [open, setOpen] = useState<ShippingAddress | 'new' | null>(null);
  const rows = read.data?.data;
  if (read.isPending) return <CardSkeleton {...WAITING.addresses} />;
  if (!rows) return null;
  const paramsOf = (row: ShippingAddress) => ({ id: customerId, addressId: row.id });
  return (
    <Card title="Shipping addresses">
      <div className={styles.stack}>
        {rows.length === 0 ? (
          <p className={styles.muted}>No address on file. Orders go to your billing address.</p>
        ) : (
          <ul className={styles.list}>
            {rows.map((row) => (
              <li key={row.id} className={styles.item}>
                <span className={styles.itemText}>
                  <strong>{row.label}</strong>
                  <span>{[row.attention, addressLine(row.address)].filter(Boolean).join(', ')}</span>
                </span>
                <span className={styles.itemSide}>
                  {row.is_default && <Badge tone="outline">Usual</Badge>}
                  {mayChange && (
                    <Button onClick={() => setOpen(row)}>
                      <span>Change<span className="gr-hidden"> {row.label}</span></span>
                    </Button>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
        {mayChange && <div><Button onClick={() => setOpen('new')}>Add an address</Button></div>}
      </div>
      <ShippingDialog open={open} title="Add an address" count={rows.length}
        countries={COUNTRIES} territoriesOf={territoriesOf}
        create={(body) => call(portalShippingAddressEndpoints.create, { params: { id: customerId }, body })}
        update={(row, body) => call(portalShippingAddressEndpoints.update, { params: paramsOf(row),
          body: { ...body, version: row.version } })}
        remove={(row) => call(portalShippingAddressEndpoints.remove, { params: paramsOf(row) })}
        onClose={() => setOpen(null)} onChanged={() => void refresh()} />
    </Card>
  );
}
