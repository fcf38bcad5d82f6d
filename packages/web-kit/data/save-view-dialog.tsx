/** Names a view of a list, shares it, lets it open by itself, or removes it. */
import { useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useAction } from '#web/query/use-action.ts';
import { savedViews, type SavedView, type SavedViewsState } from '#web/query/use-saved-views.ts';
import styles from './table-tools.module.css';

export interface SaveViewDialogProps {
  state: SavedViewsState;
  /** Ids of the columns on screen. */
  columns: string[];
  of: 'list' | 'report';
  /** The view that is changed; none: a new one. */
  view: SavedView | undefined;
  onClose: () => void;
  onSaved: (view: SavedView) => void;
  onRemoved: () => void;
}

const KEEPS = {
  list: 'It keeps the filters, the order, the division and the columns that are on screen now.',
  report: 'It keeps the comparison, the basis, the rows and the division that are on screen now. The dates stay free.',
} as const;

export default function SaveViewDialog({ state, columns, of, view, onClose, onSaved, onRemoved }: SaveViewDialogProps) {
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const [preset, setPreset] = useState(view?.is_default ?? false);
  const done = ({ data }: { data: SavedView }) => onSaved(data);
  const create = useAction(savedViews.create, { onDone: done });
  const update = useAction(savedViews.update, { onDone: done });
  const remove = useAction(savedViews.remove, { done: 'View removed', onDone: onRemoved });
  const fields = (view ? update : create).failure?.fields;
  const save = () => {
    const body = { name, shared, is_default: preset };
    if (view) void update.run({ params: { id: view.id }, body: { ...body, version: view.version } });
    else void create.run({ body: { ...body, page_key: state.pageKey, search: state.search, columns } });
  };
  return (
    <Modal open onClose={onClose} title={view ? 'This view' : 'Save what you see as a view'} width={440} footer={(
      <>
        {view && (
          <Button variant="danger" pending={remove.pending}
            onClick={() => void remove.run({ params: { id: view.id } })}>Remove the view</Button>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" pending={create.pending || update.pending} onClick={save}
          {...(name.trim() === '' && { reason: 'Name the view first' })}>Save the view</Button>
      </>
    )}>
      <form className={styles.viewForm} onSubmit={(event) => { event.preventDefault(); if (name.trim()) save(); }}>
        <TextField label="Name" required maxLength={60} value={name} onChange={setName}
          error={fields?.name?.[0]} />
        {!view && (
          <p className={styles.hint}>{KEEPS[of]}</p>
        )}
        <Checkbox label={`Offer it to all staff who open this ${of}`} value={shared} onChange={setShared}
          error={fields?.shared?.[0]} />
        <Checkbox label={`Open this ${of} with it`} value={preset} onChange={setPreset} />
      </form>
    </Modal>
  );
}
