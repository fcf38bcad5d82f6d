/** One invoice: what it bills, its tax, what has paid it, what became of its income, and the way back. */
import type { ReactNode } from 'react';
import { addressLine } from '#kernel/address/address-lines.ts';
import { reasonWords } from '#kernel/licensing/pay-by.ts';
import { jurisdictionName } from '#modules/taxation/jurisdiction.contract.ts';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { divisionAndCurrency } from '#web/layout/division.ts';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { StatStrip, type Stat } from '#web/layout/stat-strip.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { invoiceEndpoints, type InvoiceDetail, type InvoiceItemRow } from './invoice.contract.ts';
import { LateInterest } from '../late-interest/late-interest.web.tsx';
import { InvoiceActions, UnapplyButton } from './invoice-actions.web.tsx';
import { TaxSourceNote } from './tax-source-note.web.tsx';
import { VatProofNote } from './vat-proof-note.web.tsx';
import { VersionNote } from './version-note.web.tsx';
import { KIND_LABELS, METHOD_LABELS, RELEASE_LABELS, STATUS_LABELS, STATUS_TONES } from './invoice-labels.web.ts';

const LIST = '/admin/accounts-receivable/invoices';

export default function InvoicePage() {
  const id = useIdParam('invoiceId');
  const read = useEndpoint(invoiceEndpoints.show, { params: { id } });
  if (read.isError && !read.data) {
    return <RecordProblem noun="invoice" list={LIST} error={read.error} onRetry={() => void read.refetch()} />;
  }
  const invoice = read.data?.data;
  return (
    <>
      <PageHeader title={invoice ? `${KIND_LABELS[invoice.kind]} ${invoice.number ?? 'draft'}` : 'Invoice'} back={LIST}
        crumbs={invoice?.number ? [{ label: invoice.number }] : undefined}
        activity={invoice && { entity: 'invoice', id: invoice.id }}
        badges={invoice && <StatusBadge invoice={invoice} />}
        waiting={!invoice}
        subtitle={invoice && [
          <AppLink key="customer" href={`/admin/customers/${invoice.customer_id}/information`} className="gr-link">
            {invoice.customer_name}
          </AppLink>,
          invoice.license_id !== null && (
            <AppLink key="license" className="gr-link"
              href={`/admin/customers/${invoice.customer_id}/productions/${invoice.license_id}`}>
              {invoice.license_number} {invoice.license_title}
            </AppLink>
          ),
          divisionAndCurrency(invoice),
        ]}>
        {invoice && <InvoiceActions invoice={invoice} />}
      </PageHeader>
      {invoice ? <Body invoice={invoice} /> : (
        <PageContent record>{[420, 520, 380].map((width) => <p key={width}><Skeleton width={width} height={18} /></p>)}
        </PageContent>
      )}
    </>
  );
}

function StatusBadge({ invoice }: { invoice: InvoiceDetail }) {
  if (invoice.overdue) return <Badge tone="error">Overdue</Badge>;
  return <Badge tone={STATUS_TONES[invoice.status]}>{STATUS_LABELS[invoice.status]}</Badge>;
}

function Body({ invoice }: { invoice: InvoiceDetail }) {
  return (
    <PageContent record fullWidth>
      <StatStrip label="Billed and open" stats={sumOf(invoice)} />
      <Section title="Document">
        <Notice invoice={invoice} />
        <VersionNote invoice={invoice} />
        <TaxSourceNote invoice={invoice} />
        <VatProofNote invoice={invoice} />
        <Facts invoice={invoice} />
      </Section>
      <Section title="Lines" count={invoice.items.length}>
        <DataTable label="Lines" variant="record" columns={withTotals(invoice)} rows={invoice.items}
          rowKey={(row) => row.id} totalLabel="Total" />
      </Section>
      {invoice.taxes.length > 0 && (
        <Section title="Tax" description={invoice.status === 'draft' ? 'Determined again on the day of issue.'
          : 'Tax on an issued invoice does not change.'}>
          <DataTable label="Tax" variant="record" columns={taxColumns} rows={invoice.taxes} rowKey={(row) => row.id} />
        </Section>
      )}
      <Payments invoice={invoice} />
      <LateInterest key={invoice.id} invoice={invoice} />
      {invoice.write_offs.length > 0 && (
        <Section title="Write-offs and withheld tax" count={invoice.write_offs.length}>
          <DataTable label="Write-offs and withheld tax" variant="record" columns={writeOffColumns}
            rows={invoice.write_offs} rowKey={(row) => row.id} />
        </Section>
      )}
      {invoice.credit_notes.length > 0 && (
        <Section title="Credit notes" count={invoice.credit_notes.length}>
          <DataTable label="Credit notes" variant="record" columns={creditColumns} rows={invoice.credit_notes}
            rowKey={(row) => row.id} rowHref={(row) => `${LIST}/${row.id}`} />
        </Section>
      )}
    </PageContent>
  );
}

