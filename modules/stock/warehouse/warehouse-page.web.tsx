/** The page of one warehouse. */
import { DIVISION_LABELS } from '#kit/field.ts';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { TrashButton } from '#web/layout/trash-list.tsx';
import { useIdParam } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { StockSection } from '../movement/stock-section.web.tsx';
import { warehouseEndpoints } from './warehouse.contract.ts';
import { WarehouseForm, WAREHOUSES } from './warehouse-form.web.tsx';

export default function WarehousePage() {
  const may = useMay();
  const id = useIdParam('warehouseId');
  const refresh = useRefresh([warehouseEndpoints.list]);
  const read = useEndpoint(warehouseEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun="warehouse" list={WAREHOUSES} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Warehouse'} back={WAREHOUSES}
        activity={row && { entity: 'warehouse', id: row.id }}
        badges={row && <Badge tone={row.active ? 'ok' : 'neutral'}>{row.active ? 'Active' : 'Inactive'}</Badge>}
        waiting={!row}
        subtitle={row && [<CodeText key="c">{row.code}</CodeText>, DIVISION_LABELS[row.division],
          row.address?.locality]}>
        {row && may('warehouse.delete') && (
          <TrashButton row={row} list={WAREHOUSES} endpoints={warehouseEndpoints}
            text="Only an empty warehouse can go. It can be restored from the trash." />
        )}
      </PageHeader>
      <PageContent record fullWidth>
        {row ? (
          <>
            <StockSection warehouse={row} />
            <WarehouseForm key={row.id} row={row} mayWrite={may('warehouse.update')}
              onSaved={() => { toast('Warehouse saved'); void refresh(); }} />
          </>
        ) : [240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}
