/** Customer's business with the company: applications, quotes and productions, each linking to its own page. */
import { licenseAddress, licenseNumbers } from '#kernel/licensing/license-address.ts';
import { formatRate } from '#kernel/money/money.ts';
import { Plus } from 'lucide-react';
import type { ResponseOf } from '#kit/endpoint.ts';
import { applicationEndpoints } from '#modules/licensing/applications/application.contract.ts';
import { licenseEndpoints } from '#modules/licensing/licenses/license.contract.ts';
import { applicationLook } from '#modules/licensing/words.web.ts';
import { Badge, PhaseBadge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { CustomerFrame, type CustomerRow } from './customer-frame.web.tsx';

type License = ResponseOf<typeof licenseEndpoints.list>['data'][number];
type Application = ResponseOf<typeof applicationEndpoints.list>['data'][number];

function datesOf(row: License): string {
  if (!row.first_performance_on) return '';
  const first = formatDay(row.first_performance_on);
  return row.last_performance_on && row.last_performance_on !== row.first_performance_on
    ? `${first} – ${formatDay(row.last_performance_on)}` : first;
}

const licenseColumns: readonly Column<License>[] = [
  { id: 'show', header: 'Show', kind: 'title', cell: (row) => row.show_title, fixed: true, width: 240 },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.license_number ?? row.number },
  { id: 'venue', header: 'Venue', kind: 'muted', cell: (row) => row.venue_names, width: 200 },
  { id: 'dates', header: 'Performances', kind: 'muted', cell: datesOf, width: 200 },
  { id: 'phase', header: 'Phase', kind: 'badge', cell: (row) => <PhaseBadge phase={row.phase} small /> },
  { id: 'currency', header: 'Currency', kind: 'muted', cell: (row) => row.currency, width: 80 },
  { id: 'total', header: 'Total', kind: 'money', cell: (row) => BigInt(row.grand_total_minor), width: 120 },
  { id: 'percentage', header: 'Plus', kind: 'muted', width: 96, cell: (row) => (row.percentage_ppm === null ? ''
    : `${formatRate(BigInt(row.percentage_ppm))} of gross`) },
];

/** The quote it was stands beside the licence. */
const productionColumns: readonly Column<License>[] = licenseColumns.toSpliced(2, 0,
  { id: 'quote', header: 'Quote', kind: 'code', hideLast: true, cell: (row) => licenseNumbers(row).former });

function Quotes({ customer }: { customer: CustomerRow }) {
  const list = useList(licenseEndpoints.list, { query: { customer_id: customer.id, group: 'QUOTE' } });
  return (
    <DataTable label="Quotes" {...list} columns={licenseColumns} rowKey={(row) => row.id}
      rowHref={licenseAddress}
      empty={{ title: 'No quotes', text: 'Applications that were approved become quotes.' }} />
  );
}

/** The quote begins with this customer chosen. */
function NewQuote({ customer }: { customer: CustomerRow }) {
  const may = useMay();
  if (!may('license.create') || customer.status !== 'active') return null;
  return (
    <ButtonLink variant="primary" icon={<Glyph icon={Plus} />} href={`/admin/quotes/create?customer=${customer.id}`}>
      New quote</ButtonLink>
  );
}

export function CustomerQuotes() {
  return (
    <CustomerFrame fullWidth actions={(customer) => <NewQuote customer={customer} />}>
      {(customer) => <Quotes customer={customer} />}
    </CustomerFrame>
  );
}

function Productions({ customer }: { customer: CustomerRow }) {
  const list = useList(licenseEndpoints.ofCustomer, { params: { id: customer.id } });
  return (
    <DataTable label="Productions" {...list} columns={productionColumns} rowKey={(row) => row.id}
      rowHref={licenseAddress}
      empty={{ title: 'No productions', text: 'A quote that is signed and paid becomes a production.' }} />
  );
}

export function CustomerProductions() {
  return <CustomerFrame fullWidth>{(customer) => <Productions customer={customer} />}</CustomerFrame>;
}

const applicationColumns: readonly Column<Application>[] = [
  { id: 'shows', header: 'Shows', kind: 'title', cell: (row) => row.show_titles, fixed: true, width: 280 },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number },
  { id: 'first', header: 'First performance', kind: 'date', cell: (row) => row.first_performance_on },
  { id: 'status', header: 'Status', kind: 'badge',
    cell: (row) => <Badge small tone={applicationLook(row.status).tone}>{row.status_label}</Badge> },
];

function Applications({ customer }: { customer: CustomerRow }) {
  const list = useList(applicationEndpoints.ofCustomer, { params: { id: customer.id } });
  return (
    <DataTable label="Applications" {...list} columns={applicationColumns} rowKey={(row) => row.id}
      rowHref={(row) => `/admin/customers/${customer.id}/applications/${row.id}`}
      empty={{ title: 'No applications', text: 'The customer applies in the portal, or staff apply on its behalf.' }} />
  );
}

export function CustomerApplications() {
  return <CustomerFrame fullWidth>{(customer) => <Applications customer={customer} />}</CustomerFrame>;
}
