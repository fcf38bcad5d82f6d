/** Sales items: the list with its trash, the page of one, the page that adds one. */
import { call } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf, optionsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { TrashButton, TrashList } from '#web/layout/trash-list.tsx';
import { useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { ACTIVE_FILTER, ITEM_CLASS_LABELS, showSource } from '../catalogue-labels.web.ts';
import { materialsTabs } from '../materials-tabs.ts';
import { priceColumns } from '../price-columns.web.tsx';
import {
  SALES_ITEM_CLASSES, salesItem, salesItemBulk, salesItemEndpoints, salesItemTrashBulk, type SalesItemRow,
} from './sales-item.contract.ts';

const { fields } = salesItem;
/** Amounts, each in the currency its name tells. */
const PRICES = ['price_usd_minor', 'shipping_usd_minor', 'price_eur_minor', 'shipping_eur_minor', 'price_gbp_minor',
  'shipping_gbp_minor'] as const;
const LIST = '/admin/sales-items';
const CLASS_LABELS = Object.fromEntries(SALES_ITEM_CLASSES.map((key) => [key, ITEM_CLASS_LABELS[key]]));
const columns: readonly Column<SalesItemRow>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 260,
    edit: { field: 'name', as: 'text', value: (row) => row.name } },
  { id: 'item_number', header: 'Item number', kind: 'code', cell: (row) => row.item_number, sort: true, width: 150 },
  { id: 'class', header: 'Kind of goods', kind: 'muted', cell: (row) => CLASS_LABELS[row.item_class], width: 130 },
  { id: 'show', header: 'Show', kind: 'muted', cell: (row) => row.show_title, width: 180 },
  ...priceColumns<SalesItemRow>(90),
  { id: 'state', header: 'Status', kind: 'badge', width: 100,
    cell: (row) => <Badge tone={row.active ? 'ok' : 'neutral'} small>{row.active ? 'Active' : 'Inactive'}</Badge> },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 120 },
];

const filters = [ACTIVE_FILTER, { name: 'item_class', label: 'Kind of goods', options: optionsOf(CLASS_LABELS) }];

export default function SalesItemList() {
  const may = useMay();
  const list = useList(salesItemEndpoints.list, {}, { filters: ['active', 'item_class'], bulk: salesItemBulk,
    edit: salesItemEndpoints.update });
  return (
    <TrashList<SalesItemRow> one="sales item" many="sales items"
      subtitle={spell`Books and merchandise that no license needs`}
      href={LIST} mayCreate={may('material.create')} mayRemove={may('material.delete')} tabs={materialsTabs(may)}
      endpoints={salesItemEndpoints} trashColumns={columns.slice(0, 4)} trashBulk={salesItemTrashBulk}>
      <DataTable label="Sales items" {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
        {...(may('material.show') ? { rowHref: (row: SalesItemRow) => `${LIST}/${row.id}` } : {})}
        searchPlaceholder="Name or item number"
        empty={{ title: 'No sales items yet', text: 'Books, shirts and posters are sold here.' }} />
    </TrashList>
  );
}

export function SalesItemCreate() {
  const { go } = useNavigation();
  return (
    <>
      <PageHeader title="New sales item" back={LIST} />
      <PageContent record>
        <SalesItemForm row={null} mayWrite onSaved={(row) => {
          toast(`${row.name} was added`);
          go(`${LIST}/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

export function SalesItemPage() {
  const may = useMay();
  const id = useIdParam('salesItemId');
  const refresh = useRefresh([salesItemEndpoints.list]);
  const read = useEndpoint(salesItemEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun="sales item" list={LIST} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Sales item'} back={LIST}
        activity={row && { entity: 'sales_item', id: row.id }}
        badges={row && <Badge tone={row.active ? 'ok' : 'neutral'}>{row.active ? 'Active' : 'Inactive'}</Badge>}
        waiting={!row}
        subtitle={row && [<CodeText key="n">{row.item_number}</CodeText>, CLASS_LABELS[row.item_class],
          row.show_title]}>
        {row && may('material.delete') && (
          <TrashButton row={row} list={LIST} endpoints={salesItemEndpoints}
            text="It is no longer sold. Its number stays taken." />
        )}
      </PageHeader>
      <PageContent record>
        {row ? (
          <SalesItemForm key={row.id} row={row} mayWrite={may('material.update')}
            onSaved={() => { toast('Sales item saved'); void refresh(); }} />
        ) : [240, 420, 360].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}

interface FormProps { row: SalesItemRow | null; mayWrite: boolean; onSaved: (row: SalesItemRow) => void }

function SalesItemForm({ row, mayWrite, onSaved }: FormProps) {
  const form = useResourceForm<Record<string, unknown>, { data: SalesItemRow }>({
    initial: formValues(fields, row),
    record: row && { entity: 'sales_item', id: row.id, version: row.version, read: salesItemEndpoints.show },
    submit: (values, sending) => {
      const body = bodyValues(fields, values);
      return row
        ? call(salesItemEndpoints.update, { params: { id: row.id }, body: { ...body, version: row.version } })
        : call(salesItemEndpoints.create, { body }, sending);
    },
    onSaved: ({ data }) => onSaved(data),
    draftKey: row ? `sales-item/${row.id}` : 'sales-item/new',
  });
  const disabled = mayWrite ? (row ? ['item_number'] : []) : Object.keys(fields);
  const words = { disabled, choices: { item_class: CLASS_LABELS }, sources: { show_id: showSource },
    selected: { show_id: row?.show_title } };
  const show = fieldsOf(form, fields, words);
  const priced = (currency: string) => fieldsOf(form, fields, { ...words, currency });
  return (
    <FormFrame form={form} labels={labelsOf(fields)}>
      <Section title="The item">
        <FormGrid>{show('name')}{show('item_number')}{show('item_class')}{show('show_id')}</FormGrid>
        {show('description')}{show('active')}
      </Section>
      <Section title="Prices" description="Before tax, which is added for the place of the buyer.">
        <FormGrid>
          {PRICES.map((name) => priced(name.split('_')[1]!.toUpperCase())(name))}
        </FormGrid>
        {show('tax')}{show('vat')}
      </Section>
      <Section title="Stock">
        <FormGrid>{show('weight_g')}{show('reorder_point')}</FormGrid>
        {show('stocked')}{show.others(...PRICES)}
      </Section>
      {mayWrite && (
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            {row ? 'Save sales item' : 'Add sales item'}
          </Button>
        </FormActions>
      )}
    </FormFrame>
  );
}
