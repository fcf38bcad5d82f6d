/** What goes on with licences: last event, performances, takings and royalty, newest first. */
import { DIVISION_LABELS } from '#kit/field.ts';
import { optionsOf } from '#web/controls/resource-fields.tsx';
import { PhaseBadge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { salesTabs } from '#modules/royalties/sales-tabs.ts';
import { licenseActivityEndpoints, type LicenseActivityRow } from './license-activity.contract.ts';

const plain = (event: string): string => event.charAt(0).toUpperCase() + event.slice(1).replaceAll('_', ' ');

const columns: readonly Column<LicenseActivityRow>[] = [
  { id: 'title', header: 'Production', kind: 'title', cell: (row) => row.title, fixed: true, width: 240 },
  { id: 'number', header: 'Licence', kind: 'code', cell: (row) => row.license_number, width: 150 },
  { id: 'customer', header: 'Customer', kind: 'muted', cell: (row) => row.customer_name, width: 200 },
  { id: 'phase', header: 'Phase', kind: 'badge', width: 140,
    cell: (row) => <PhaseBadge phase={row.phase as 'licensed'} small /> },
  { id: 'event', header: 'Last', kind: 'muted', cell: (row) => row.last_event && plain(row.last_event), width: 160 },
  { id: 'event_at', header: 'On', kind: 'date', cell: (row) => row.last_event_at, width: 110 },
  { id: 'performances', header: 'Performances', kind: 'number', width: 120,
    cell: (row) => `${row.performed} of ${row.performances}` },
  { id: 'reports', header: 'Reports', kind: 'number', cell: (row) => row.reports || null, width: 80 },
  { id: 'gross', header: 'Gross', kind: 'money', width: 120,
    cell: (row) => (row.reports === 0 ? null : BigInt(row.gross_minor)) },
  { id: 'royalty', header: 'Royalty billed', kind: 'money', width: 120,
    cell: (row) => (row.reports === 0 ? null : BigInt(row.royalty_minor)) },
  { id: 'currency', header: 'Currency', kind: 'muted', cell: (row) => row.currency, width: 90 },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 110 },
];

const filters = [
  { name: 'division', label: 'Division', options: optionsOf(DIVISION_LABELS) },
  { name: 'phase', label: 'Phase', options: optionsOf({ licensed: 'Licensed', in_production: 'In production',
    settlement: 'Settlement', closed: 'Closed' }) },
];

export default function LicenseActivity() {
  const may = useMay();
  const list = useList(licenseActivityEndpoints.list, {}, { filters: ['division', 'phase'] });
  return (
    <>
      <PageHeader title="Sales & royalties" tabs={salesTabs(may)} subtitle="What goes on with our licences" />
      <DataTable label="Licence activity" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        {...(may('license.show') ? { rowHref: (row: LicenseActivityRow) =>
          `/admin/customers/${row.customer_id}/productions/${row.id}/activity` } : {})}
        searchPlaceholder="Title, licence or customer"
        empty={{ title: 'No licences yet', text: 'What was executed stands here with its takings.' }} />
    </>
  );
}
