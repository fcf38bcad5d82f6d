/** One form beside the list: its boxes, the payments behind them, and the copy for the recipient. */
import { formatDay } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Drawer } from '#web/layout/overlay.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { STATUS_WORDS } from './year-end-words.web.ts';
import { yearEndEndpoints, type YearEndFormRow } from './year-end.contract.ts';
import styles from './year-end.module.css';

export function FormDrawer({ row, currency, onClose }: { row: YearEndFormRow; currency: string;
  onClose: () => void }) {
  const may = useMay();
  const link = may(row.recipient.startsWith('vendor') ? 'vendor.show' : 'royaltor.show');
  return (
    <Drawer open floating onClose={onClose} width={396} title={row.name}
      footer={row.id !== null && (
        <PdfLink title={`Copy for ${row.name}`} fileName="recipient-copy.pdf"
          href={yearEndEndpoints.copy.path.replace('{id}', String(row.id))}>Copy for the recipient</PdfLink>)}>
      <div className={styles.stack}>
        <KeyValue facts={[
          { label: 'Payee', value: link ? <AppLink href={row.href}>{row.name}</AppLink> : row.name },
          { label: 'Status', value: `${STATUS_WORDS[row.status]}${row.kind === 'correction' ? ', correction' : ''}` },
          { label: 'Address', value: row.address.join(', ') || 'None' },
          { label: 'Tax number', value: row.tin_last4 === null ? 'None' : `…${row.tin_last4}` },
          ...row.boxes.map((box) => ({ label: box.head, value: formatAmount(box.amount_minor, currency) })),
        ]} />
        {row.id === null ? <p>{`${row.payments} ${row.payments === 1 ? 'payment' : 'payments'}. Prepare the forms to `
          + 'see them one by one.'}</p> : <Payments id={row.id} currency={currency} />}
      </div>
    </Drawer>
  );
}

function Payments({ id, currency }: { id: number; currency: string }) {
  const may = useMay();
  const read = useEndpoint(yearEndEndpoints.form, { params: { id } });
  const paid = read.data?.data.paid ?? [];
  return (
    <KeyValue facts={paid.map((part) => ({
      label: `${part.number}, box ${part.box}`,
      value: (
        <>
          {may('payment.show')
            ? <AppLink href={`/admin/accounts-payable/payments/${part.payment_id}`}>{formatDay(part.paid_on)}</AppLink>
            : formatDay(part.paid_on)}
          {`: ${formatAmount(part.amount_minor, currency)}`}
          {part.withheld_minor > 0 && `, tax ${formatAmount(part.withheld_minor, currency)}`}
        </>),
    }))} />
  );
}
