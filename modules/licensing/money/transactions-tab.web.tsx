/** Money of a production: its invoices with what is open, its deposits, and every posting that carries its number. */
import { spell } from '#kernel/text/english.ts';
import { depositEndpoints } from '#modules/receivables/payments/payment.contract.ts';
import { invoiceEndpoints, type InvoiceRow } from '#modules/receivables/invoices/invoice.contract.ts';
import { transactionEndpoints } from '#modules/accounting/transaction/transaction.contract.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { Badge, type Tone } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { dayOf } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { RequestDeposit, SettleDeposit, type DepositRow } from './deposit-dialogs.web.tsx';
import type { LicenseRow } from '../licenses/license.contract.ts';
import { LicenseFrame } from '../licenses/license-frame.web.tsx';
import type { LicenseView } from '../licenses/license-view.web.ts';
import { plainWords, totalWords } from '../words.web.ts';

type TransactionRow = ResponseOf<typeof transactionEndpoints.list>['data'][number];

export default function TransactionsTab() {
  return <LicenseFrame>{(view) => <MoneyOf view={view} />}</LicenseFrame>;
}

export const INVOICE_TONES: Readonly<Record<InvoiceRow['status'], Tone>> = {
  draft: 'neutral', proforma: 'outline', issued: 'info', part_paid: 'brass', paid: 'ok', credited: 'outline',
  written_off: 'warn', void: 'outline',
};
export function InvoiceBadge({ row, small }: { row: Pick<InvoiceRow, 'status' | 'overdue'>; small?: boolean }) {
  return row.overdue ? <Badge small={small} tone="error">Overdue</Badge>
    : <Badge small={small} tone={INVOICE_TONES[row.status]}>{plainWords(row.status)}</Badge>;
}

const invoiceColumns: readonly Column<InvoiceRow>[] = [
  { id: 'number', header: 'Invoice', kind: 'title', cell: (row) => row.number ?? 'Draft', width: 170 },
  { id: 'kind', header: 'Kind', kind: 'muted', width: 110,
    cell: (row) => (row.kind === 'proforma' ? 'Pro forma' : plainWords(row.kind)) },
  { id: 'status', header: 'Status', kind: 'badge', cell: (row) => <InvoiceBadge row={row} small />, width: 110 },
  { id: 'issued', header: 'Issued', kind: 'date', cell: (row) => row.issued_on, width: 110 },
  { id: 'due', header: 'Due', kind: 'date', cell: (row) => row.due_on, width: 110 },
  { id: 'total', header: 'Total', kind: 'money', cell: (row) => row.total_minor, width: 110 },
  { id: 'balance', header: 'Open', kind: 'money', cell: (row) => row.balance_minor, width: 110 },
];
const transactionColumns: readonly Column<TransactionRow>[] = [
  { id: 'day', header: 'Date', kind: 'date', cell: (row) => dayOf(row.transaction_at), width: 110 },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number, width: 150 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => row.kind_name, width: 160 },
  { id: 'description', header: 'What', kind: 'title', cell: (row) => row.description, width: 280 },
  { id: 'status', header: 'Status', kind: 'badge', width: 100, cell: (row) => (row.status === 'posted' ? null
    : <Badge small tone="outline">{plainWords(row.status)}</Badge>) },
  { id: 'total', header: 'Amount', kind: 'money', cell: (row) => row.total_minor, width: 120 },
];

const depositColumns: readonly Column<DepositRow>[] = [
  { id: 'kind', header: 'Deposit', kind: 'title', cell: (row) => plainWords(row.kind), width: 160 },
  { id: 'status', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <Badge small tone={row.status === 'held' ? 'ok' : 'outline'}>{plainWords(row.status)}</Badge> },
  { id: 'due', header: 'Due', kind: 'date', cell: (row) => row.due_on, width: 110 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => row.amount_minor, width: 110 },
  { id: 'applied', header: 'Applied', kind: 'money', cell: (row) => row.applied_minor, width: 110 },
  { id: 'forfeited', header: 'Kept', kind: 'money', cell: (row) => row.forfeited_minor, width: 100 },
  { id: 'refunded', header: 'Given back', kind: 'money', cell: (row) => row.refunded_minor, width: 110 },
  { id: 'remaining', header: 'Remaining', kind: 'money', cell: (row) => row.remaining_minor, width: 110 },
];

