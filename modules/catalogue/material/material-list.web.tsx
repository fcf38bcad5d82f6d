/** Materials: find, filter by show, category, type and state; look into the trash and bring back. */
import { useState } from 'react';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint, useList } from '#web/query/use-endpoint.ts';
import { categoryUtilityEndpoints } from '../material-category/material-category.contract.ts';
import { materialBulk, materialEndpoints, materialTrashBulk, type MaterialRow } from './material.contract.ts';
import { materialColumns, stateFilter, typeFilter } from './material-table.web.tsx';
import { showCodeSource, useMaterialTabs } from './material-words.web.ts';

export default function MaterialList() {
  const may = useMay();
  const { values, set } = useQueryValues();
  const trash = values.get('view') === 'trash';
  return (
    <>
      <PageHeader title={trash ? 'Materials in the trash' : 'Materials'} tabs={useMaterialTabs()}
        subtitle={trash ? 'Restored materials come back with their number'
          : 'Rental, sale, digital and perusal materials'}>
        {may('material.delete') && (
          <Button variant="quiet" onClick={() => set({ view: trash ? null : 'trash' })}>
            {trash ? 'Back to materials' : 'Trash'}
          </Button>
        )}
        {!trash && may('material.create') && (
          <ButtonLink href="/admin/materials/create" variant="primary">New material</ButtonLink>
        )}
      </PageHeader>
      {trash ? <Trash /> : <Alive />}
    </>
  );
}

/** The categories are few: they are the options of a filter. */
function useCategoryFilters() {
  const { values } = useQueryValues();
  const category = values.get('category') ?? undefined;
  const categories = useEndpoint(categoryUtilityEndpoints.categories, { query: { per_page: 100 } });
  const subs = useEndpoint(categoryUtilityEndpoints.subCategories,
    { query: { per_page: 100, ...(category ? { category_key: category } : {}) } });
  const options = (rows: readonly { key: string; name: string }[] | undefined) =>
    (rows ?? []).map((row) => ({ value: row.key, label: row.name }));
  return [
    { name: 'category', label: 'Category', options: options(categories.data?.data) },
    { name: 'sub_category', label: 'Sub-category', options: options(subs.data?.data) },
  ];
}

function Alive() {
  const { values, set } = useQueryValues();
  const list = useList(materialEndpoints.list, {},
    { filters: ['show_code', 'category', 'sub_category', 'type', 'active'], bulk: materialBulk });
  const filters = [...useCategoryFilters(), typeFilter, stateFilter];
  return (
    <DataTable label="Materials" {...list} columns={materialColumns} filters={filters} rowKey={(row) => row.id}
      rowHref={(row) => `/admin/materials/${row.id}`} searchPlaceholder="Name, number, instrument or ISBN"
      tools={(
        <AsyncSelect label="Show" hideLabel placeholder="Every show" clearable source={showCodeSource}
          value={values.get('show_code')} onChange={(code) => set({ show_code: code, page: null })} />
      )}
      empty={{ title: 'No materials yet', text: 'Scripts, scores, parts and tracks of the shows stand here.' }} />
  );
}

function Trash() {
  const list = useList(materialEndpoints.trash, {}, { bulk: materialTrashBulk });
  const [asked, setAsked] = useState<number | null>(null);
  const restore = useAction(materialEndpoints.restore, { done: ({ data }) => `${data.name} is back` });
  const trashed: readonly Column<MaterialRow>[] = [...materialColumns.slice(0, 5),
    { id: 'deleted_at', header: 'Moved here', kind: 'date', cell: (row) => row.deleted_at, width: 130 },
    { id: 'restore', header: 'Restore', kind: 'actions', cell: (row) => (
      <Button size="small" pending={restore.pending && asked === row.id}
        onClick={() => { setAsked(row.id); void restore.run({ params: { id: row.id } }); }}>Restore</Button>
    ) }];
  return (
    <DataTable label="Materials in the trash" {...list} columns={trashed} rowKey={(row) => row.id}
      searchPlaceholder="Name, number, instrument or ISBN" empty={{ title: 'The trash is empty' }} />
  );
}
