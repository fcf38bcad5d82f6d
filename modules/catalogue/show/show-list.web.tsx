/** Plays and musicals: find, filter, create in a dialog (gaps G15), look into the trash and bring back. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { fieldsOf, bodyValues, formValues, labelsOf, optionsOf } from '#web/controls/form/resource-fields.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { toast } from '#web/data/toast.tsx';
import { divisionLabel } from '#web/layout/division.ts';
import { Modal } from '#web/layout/overlay.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useNavigation, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useList } from '#web/query/use-endpoint.ts';
import { ACTIVE_FILTER } from '../catalogue-labels.web.ts';
import { showFields, type ShowRow } from './show.contract.ts';
import { useFamily, type ShowFamily } from './show-family.web.ts';

const columns: readonly Column<ShowRow>[] = [
  { id: 'title', header: 'Title', kind: 'title', cell: (row) => row.title, sort: 'sort_title', fixed: true,
    width: 280 },
  { id: 'code', header: 'Code', kind: 'code', cell: (row) => row.show_code, sort: 'show_code', width: 140 },
  { id: 'authors', header: 'Authors', kind: 'muted', cell: (row) => row.authors_credit, width: 240 },
  { id: 'year', header: 'Year', kind: 'number', cell: (row) => row.year, sort: true, width: 80 },
  { id: 'cast', header: 'Cast', kind: 'number', width: 90,
    cell: (row) => row.cast_min && row.cast_max && row.cast_min !== row.cast_max
      ? `${row.cast_min}–${row.cast_max}` : row.cast_min ?? row.cast_max },
  { id: 'divisions', header: 'Divisions', kind: 'muted', width: 150,
    cell: (row) => row.divisions.map(divisionLabel).join(', ') },
  { id: 'state', header: 'Status', kind: 'badge', width: 110,
    cell: (row) => <Badge tone={row.active ? 'ok' : 'neutral'} small>{row.active ? 'Active' : 'Inactive'}</Badge> },
  { id: 'updated_at', header: 'Changed', kind: 'date', cell: (row) => row.updated_at, sort: true, width: 120 },
];

const filters = [
  ACTIVE_FILTER,
  { name: 'division', label: 'Division', options: optionsOf({ US: 'US', EU: 'EU', UK: 'UK', PROD: 'Production' }) },
];

export default function ShowList() {
  const family = useFamily();
  const { values, set } = useQueryValues();
  const trash = values.get('view') === 'trash';
  const may = useMay();
  const { create, remove } = { create: family.type === 'play' ? 'play.create' : 'musical.create',
    remove: family.type === 'play' ? 'play.delete' : 'musical.delete' } as const;
  return (
    <>
      <PageHeader title={trash ? `${family.Many} in the trash` : family.Many}
        subtitle={trash ? 'Restored titles come back with everything they had'
          : 'Titles available for licensing and their terms'}
        tabs={[{ id: 'plays', text: 'Plays', href: '/admin/plays' },
          { id: 'musicals', text: 'Musicals', href: '/admin/musicals' },
          ...(may('royaltor.list') ? [{ id: 'royaltors', text: 'Royaltors', href: '/admin/royaltors' }] : [])]}>
        {(may(remove) || may('show.delete')) && (
          <Button variant="quiet" onClick={() => set({ view: trash ? null : 'trash' })}>
            {trash ? `Back to ${family.many}` : 'Trash'}
          </Button>
        )}
        {!trash && (may(create) || may('show.create')) && (
          <Button variant="primary" onClick={() => set({ create: '1' })}>{`New ${family.one}`}</Button>
        )}
      </PageHeader>
      {trash ? <Trash key={family.type} family={family} /> : <Alive key={family.type} family={family} />}
      <Modal open={values.get('create') === '1'} onClose={() => set({ create: null })} title={`New ${family.one}`}>
        <CreateForm key={family.type} family={family} />
      </Modal>
    </>
  );
}

function Alive({ family }: { family: ShowFamily }) {
  const list = useList(family.calls.list, {}, { filters: ['active', 'division'], bulk: family.bulk });
  return (
    <DataTable label={family.Many} {...list} columns={columns} filters={filters} rowKey={(row) => row.id}
      rowHref={(row) => `${family.path}/${row.id}/information`} searchPlaceholder="Title, code or author"
      empty={{ title: `No ${family.many} yet`, text: 'A title needs a code, a rate card and its royaltors.' }} />
  );
}

function Trash({ family }: { family: ShowFamily }) {
  const list = useList(family.calls.trash, {}, { bulk: family.trashBulk });
  const [asked, setAsked] = useState<number | null>(null);
  const restore = useAction(family.calls.restore, { done: ({ data }) => `${data.title} is back` });
  const trashed: readonly Column<ShowRow>[] = [...columns.slice(0, 3),
    { id: 'deleted_at', header: 'Moved here', kind: 'date', cell: (row) => row.deleted_at, width: 130 },
    { id: 'restore', header: 'Restore', kind: 'actions', cell: (row) => (
      <Button size="small" pending={restore.pending && asked === row.id}
        onClick={() => { setAsked(row.id); void restore.run({ params: { id: row.id } }); }}>Restore</Button>
    ) }];
  return (
    <DataTable label={`${family.Many} in the trash`} {...list} columns={trashed} rowKey={(row) => row.id}
      searchPlaceholder="Title, code or author" empty={{ title: 'The trash is empty' }} />
  );
}

/** PLAY-TITLE from "Play, Title": what a code usually is; typed over it stays as typed. */
function suggestedCode(title: string): string {
  return title.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().replace(/^(THE|A|AN)\s+/, '')
    .replace(/[^A-Z0-9]+/g, '-').replace(/^-|-$/g, '').slice(0, 24).replace(/-$/, '');
}

function CreateForm({ family }: { family: ShowFamily }) {
  const { go } = useNavigation();
  const form = useResourceForm<Record<string, unknown>, { data: ShowRow }>({
    initial: formValues(showFields, null),
    submit: (values, sending) => call(family.calls.create, { body: bodyValues(showFields, values) }, sending),
    onSaved: ({ data }) => {
      toast(`${data.title} was added`);
      go(`${family.path}/${data.id}/information`);
    },
  });
  const show = fieldsOf(form, showFields);
  const title = String(form.values.title ?? '');
  const code = String(form.values.show_code ?? '');
  return (
    <FormFrame form={form} labels={labelsOf(showFields)} guard={false}>
      {show('title')}
      {show('show_code')}
      {title !== '' && code === '' && (
        <Button size="small" variant="quiet" onClick={() => form.set('show_code', suggestedCode(title))}>
          {`Use ${suggestedCode(title)}`}
        </Button>
      )}
      {show('authors_credit')}
      {show('divisions')}
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>{`Add ${family.one}`}</Button>
      </FormActions>
    </FormFrame>
  );
}
