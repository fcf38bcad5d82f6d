/** Uploads the bank's answer to prenotes. */
import { call } from '#kit/client.ts';
import { FileDrop } from '#web/controls/field/file-drop.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import styles from '../run/run.module.css';
import { PRENOTE_ANSWER_TYPES, prenoteEndpoints } from './prenote.contract.ts';

export default function PrenoteAnswer({ onClose }: { onClose: () => void }) {
  const refresh = useRefresh([prenoteEndpoints.list, prenoteEndpoints.candidates]);
  const upload = async (file: File, progress: (share: number) => void, signal: AbortSignal) => {
    const form = new FormData();
    form.append('file', file);
    const { data } = await call(prenoteEndpoints.answer, {}, { form, signal,
      onUploadProgress: (event) => progress(event.total ? event.loaded / event.total : 0) });
    toast([`${data.returned} returned`, data.changed > 0 && `${data.changed} corrected`,
      data.unknown > 0 && `${data.unknown} of other files`].filter(Boolean).join(', '));
    void refresh();
    onClose();
  };
  return (
    <Modal open onClose={onClose} title="The bank’s answer">
      <p className={styles.lead}>
        A NACHA file with returns or notices of change. The bank sends none when all is well.
      </p>
      <FileDrop label="Answer file" types={PRENOTE_ANSWER_TYPES.map((type) => `.${type}`)} onUpload={upload}
        taken="read" />
    </Modal>
  );
}
