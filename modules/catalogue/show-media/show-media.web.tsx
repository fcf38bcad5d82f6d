/** The shared parts of a show's pictures and audio samples: their section with its uploads, and the buttons of one. */
import { useState, type ReactNode } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { Switch } from '#web/controls/field/checkbox.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { Section } from '#web/layout/page-content.tsx';
import styles from './show-media.module.css';

export interface ShowMediaProps<Row> {
  title: string;
  /** In the middle of a sentence, in the plural. */
  noun: string;
  description: string;
  read: { isError: boolean; error: { message: string } | null; refetch: () => unknown;
    data: { data: readonly Row[] } | undefined };
  most: number;
  rule: { types: readonly string[]; max_bytes: number };
  mayWrite: boolean;
  upload: (file: File, sending: { signal: AbortSignal; onUploadProgress: UploadWatch }) => Promise<unknown>;
  children: (rows: readonly Row[]) => ReactNode;
}

type UploadWatch = (event: { loaded: number; total?: number | undefined }) => void;

export function ShowMedia<Row>({ title, noun, description, read, most, rule, mayWrite, upload,
  children }: ShowMediaProps<Row>) {
  const rows = read.data?.data;
  return (
    <Section title={title} count={rows?.length || undefined} description={description}>
      {read.isError && !rows && <NotLoaded title={`The ${noun} did not load`} read={read} />}
      {!rows && !read.isError && <Skeleton height={90} />}
      {rows && rows.length > 0 && children(rows)}
      {rows?.length === 0 && !mayWrite && <EmptyState title={`No ${noun}`} />}
      {mayWrite && rows && rows.length < most && (
        <FileDrop label={`Add ${noun}`} types={rule.types.map((type) => `.${type}`)} maxBytes={rule.max_bytes} multiple
          onUpload={async (file, progress, signal) => {
            await upload(file, { signal,
              onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
          }} />
      )}
    </Section>
  );
}

export interface MediaActionsProps {
  /** In the middle of a sentence. */
  noun: string;
  /** Its words: `caption` or `title`. */
  words: string;
  isPublic: boolean;
  isChanged: boolean;
  place: number;
  last: boolean;
  pending: { change: boolean; remove: boolean };
  /** Consequence of the removal, in a sentence. */
  consequence: string;
  onSave: () => void;
  onChange: (change: { public: boolean } | { sort: number }) => void;
  onRemove: () => void;
}

export function MediaActions({ noun, words, isPublic, isChanged, place, last, pending, consequence, onSave, onChange,
  onRemove }: MediaActionsProps) {
  const [removing, setRemoving] = useState(false);
  return (
    <div className={styles.actions}>
      <Switch label="On the public page" value={isPublic} onChange={(on) => onChange({ public: on })} />
      <Button size="small" pending={pending.change} reason={isChanged ? undefined : 'Nothing changed'}
        onClick={onSave}>Save {words}</Button>
      <Button size="small" variant="quiet" reason={place === 0 ? 'It is the first' : undefined}
        onClick={() => onChange({ sort: place - 1 })}>Earlier</Button>
      <Button size="small" variant="quiet" reason={last ? 'It is the last' : undefined}
        onClick={() => onChange({ sort: place + 1 })}>Later</Button>
      <Button size="small" variant="quiet" pending={pending.remove} onClick={() => setRemoving(true)}>Remove</Button>
      <ConfirmDialog open={removing} danger title={`Remove this ${noun}?`} confirm={`Remove ${noun}`}
        text={consequence} onCancel={() => setRemoving(false)}
        onConfirm={() => { setRemoving(false); onRemove(); }} />
    </div>
  );
}
