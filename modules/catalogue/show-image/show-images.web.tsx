/** Images of a show: uploaded, put in order, captioned, removed. */
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
import type { ShowRow } from '../show/show.contract.ts';
import { MOST_IMAGES, SHOW_IMAGE_UPLOAD, showImageEndpoints, type ShowImageRow } from './show-image.contract.ts';
import styles from './show-images.module.css';

const TYPES = SHOW_IMAGE_UPLOAD.types.map((type) => `.${type}`);

export function ShowImages({ show }: { show: ShowRow }) {
  const may = useMay();
  const mayWrite = may('show.manage_images');
  const refresh = useRefresh([showImageEndpoints.list]);
  const read = useEndpoint(showImageEndpoints.list, { params: { id: show.id } }, { enabled: may('show.show') });
  const rows = read.data?.data;
  if (!may('show.show')) return null;
  return (
    <Section title="Images" count={rows?.length || undefined}
      description="The first one is the face of the title. Visitors without an account see those on the public page.">
      {read.isError && !rows && <NotLoaded title="The images did not load" read={read} />}
      {!rows && !read.isError && <Skeleton height={90} />}
      {rows && rows.length > 0 && (
        <ol className={styles.images}>
          {rows.map((row, place) => (
            <Image key={`${row.id}-${row.caption}`} row={row} place={place} last={place === rows.length - 1}
              title={show.title} mayWrite={mayWrite} />
          ))}
        </ol>
      )}
      {rows?.length === 0 && !mayWrite && <EmptyState title="No images" />}
      {mayWrite && rows && rows.length < MOST_IMAGES && (
        <FileDrop label="Add images" types={TYPES} maxBytes={SHOW_IMAGE_UPLOAD.max_bytes} multiple
          onUpload={async (file, progress, signal) => {
            const data = new FormData();
            data.append('image', file);
            await call(showImageEndpoints.create, { params: { id: show.id }, body: { caption: '' } }, {
              form: data, signal,
              onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
            await refresh();
          }} />
      )}
    </Section>
  );
}

interface ImageProps { row: ShowImageRow; place: number; last: boolean; title: string; mayWrite: boolean }

function Image({ row, place, last, title, mayWrite }: ImageProps) {
  const [caption, setCaption] = useState(row.caption);
  const [removing, setRemoving] = useState(false);
  const change = useAction(showImageEndpoints.update, { done: 'Image saved' });
  const remove = useAction(showImageEndpoints.remove, { done: 'Image removed' });
  const params = { id: row.show_id, imageId: row.id };
  const move = (sort: number) => void change.run({ params, body: { sort } });
  return (
    <li className={styles.image}>
      <img src={row.url} width={row.width} height={row.height} loading="lazy"
        alt={row.caption || `Image ${place + 1} of ${title}`} />
      {!mayWrite && row.caption && <p className={styles.caption}>{row.caption}</p>}
      {mayWrite && (
        <>
          <TextField label={`Caption of image ${place + 1}`} hideLabel placeholder="Caption" value={caption}
            onChange={setCaption} error={change.failure?.fields.caption?.[0]} />
          <Switch label="On the public page" value={row.public}
            onChange={(on) => void change.run({ params, body: { public: on } })} />
          <div className={styles.actions}>
            <Button size="small" pending={change.pending}
              reason={caption === row.caption ? 'Nothing changed' : undefined}
              onClick={() => void change.run({ params, body: { caption } })}>Save caption</Button>
            <Button size="small" variant="quiet" reason={place === 0 ? 'It is the first' : undefined}
              onClick={() => move(place - 1)}>Earlier</Button>
            <Button size="small" variant="quiet" reason={last ? 'It is the last' : undefined}
              onClick={() => move(place + 1)}>Later</Button>
            <Button size="small" variant="quiet" pending={remove.pending} onClick={() => setRemoving(true)}>Remove
            </Button>
          </div>
        </>
      )}
      <ConfirmDialog open={removing} danger title="Remove this image?" confirm="Remove image"
        text="It goes from every place that shows it." onCancel={() => setRemoving(false)}
        onConfirm={() => { setRemoving(false); void remove.run({ params }); }} />
    </li>
  );
}
