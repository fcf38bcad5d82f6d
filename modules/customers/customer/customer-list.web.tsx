/** Customers: find one by name, number or mail, filter, add. */
import type { ResponseOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { Badge } from '#web/data/badge.tsx';
import { columnsFrom } from '#web/data/columns-from.ts';
import { DataTable } from '#web/data/data-table.tsx';
import type { TabItem } from '#web/layout/tabs.tsx';
import { TrashList } from '#web/layout/trash-list.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useAddress, useQueryValues, withQuery } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { customer, customerBulk, customerEndpoints, customerTrashBulk } from './customer.contract.ts';
import { choicesOf, KIND_LABELS, STATUS_LABELS, STATUS_TONES } from './customer-labels.web.ts';

type Row = ResponseOf<typeof customerEndpoints.list>['data'][number];

const columns = columnsFrom<Row>(customer.fields, [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 260 },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number, sort: true, width: 100 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => KIND_LABELS[row.kind] },
  { id: 'city', header: 'City', kind: 'muted', cell: (row) => row.billing_address?.locality },
  { id: 'classification', header: 'Classification', cell: (row) => row.classification_names.join(', '), hidden: true },
  { id: 'divisions', header: 'Divisions', kind: 'muted', cell: (row) => row.divisions.join(', '), width: 110 },
  { id: 'licenses', header: spell`Licenses`, kind: 'number', cell: (row) => row.license_count, width: 90 },
  { id: 'status', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <Badge tone={STATUS_TONES[row.status]} small>{STATUS_LABELS[row.status]}</Badge> },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 130 },
], []);

const filters = [
  { name: 'status', label: 'Status', options: choicesOf(STATUS_LABELS) },
  { name: 'kind', label: 'Kind', options: choicesOf(KIND_LABELS) },
  { name: 'division', label: 'Division', options: choicesOf({ US: 'US', EU: 'EU', UK: 'UK', PROD: 'Production' }) },
];

/** Everyone, and the organisations that signed up and wait to be confirmed. */
function useTabs(): TabItem[] {
  const { path, query } = useAddress();
  const { values } = useQueryValues();
  const waiting = useEndpoint(customerEndpoints.list, { query: { status: 'pending', per_page: 1 } });
  const pending = values.get('status') === 'pending';
  const total = waiting.data?.meta.total ?? 0;
  return [
    { id: 'all', text: 'All', active: !pending, href: withQuery(path, query, { status: null, page: null }) },
    { id: 'pending', text: 'Waiting for confirmation', active: pending, note: total > 0 ? total : undefined,
      href: withQuery(path, query, { status: 'pending', page: null }) },
  ];
}

export default function CustomerList() {
  const may = useMay();
  const list = useList(customerEndpoints.list, {}, { filters: ['status', 'kind', 'division'], bulk: customerBulk });
  const tabs = useTabs();
  return (
    <TrashList<Row> one="customer" many="customers" subtitle="Schools, companies and producers who stage our shows"
      href="/admin/customers" createHref="/admin/customers/add" createLabel="Add customer"
      mayCreate={may('customer.create')} mayRemove={may('customer.delete')}
      endpoints={customerEndpoints} tabs={tabs} trashColumns={columns.slice(0, 4)}
      trashBulk={customerTrashBulk} actions={(
        <>
          {may('venue.list') && <ButtonLink href="/admin/venues">Venues</ButtonLink>}
          <ButtonLink href="/admin/customers/customer-classifications">Classifications</ButtonLink>
        </>
      )}>
      <DataTable label="Customers" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        rowHref={(row) => `/admin/customers/${row.id}/information`} searchPlaceholder="Name, number or email"
        empty={{ title: 'No customers yet', text: spell`Everyone who applies for a license becomes a customer.` }} />
    </TrashList>
  );
}
