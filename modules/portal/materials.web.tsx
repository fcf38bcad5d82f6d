/** Materials of a production with their dates: parcels on their way, books, scores, parts and files in that order. */
import { addressLine } from '#kernel/address/address-lines.ts';
import { spell } from '#kernel/text/english.ts';
import { portalLicenseAddOnEndpoints } from '#modules/licensing/add-ons/license-add-on.contract.ts';
import { portalLicenseFileEndpoints } from '#modules/licensing/downloads/download.contract.ts';
import { portalLicenseMaterialEndpoints } from '#modules/licensing/materials/license-material.contract.ts';
import { licenseParcelEndpoints, type LicenseParcel } from '#modules/stock/sales-order/license-parcels.contract.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { Badge } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { carrierFact, ParcelState } from './parcel-facts.web.tsx';
import { QueryBoundary } from './portal-parts.web.tsx';
import { ProductionAddOns } from './production-add-ons.web.tsx';
import { ProductionFiles } from './production-files.web.tsx';
import { ProductionFrame, type ProductionProps } from './production-frame.web.tsx';
import styles from './portal.module.css';

type Row = ResponseOf<typeof portalLicenseMaterialEndpoints.list>['data'][number];
const WAYS: Record<Row['fulfilment'], string> = { physical: 'by post', download: 'as a download',
  stream_app: 'in the app', email: 'by email' };

export default function ProductionMaterials() {
  return <ProductionFrame>{(props) => <Materials {...props} />}</ProductionFrame>;
}

function Materials({ production, portal }: ProductionProps) {
  const params = { id: portal.customerId, licenseId: production.id };
  const read = useEndpoint(portalLicenseMaterialEndpoints.list, { params, query: { per_page: 100 } });
  const parcels = useEndpoint(licenseParcelEndpoints.list, { params });
  // They stand above: come later, they would push the list down.
  const above = [parcels, useEndpoint(portalLicenseFileEndpoints.list, { params }),
    useEndpoint(portalLicenseAddOnEndpoints.list, { params })];
  const rows = above.some((one) => one.isPending) ? undefined : read.data?.data;
  return (
    <QueryBoundary read={{ data: rows, isError: read.isError, error: read.error, refetch: read.refetch }}>
      {(rows) => (
        <>
          {parcels.data?.data.map((parcel) => <SentParcel key={parcel.id} parcel={parcel} />)}
          <ProductionFiles production={production} portal={portal} />
          <ProductionAddOns production={production} portal={portal} />
          <Planned rows={rows} />
        </>
      )}
    </QueryBoundary>
  );
}

/** A parcel from its release on: where it is, what is in it and what of it comes back. */
function SentParcel({ parcel }: { parcel: LicenseParcel }) {
  const back = parcel.lines.reduce((sum, line) => sum + line.outstanding, 0);
  return (
    <Card title={`Parcel ${parcel.number}`} right={<ParcelState status={parcel.status} />}>
      <KeyValue columns={2} facts={[
        parcel.shipped_on !== null && { label: 'Shipped', value: formatDay(parcel.shipped_on) },
        carrierFact(parcel),
        parcel.delivered_on !== null && { label: 'Delivered', value: formatDay(parcel.delivered_on) },
        back > 0 && parcel.return_due_on !== null
          && { label: 'Send back',
            value: `${back} ${back === 1 ? 'piece' : 'pieces'} by ${formatDay(parcel.return_due_on)}` },
        { label: 'To', wide: true,
          value: [parcel.ship_to_name, addressLine(parcel.ship_to)].filter(Boolean).join(', ') },
        { label: 'Contents', wide: true,
          value: parcel.lines.map((line) => `${line.quantity} × ${line.description}`).join(', ') },
      ]} />
    </Card>
  );
}

/** Lines that leave on one day come together. */
function Planned({ rows }: { rows: readonly Row[] }) {
  if (rows.length === 0) {
    return <EmptyState title="No materials yet" text="Books, scores and parts appear here once we know your cast." />;
  }
  const days = [...new Set(rows.map((row) => row.ships_on))].sort((a, b) => (a ?? '9999').localeCompare(b ?? '9999'));
  return (
    <>
      {days.map((day) => (
        <Card key={day ?? 'later'} title={day === null ? spell`Once your license is valid` : `From ${formatDay(day)}`}>
          <ul className={styles.list}>
            {rows.filter((row) => row.ships_on === day).map((row) => <Item key={row.id} row={row} />)}
          </ul>
        </Card>
      ))}
    </>
  );
}

const copies = ({ quantity }: Row): string =>
  quantity === 1 ? 'One copy' : `${quantity.toLocaleString('en-US')} copies`;

function Item({ row }: { row: Row }) {
  return (
    <li className={styles.item}>
      <span className={styles.itemText}>
        <strong>{row.name}</strong>
        <span>
          {[copies(row), WAYS[row.fulfilment], row.returns_on && `return by ${formatDay(row.returns_on)}`]
            .filter(Boolean).join(', ')}
        </span>
      </span>
      <span className={styles.itemSide}>
        {row.included_in_package ? <Badge tone="outline">In the package</Badge>
          : formatAmount(BigInt(row.unit_price_minor * row.quantity), row.currency)}
      </span>
    </li>
  );
}
