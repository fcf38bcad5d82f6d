/** An invoice of a production, read inside its licence: lines, tax, what was received, and the document itself. */
import { FileText } from 'lucide-react';
import { urlOf } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { invoiceEndpoints, type InvoiceDetail } from '#modules/receivables/invoices/invoice.contract.ts';
import { jurisdictionName } from '#modules/taxation/jurisdiction.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { useTellInside } from '#web/layout/crumb-trail.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useIdParam } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { percentText } from '#kernel/pricing/trace.ts';
import { LicenseFrame } from '../licenses/license-frame.web.tsx';
import type { LicenseView } from '../licenses/license-view.web.ts';
import { plainWords } from '../words.web.ts';
import { InvoiceBadge } from './transactions-tab.web.tsx';
import styles from '../licensing.module.css';

export default function LicenseInvoice() {
  return <LicenseFrame>{(view) => <Invoice view={view} />}</LicenseFrame>;
}

type Item = InvoiceDetail['items'][number];
type Payment = InvoiceDetail['payments'][number];
type Tax = InvoiceDetail['taxes'][number];

const itemColumns = (invoice: InvoiceDetail): readonly Column<Item>[] => [
  { id: 'description', header: 'Line', kind: 'title', cell: (row) => row.description, width: 300 },
  { id: 'quantity', header: 'Quantity', kind: 'number', cell: (row) => row.quantity.toLocaleString('en-US'),
    width: 80 },
  { id: 'unit', header: 'Each', kind: 'money', cell: (row) => row.unit_minor, width: 110 },
  { id: 'net', header: 'Net', kind: 'money', cell: (row) => row.net_minor, total: BigInt(invoice.net_minor),
    width: 110 },
  { id: 'tax', header: 'Tax', kind: 'money', cell: (row) => row.tax_minor, total: BigInt(invoice.tax_minor),
    width: 100 },
  { id: 'total', header: 'Total', kind: 'money', cell: (row) => row.total_minor, total: BigInt(invoice.total_minor),
    width: 110 },
];
const taxColumns: readonly Column<Tax>[] = [
  { id: 'jurisdiction', header: 'Tax', kind: 'title', width: 180,
    cell: (row) => (row.jurisdiction === '' ? row.code : jurisdictionName(row.jurisdiction)) },
  { id: 'rate', header: 'Rate', kind: 'number', cell: (row) => `${percentText(BigInt(row.rate_ppm))}%`, width: 90 },
  { id: 'reason', header: 'Why', kind: 'muted', cell: (row) => row.reason, width: 260 },
  { id: 'base', header: 'Of', kind: 'money', cell: (row) => row.base_minor, width: 110 },
  { id: 'tax', header: 'Amount', kind: 'money', cell: (row) => row.tax_minor, width: 110 },
];
const paymentColumns: readonly Column<Payment>[] = [
  { id: 'number', header: 'Receipt', kind: 'title', cell: (row) => row.number, width: 160 },
  { id: 'paid', header: 'Received', kind: 'date', cell: (row) => row.paid_on, width: 110 },
  { id: 'method', header: 'How', kind: 'muted', cell: (row) => plainWords(row.method), width: 120 },
  { id: 'reference', header: 'Reference', kind: 'muted', cell: (row) => row.reference, width: 180 },
  { id: 'applied', header: 'Applied', kind: 'money', cell: (row) => row.applied_minor, width: 110 },
];

function Invoice({ view }: { view: LicenseView }) {
  const id = useIdParam('invoiceId');
  const known = Number.isInteger(id);
  const read = useEndpoint(invoiceEndpoints.show, { params: { id } }, { enabled: known });
  const list = `${view.place.base}/transactions`;
  const invoice = read.data?.data;
  const here = invoice?.id === id && invoice.license_id === view.license.id;
  useTellInside(here ? `${plainWords(invoice.kind)} ${invoice.number ?? '(draft)'}` : undefined);
  if (!known || read.isError || (invoice && invoice.license_id !== view.license.id)) {
    return <EmptyState role="alert" title="This invoice is not shown here"
      text={read.error?.message ?? spell`It belongs to another license.`}
      action={<ButtonLink href={list}>Transactions</ButtonLink>} />;
  }
  if (!invoice || invoice.id !== id) return <PageContent record><Skeleton height={260} /></PageContent>;
  return <InvoiceBody invoice={invoice} list={list} />;
}

