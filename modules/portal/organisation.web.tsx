/** Recent activity, and the facts we keep about the organisation; its admins ask for changes of some. */
import { ChevronRight } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { addressLine } from '#kernel/address/address-lines.ts';
import { spell } from '#kernel/text/english.ts';
import { portalEndpoints, type PortalActivity } from '#modules/licensing/portal/portal.contract.ts';
import { formatInstant } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { typeTitle } from './document-words.web.ts';
import { CardSkeleton, Pager, PortalHead, QueryBoundary, usePortal, WAITING } from './portal-parts.web.tsx';
import { sentence } from './portal-words.web.ts';
import styles from './portal.module.css';

/** With their form, which the facts around them do not wait for. */
const ShippingAddresses = lazy(() => import('./shipping-addresses.web.tsx')
  .then((file) => ({ default: file.ShippingAddresses })));

const TABS: Partial<Record<PortalActivity['kind'], string>> = { report: 'box-office', document: 'documents',
  message: 'messages', parcel: 'materials' };

/** Screen where the thing itself is. */
function placeOf(base: string, { kind, license_id, record_id }: PortalActivity): string {
  if (kind === 'payment') return `${base}/transactions`;
  if (kind === 'invoice') return `${base}/invoices/${record_id}`;
  if (kind === 'perusal') return `${base}/perusals/${record_id}`;
  if (kind === 'order') return `${base}/orders/${record_id}`;
  return `${base}/productions/${license_id}/${TABS[kind] ?? 'overview'}`;
}

function factsOf(row: PortalActivity): string {
  const amount = row.amount_minor === null || row.currency === null ? ''
    : formatAmount(row.amount_minor, row.currency);
  const paper = row.kind === 'document' ? typeTitle(row.number) : '';
  const number = ['payment', 'invoice', 'perusal', 'order', 'parcel'].includes(row.kind) ? row.number : '';
  return [paper, row.title, number, amount, row.actor_name].filter(Boolean).join(', ');
}

const OwnDetails = lazy(() => import('./own-details.web.tsx').then((file) => ({ default: file.OwnDetailsCard })));

const Certificates = lazy(() => import('./certificates.web.tsx').then((file) => ({ default: file.Certificates })));

export function Activity() {
  const { customerId, base } = usePortal();
  const { values } = useQueryValues();
  const read = useEndpoint(portalEndpoints.activity, {
    params: { id: customerId }, query: { page: Number(values.get('page') ?? 1) || 1 },
  });
  return (
    <>
      <PortalHead title="Activity" back={{ href: base, text: 'Home' }}
        facts={['Productions, payments, perusals, orders, reports, documents and messages, newest first']} />
      <QueryBoundary read={read}>
        {({ data, meta }) => (
          <Card>
            {data.length === 0
              ? <EmptyState title="Nothing has happened yet" text="Offers, signatures and payments are listed here." />
              : (
                <ul className={styles.list}>
                  {data.map((row) => (
                    <li key={row.id}>
                      <AppLink href={placeOf(base, row)} className={styles.item}>
                        <span className={styles.itemText}>
                          <strong>{row.event_label}</strong>
                          <span>{factsOf(row)}</span>
                        </span>
                        <span className={styles.itemSide}>
                          <Moment at={row.created_at} />
                          <Glyph icon={ChevronRight} size={18} />
                        </span>
                      </AppLink>
                    </li>
                  ))}
                </ul>
              )}
            <Pager meta={meta} />
          </Card>
        )}
      </QueryBoundary>
    </>
  );
}

/** Breaks before the hour in narrow space, never within it. */
function Moment({ at }: { at: string }) {
  const words = formatInstant(at);
  const hour = words.lastIndexOf(', ') + 2;
  return <span className={styles.moment}>{words.slice(0, hour)}<span>{words.slice(hour)}</span></span>;
}

const ROLES: Record<string, string> = {
  admin: 'Admin: applies, signs, pays and manages users', signer: 'Signer: applies, signs and pays',
  member: 'Member: reads and prepares applications',
};

export function Information() {
  const { customerId, base, held } = usePortal();
  const read = useEndpoint(portalEndpoints.information, { params: { id: customerId } });
  return (
    <QueryBoundary read={read} page={spell`Your organization`}>
      {({ data }) => (
        <>
          <PortalHead title={data.name} back={{ href: base, text: 'Home' }} facts={[ROLES[data.role]]} />
          <Card title={spell`Your organization`}>
            <KeyValue columns={3} facts={[
              { label: 'Legal name', value: data.legal_name ?? data.name },
              { label: 'Customer number', value: data.number },
              { label: 'Kind', value: [...new Set([sentence(data.kind.replaceAll('_', ' ')),
                ...data.classifications])].join(', ') },
              { label: 'Phone', value: data.phone }, { label: 'Website', value: data.website },
              { label: 'Statement email', value: data.statement_email },
              { label: 'VAT number', value: data.vat_number },
              { label: 'Payment terms', value: data.payment_terms_days === 0 ? 'Due on receipt'
                : `${data.payment_terms_days} days` },
              { label: 'Currency', value: data.default_currency },
              { label: 'Billing address', value: addressLine(data.billing_address), wide: true },
            ].filter((fact) => fact.value)} />
          </Card>
          <Suspense fallback={<CardSkeleton {...WAITING.addresses} />}>
            <Certificates customerId={customerId} mayChange={held === undefined && data.role !== 'member'}
              country={data.billing_address?.country_code ?? (data.default_currency === 'USD' ? 'US' : null)}
              state={data.billing_address?.administrative_area} />
            <OwnDetails customerId={customerId} mayAsk={held === undefined && data.role === 'admin'} />
            <ShippingAddresses customerId={customerId} mayChange={held === undefined && data.role !== 'member'} />
          </Suspense>
          <Card title="Venues">
            {data.venues.length === 0
              ? <p className={styles.muted}>{spell`No venues on file. You can add one when you
                apply.`}</p>
              : (
                <ul className={styles.list}>
                  {data.venues.map((venue) => (
                    <li key={venue.id} className={styles.item}>
                      <span className={styles.itemText}><strong>{venue.name}</strong></span>
                    </li>
                  ))}
                </ul>
              )}
          </Card>
          <p className={styles.small}>{spell`See a mistake? Contact your licensing representative; we’ll correct
            it.`}</p>
        </>
      )}
    </QueryBoundary>
  );
}
