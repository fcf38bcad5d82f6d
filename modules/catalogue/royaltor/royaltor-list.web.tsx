/** Royaltors: everyone who is owed a part of what our titles earn. */
import { useState } from 'react';
import { Badge } from '#web/data/badge.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import type { Column } from '#web/data/column.ts';
import { columnsFrom } from '#web/data/columns-from.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { AllAgreements } from '../agreement/all-agreements.web.tsx';
import { ACTIVE_FILTER, ROYALTOR_KIND_LABELS } from '../catalogue-labels.web.ts';
import { royaltor, royaltorBulk, royaltorEndpoints, royaltorTrashBulk, type RoyaltorRow } from './royaltor.contract.ts';

const columns = columnsFrom<RoyaltorRow>(royaltor.fields, [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 240 },
  { id: 'number', header: 'Number', kind: 'code', cell: (row) => row.number, sort: true, width: 100 },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => ROYALTOR_KIND_LABELS[row.kind], width: 110 },
  { id: 'agent', header: 'Agent', kind: 'muted', cell: (row) => row.agent_name, width: 180 },
  { id: 'country', header: 'Country', kind: 'muted', cell: (row) => row.residence_country, width: 90 },
  { id: 'agreements', header: 'Agreements', kind: 'number', cell: (row) => row.agreement_count, width: 110 },
  { id: 'currency', header: 'Currency', kind: 'muted', cell: (row) => row.currency, width: 90 },
  { id: 'bank', header: 'Bank', kind: 'badge', width: 140, cell: (row) => bankBadge(row) },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 120 },
], ['residence_country']);

function bankBadge(row: RoyaltorRow) {
  if (row.bank_account_last4 === null) {
    return row.payment_method === 'check' ? null : <Badge tone="warn" small>Missing</Badge>;
  }
  return row.bank_verified_at === null
    ? <Badge tone="warn" small>To verify</Badge> : <Badge tone="ok" small>Verified</Badge>;
}

const filters = [
  { name: 'kind', label: 'Kind', options: optionsOf(ROYALTOR_KIND_LABELS) },
  ACTIVE_FILTER,
  { name: 'division', label: 'Division', options: optionsOf({ US: 'US', EU: 'EU', UK: 'UK', PROD: 'Production' }) },
  { name: 'currency', label: 'Currency', options: optionsOf({ USD: 'USD', EUR: 'EUR', GBP: 'GBP' }) },
];

/** Search and sort settings belong to the list being left. */
const NO_VIEW = { view: null, page: null, search: null, sort_by: null, sort_direction: null, status: null };

export default function RoyaltorList() {
  const may = useMay();
  const { values, set } = useQueryValues();
  const view = values.get('view');
  const trash = view === 'trash';
  const agreements = view === 'agreements' && may('show_royaltor.list');
  const shows = may('show.list');
  return (
    <>
      <PageHeader title={trash ? 'Royaltors in the trash' : agreements ? 'Agreements' : 'Royaltors'}
        subtitle={trash ? 'Restored royaltors come back with everything they had'
          : agreements ? 'Shares of each title, by royaltor'
            : 'Authors, estates and others who share in royalties'}
        tabs={shows ? [{ id: 'plays', text: 'Plays', href: '/admin/plays' },
          { id: 'musicals', text: 'Musicals', href: '/admin/musicals' },
          { id: 'royaltors', text: 'Royaltors', href: '/admin/royaltors' }] : undefined}>
        {trash || agreements ? (
          <Button variant="quiet" onClick={() => set(NO_VIEW)}>Back to royaltors</Button>
        ) : (
          <>
            {may('show_royaltor.list') && (
              <Button variant="quiet" onClick={() => set({ ...NO_VIEW, view: 'agreements' })}>Agreements</Button>
            )}
            {may('royaltor.delete') && (
              <Button variant="quiet" onClick={() => set({ ...NO_VIEW, view: 'trash' })}>Trash</Button>
            )}
          </>
        )}
        {!trash && !agreements && may('royaltor.create') && (
          <ButtonLink href="/admin/royaltors/create" variant="primary">New royaltor</ButtonLink>
        )}
      </PageHeader>
      {trash ? <Trash /> : agreements ? <AllAgreements /> : <Alive />}
    </>
  );
}

function Alive() {
  const list = useList(royaltorEndpoints.list, {},
    { filters: ['kind', 'active', 'division', 'currency'], bulk: royaltorBulk });
  return (
    <DataTable label="Royaltors" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
      rowHref={(row) => `/admin/royaltors/${row.id}`} searchPlaceholder="Name, pen name, number or email"
      empty={{ title: 'No royaltors yet', text: 'Authors, composers, estates and agents stand here.' }} />
  );
}

function Trash() {
  const list = useList(royaltorEndpoints.trash, {}, { bulk: royaltorTrashBulk });
  const [asked, setAsked] = useState<number | null>(null);
  const restore = useAction(royaltorEndpoints.restore, { done: ({ data }) => `${data.name} is back` });
  const trashed: readonly Column<RoyaltorRow>[] = [...columns.slice(0, 3),
    { id: 'deleted_at', header: 'Moved here', kind: 'date', cell: (row) => row.deleted_at, width: 130 },
    { id: 'restore', header: 'Restore', kind: 'actions', cell: (row) => (
      <Button size="small" pending={restore.pending && asked === row.id}
        onClick={() => { setAsked(row.id); void restore.run({ params: { id: row.id } }); }}>Restore</Button>
    ) }];
  return (
    <DataTable label="Royaltors in the trash" {...list} columns={trashed} rowKey={(row) => row.id}
      empty={{ title: 'The trash is empty' }} />
  );
}
