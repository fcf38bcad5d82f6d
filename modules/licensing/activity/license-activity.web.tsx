/** Activity of all licenses, newest first (RT102). */
import { DIVISION_LABELS } from '#kit/field.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { phaseLook } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { salesTabs } from '#modules/royalties/sales-tabs.ts';
import { licenseEndpoints } from '../licenses/license.contract.ts';

type Row = ResponseOf<typeof licenseEndpoints.activity>['data'][number];

const columns: readonly Column<Row>[] = [
  { id: 'title', header: 'Production', kind: 'title', cell: (row) => row.title, fixed: true, width: 240 },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number, width: 150 },
  { id: 'event', header: 'Event', kind: 'text', cell: (row) => row.event_label, width: 200 },
  { id: 'phase', header: 'Phase now', kind: 'muted', width: 140,
    cell: (row) => (row.to_phase !== null && row.to_phase !== row.from_phase ? phaseLook(row.to_phase).label : '') },
  { id: 'created_at', header: 'When', kind: 'date', cell: (row) => row.created_at, width: 160 },
  { id: 'who', header: 'By', kind: 'muted', cell: (row) => row.actor_name ?? 'Grand Rights', width: 150 },
  { id: 'customer', header: 'Customer', kind: 'muted', cell: (row) => row.customer_name, width: 200 },
  { id: 'division', header: 'Division', kind: 'muted', width: 100, hidden: true,
    cell: (row) => DIVISION_LABELS[row.division as keyof typeof DIVISION_LABELS] },
  { id: 'reason', header: 'Reason', kind: 'muted', cell: (row) => row.reason, width: 220 },
];

/** Link to the license: an executed one is a production of its customer, any other a quote. */
const hrefOf = (row: Row): string => (row.executed
  ? `/admin/customers/${row.customer_id}/productions/${row.license_id}/activity`
  : `/admin/quotes/${row.license_id}/checklist`);

const filters = [{ name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) }];

export default function LicenseActivity() {
  const may = useMay();
  const list = useList(licenseEndpoints.activity, {}, { filters: ['division'], perPage: 20 });
  return (
    <>
      <PageHeader title="Sales & royalties" tabs={salesTabs(may)} subtitle={spell`Activity of all licenses`} />
      <DataTable label={spell`License activity`} {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        {...(may('license.show') ? { rowHref: hrefOf } : {})}
        searchPlaceholder="Title, number or customer"
        empty={{ title: 'Nothing happened yet',
          text: spell`Offers, signatures and changes of licenses stand here.` }} />
    </>
  );
}