/** Rows that wait where a licence has any: mostly it is invoiced in two parts and asks for one deposit (U13). */
const USUAL = { invoices: 2, deposits: 1 } as const;

function MoneyOf({ view }: { view: LicenseView }) {
  const { license, place } = view;
  const may = useMay();
  return (
    <PageContent record fullWidth>
      <StatStrip label={spell`Account of the license`} stats={[
        { label: totalWords(license), value: formatAmount(license.grand_total_minor), strong: true },
        { label: 'Invoiced', value: formatAmount(license.invoiced_minor) }, { label: 'Paid',
          value: formatAmount(license.paid_minor) },
        { label: 'Balance', value: formatAmount(license.balance_minor),
          ...(license.balance_minor > 0 ? {} : { tone: 'ok' as const }) },
      ]} />
      {may('invoice.list') && <Invoices license={license} base={place.base} />}
      <Deposits license={license} />
      <Transactions licenseId={license.id} />
    </PageContent>
  );
}

function Invoices({ license, base }: { license: LicenseRow; base: string }) {
  const list = useList(invoiceEndpoints.list, { query: { license_id: license.id } },
    { prefix: 'i_', perPage: 25, sortBy: 'updated_at', sortDirection: 'desc' });
  return (
    <Section title="Invoices" count={list.page?.total}>
      <DataTable label={spell`Invoices of the license`} variant="record" columns={invoiceColumns} rows={list.rows}
        rowKey={(row) => row.id} {...(license.invoiced_minor > 0 && { expectedRows: USUAL.invoices })}
        rowHref={(row) => `${base}/invoices/${row.id}`} error={list.error} onRetry={list.onRetry}
        page={(list.page?.last_page ?? 1) > 1 ? list.page : undefined}
        empty={{ title: 'No invoices yet',
          text: spell`The first is issued when the offer is accepted or the license executed.` }} />
    </Section>
  );
}

function Deposits({ license }: { license: LicenseRow }) {
  const may = useMay();
  const [doing, setDoing] = useState<DepositRow | 'request' | null>(null);
  const read = useEndpoint(depositEndpoints.list, { params: { licenseId: license.id } });
  const rows = read.data?.data ?? [];
  const manage = may('invoice.manage_payments');
  const settle: Column<DepositRow> = { id: 'settle', header: 'Settle', kind: 'actions', width: 90,
    cell: (row) => row.status === 'held' && (
      <Button size="small" variant="quiet" onClick={() => setDoing(row)}>Settle</Button>) };
  return (
    <Section title="Deposits" count={rows.length} right={manage && (
      <Button size="small" onClick={() => setDoing('request')}>Request deposit</Button>)}>
      <DataTable label="Deposits" variant="record" rows={read.data?.data} rowKey={(row) => row.id}
        {...(license.deposit_minor > 0 && { expectedRows: USUAL.deposits })}
        columns={manage ? [...depositColumns, settle] : depositColumns} error={read.isError ? read.error : null}
        onRetry={() => void read.refetch()} empty={{ title: 'No deposit',
          text: 'A rate card or the offer asks for one; another can be asked for here.' }} />
      {doing === 'request'
        && <RequestDeposit licenseId={license.id} currency={license.currency} onClose={() => setDoing(null)} />}
      {doing !== null && doing !== 'request' && <SettleDeposit deposit={doing} onClose={() => setDoing(null)} />}
    </Section>
  );
}

function Transactions({ licenseId }: { licenseId: number }) {
  const list = useList(transactionEndpoints.list, { query: { license_id: licenseId } },
    { perPage: 25, sortBy: 'transaction_at', sortDirection: 'desc' });
  return (
    <Section title="Postings" count={list.page?.total}>
      <DataTable label={spell`Postings of the license`} variant="record" columns={transactionColumns} rows={list.rows}
        rowKey={(row) => row.id}
        rowHref={(row) => `/admin/accounting/transactions/${row.id}`} error={list.error} onRetry={list.onRetry}
          page={(list.page?.last_page ?? 1) > 1 ? list.page : undefined}
        search={(list.page?.last_page ?? 1) > 1 ? list.search : undefined}
        empty={{ title: 'Nothing posted yet',
          text: 'A posting appears with the first invoice, receipt or royalty.' }} />
    </Section>
  );
}
