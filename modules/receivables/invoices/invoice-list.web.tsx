/** Invoices of a division: what is open, what is late, what a search finds; totals of the whole list, not the page. */
import { lazy } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { Money } from '#web/data/money.tsx';
import { useDivision } from '#web/layout/division.ts';
import { PageHeader } from '#web/layout/page-header.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { invoiceBulk, invoiceEndpoints, type InvoiceRow } from './invoice.contract.ts';
import {
  choicesOf, DUE_LABELS, KIND_LABELS, receivablesTabs, STATUS_LABELS, STATUS_TONES,
} from './invoice-labels.web.ts';

const InvoicePeek = lazy(() => import('./invoice-peek.web.tsx'));

const BASE = '/admin/accounts-receivable/invoices';
const FILTERS = ['kind', 'status', 'due', 'open', 'currency', 'customer_id', 'license_id'] as const;

const columns: readonly Column<InvoiceRow>[] = [
  { id: 'number', header: 'Number', kind: 'title', cell: (row) => row.number ?? `Draft ${row.id}`, sort: true,
    fixed: true, width: 190 },
  { id: 'customer', header: 'Customer', kind: 'muted', cell: (row) => row.customer_name, width: 230 },
  { id: 'license', header: spell`License`, kind: 'code', cell: (row) => row.license_number, width: 150 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => KIND_LABELS[row.kind], width: 110, hidden: true },
  { id: 'issued_on', header: 'Issued', kind: 'date', cell: (row) => row.issued_on, sort: true, width: 120 },
  { id: 'due_on', header: 'Due', kind: 'date', cell: (row) => row.due_on, sort: true, width: 120 },
  { id: 'status', header: 'Status', kind: 'badge', width: 120, cell: (row) => row.overdue
    ? <Badge tone="error" small>Overdue</Badge>
    : <Badge tone={STATUS_TONES[row.status]} small>{STATUS_LABELS[row.status]}</Badge> },
  { id: 'currency', header: 'Cur.', kind: 'code', cell: (row) => row.currency, width: 60 },
  { id: 'total_minor', header: 'Total', kind: 'money', cell: (row) => BigInt(row.total_minor), sort: true, width: 130 },
  { id: 'balance_minor', header: 'Open', kind: 'money', cell: (row) => BigInt(row.balance_minor), sort: true,
    width: 130 },
];
const filters = [
  { name: 'status', label: 'Status', options: choicesOf(STATUS_LABELS) },
  { name: 'kind', label: 'Kind', options: choicesOf(KIND_LABELS) },
  { name: 'due', label: 'Age', options: choicesOf(DUE_LABELS) },
  { name: 'open', label: 'Open', options: choicesOf({ true: 'Something is open', false: 'Nothing is open' }) },
  { name: 'currency', label: 'Currency', options: choicesOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' }) },
];

/** Most divisions bill in one currency. */
function TotalsWaiting() {
  return (
    <StatStrip plain waiting label="Totals"
      stats={['Documents', 'Net invoiced', 'Open', 'Overdue'].map((label) =>
        ({ label, value: <Skeleton width={72} height={20} />, strong: label === 'Open' }))} />
  );
}

function Totals({ division }: { division: 'US' | 'EU' | 'UK' | 'PROD' }) {
  const { values } = useQueryValues();
  const given = Object.fromEntries([...FILTERS, 'search'].flatMap((name) => {
    const value = values.get(name);
    return value ? [[name, value]] : [];
  }));
  const read = useEndpoint(invoiceEndpoints.totals, { query: { division, ...given } });
  const rows = read.data?.data ?? [];
  const behind = (more: Record<string, string>) => `${BASE}?${new URLSearchParams({ division, ...given, ...more })}`;
  if (read.isPending) return <TotalsWaiting />;
  if (rows.length === 0) return null;
  return (
    <>
      {rows.map((row) => (
        <StatStrip key={row.currency} plain label={`Totals in ${row.currency}`} stats={[
          { label: `Documents, ${row.currency}`, value: row.documents.toLocaleString('en-US'),
            href: behind({ currency: row.currency }) },
          { label: 'Net invoiced', value: <Money minor={row.total_minor} /> },
          { label: 'Open', value: <Money minor={row.balance_minor} />, strong: true,
            href: behind({ currency: row.currency, open: 'true' }) },
          { label: 'Overdue', value: <Money minor={row.overdue_minor} />,
            href: behind({ currency: row.currency, due: 'overdue' }),
            tone: row.overdue_minor > 0 ? 'error' : undefined },
          ...(row.requested_minor === 0 ? [] : [{ label: 'Open pro formas',
            value: <Money minor={row.requested_minor} />,
            href: behind({ currency: row.currency, kind: 'proforma', status: 'proforma' }) }]),
        ]} />
      ))}
    </>
  );
}

export default function InvoiceList() {
  const may = useMay();
  const [division] = useDivision();
  const list = useList(invoiceEndpoints.list, { query: { division } }, { filters: FILTERS, bulk: invoiceBulk });
  const [one] = list.rows ?? [];
  const linked = [{ name: 'customer_id', label: 'Customer', linked: { name: one?.customer_name } },
    { name: 'license_id', label: spell`License`, linked: { name: one?.license_number } }];
  return (
    <>
      <PageHeader title="Accounts receivable" division tabs={receivablesTabs(may)}
        subtitle="Invoices, pro formas and credit notes">
        {may('payment.create') && (
          <ButtonLink href={`/admin/accounts-receivable/payments?record=1&division=${division}`}>
            Record receipt
          </ButtonLink>
        )}
        {may('invoice.create') && (
          <ButtonLink href={`${BASE}/create?division=${division}`} variant="primary">New invoice</ButtonLink>
        )}
      </PageHeader>
      <Totals division={division} />
      <DataTable label="Invoices" {...list} columns={columns} filters={[...filters, ...linked]} rowKey={(row) => row.id}
        rowHref={(row) => `${BASE}/${row.id}`} peek={InvoicePeek} searchPlaceholder="Number, customer or purchase order"
        empty={{ title: 'No invoices here',
          text: spell`Licenses make them as they are paid, performed and settled; anything else is billed by
            hand.` }} />
    </>
  );
}
