/** The page of one royaltor, with the agreements and the sealed details; and the page that adds one. */
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast, undoable } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { Approvers } from '#web/data/approvers.tsx';
import { SealedSection } from '#web/layout/sealed-section.tsx';
import { AppLink, useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { AgreementBadge } from '../agreement/agreement-badge.web.tsx';
import { ROLE_LABELS, agreementEndpoints, type AgreementRow } from '../agreement/agreement.contract.ts';
import { ADVANCES, ROYALTOR_KIND_LABELS } from '../catalogue-labels.web.ts';
import { royaltorEndpoints, type RoyaltorRow } from './royaltor.contract.ts';
import { RoyaltorForm } from './royaltor-form.web.tsx';

export function RoyaltorCreate() {
  const { go } = useNavigation();
  return (
    <>
      <PageHeader title="New royaltor" back="/admin/royaltors" />
      <PageContent record>
        <RoyaltorForm row={null} mayWrite onSaved={(row) => {
          toast(`${row.name} was added`);
          go(`/admin/royaltors/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

export function RoyaltorPage() {
  const may = useMay();
  const id = useIdParam('royaltorId');
  const refresh = useRefresh([royaltorEndpoints.list]);
  const read = useEndpoint(royaltorEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return (
      <RecordProblem noun="royaltor" list="/admin/royaltors" error={read.error}
        onRetry={() => void read.refetch()} />
    );
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Royaltor'} back="/admin/royaltors"
        activity={row && { entity: 'royaltor', id: row.id }}
        badges={row && <Badge tone={row.active ? 'ok' : 'neutral'}>{row.active ? 'Active' : 'Inactive'}</Badge>}
        waiting={!row}
        subtitle={row && [<CodeText key="n">{row.number}</CodeText>, ROYALTOR_KIND_LABELS[row.kind],
          row.agent_name && `represented by ${row.agent_name}`,
          may('show_royaltor.list') && (
            <AppLink key="advances" href={`${ADVANCES}?royaltor_id=${row.id}`}>Advances</AppLink>
          )]}>
        {row && <TrashButton row={row} />}
      </PageHeader>
      <PageContent record>
        {row ? (
          <>
            {may('show_royaltor.list') && <AgreementsOf row={row} />}
            <SealedSection row={row} endpoints={royaltorEndpoints} mayWrite={may('royaltor.update')}
              approvers={<Approvers endpoint={approvalEndpoints.approvers} kind="royaltor_bank"
                askedById={row.bank_written_by_id} />} />
            <RoyaltorForm key={row.id} row={row} mayWrite={may('royaltor.update')}
              onSaved={() => { toast('Royaltor saved'); void refresh(); }} />
          </>
        ) : [240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}

function TrashButton({ row }: { row: RoyaltorRow }) {
  const may = useMay();
  const { go } = useNavigation();
  const [asking, setAsking] = useState(false);
  const remove = useAction(royaltorEndpoints.remove, { onDone: () => {
    go('/admin/royaltors');
    undoable(`${row.name} moved to the trash`, () => call(royaltorEndpoints.restore, { params: { id: row.id } }));
  } });
  if (!may('royaltor.delete')) return null;
  return (
    <>
      <Button variant="quiet" pending={remove.pending} onClick={() => setAsking(true)}
        reason={row.agreement_count > 0 ? 'Agreements name it: make it inactive instead' : undefined}>
        Move to trash
      </Button>
      <ConfirmDialog open={asking} danger title={`Move ${row.name} to the trash?`} confirm="Move to trash"
        text="It can be restored from there." onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void remove.run({ params: { id: row.id } }); }} />
    </>
  );
}

const agreementColumns: readonly Column<AgreementRow>[] = [
  { id: 'show_title', header: 'Title', kind: 'title', cell: (row) => row.show_title, width: 240, fixed: true },
  { id: 'role', header: 'Role', kind: 'muted', cell: (row) => ROLE_LABELS[row.role], width: 150 },
  { id: 'contract', header: 'Contract', kind: 'code', cell: (row) => row.contract_no, width: 120 },
  { id: 'terms', header: 'Terms', kind: 'number', cell: (row) => row.term_count, width: 80 },
  { id: 'status', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <AgreementBadge status={row.status} /> },
];

function AgreementsOf({ row }: { row: RoyaltorRow }) {
  const list = useList(agreementEndpoints.list, { query: { royaltor_id: row.id } });
  return (
    <Section title="Agreements" count={list.page?.total || undefined}>
      <DataTable label="Agreements of the royaltor" {...list} columns={agreementColumns}
        expectedRows={row.agreement_count} rowKey={(one) => one.id}
        variant="record" rowHref={(one) => `/admin/${one.show_type}s/${one.show_id}/royaltors/${one.id}`}
        empty={{ title: 'No agreements yet', text: 'Agreements are made on the page of a title.' }} />
    </Section>
  );
}
