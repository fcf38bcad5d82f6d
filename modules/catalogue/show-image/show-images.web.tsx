/** Images of a show: uploaded, captioned, put in order, made public, removed. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { MediaActions, ShowMedia } from '../show-media/show-media.web.tsx';
import type { ShowRow } from '../show/show.contract.ts';
import { MOST_IMAGES, SHOW_IMAGE_UPLOAD, showImageEndpoints, type ShowImageRow } from './show-image.contract.ts';
import styles from './show-images.module.css';

export function ShowImages({ show }: { show: ShowRow }) {
  const may = useMay();
  const mayWrite = may('show.manage_images');
  const refresh = useRefresh([showImageEndpoints.list]);
  const read = useEndpoint(showImageEndpoints.list, { params: { id: show.id } }, { enabled: may('show.show') });
  if (!may('show.show')) return null;
  return (
    <ShowMedia<ShowImageRow> title="Images" noun="images" read={read} most={MOST_IMAGES}
      rule={SHOW_IMAGE_UPLOAD} mayWrite={mayWrite}
      description="The first one is the face of the title. Visitors without an account see those on the public page."
      upload={async (file, sending) => {
        const form = new FormData();
        form.append('image', file);
        await call(showImageEndpoints.create, { params: { id: show.id }, body: { caption: '' } }, { form, ...sending });
        await refresh();
      }}>
      {(rows) => (
        <ol className={styles.images}>
          {rows.map((row, place) => (
            <Image key={`${row.id}-${row.caption}`} row={row} place={place} last={place === rows.length - 1}
              title={show.title} mayWrite={mayWrite} />
          ))}
        </ol>
      )}
    </ShowMedia>
  );
}

interface ImageProps { row: ShowImageRow; place: number; last: boolean; title: string; mayWrite: boolean }

function Image({ row, place, last, title, mayWrite }: ImageProps) {
  const [caption, setCaption] = useState(row.caption);
  const change = useAction(showImageEndpoints.update, { done: 'Image saved' });
  const remove = useAction(showImageEndpoints.remove, { done: 'Image removed' });
  const params = { id: row.show_id, imageId: row.id };
  return (
    <li className={styles.image}>
      <img src={row.url} width={row.width} height={row.height} loading="lazy"
        alt={row.caption || `Image ${place + 1} of ${title}`} />
      {!mayWrite && row.caption && <p className={styles.caption}>{row.caption}</p>}
      {mayWrite && (
        <>
          <TextField label={`Caption of image ${place + 1}`} hideLabel placeholder="Caption" value={caption}
            onChange={setCaption} error={change.failure?.fields.caption?.[0]} />
          <MediaActions noun="image" words="caption" isPublic={row.public} isChanged={caption !== row.caption}
            place={place} last={last} pending={{ change: change.pending, remove: remove.pending }}
            consequence="It goes from every place that shows it."
            onSave={() => void change.run({ params, body: { caption } })}
            onChange={(body) => void change.run({ params, body })} onRemove={() => void remove.run({ params })} />
        </>
      )}
    </li>
  );
}
