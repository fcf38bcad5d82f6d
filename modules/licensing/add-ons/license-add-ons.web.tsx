/** Add-ons of a licence: what the customer may use, from when until when. */
import { spell } from '#kernel/text/english.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { licenseAddOnEndpoints, type LicenseAddOn } from './license-add-on.contract.ts';
import { piecesOf } from './add-on-words.ts';
import { streamedOf, StreamReports } from './stream-reports.web.tsx';

const STATES: Record<NonNullable<LicenseAddOn['refusal']>, string> = { cancelled: 'Ended', not_valid: 'Not valid yet',
  on_hold: 'On hold', not_open: 'Not open yet', over: 'Over' };

const columns: readonly Column<LicenseAddOn>[] = [
  { id: 'name', header: 'Add-on', kind: 'title', cell: (row) => row.name, fixed: true, width: 240 },
  { id: 'pieces', header: 'For', kind: 'muted', cell: piecesOf, width: 150 },
  { id: 'files', header: 'Files', kind: 'number', cell: (row) => row.files || null, width: 80 },
  { id: 'opens_on', header: 'From', kind: 'date', cell: (row) => row.opens_on, width: 120 },
  { id: 'closes_on', header: 'Until', kind: 'date', cell: (row) => row.closes_on, width: 120 },
  { id: 'state', header: 'Status', kind: 'badge', width: 130, cell: (row) => row.refusal === null
    ? <Badge tone="ok" small>Open</Badge> : <Badge tone="neutral" small>{STATES[row.refusal]}</Badge> },
];

/** Nothing where the licence has none. `shown`: what stands above is there, and pushes nothing down any more. */
export function LicenseAddOns({ licenseId, shown }: { licenseId: number; shown: boolean }) {
  const read = useEndpoint(licenseAddOnEndpoints.list, { params: { licenseId } });
  const rows = read.data?.data;
  if (!shown || rows?.length === 0) return null;
  const streamed = streamedOf(rows ?? []);
  return (
    <>
      <Section title="Add-ons" description={spell`Bought with the license, and what they entitle to.`} flush>
        <DataTable label={spell`Add-ons of the license`} rows={rows} error={read.error} onRetry={() =>
          void read.refetch()}
          columns={columns} variant="record" rowKey={(row) => row.add_on_id}
          rowHref={(row) => `/admin/add-ons/${row.add_on_id}`} empty={{ title: 'No add-ons' }} />
      </Section>
      {streamed.length > 0 && <StreamReports licenseId={licenseId} addOns={streamed} />}
    </>
  );
}
