/** What happened to a licence, newest first, and the versions of its offer with their hashes. */
import { ActivityTimeline } from '#web/data/activity-timeline.tsx';
import { Badge, phaseLook } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { CodeText } from '#web/data/code-text.tsx';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { TableFooter } from '#web/data/table-footer.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { Button } from '#web/controls/button.tsx';
import { useList } from '#web/query/use-endpoint.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { LicenseFrame } from './license-frame.web.tsx';
import { licenseEndpoints } from './license.contract.ts';

type EventRow = ResponseOf<typeof licenseEndpoints.events>['data'][number];
type VersionRow = ResponseOf<typeof licenseEndpoints.versions>['data'][number];

export default function ActivityTab() {
  return <LicenseFrame>{({ license }) => <LicenseHistory licenseId={license.id} />}</LicenseFrame>;
}

const PAST: Readonly<Record<string, string>> = {
  create: 'started it', convert: 'made it from an application', import: 'imported it', price: 'priced it',
  update: 'changed its details', generate_offer: 'made the offer documents', send_offer: 'sent the offer',
  revise: 'took the offer back', sign: 'signed', sign_addendum: 'signed the addendum', decline: 'declined the offer',
  reopen: 'reopened it', execute: 'executed the licence', void_signature: 'voided the signature', amend: 'amended it',
  open: 'opened the run', close_run: 'ended the run', close: 'closed it', cancel: 'cancelled it',
  expire: 'let it expire', cancel_remaining: 'cancelled the remaining performances',
  clearance: 'recorded a clearance of the rights', discount: 'gave a discount',
  remove_discount: 'took the discount away', approve_discount: 'approved the discount',
  negotiate_fee: 'negotiated the fee', use_rate_card: 'went back to the rate card',
  choose_charges: 'changed the charges', add_venue: 'added a venue', change_venue: 'changed a venue',
  remove_venue: 'took a venue off', change_venues: 'changed the venues', add_performances: 'added performances',
  change_performance: 'changed a performance', remove_performance: 'took a performance off',
  change_terms: 'changed the terms', approve_waiver: 'approved that a fee is waived',
  upload_document: 'uploaded a document', send_document: 'sent a document', request_amendment: 'asked for a change',
  request_cancellation: 'asked to cancel', refuse_request: 'refused the request',
  performance_cancelled: 'cancelled a performance', performance_postponed: 'postponed a performance',
  performance_performed: 'recorded a performance as held', performance_planned: 'planned a performance again',
};

/** Whoever signs in the portal signed; staff record the signature of somebody else. */
function verbOf(row: EventRow): string {
  const signer = row.details?.signer_name;
  if (row.event === 'sign' && typeof signer === 'string' && signer !== row.actor_name) {
    return `recorded the signature of ${signer}`;
  }
  return PAST[row.event] ?? `did this: ${row.event_label.charAt(0).toLowerCase()}${row.event_label.slice(1)}`;
}

/** 'sent the offer for Ruth Alderman (now offer sent)'. */
function whatOf(row: EventRow): string {
  const moves = row.from_phase !== null && row.to_phase !== null && row.to_phase !== row.from_phase;
  const moved = moves ? ` (now ${phaseLook(row.to_phase ?? '').label.toLowerCase()})` : '';
  const behalf = row.on_behalf_of_name ? ` for ${row.on_behalf_of_name}` : '';
  return `${verbOf(row)}${behalf}${moved}`;
}

const versionColumns: readonly Column<VersionRow>[] = [
  { id: 'version', header: 'Version', kind: 'title', cell: (row) => `Version ${row.version_no}`, width: 100 },
  { id: 'current', header: 'State', kind: 'badge', width: 110, cell: (row) => (row.signed_at
    ? <Badge small tone="ok">Signed</Badge> : row.current ? <Badge small tone="info">In force</Badge> : <Badge small
      tone="outline">Replaced</Badge>) },
  { id: 'made', header: 'Made', width: 190, cell: (row) => <DateText value={row.created_at} /> },
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
      <Section title="What happened">
        {events.error && <EmptyState role="alert" title="The history did not load" text={events.error.message}
          action={<Button onClick={events.onRetry}>Try again</Button>} />}
        {events.rows?.length === 0 && <EmptyState title="Nothing has happened yet"
          text="Every step of the licence is written down here." />}
        {events.rows && events.rows.length > 0 && (
          <ActivityTimeline items={events.rows.map((row) => ({ id: row.id, who: row.actor_name, what: whatOf(row),
            when: row.created_at, ...(row.reason ? { note: row.reason } : {}) }))} />
        )}
        {events.page && events.page.last_page > 1 && <TableFooter page={events.page} search={events.search} />}
      </Section>
    </PageContent>
  );
}
