/** Amendments of a licence and what its customer asks for: each with its state and the price before and after. */
import { spell } from '#kernel/text/english.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { dayOf } from '#web/data/local-day.ts';
import { Columns, PageContent, Section } from '#web/layout/page-content.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useList } from '#web/query/use-endpoint.ts';
import { LicenseFrame } from '../licenses/license-frame.web.tsx';
import type { LicenseView } from '../licenses/license-view.web.ts';
import { AmendmentDrawer } from './amendment-drawer.web.tsx';
import { amendmentEndpoints, type AmendmentRow } from './amendment.contract.ts';
import { amendmentLook, amendmentTitle } from './amendment-words.web.ts';

export default function AmendmentsTab() {
  return <LicenseFrame>{(view) => <Amendments view={view} />}</LicenseFrame>;
}

function Signed({ row }: { row: AmendmentRow }) {
  if (row.version_no === null) return null;
  return row.signed_at ? <Badge small tone="ok">Signed</Badge> : <Badge small tone="warn">Not signed</Badge>;
}

const columns: readonly Column<AmendmentRow>[] = [
  { id: 'what', header: 'What', kind: 'title', width: 120, cell: amendmentTitle },
  { id: 'state', header: 'Status', kind: 'badge', width: 110, cell: (row) => {
    const look = amendmentLook(row);
    return <Badge small tone={look.tone}>{look.label}</Badge>;
  } },
  { id: 'addendum', header: 'Addendum', kind: 'badge', width: 100, cell: (row) => <Signed row={row} /> },
  { id: 'before', header: 'Before', kind: 'money', width: 100, optional: true, cell: (row) => row.price_before_minor },
  { id: 'after', header: 'After', kind: 'money', width: 100, cell: (row) => (row.kind === 'amend'
    ? row.price_after_minor : null) },
  { id: 'delta', header: 'Difference', kind: 'money', width: 100, cell: (row) => (row.kind === 'amend'
    ? row.delta_minor : null) },
  { id: 'reason', header: 'Reason', kind: 'muted', width: 240, cell: (row) => row.reason },
  { id: 'by', header: 'By', kind: 'muted', width: 140, optional: true, cell: (row) => row.requested_by_name },
  { id: 'on', header: 'On', kind: 'date', width: 110, cell: (row) => dayOf(row.created_at) },
];

function Amendments({ view }: { view: LicenseView }) {
  const { values, set } = useQueryValues();
  const list = useList(amendmentEndpoints.list, { params: { licenseId: view.license.id } },
    { perPage: 25, sortBy: 'created_at', sortDirection: 'desc' });
  const open = Number(values.get('amendment')) || null;
  const show = (id: number | null) => set({ amendment: id === null ? null : String(id) });
  return (
    <Columns side={open !== null && (
      <AmendmentDrawer key={open} view={view} amendmentId={open} onClose={() => show(null)} />
    )}>
      <PageContent record fullWidth>
        <Section title="Amendments and requests" count={list.page?.total}>
          <DataTable label="Amendments and requests" variant="record" columns={columns} rows={list.rows}
            rowKey={(row) => row.id} onOpen={(row) => show(row.id)} current={open} error={list.error}
            onRetry={list.onRetry} caption={`Prices in ${view.license.currency}, with tax`}
            empty={view.place.kind === 'quote'
              ? { title: 'No requests yet', text: 'Requests made in the portal appear here for your reply.' }
              : { title: 'No amendments yet',
                text: spell`A license is amended with Amend above, or when its customer asks for it in the
                  portal.` }} />
        </Section>
      </PageContent>
    </Columns>
  );
}