/** Net and tax are the total; what has been paid, credited and given up leaves what is open. */
function sumOf(invoice: InvoiceDetail): Stat[] {
  const less = (label: string, minor: number): Stat[] => (minor === 0 ? []
    : [{ label, sign: '−', value: <Money minor={minor} /> }]);
  const settled = [...less('Paid on account', invoice.prepaid_minor - invoice.prepaid_tax_minor),
    ...less('Tax on it', invoice.prepaid_tax_minor),
    ...less(invoice.kind === 'credit_note' ? 'Left on account' : 'Paid', invoice.paid_minor),
    ...less(invoice.kind === 'credit_note' ? 'Used' : 'Credited', invoice.credited_minor),
    ...less('Written off', invoice.written_off_minor)];
  return [
    { label: `Net, ${invoice.currency}`, value: <Money minor={invoice.net_minor} /> },
    { label: 'Tax', sign: '+', value: <Money minor={invoice.tax_minor} /> },
    { label: 'Total', sign: '=', strong: settled.length === 0, value: <Money minor={invoice.total_minor} /> },
    ...settled,
    ...(settled.length === 0 ? [] : [{ label: invoice.kind === 'credit_note' ? 'Left' : 'Open', sign: '=' as const,
      strong: true, tone: invoice.overdue ? 'error' as const : undefined,
      value: <Money minor={invoice.balance_minor} /> }]),
  ];
}

function Notice({ invoice }: { invoice: InvoiceDetail }) {
  if (invoice.kind === 'proforma' && invoice.status === 'proforma') {
    return (
      <Callout tone="info" title="Not a tax invoice">
        It has a reference and no posting. A tax invoice is issued when it is paid.
      </Callout>
    );
  }
  if (invoice.dispute) {
    return (
      <Callout tone="warn"
        title={`The customer disputes ${formatAmount(invoice.dispute.amount_minor, invoice.currency)}`}>
        It is open again until the bank decides, and no reminder goes out.{' '}
        <AppLink className="gr-link" href={`/admin/accounts-receivable/disputes?search=${invoice.dispute.dispute_id}`}>
          Open the dispute</AppLink>
      </Callout>
    );
  }
  if (invoice.credits_invoice_id !== null) {
    return (
      <Callout tone="info" title="Credits an invoice">
        <AppLink href={`${LIST}/${invoice.credits_invoice_id}`} className="gr-link">{invoice.credits_number}</AppLink>
        {invoice.reason && `: ${invoice.reason}`}
        {invoice.on_account_payment_id !== null && (
          <>{' '}The remainder is <AppLink className="gr-link"
            href={`/admin/accounts-receivable/payments/${invoice.on_account_payment_id}`}>on account</AppLink>.</>)}
      </Callout>
    );
  }
  return null;
}

function Facts({ invoice }: { invoice: InvoiceDetail }) {
  const fact = (label: string, value: ReactNode) => (value === null || value === '' || value === undefined
    || value === false ? false
    : { label, value });
  return (
    <KeyValue facts={[
      fact('Billed to', [invoice.billing_name, addressLine(invoice.billing_address)].filter(Boolean).join(', ')),
      fact('Issued', invoice.issued_on && <DateText value={invoice.issued_on} />),
      fact('Due', invoice.due_on && (
        <><DateText value={invoice.due_on} />{invoice.due_reason !== null
          && `, ${reasonWords(invoice.due_reason, (day) => formatDay(day), 'staff')}`}</>)),
      fact('Purchase order', invoice.purchase_order_no),
      fact('Customer VAT number', invoice.customer_vat_number), fact('Our VAT number', invoice.division_vat_number),
      fact('Made of', invoice.proforma_id !== null && (
        <AppLink href={`${LIST}/${invoice.proforma_id}`} className="gr-link">{invoice.proforma_reference}</AppLink>)),
      fact('Journal', invoice.transaction_id !== null && (
        <AppLink href={`/admin/accounting/transactions/${invoice.transaction_id}`} className="gr-link">
          <CodeText>{`Transaction ${invoice.transaction_id}`}</CodeText>
        </AppLink>)),
      fact('Exchange rate', invoice.functional_rate && Number(invoice.functional_rate) !== 1
        && invoice.functional_rate),
      fact('Notes', invoice.notes), fact('Legal', invoice.legal_texts.join(' ')),
    ]} />
  );
}