function InvoiceBody({ invoice, list }: { invoice: InvoiceDetail; list: string }) {
  const url = urlOf(invoiceEndpoints.document, { id: invoice.id });
  const title = `${plainWords(invoice.kind)} ${invoice.number ?? '(draft)'}`;
  return (
    <PageContent record fullWidth>
      <div className={styles.subhead}>
        <h2 className={styles.venueName}>{title}</h2>
        <InvoiceBadge row={invoice} />
        <span className={styles.grow} />
        <ButtonLink href={list} variant="quiet">All transactions</ButtonLink>
        {invoice.number && (
          <Button icon={<Glyph icon={FileText} />} onClick={() => { window.open(url, '_blank',
            'noopener'); }}>Open the document</Button>
        )}
      </div>
      <StatStrip label="Sum of the invoice" stats={[
        { label: 'Net', value: formatAmount(invoice.net_minor) }, { label: 'Tax',
          value: formatAmount(invoice.tax_minor), sign: '+' },
        { label: 'Total', value: formatAmount(invoice.total_minor), sign: '=' },
        { label: 'Paid', value: formatAmount(invoice.paid_minor + invoice.prepaid_minor), sign: '−' },
        ...(invoice.credited_minor > 0 ? [{ label: 'Credited', value: formatAmount(invoice.credited_minor),
          sign: '−' as const }] : []),
        { label: `Open ${invoice.currency}`, value: formatAmount(invoice.balance_minor), sign: '=', strong: true },
      ]} />
      {invoice.reason && <Callout tone="info" title="Reason">{invoice.reason}</Callout>}
      <Section title="Billed">
        <KeyValue columns={4} facts={[
          { label: 'To', value: invoice.billing_name },
          invoice.issued_on !== null && { label: 'Issued', value: <DateText value={invoice.issued_on} /> },
          invoice.due_on !== null && { label: 'Due', value: <DateText value={invoice.due_on} /> },
          Boolean(invoice.purchase_order_no) && { label: 'Purchase order', value: invoice.purchase_order_no },
          Boolean(invoice.customer_vat_number) && { label: 'VAT number', value: invoice.customer_vat_number },
          Boolean(invoice.credits_number) && { label: 'Credits', value: invoice.credits_number },
        ]} />
      </Section>
      <Section title="Lines" count={invoice.items.length}>
        <DataTable label="Lines of the invoice" variant="record" columns={itemColumns(invoice)} rows={invoice.items}
          rowKey={(row) => row.id}
          totalLabel={`Total ${invoice.currency}`} />
      </Section>
      {invoice.taxes.length > 0 && (
        <Section title="Tax">
          <DataTable label="Tax of the invoice" variant="record" columns={taxColumns} rows={invoice.taxes}
            rowKey={(row) => row.id} />
        </Section>
      )}
      {invoice.payments.length > 0 && (
        <Section title="Received">
          <DataTable label="Receipts" variant="record" columns={paymentColumns} rows={invoice.payments}
            rowKey={(row) => row.payment_id} />
        </Section>
      )}
      {invoice.credit_notes.length > 0 && (
        <Section title="Credit notes">
          <ul className={styles.lines}>
            {invoice.credit_notes.map((note) => (
              <li key={note.id}>
                <div className={styles.grow}><strong>{note.number}</strong> <span
                  className={styles.muted}>{note.reason}</span></div>
                <DateText value={note.issued_on} /> <Money minor={-note.total_minor} strong />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </PageContent>
  );
}
