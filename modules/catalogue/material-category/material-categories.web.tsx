/** Sub-categories of materials and, beside them, the categories they are filed under. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { toast, undoable } from '#web/data/toast.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useNavigation, useParams, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { ACTIVE_FILTER } from '../catalogue-labels.web.ts';
import { categorySource, useMaterialTabs } from '../material/material-words.web.ts';
import { Categories, CategoryTrash } from './category-list.web.tsx';
import { categoryUtilityEndpoints, materialSubCategory, materialSubCategoryEndpoints, type MaterialSubCategoryRow }
  from './material-category.contract.ts';

const LIST = '/admin/materials/subcategories';
const { fields } = materialSubCategory;

const columns: readonly Column<MaterialSubCategoryRow>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 240 },
  { id: 'key', header: 'Key', kind: 'code', cell: (row) => row.key, sort: true, width: 180 },
  { id: 'category', header: 'Category', kind: 'muted', cell: (row) => row.category_name, width: 180 },
  { id: 'sort', header: 'Place', kind: 'number', cell: (row) => row.sort, sort: true, width: 80 },
  { id: 'materials', header: 'Materials', kind: 'number', width: 100,
    cell: (row) => row.material_count >= 1000 ? '1,000+' : row.material_count },
  { id: 'state', header: 'Status', kind: 'badge', width: 100,
    cell: (row) => <Badge tone={row.active ? 'ok' : 'neutral'} small>{row.active ? 'Active' : 'Inactive'}</Badge> },
];

type View = 'subs' | 'categories' | 'trash' | 'category_trash';
const VIEWS: Record<View, { title: string; subtitle: string }> = {
  subs: { title: 'Material sub-categories', subtitle: 'Materials grouped within their category' },
  categories: { title: 'Material categories', subtitle: 'Each has sub-categories of its own' },
  trash: { title: 'Sub-categories in the trash', subtitle: 'Restored ones come back with their key' },
  category_trash: { title: 'Categories in the trash', subtitle: 'Restored ones come back with their key' },
};

export function SubCategoryList() {
  const may = useMay();
  const { values, set } = useQueryValues();
  const tabs = useMaterialTabs();
  const asked = values.get('view') as View | null;
  const view: View = asked !== null && asked in VIEWS ? asked : 'subs';
  const to = (next: View | null) => () => set({ view: next, search: null, page: null });
  return (
    <>
      <PageHeader {...VIEWS[view]} tabs={tabs}>
        {view !== 'subs' && <Button variant="quiet" onClick={to(null)}>Sub-categories</Button>}
        {view !== 'categories' && may('material_category.list') && (
          <Button variant="quiet" onClick={to('categories')}>Categories</Button>
        )}
        {view === 'subs' && may('material_sub_category.list_trash') && (
          <Button variant="quiet" onClick={to('trash')}>Trash</Button>
        )}
        {view === 'categories' && may('material_category.list_trash') && (
          <Button variant="quiet" onClick={to('category_trash')}>Trash</Button>
        )}
        {view === 'subs' && may('material_sub_category.create') && (
          <ButtonLink href={`${LIST}/create`} variant="primary">New sub-category</ButtonLink>
        )}
        {view === 'categories' && may('material_category.create') && (
          <Button variant="primary" onClick={() => set({ create: '1' })}>New category</Button>
        )}
      </PageHeader>
      {view === 'subs' && <SubCategories />}
      {view === 'trash' && <SubCategoryTrash />}
      {view === 'categories' && <Categories />}
      {view === 'category_trash' && <CategoryTrash />}
    </>
  );
}

function SubCategories() {
  const may = useMay()('material_sub_category.update');
  const list = useList(materialSubCategoryEndpoints.list, {}, { perPage: 20, filters: ['category_key', 'active'] });
  const categories = useEndpoint(categoryUtilityEndpoints.categories, { query: { per_page: 100 } });
  const filters = [{ name: 'category_key', label: 'Category',
    options: (categories.data?.data ?? []).map((row) => ({ value: row.key, label: row.name })) }, ACTIVE_FILTER];
  return (
    <DataTable label="Material sub-categories" {...list} columns={columns} filters={filters}
      rowKey={(row) => row.id} rowHref={may ? (row) => `${LIST}/${row.key}` : undefined}
      empty={{ title: 'No sub-categories yet', text: 'Name the kinds of materials within a category.' }} />
  );
}

function SubCategoryTrash() {
  const may = useMay()('material_sub_category.restore_trash');
  const list = useList(materialSubCategoryEndpoints.trash, {}, { perPage: 20 });
  const restore = useAction(materialSubCategoryEndpoints.restore, { done: ({ data }) => `${data.name} is back` });
  const trashed: readonly Column<MaterialSubCategoryRow>[] = [...columns.slice(0, 3),
    { id: 'deleted_at', header: 'Moved here', kind: 'date', cell: (row) => row.deleted_at, width: 130 },
    ...(may ? [{ id: 'restore', header: 'Restore', kind: 'actions' as const,
      cell: (row: MaterialSubCategoryRow) => (
        <Button size="small" onClick={() => void restore.run({ params: { id: row.id } })}>Restore</Button>
      ) }] : [])];
  return (
    <DataTable label="Sub-categories in the trash" {...list} columns={trashed} rowKey={(row) => row.id}
      empty={{ title: 'The trash is empty' }} />
  );
}

export function SubCategoryCreate() {
  const { go } = useNavigation();
  return (
    <>
      <PageHeader title="New sub-category" back={LIST} />
      <PageContent record>
        <SubCategoryForm row={null} onSaved={(row) => {
          toast(`${row.name} was added`);
          go(LIST, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

export function SubCategoryPage() {
  const { key = '' } = useParams();
  const { go } = useNavigation();
  const read = useEndpoint(materialSubCategoryEndpoints.show, { params: { key } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun="sub-category" list={LIST} error={read.error} onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row?.name ?? 'Sub-category'} back={LIST}
        activity={row && { entity: 'material_sub_category', id: row.id }}
        badges={row && <Badge tone={row.active ? 'ok' : 'neutral'}>{row.active ? 'Active' : 'Inactive'}</Badge>}
        waiting={!row}
        subtitle={row && [<CodeText key="key">{row.key}</CodeText>, row.category_name]}>
        {row && <TrashButton row={row} />}
      </PageHeader>
      <PageContent record>
        {row ? (
          <SubCategoryForm key={row.key} row={row}
            onSaved={() => { toast('Sub-category saved'); go(LIST, { replace: true }); }} />
        ) : <Skeleton width={320} height={34} />}
      </PageContent>
    </>
  );
}

function TrashButton({ row }: { row: MaterialSubCategoryRow }) {
  const may = useMay();
  const { go } = useNavigation();
  const [asking, setAsking] = useState(false);
  const remove = useAction(materialSubCategoryEndpoints.remove, { onDone: () => {
    go(LIST);
    undoable(`${row.name} moved to the trash`,
      () => call(materialSubCategoryEndpoints.restore, { params: { id: row.id } }));
  } });
  if (!may('material_sub_category.delete')) return null;
  return (
    <>
      <Button variant="quiet" pending={remove.pending} onClick={() => setAsking(true)}
        reason={row.material_count > 0 ? 'Materials are filed under it: make it inactive instead' : undefined}>
        Move to trash
      </Button>
      <ConfirmDialog open={asking} danger title={`Move ${row.name} to the trash?`} confirm="Move to trash"
        text="It is no longer offered for new materials." onCancel={() => setAsking(false)}
        onConfirm={() => { setAsking(false); void remove.run({ params: { key: row.key } }); }} />
    </>
  );
}

function SubCategoryForm(
  { row, onSaved }: { row: MaterialSubCategoryRow | null; onSaved: (row: MaterialSubCategoryRow) => void },
) {
  const form = useResourceForm<Record<string, unknown>, { data: MaterialSubCategoryRow }>({
    draftKey: row ? undefined : 'material_sub_category/new',
    initial: formValues(fields, row),
    record: row && { entity: 'material_sub_category', id: row.id, version: row.version,
      read: materialSubCategoryEndpoints.show },
    submit: (values, sending) => {
      const body = bodyValues(fields, values);
      return row
        ? call(materialSubCategoryEndpoints.update,
          { params: { key: row.key }, body: { ...body, version: row.version } })
        : call(materialSubCategoryEndpoints.create, { body }, sending);
    },
    onSaved: ({ data }) => onSaved(data),
  });
  const show = fieldsOf(form, fields, { disabled: row ? ['key'] : [] });
  const category = (form.values.category_key as string) || null;
  return (
    <FormFrame form={form} labels={labelsOf(fields)}>
      <FormGrid>
        {show('name')}{show('key')}
        <AsyncSelect label="Category" required name="category_key" source={categorySource} value={category}
          onChange={(value) => form.set('category_key', value ?? '')} error={form.errors.category_key}
          selectedLabel={row?.category_key === category ? row?.category_name : undefined} />
        {show('sort')}
      </FormGrid>
      {show('active')}{show.others('category_key')}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Save sub-category</Button>
      </FormActions>
    </FormFrame>
  );
}
