/** Activity of a license, newest first, and the versions of its offer with their hashes. */
import { spell } from '#kernel/text/english.ts';
import { ActivityTimeline } from '#web/data/activity-timeline.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { CodeText } from '#web/data/code-text.tsx';
import { DataTable } from '#web/data/data-table.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { TableFooter } from '#web/data/table-footer.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { useList } from '#web/query/use-endpoint.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { LicenseFrame } from './license-frame.web.tsx';
import { whatOf } from './phase/license-history.web.ts';
import { licenseEndpoints } from './license.contract.ts';

type VersionRow = ResponseOf<typeof licenseEndpoints.versions>['data'][number];

export default function ActivityTab() {
  return <LicenseFrame>{({ license }) => <LicenseHistory licenseId={license.id} />}</LicenseFrame>;
}

const versionColumns: readonly Column<VersionRow>[] = [
  { id: 'version', header: 'Version', kind: 'title', cell: (row) => `Version ${row.version_no}`, width: 100 },
  { id: 'current', header: 'Status', kind: 'badge', width: 110, cell: (row) => (row.signed_at
    ? <Badge small tone="ok">Signed</Badge> : row.current ? <Badge small tone="info">In force</Badge> : <Badge small
      tone="outline">Replaced</Badge>) },
  { id: 'made', header: 'Made', kind: 'date', width: 190, cell: (row) => row.created_at },
  { id: 'by', header: 'By', kind: 'muted', cell: (row) => row.created_by_name },
  { id: 'signer', header: 'Signed by', kind: 'muted', cell: (row) => row.signer_name },
  { id: 'hash', header: 'Fingerprint', width: 130, cell: (row) => <CodeText>{row.sha256.slice(0, 12)}</CodeText> },
  { id: 'total', header: 'Total', kind: 'money', cell: (row) => row.grand_total_minor, width: 110 },
];

function LicenseHistory({ licenseId }: { licenseId: number }) {
  const params = { licenseId };
  const events = useList(licenseEndpoints.events, { params }, { perPage: 25, sortBy: 'created_at',
    sortDirection: 'desc' });
  const versions = useList(licenseEndpoints.versions, { params }, { prefix: 'v_', perPage: 25, sortBy: 'version_no',
    sortDirection: 'desc' });
  // Together: what happened would be pushed down by the versions that come after it.
  if ([events, versions].some((list) => !list.rows && !list.error)) {
    return <PageContent record fullWidth><div aria-busy="true"><Skeleton height={420} /></div></PageContent>;
  }
  return (
    <PageContent record fullWidth>
      {versions.error && <EmptyState role="alert" title="The versions of the offer did not load"
        text={versions.error.message} action={<Button onClick={versions.onRetry}>Try again</Button>} />}
      {(versions.rows?.length ?? 0) > 0 && (
        <Section title="Versions of the offer" count={versions.page?.total}>
          <DataTable label="Versions of the offer" variant="record" columns={versionColumns} rows={versions.rows}
            rowKey={(row) => row.id} />
        </Section>
      )}
      <Section title="Activity">
        {events.error && <EmptyState role="alert" title="The history did not load" text={events.error.message}
          action={<Button onClick={events.onRetry}>Try again</Button>} />}
        {events.rows?.length === 0 && <EmptyState title="Nothing has happened yet"
          text={spell`Every step of the license is written down here.`} />}
        {events.rows && events.rows.length > 0 && (
          <ActivityTimeline items={events.rows.map((row) => ({ id: row.id, who: row.actor_name, what: whatOf(row),
            when: row.created_at, ...(row.reason ? { note: row.reason } : {}) }))} />
        )}
        {events.page && events.page.last_page > 1 && <TableFooter page={events.page} search={events.search} />}
      </Section>
    </PageContent>
  );
}
