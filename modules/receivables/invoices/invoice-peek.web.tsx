/** An invoice beside its list: its lines, what was paid on them, and what is open. */
import { Badge } from '#web/data/badge.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { PeekHappenings } from '#web/data/peek-record.tsx';
import { PeekLines, PeekSection, PeekView, PeekWait, type PeekLine } from '#web/data/peek-view.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { KIND_LABELS, METHOD_LABELS, STATUS_LABELS, STATUS_TONES } from './invoice-labels.web.ts';
import { invoiceEndpoints, type InvoiceDetail, type InvoiceRow } from './invoice.contract.ts';

export default function InvoicePeek({ row }: { row: InvoiceRow }) {
  const may = useMay();
  const read = useEndpoint(invoiceEndpoints.show, { params: { id: row.id } });
  const invoice = read.data?.data.id === row.id ? read.data.data : undefined;
  return (
    <PeekView code={row.number ?? `Draft ${row.id}`} title={row.customer_name}
      under={[row.license_title, row.license_number].filter(Boolean).join(', ')}
      badges={(
        <>
          <Badge tone={row.overdue ? 'error' : STATUS_TONES[row.status]}>
            {row.overdue ? 'Overdue' : STATUS_LABELS[row.status]}</Badge>
          <Badge tone="outline">{KIND_LABELS[row.kind]}</Badge>
        </>
      )}
      foot={row.license_id !== null && may('license.show') && (
        <ButtonLink href={`/admin/customers/${row.customer_id}/productions/${row.license_id}`}>Production</ButtonLink>
      )}>
      {invoice ? <Lines invoice={invoice} /> : !read.isError && <PeekWait title="Lines" lines={4} />}
      <PeekSection title="Document">
        <KeyValue layout="rows" facts={[
          row.issued_on !== null && { label: 'Issued', value: <DateText value={row.issued_on} /> },
          row.due_on !== null && { label: 'Due', value: <DateText value={row.due_on} /> },
          Boolean(invoice?.purchase_order_no) && { label: 'Purchase order', value: invoice?.purchase_order_no },
          { label: 'Division', value: `${row.division}, ${row.currency}` },
        ]} />
      </PeekSection>
      <PeekHappenings entity="invoice" id={row.id} />
    </PeekView>
  );
}

/** Line for an amount paid, credited or written off, as a deduction; zero is left out. */
function less(key: string, label: string, minor: number): PeekLine[] {
  return minor === 0 ? [] : [{ key, label, minor: -minor }];
}

/** '24.95 × 4' where that is how the line was made. */
function timesOf({ quantity, unit_minor, net_minor }: InvoiceDetail['items'][number]): string | undefined {
  return quantity > 1 && unit_minor * quantity === net_minor ? `${formatAmount(unit_minor)} × ${quantity}` : undefined;
}

function Lines({ invoice }: { invoice: InvoiceDetail }) {
  const settled = [
    ...less('prepaid', 'Paid on account', invoice.prepaid_minor),
    // Receipts have their own numbers; an application that was taken back stands with what is left of it.
    ...invoice.payments.flatMap((one) => less(`p${one.payment_id}`, `${METHOD_LABELS[one.method]} ${one.number}`,
      one.applied_minor)),
    ...less('credited', invoice.kind === 'credit_note' ? 'Used' : 'Credited', invoice.credited_minor),
    ...less('written', 'Written off', invoice.written_off_minor),
  ];
  const paid = invoice.payments.reduce((sum, one) => sum + one.applied_minor, 0);
  // If the receipts shown do not add up to the paid amount, only the total is shown.
  const told = paid === invoice.paid_minor ? settled : [
    ...less('prepaid', 'Paid on account', invoice.prepaid_minor), ...less('paid', 'Paid', invoice.paid_minor),
    ...settled.filter(({ key }) => key === 'credited' || key === 'written')];
  return (
    <PeekSection title="Lines">
      <PeekLines label="Lines"
        lines={[
          ...invoice.items.map((item) => ({ key: item.id, label: item.description, minor: item.net_minor,
            note: timesOf(item) })),
          ...(invoice.tax_minor === 0 ? [] : [{ key: 'tax', label: 'Tax', minor: invoice.tax_minor }]),
        ]}
        totals={[{ key: 'total', label: `Total ${invoice.currency}`, minor: invoice.total_minor }]} />
      {told.length > 0 && (
        <PeekLines label="Open amount" lines={told}
          totals={[{ key: 'open', label: invoice.kind === 'credit_note' ? 'Left' : 'Open',
            minor: invoice.balance_minor }]} />
      )}
    </PeekSection>
  );
}
