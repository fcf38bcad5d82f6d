/** Add-ons: those of one show, the list of all of them with its trash, and the page of one under both addresses. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { TrashButton, TrashList } from '#web/layout/trash-list.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { ACTIVE_FILTER } from '../catalogue-labels.web.ts';
import { materialsTabs } from '../materials-tabs.ts';
import { priceColumns } from '../price-columns.web.tsx';
import type { ShowRow } from '../show/show.contract.ts';
import { useFamily } from '../show/show-family.web.ts';
import { ShowFrame } from '../show/show-frame.web.tsx';
import { addOnBulk, addOnEndpoints, addOnTrashBulk, type AddOnRow } from './add-on.contract.ts';
import { AddOnMaterials } from './add-on-materials.web.tsx';
import { ADD_ON_KIND_LABELS, AddOnForm, MODEL_LABELS } from './add-on-form.web.tsx';

const LIST = '/admin/add-ons';

const columns: readonly Column<AddOnRow>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 240,
    edit: { field: 'name', as: 'text', value: (row) => row.name } },
  { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => ADD_ON_KIND_LABELS[row.kind], width: 170 },
  { id: 'priced', header: 'Priced', kind: 'muted', cell: (row) => MODEL_LABELS[row.pricing_model], width: 150 },
  ...priceColumns<AddOnRow>(100),
  { id: 'state', header: 'Status', kind: 'badge', width: 100,
    cell: (row) => <Badge tone={row.active ? 'ok' : 'neutral'} small>{row.active ? 'Offered' : 'Inactive'}</Badge> },
];

export default function AddOns() {
  return <ShowFrame>{(show) => <AddOnsOf show={show} />}</ShowFrame>;
}

function AddOnsOf({ show }: { show: ShowRow }) {
  const may = useMay();
  const family = useFamily();
  const refresh = useRefresh([addOnEndpoints.list]);
  const [adding, setAdding] = useState(false);
  const list = useList(addOnEndpoints.list, { query: { show_id: show.id } }, { edit: addOnEndpoints.update });
  return (
    <PageContent record fullWidth title="Add-ons" description={spell`Options a customer may buy with the license.`}
      right={may('material.create') && <Button variant="primary" onClick={() => setAdding(true)}>New add-on</Button>}>
      <Section flush>
        <DataTable label="Add-ons" {...list} columns={columns} rowKey={(row) => row.id} variant="record"
          rowHref={(row) => `${family.path}/${show.id}/add-ons/${row.id}`}
          empty={{ title: 'No add-ons', text: 'Tracks, logo packs, streaming and video are sold here.' }} />
      </Section>
      <Modal open={adding} onClose={() => setAdding(false)} width={680} title="New add-on">
        {adding && (
          <AddOnForm showId={show.id} row={null}
            onSaved={() => { setAdding(false); void refresh(); toast('Add-on saved'); }} />
        )}
      </Modal>
    </PageContent>
  );
}

/** Under its show. */
export function ShowAddOnPage() {
  const family = useFamily();
  const showId = useIdParam('id');
  return <AddOnRecord showId={showId} back={`${family.path}/${showId}/add-ons`} />;
}

/** In the list of all add-ons. */
export function AddOnPage() {
  return <AddOnRecord showId={null} back={LIST} />;
}

export function AddOnCreate() {
  const { go } = useNavigation();
  return (
    <>
      <PageHeader title="New add-on" back={LIST} />
      <PageContent record>
        <AddOnForm showId={null} row={null} onSaved={(row) => {
          toast(`${row.name} was added`);
          go(`${LIST}/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

const filters = [ACTIVE_FILTER, { name: 'kind', label: 'Kind', options: optionsOf(ADD_ON_KIND_LABELS) },
  { name: 'division', label: 'Division', options: optionsOf({ US: 'US', EU: 'EU', UK: 'UK', PROD: 'Production' }) }];
const [nameColumn, ...otherColumns] = columns;
const listColumns: readonly Column<AddOnRow>[] = [nameColumn!,
  { id: 'show', header: 'Show', kind: 'muted', cell: (row) => row.show_title, width: 200 }, ...otherColumns,
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 120 }];

export function AddOnList() {
  const may = useMay();
  const list = useList(addOnEndpoints.list, {}, { filters: ['active', 'kind', 'division'], bulk: addOnBulk,
    edit: addOnEndpoints.update });
  return (
    <TrashList<AddOnRow> one="add-on" many="add-ons" subtitle={spell`Options that are sold with a license`}
      href={LIST} mayCreate={may('material.create')} mayRemove={may('material.delete')} tabs={materialsTabs(may)}
      endpoints={addOnEndpoints} trashColumns={listColumns.slice(0, 4)} trashBulk={addOnTrashBulk}>
      <DataTable label="All add-ons" {...list} columns={listColumns} filters={filters} rowKey={(row) => row.id}
        {...(may('material.show') ? { rowHref: (row: AddOnRow) => `${LIST}/${row.id}` } : {})}
        searchPlaceholder="Name of the add-on"
        empty={{ title: 'No add-ons yet', text: 'Tracks, logo packs, streaming and video are sold here.' }} />
    </TrashList>
  );
}

interface RecordProps { showId: number | null; back: string }

function AddOnRecord({ showId, back }: RecordProps) {
  const may = useMay();
  const id = useIdParam('addOnId');
  const refresh = useRefresh([addOnEndpoints.list]);
  const read = useEndpoint(addOnEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if ((read.isError && !row) || (row && showId !== null && row.show_id !== showId)) {
    return <RecordProblem noun="add-on" list={back} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Add-on'} back={back}
        crumbs={row && showId !== null ? [{ label: row.show_title, href: back }, { label: row.name }] : undefined}
        activity={row && { entity: 'add_on', id: row.id }}
        badges={row && <Badge tone={row.active ? 'ok' : 'neutral'}>{row.active ? 'Offered' : 'Inactive'}</Badge>}
        waiting={!row}
        subtitle={row && [<CodeText key="key">{row.key}</CodeText>, row.show_title]}>
        {row && may('material.delete') && (
          <TrashButton row={row} list={back} endpoints={addOnEndpoints}
            text={spell`It is no longer offered. Licenses that have it keep it.`} />
        )}
      </PageHeader>
      <PageContent record>
        {row ? (
          <>
            <AddOnForm key={row.id} showId={row.show_id} row={row}
              onSaved={() => { void refresh(); toast('Add-on saved'); }} />
            <AddOnMaterials addOn={row} />
          </>
        ) : <Skeleton width={320} height={16} />}
      </PageContent>
    </>
  );
}
