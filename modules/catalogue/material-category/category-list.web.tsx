/** Categories of materials: few, so they are written in a dialog over their list. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { bodyValues, fieldsOf, formValues, labelsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast, undoable } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { newestRow } from '#web/query/newest-row.ts';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { ACTIVE_FILTER } from '../catalogue-labels.web.ts';
import { categoryUtilityEndpoints, materialCategory, materialCategoryEndpoints, type MaterialCategoryRow }
  from './material-category.contract.ts';

const { fields } = materialCategory;
type Row = MaterialCategoryRow;

const columns: readonly Column<Row>[] = [
  { id: 'name', header: 'Name', kind: 'title', cell: (row) => row.name, sort: true, fixed: true, width: 240,
    edit: { field: 'name', as: 'text', value: (row) => row.name } },
  { id: 'key', header: 'Key', kind: 'code', cell: (row) => row.key, sort: true, width: 160 },
  { id: 'sort', header: 'Place', kind: 'number', cell: (row) => row.sort, sort: true, width: 80,
    edit: { field: 'sort', as: 'number', value: (row) => row.sort } },
  { id: 'materials', header: 'Materials', kind: 'number', width: 100,
    cell: (row) => row.material_count >= 1000 ? '1,000+' : row.material_count },
  { id: 'state', header: 'Status', kind: 'badge', width: 100,
    cell: (row) => <Badge tone={row.active ? 'ok' : 'neutral'} small>{row.active ? 'Active' : 'Inactive'}</Badge> },
];

export function Categories() {
  const may = useMay();
  const { values, set } = useQueryValues();
  const list = useList(materialCategoryEndpoints.list, {}, { perPage: 20, filters: ['active'],
    edit: materialCategoryEndpoints.update });
  const [editing, setEditing] = useState<Row | null>(null);
  const refresh = useRefresh([materialCategoryEndpoints.list, categoryUtilityEndpoints.categories]);
  const close = () => { setEditing(null); set({ create: null }); };
  return (
    <>
      <DataTable label="Material categories" {...list} columns={columns} rowKey={(row) => row.id}
        filters={[ACTIVE_FILTER]} onOpen={may('material_category.update') ? setEditing : undefined}
        empty={{ title: 'No categories yet', text: 'Scripts, scores, parts: name what you ship.' }} />
      <Modal open={editing !== null || values.get('create') === '1'} onClose={close}
        title={editing ? editing.name : 'New category'}>
        <CategoryForm key={editing?.id ?? 'new'} row={editing && newestRow(editing, list.rows)}
          onSaved={(row) => { toast(`${row.name} saved`); void refresh(); close(); }} onRemoved={close} />
      </Modal>
    </>
  );
}

interface CategoryFormProps { row: Row | null; onSaved: (row: Row) => void; onRemoved: () => void }

function CategoryForm({ row, onSaved, onRemoved }: CategoryFormProps) {
  const may = useMay();
  const form = useResourceForm<Record<string, unknown>, { data: Row }>({
    initial: formValues(fields, row),
    record: row && { entity: 'material_category', id: row.id, version: row.version,
      read: materialCategoryEndpoints.list },
    submit: (values, sending) => {
      const body = bodyValues(fields, values);
      return row
        ? call(materialCategoryEndpoints.update,
          { params: { id: row.id }, body: { ...body, version: row.version } })
        : call(materialCategoryEndpoints.create, { body }, sending);
    },
    onSaved: ({ data }) => onSaved(data),
  });
  const remove = useAction(materialCategoryEndpoints.remove, { onDone: () => {
    onRemoved();
    if (row) undoable(`${row.name} moved to the trash`,
      () => call(materialCategoryEndpoints.restore, { params: { id: row.id } }));
  } });
  const show = fieldsOf(form, fields, { disabled: row ? ['key'] : [] });
  return (
    <FormFrame form={form} labels={labelsOf(fields)} guard={false}>
      <FormGrid>{show('name')}{show('key')}{show('sort')}</FormGrid>
      {show('active')}{show.others()}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Save category</Button>
        {row && may('material_category.delete') && (
          <Button type="button" variant="quiet" pending={remove.pending}
            reason={row.material_count > 0 ? 'Materials are filed under it: make it inactive instead' : undefined}
            onClick={() => void remove.run({ params: { id: row.id } })}>Move to trash</Button>
        )}
      </FormActions>
    </FormFrame>
  );
}

export function CategoryTrash() {
  const may = useMay()('material_category.restore_trash');
  const list = useList(materialCategoryEndpoints.trash, {}, { perPage: 20 });
  const restore = useAction(materialCategoryEndpoints.restore, { done: ({ data }) => `${data.name} is back` });
  const trashed: readonly Column<Row>[] = [...columns.slice(0, 2),
    { id: 'deleted_at', header: 'Moved here', kind: 'date', cell: (row) => row.deleted_at, width: 130 },
    ...(may ? [{ id: 'restore', header: 'Restore', kind: 'actions' as const, cell: (row: Row) => (
      <Button size="small" onClick={() => void restore.run({ params: { id: row.id } })}>Restore</Button>
    ) }] : [])];
  return (
    <DataTable label="Categories in the trash" {...list} columns={trashed} rowKey={(row) => row.id}
      empty={{ title: 'The trash is empty' }} />
  );
}
