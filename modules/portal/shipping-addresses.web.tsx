/** Where we send books and parts to: the organisation's own people keep its addresses. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { portalShippingAddressEndpoints, type ShippingAddress }
  from '#modules/customers/shipping-address/shipping-address.contract.ts';
import { COUNTRIES, territoriesOf } from '#modules/reference/places/place.contract.ts';
import { Button } from '#web/controls/button.tsx';
import { addressLine, ShippingForm } from '#web/controls/shipping-form.tsx';
import { Badge } from '#web/data/badge.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import styles from './portal.module.css';

export function ShippingAddresses({ customerId, mayChange }: { customerId: number; mayChange: boolean }) {
  const read = useEndpoint(portalShippingAddressEndpoints.list, { params: { id: customerId } });
  const refresh = useRefresh([portalShippingAddressEndpoints.list]);
  const [open, setOpen] = useState<ShippingAddress | 'new' | null>(null);
  const rows = read.data?.data;
  if (!rows) return null;
  const saved = (text: string): void => { setOpen(null); void refresh(); toast(text); };
  return (
    <Card title="Where we send things">
      <div className={styles.stack}>
        {rows.length === 0 ? (
          <p className={styles.muted}>No address is kept: orders go to your billing address.</p>
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
      <Modal open={open !== null} onClose={() => setOpen(null)} width={640}
        title={open === 'new' ? 'Add an address' : open?.label ?? ''}>
        {open !== null && (
          <Change customerId={customerId} row={open === 'new' ? null : open} alone={rows.length === 0}
            onDone={saved} />
        )}
      </Modal>
    </Card>
  );
}

function Change({ customerId, row, alone, onDone }: { customerId: number; row: ShippingAddress | null; alone: boolean;
  onDone: (text: string) => void }) {
  const params = { id: customerId, addressId: row?.id ?? 0 };
  const remove = useAction(portalShippingAddressEndpoints.remove, { onDone: () => onDone('Address removed') });
  return (
    <>
      <ShippingForm row={row} alone={alone} countries={COUNTRIES} territoriesOf={territoriesOf}
        submit={(body) => (row ? call(portalShippingAddressEndpoints.update, { params,
          body: { ...body, version: row.version } }) : call(portalShippingAddressEndpoints.create, { params, body }))}
        onSaved={() => onDone('Address saved')} />
      {row && <Button pending={remove.pending} onClick={() => void remove.run({ params })}>Remove this address</Button>}
    </>
  );
}
