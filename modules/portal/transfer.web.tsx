/** Paying by transfer: what to type into the bank's form, each to copy, and for euros a code that banking apps read. */
import { Check, Copy } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { spell } from '#kernel/text/english.ts';
import { grouped, routingName } from '#kernel/receivables/bank-numbers.ts';
import { epcPayload } from '#kernel/payment-files/epc-payment.ts';
import { minorToDecimal } from '#kernel/money/money.ts';
import { Button } from '#web/controls/button/button.tsx';
import { copyText } from '#web/controls/button/copy-text.ts';
import { Callout } from '#web/data/callout.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import type { PortalInvoice } from './money-words.web.ts';
import styles from './portal.module.css';

/** Few pay by code on the device that shows it: the part that draws arrives with the first. */
const QrCode = lazy(() => import('#web/data/qr-code.tsx').then((file) => ({ default: file.QrCode })));

/** px, as qr-code.module.css draws it. */
const QR_SIDE = 200;

interface Line { label: string; shown: string; copied: string }

/** An invoice, a payment request or a deposit. */
type OpenAmount = Pick<PortalInvoice, 'transfer' | 'currency' | 'balance_minor' | 'number'>;

/** Lines of the bank's form in its usual order; copied without blanks. */
export function transferLines(asked: OpenAmount): Line[] {
  const { transfer, currency, balance_minor: open } = asked;
  if (!transfer) return [];
  const lines: (Line | null)[] = [
    { label: 'Payee', shown: transfer.payee, copied: transfer.payee },
    transfer.iban === null ? null : { label: 'IBAN', shown: grouped(transfer.iban), copied: transfer.iban },
    transfer.bic === null ? null : { label: 'BIC', shown: transfer.bic, copied: transfer.bic },
    transfer.routing_number === null ? null : { label: routingName(transfer.routing_number),
      shown: transfer.routing_number, copied: transfer.routing_number },
    transfer.account_number === null ? null : { label: 'Account number', shown: transfer.account_number,
      copied: transfer.account_number },
    { label: 'Amount', shown: formatAmount(open, currency), copied: minorToDecimal(BigInt(open)) },
    { label: 'Reference', shown: transfer.reference, copied: transfer.reference },
  ];
  return lines.filter((line) => line !== null);
}

function Copyable({ line }: { line: Line }) {
  const [copied, setCopied] = useState(false);
  const copy = () => void copyText(line.copied).then(setCopied);
  return (
    <li className={styles.transferLine}>
      <span className={styles.itemText}><span>{line.label}</span><strong>{line.shown}</strong></span>
      <Button variant="quiet" icon={<Glyph icon={copied ? Check : Copy} />} onClick={copy}
        aria-label={`Copy ${line.label}`}>{copied ? 'Copied' : 'Copy'}</Button>
    </li>
  );
}

/** Payee and address of a check; nothing where checks are not taken. */
export function CheckTo({ to, number }: { to: readonly string[] | null; number: string | null }) {
  if (to === null) return null;
  const [payee, ...address] = to;
  return (
    <p className={styles.small}>
      {spell`Paying by check`}: make it out to {payee}, write {number} on it, and send it to {address.join(', ')}.
    </p>
  );
}

/** Nothing where only checks are taken, whose address follows; else whom to ask. */
export function OnlyByCheck({ asked }: { asked: OpenAmount & Pick<PortalInvoice, 'check_to'> }) {
  return asked.check_to === null ? <Transfer asked={asked} /> : null;
}

/** To somebody who may not pay here. */
export function ForOthers({ children }: { children: ReactNode }) {
  return (
    <>
      <p className={styles.muted}>{spell`An admin or signer of your organization pays this here. A transfer can be made
        by whoever pays your bills.`}</p>
      {children}
    </>
  );
}

/** `name`: what stays open until the money arrives. */
export function Transfer({ asked, name = 'invoice' }: { asked: OpenAmount; name?: string }) {
  const { transfer, number, currency } = asked;
  if (!transfer) {
    return (
      <Callout title="Ask us where to transfer to">
        Our account for {currency} is not shown here yet. Ask your contact with us, by the address that our mail comes
        from, and name {number ?? 'this request'}.
      </Callout>
    );
  }
  const payload = currency === 'EUR' && transfer.iban !== null
    ? epcPayload({ ...transfer, iban: transfer.iban, amount_minor: asked.balance_minor }) : null;
  return (
    <div className={styles.stack}>
      <ul className={styles.list}>
        {transferLines(asked).map((line) => <Copyable key={line.label} line={line} />)}
      </ul>
      {transfer.bank_name && <p className={styles.small}>Held at: {transfer.bank_name}</p>}
      {payload && (
        <figure className={styles.payCode}>
          <Suspense fallback={<Skeleton width={QR_SIDE} height={QR_SIDE} />}>
            <QrCode text={payload} label={`Code for banking apps: ${formatAmount(asked.balance_minor, currency)} to ${
              transfer.payee}, reference ${transfer.reference}. The same stands above in words.`} />
          </Suspense>
          <figcaption className={styles.small}>Scan it with your banking app: account, amount and reference are filled
            in. For transfers in euros within SEPA.</figcaption>
        </figure>
      )}
      <p className={styles.small}>Write the reference, so that we find your payment. The {name} stays open until it
        arrives.</p>
    </div>
  );
}
