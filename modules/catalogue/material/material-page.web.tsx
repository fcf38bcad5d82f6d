/** The page of one material and the page that adds one; under its show they are the same with another way back. */
import { lazy, Suspense, useState } from 'react';
import { call } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { ActivityLog } from '#web/data/activity-log.tsx';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast, undoable } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { MaterialStock } from '#modules/stock/movement/material-stock.web.tsx';
import { useFamily } from '../show/show-family.web.ts';
import { materialEndpoints, type MaterialRow } from './material.contract.ts';
import { MaterialForm } from './material-form.web.tsx';
import { hasFiles, TYPE_LABELS } from './material-words.web.ts';

const MaterialFiles = lazy(() => import('./material-files.web.tsx'));
const LIST = '/admin/materials';

export function MaterialCreate() {
  const { go } = useNavigation();
  return (
    <>
      <PageHeader title="New material" back={LIST} />
      <PageContent record>
        <MaterialForm row={null} mayWrite onSaved={(row) => {
          toast(`${row.name} was added`);
          go(`${LIST}/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

export function MaterialPage() {
  return <MaterialRecord back={LIST} />;
}

/** RT42, RT53: a material opened from its show. */
export function ShowMaterialPage() {
  const family = useFamily();
  const showId = useIdParam('id');
  return <MaterialRecord back={`${family.path}/${showId}/materials`} showId={showId} />;
}

function MaterialRecord({ back, showId }: { back: string; showId?: number }) {
  const may = useMay();
  const id = useIdParam('materialId');
  const refresh = useRefresh([materialEndpoints.list]);
  const read = useEndpoint(materialEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if ((read.isError && !row) || (row && showId !== undefined && row.show_id !== showId)) {
    return <RecordProblem noun="material" list={back} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Material'} back={back}
        crumbs={row && showId !== undefined && row.show_title !== null
          ? [{ label: row.show_title, href: back }, { label: row.name }] : undefined}
        badges={row && <Badge tone={row.active ? 'ok' : 'neutral'}>{row.active ? 'Active' : 'Inactive'}</Badge>}
        waiting={!row}
        subtitle={row && [<CodeText key="n">{row.item_number}</CodeText>, TYPE_LABELS[row.type], row.show_title]}>
        {row && <TrashButton row={row} back={back} />}
      </PageHeader>
      <PageContent record>
        {row ? (
          <>
            <MaterialForm key={row.id} row={row} mayWrite={may('material.update')}
              onSaved={() => { toast('Material saved'); void refresh(); }} />
            <MaterialStock material={row} />
            {hasFiles(row) && (
              <Suspense fallback={<Skeleton height={120} />}><MaterialFiles material={row} /></Suspense>)}
            <History id={row.id} />
          </>
        ) : [240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}

function TrashButton({ row, back }: { row: MaterialRow; back: string }) {
  const may = useMay();
  const { go } = useNavigation();
  const [asking, setAsking] = useState(false);
  const remove = useAction(materialEndpoints.remove, { onDone: () => {
    go(back);
    undoable(`${row.name} moved to the trash`, () => call(materialEndpoints.restore, { params: { id: row.id } }));
  } });
  if (!may('material.delete')) return null;
  return (
    <>
      <Button variant="quiet" pending={remove.pending} onClick={() => setAsking(true)}>Move to trash</Button>
      <ConfirmDialog open={asking} danger title={`Move ${row.name} to the trash?`} confirm="Move to trash"
        text={spell`A material that licenses or templates name stays; make it inactive instead.`}
        onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void remove.run({ params: { id: row.id } }); }} />
    </>
  );
}

/** Change history with the person of each change, newest first. */
function History({ id }: { id: number }) {
  const [page, setPage] = useState(1);
  const read = useEndpoint(materialEndpoints.activity, { params: { id }, query: { page } });
  return <Section title="Activity"><ActivityLog read={read} page={page} onPage={setPage} /></Section>;
}
