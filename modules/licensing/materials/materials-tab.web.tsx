/** Materials of a licence: what it gets, when it goes and comes back, what is charged beside the package. */
import { lazy, Suspense, useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { newestRow } from '#web/query/newest-row.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { AppLink } from '#web/navigation/navigation.tsx';
import { SHIP_GROUP_LABELS } from '#modules/catalogue/bom-template/bom-template.contract.ts';
import { orderedWords } from '#modules/stock/sales-order/waiting-words.web.ts';
import styles from '../licensing.module.css';
import { LicenseFrame } from '../licenses/license-frame.web.tsx';
import { licenseEndpoints, type LicenseRow } from '../licenses/license.contract.ts';
import { licenseMaterialEndpoints, type LicenseMaterialRow, type ListedMaterialRow }
  from './license-material.contract.ts';
import { TYPE_WORDS } from './material-words.web.ts';

/** Asked for by a click. */
const AddForm = lazy(() => import('./material-forms.web.tsx').then((file) => ({ default: file.AddForm })));
const ChangeForm = lazy(() => import('./material-forms.web.tsx').then((file) => ({ default: file.ChangeForm })));
/** Below the list, which does not wait for them. */
const LicenseAddOns = lazy(() => import('../add-ons/license-add-ons.web.tsx')
  .then((file) => ({ default: file.LicenseAddOns })));
const LicenseFiles = lazy(() => import('../downloads/license-files.web.tsx')
  .then((file) => ({ default: file.LicenseFiles })));

export default function MaterialsTab() {
  return <LicenseFrame>{({ license }) => <MaterialsOf license={license} />}</LicenseFrame>;
}

/** Stock that its orders have reserved or shipped, and why not; anyone who reads materials reads orders. */
function Ordered({ row }: { row: ListedMaterialRow }) {
  if (row.fulfilment !== 'physical') return 'Digital: no stock needed';
  if (row.type === 'service') return 'Not in stock';
  if (row.ordered.length === 0) return 'Not ordered yet';
  return row.ordered.map((line) => (
    <span key={line.order_id} className={styles.ordered}>
      <AppLink href={`/admin/sales-and-royalties/sales-orders/${line.order_id}`}>{line.order_number}</AppLink>
      {`, ${orderedWords(line)}`}
    </span>
  ));
}

const columns: readonly Column<ListedMaterialRow>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 240 },
  { id: 'item_number', header: 'Item number', kind: 'code', cell: (row) => row.item_number, sort: true, width: 160 },
  { id: 'type', header: 'Type', kind: 'muted', hidden: true, cell: (row) => TYPE_WORDS[row.type], width: 90 },
  { id: 'quantity', header: 'Copies', kind: 'number', cell: (row) => row.quantity.toLocaleString('en-US'), sort: true,
    width: 80 },
  { id: 'bom', header: 'From', kind: 'muted', hidden: true, cell: (row) => row.bom_name, width: 180 },
  { id: 'group', header: 'Sent', kind: 'muted', hidden: true, width: 100,
    cell: (row) => SHIP_GROUP_LABELS[row.ship_group] },
  { id: 'ships_on', header: 'Ships on', kind: 'date', cell: (row) => row.ships_on, width: 120 },
  { id: 'returns_on', header: 'Return by', kind: 'date', cell: (row) => row.returns_on, width: 120 },
  { id: 'charged', header: 'Charged', kind: 'money', width: 100,
    cell: (row) => row.included_in_package ? null : BigInt(row.extended_minor) },
  { id: 'ordered', header: 'Order and stock', kind: 'muted', cell: (row) => <Ordered row={row} />, width: 330 },
  { id: 'note', header: 'Note', kind: 'badge', width: 150, cell: (row) => row.substituted_for_name
    ? <Badge tone="info" small>{`For ${row.substituted_for_name}`}</Badge> : row.note || null },
];
const filters = [{ name: 'ship_group', label: 'Sent', options: optionsOf(SHIP_GROUP_LABELS) }];

function MaterialsOf({ license }: { license: LicenseRow }) {
  const may = useMay();
  const params = { licenseId: license.id };
  const [open, setOpen] = useState<LicenseMaterialRow | 'new' | null>(null);
  const refresh = useRefresh([licenseMaterialEndpoints.list, licenseEndpoints.show]);
  const list = useList(licenseMaterialEndpoints.list, { params }, { perPage: 25, filters: ['ship_group'] });
  const listed = list.rows !== undefined || Boolean(list.error);
  const saved = (text: string) => { setOpen(null); void refresh(); toast(text); };
  return (
    <PageContent record fullWidth title="Materials" description="Materials for this production."
      right={may('license_material.create') && (
        <Button onClick={() => setOpen('new')}>Add material</Button>
      )}>
      <Section flush>
        <DataTable label="Materials" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
          variant="record" searchPlaceholder="Name or item number"
          onOpen={may('license_material.show') ? setOpen : undefined}
          empty={{ title: 'No materials yet', text: 'Attach a BOM template under BOMs, or add single materials.' }} />
      </Section>
      <Suspense fallback={null}><LicenseFiles licenseId={license.id} shown={listed} /></Suspense>
      <Suspense fallback={null}><LicenseAddOns licenseId={license.id} shown={listed} /></Suspense>
      <Modal open={open !== null} onClose={() => setOpen(null)}
        title={open === 'new' ? 'Add material' : open?.name ?? ''}>
        <Suspense fallback={null}>
          {open === 'new' && <AddForm license={license} onSaved={() => saved('Material added')} />}
          {open !== null && open !== 'new' && (
            <ChangeForm key={open.id} license={license} row={newestRow(open, list.rows)} onSaved={saved} />
          )}
        </Suspense>
      </Modal>
    </PageContent>
  );
}
