/** A payment that arrived: how much, by which way, the documents it settled, what is left of it, and its receipt. */
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { urlOf } from '#kit/client.ts';
import { portalReceiptEndpoints, type PortalReceipt } from '#modules/receivables/portal/portal-receipt.contract.ts';
import { Badge } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { methodWords } from './money-words.web.ts';
import { Numbered, PortalHead, QueryBoundary, usePortal, type Portal } from './portal-parts.web.tsx';
import styles from './portal.module.css';

type Props = { receipt: PortalReceipt; portal: Portal };

function Part({ title, note, minor, currency, href }: {
  title: ReactNode; note?: string | null; minor: number; currency: string; href?: string;
}) {
  const inside = (
    <>
      <span className={styles.itemText}><strong>{title}</strong>{note && <span>{note}</span>}</span>
      <span className={styles.itemSide}>
        <Money minor={minor} currency={currency} />{href && <Glyph icon={ChevronRight} size={18} />}
      </span>
    </>
  );
  return href === undefined ? <li className={styles.item}>{inside}</li>
    : <li><AppLink href={href} className={styles.item}>{inside}</AppLink></li>;
}

/** Together the amount received. */
function UsedFor({ receipt, portal }: Props) {
  const { currency, deposit } = receipt;
  if (receipt.returned_on !== null) {
    return <p className={styles.muted}>Your bank took this payment back on {formatDay(receipt.returned_on)}, so
      it pays nothing. What it had paid is open again.</p>;
  }
  return (
    <ul className={styles.list}>
      {deposit && <Part title="Deposit" note={deposit.license_title} minor={receipt.amount_minor} currency={currency}
        href={`${portal.base}/deposits/${deposit.id}`} />}
      {receipt.settled.map((one) => (
        <Part key={one.invoice_id} title={<Numbered kind="Invoice" number={one.number} />} note={one.license_title}
          minor={one.settled_minor} currency={currency} href={`${portal.base}/invoices/${one.invoice_id}`} />
      ))}
      {receipt.given_back_minor > 0 && <Part title="Refunded or taken back" minor={receipt.given_back_minor}
        currency={currency} />}
      {!deposit && <Part title="Left on your account" minor={receipt.left_minor} currency={currency}
        note={receipt.left_minor > 0 ? 'It pays your next invoices.' : null} />}
    </ul>
  );
}

function Receipt({ receipt, portal }: Props) {
  const back = receipt.returned_on !== null;
  return (
    <>
      <PortalHead title="Payment" back={{ href: `${portal.base}/transactions?view=movements`, text: 'Payments' }}
        badges={<Badge tone={back ? 'error' : 'ok'}>{back ? 'Returned' : 'Received'}</Badge>}
        facts={[receipt.number, formatDay(receipt.paid_on)]}>
        <PdfLink title={`Receipt ${receipt.number}`} fileName={`${receipt.number}.pdf`}
          href={urlOf(portalReceiptEndpoints.document, { id: portal.customerId, receiptId: receipt.id })}>
          Receipt (PDF)</PdfLink>
      </PortalHead>
      <Card title="Amount received">
        <div className={styles.stack}>
          <p className={styles.price}><span>{receipt.currency}</span>{formatAmount(receipt.amount_minor)}</p>
          <p className={styles.muted}>
            {[methodWords(receipt.method), receipt.reference].filter(Boolean).join(', ')}</p>
        </div>
      </Card>
      <Card title="Used for"><UsedFor receipt={receipt} portal={portal} /></Card>
    </>
  );
}

export default function ReceiptPage() {
  const portal = usePortal();
  const receiptId = useIdParam('receiptId');
  const read = useEndpoint(portalReceiptEndpoints.show, { params: { id: portal.customerId, receiptId } });
  return (
    <QueryBoundary read={read} page="Payment">
      {({ data }) => <Receipt receipt={data} portal={portal} />}
    </QueryBoundary>
  );
}
