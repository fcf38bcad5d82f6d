/** Audio samples of a show: uploaded, titled, put in order, made public, removed. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { MediaActions, ShowMedia } from '../show-media/show-media.web.tsx';
import type { ShowRow } from '../show/show.contract.ts';
import { MOST_SAMPLES, SHOW_SAMPLE_UPLOAD, showSampleEndpoints, type ShowSampleRow } from './show-sample.contract.ts';
import styles from './show-samples.module.css';

export function ShowSamples({ show }: { show: ShowRow }) {
  const may = useMay();
  const mayWrite = may('show.manage_images');
  const refresh = useRefresh([showSampleEndpoints.list]);
  const read = useEndpoint(showSampleEndpoints.list, { params: { id: show.id } }, { enabled: may('show.show') });
  if (!may('show.show')) return null;
  return (
    <ShowMedia<ShowSampleRow> title="Audio samples" noun="audio samples" read={read} most={MOST_SAMPLES}
      rule={SHOW_SAMPLE_UPLOAD} mayWrite={mayWrite}
      description="Short recordings for the page of the title."
      upload={async (file, sending) => {
        const form = new FormData();
        form.append('sample', file);
        await call(showSampleEndpoints.create, { params: { id: show.id }, body: { title: '' } }, { form, ...sending });
        await refresh();
      }}>
      {(rows) => (
        <ol className={styles.samples}>
          {rows.map((row, place) => (
            <Sample key={`${row.id}-${row.title}`} row={row} place={place} last={place === rows.length - 1}
              mayWrite={mayWrite} />
          ))}
        </ol>
      )}
    </ShowMedia>
  );
}

interface SampleProps { row: ShowSampleRow; place: number; last: boolean; mayWrite: boolean }

function Sample({ row, place, last, mayWrite }: SampleProps) {
  const [title, setTitle] = useState(row.title);
  const change = useAction(showSampleEndpoints.update, { done: 'Audio sample saved' });
  const remove = useAction(showSampleEndpoints.remove, { done: 'Audio sample removed' });
  const params = { id: row.show_id, sampleId: row.id };
  return (
    <li className={styles.sample}>
      {!mayWrite && <span>{row.title}</span>}
      {mayWrite && (
        <TextField label={`Title of sample ${place + 1}`} value={title} onChange={setTitle}
          error={change.failure?.fields.title?.[0]} />
      )}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the title above says which song is heard */}
      <audio className={styles.sound} controls preload="none" src={row.url} aria-label={row.title} />
      {mayWrite && (
        <MediaActions noun="audio sample" words="title" isPublic={row.public} isChanged={title !== row.title}
          place={place} last={last} pending={{ change: change.pending, remove: remove.pending }}
          consequence="It is gone from the public page of the title, too."
          onSave={() => void change.run({ params, body: { title } })}
          onChange={(body) => void change.run({ params, body })} onRemove={() => void remove.run({ params })} />
      )}
    </li>
  );
}
