/** Audio samples of a show: uploaded, titled, put in order, made public, removed. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button.tsx';
import { Switch } from '#web/controls/checkbox.tsx';
import { ConfirmDialog } from '#web/controls/confirm-dialog.tsx';
import { FileDrop } from '#web/controls/file-drop.tsx';
import { TextField } from '#web/controls/text-field.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { FilePreview } from '../material/file-preview.web.tsx';
import type { ShowRow } from '../show/show.contract.ts';
import { MOST_SAMPLES, SHOW_SAMPLE_UPLOAD, showSampleEndpoints, type ShowSampleRow } from './show-sample.contract.ts';
import styles from './show-samples.module.css';

const TYPES = SHOW_SAMPLE_UPLOAD.types.map((type) => `.${type}`);

export function ShowSamples({ show }: { show: ShowRow }) {
  const may = useMay();
  const mayWrite = may('show.manage_images');
  const refresh = useRefresh([showSampleEndpoints.list]);
  const read = useEndpoint(showSampleEndpoints.list, { params: { id: show.id } }, { enabled: may('show.show') });
  const rows = read.data?.data;
  if (!may('show.show')) return null;
  return (
    <Section title="Audio samples" count={rows?.length || undefined}
      description="Short recordings for the page of the title.">
      {read.isError && !rows && <NotLoaded title="The audio samples did not load" read={read} />}
      {!rows && !read.isError && <Skeleton height={90} />}
      {rows && rows.length > 0 && (
        <ol className={styles.samples}>
          {rows.map((row, place) => (
            <Sample key={`${row.id}-${row.title}`} row={row} place={place} last={place === rows.length - 1}
              mayWrite={mayWrite} />
          ))}
        </ol>
      )}
      {rows?.length === 0 && !mayWrite && <EmptyState title="No audio samples" />}
      {mayWrite && rows && rows.length < MOST_SAMPLES && (
        <FileDrop label="Add audio samples" types={TYPES} maxBytes={SHOW_SAMPLE_UPLOAD.max_bytes} multiple
          onUpload={async (file, progress, signal) => {
            const data = new FormData();
            data.append('sample', file);
            await call(showSampleEndpoints.create, { params: { id: show.id }, body: { title: '' } }, {
              form: data, signal,
              onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
            await refresh();
          }} />
      )}
    </Section>
  );
}

interface SampleProps { row: ShowSampleRow; place: number; last: boolean; mayWrite: boolean }

function Sample({ row, place, last, mayWrite }: SampleProps) {
  const [title, setTitle] = useState(row.title);
  const [removing, setRemoving] = useState(false);
  const change = useAction(showSampleEndpoints.update, { done: 'Audio sample saved' });
  const remove = useAction(showSampleEndpoints.remove, { done: 'Audio sample removed' });
  const params = { id: row.show_id, sampleId: row.id };
  const move = (sort: number) => void change.run({ params, body: { sort } });
  return (
    <li className={styles.sample}>
      {!mayWrite && <span>{row.title}</span>}
      {mayWrite && (
        <TextField label={`Title of sample ${place + 1}`} value={title} onChange={setTitle}
          error={change.failure?.fields.title?.[0]} />
      )}
      <FilePreview kind="audio" name={row.title} src={row.url} />
      {mayWrite && (
        <div className={styles.actions}>
          <Switch label="On the public page" value={row.public}
            onChange={(on) => void change.run({ params, body: { public: on } })} />
          <Button size="small" pending={change.pending} reason={title === row.title ? 'Nothing changed' : undefined}
            onClick={() => void change.run({ params, body: { title } })}>Save title</Button>
          <Button size="small" variant="quiet" reason={place === 0 ? 'It is the first' : undefined}
            onClick={() => move(place - 1)}>Earlier</Button>
          <Button size="small" variant="quiet" reason={last ? 'It is the last' : undefined}
            onClick={() => move(place + 1)}>Later</Button>
          <Button size="small" variant="quiet" pending={remove.pending} onClick={() => setRemoving(true)}>Remove
          </Button>
        </div>
      )}
      <ConfirmDialog open={removing} danger title="Remove this audio sample?" confirm="Remove audio sample"
        text="It goes from every page with it." onCancel={() => setRemoving(false)}
        onConfirm={() => { setRemoving(false); void remove.run({ params }); }} />
    </li>
  );
}