const itemColumns: readonly Column<InvoiceItemRow>[] = [
  { id: 'description', header: 'Description', cell: (row) => row.description, width: 280, fixed: true },
  { id: 'quantity', header: 'Qty', kind: 'number', cell: (row) => row.quantity, width: 60 },
  { id: 'net', header: 'Net', kind: 'money', cell: (row) => BigInt(row.net_minor), width: 120 },
  { id: 'tax', header: 'Tax', kind: 'money', cell: (row) => BigInt(row.tax_minor), width: 110 },
  { id: 'total', header: 'Total', kind: 'money', cell: (row) => BigInt(row.total_minor), width: 120 },
  { id: 'applied', header: 'Paid', kind: 'money', cell: (row) => BigInt(row.applied_minor), width: 120 },
  { id: 'release', header: 'Becomes income', kind: 'muted', width: 160,
    cell: (row) => RELEASE_LABELS[row.release_rule] },
  { id: 'deferred', header: 'Still deferred', kind: 'money', cell: (row) => BigInt(row.deferred_minor), width: 130 },
];
function withTotals(invoice: InvoiceDetail): readonly Column<InvoiceItemRow>[] {
  const totals: Record<string, number> = { net: invoice.net_minor, tax: invoice.tax_minor, total: invoice.total_minor,
    applied: invoice.items.reduce((all, item) => all + item.applied_minor, 0),
    deferred: invoice.items.reduce((all, item) => all + item.deferred_minor, 0) };
  return itemColumns.map((column) => {
    const total = totals[column.id];
    return total === undefined ? column : { ...column, total: BigInt(total) };
  });
}

const taxColumns: readonly Column<InvoiceDetail['taxes'][number]>[] = [
  { id: 'jurisdiction', header: 'Jurisdiction', cell: (row) => jurisdictionName(row.jurisdiction), width: 220,
    fixed: true },
  { id: 'code', header: 'Code', kind: 'code', cell: (row) => row.code, width: 140 },
  { id: 'rate', header: 'Rate', kind: 'number', cell: (row) => `${row.rate_ppm / 10_000}%`, width: 90 },
  { id: 'base', header: 'Taxable', kind: 'money', cell: (row) => BigInt(row.base_minor), width: 130 },
  { id: 'tax', header: 'Tax', kind: 'money', cell: (row) => BigInt(row.tax_minor), width: 120 },
  { id: 'reason', header: 'Why', kind: 'muted', cell: (row) => row.reason, width: 300 },
];
const creditColumns: readonly Column<InvoiceDetail['credit_notes'][number]>[] = [
  { id: 'number', header: 'Number', kind: 'title', cell: (row) => row.number, width: 200, fixed: true },
  { id: 'issued', header: 'Issued', kind: 'date', cell: (row) => row.issued_on, width: 130 },
  { id: 'reason', header: 'Reason', kind: 'muted', cell: (row) => row.reason, width: 320 },
  { id: 'total', header: 'Total', kind: 'money', cell: (row) => BigInt(row.total_minor), width: 130 },
];

const WRITE_OFFS = { bad_debt: 'Written off', small_difference: 'Small difference', tax_withheld: 'Tax withheld' };
const writeOffColumns: readonly Column<InvoiceDetail['write_offs'][number]>[] = [
  { id: 'kind', header: 'Type', kind: 'title', cell: (row) => WRITE_OFFS[row.kind], width: 200, fixed: true },
  { id: 'on', header: 'Date', kind: 'date', cell: (row) => row.written_off_on, width: 130 },
  { id: 'reason', header: 'Reason', kind: 'muted', cell: (row) => row.reason, width: 320 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 130 },
  { id: 'taken_back', header: 'Reversed', kind: 'money', width: 130,
    cell: (row) => (row.taken_back_minor === 0 ? '' : BigInt(row.taken_back_minor)) },
];

function Payments({ invoice }: { invoice: InvoiceDetail }) {
  if (invoice.kind !== 'invoice' || invoice.number === null) return null;
  type Row = InvoiceDetail['payments'][number];
  const columns: readonly Column<Row>[] = [
    { id: 'number', header: 'Receipt', kind: 'title', cell: (row) => row.number, width: 190, fixed: true },
    { id: 'paid_on', header: 'Received', kind: 'date', cell: (row) => row.paid_on, width: 130 },
    { id: 'method', header: 'Method', kind: 'muted', cell: (row) => METHOD_LABELS[row.method], width: 110 },
    { id: 'reference', header: 'Reference', kind: 'muted', cell: (row) => row.reference, width: 200 },
    { id: 'amount', header: 'Receipt', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 130 },
    { id: 'applied', header: 'Applied here', kind: 'money', cell: (row) => BigInt(row.applied_minor), width: 130 },
    { id: 'actions', header: 'Actions', kind: 'actions', width: 110,
      cell: (row) => <UnapplyButton invoice={invoice} paymentId={row.payment_id} number={row.number} /> },
  ];
  return (
    <Section title="Receipts" count={invoice.payments.length}>
      <DataTable label="Receipts of the invoice" variant="record" columns={columns} rows={invoice.payments}
        rowKey={(row) => row.payment_id} rowHref={(row) => `/admin/accounts-receivable/payments/${row.payment_id}`}
        empty={{ title: 'Nothing received yet',
          text: invoice.due_on && invoice.balance_minor > 0 ? `Due ${formatDay(invoice.due_on)}.` : undefined }} />
    </Section>
  );
}
