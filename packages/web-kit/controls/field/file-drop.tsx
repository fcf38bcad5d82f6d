/**
 * Files by drag, click or keyboard: the drop area is the label of a native file input, so every way of choosing works.
 * Types and the limit stand there in words before anything is chosen; a refused file says why; while sending, each
 * file shows its progress. `onUpload(file, progress)` sends one file; `progress` takes 0 to 1.
 */
import { FileText, Upload, X } from 'lucide-react';
import { useId, useRef, useState, type DragEvent } from 'react';
import { IconButton } from '../button/button.tsx';
import { failureText } from '../failure/failure.ts';
import { limitText, MAX_FILE_BYTES, refusal, sizeText, type FileLimits } from './file-rules.ts';
import styles from './file-drop.module.css';

type FileUpload = { key: number; file: File; name: string; size: number; share: number; failure: string;
  done: boolean };

export type FileDropProps = {
  label: string;
  /** Endings taken, lower case with the dot; empty for every type. */
  types?: readonly string[] | undefined;
  maxBytes?: number | undefined;
  multiple?: boolean | undefined;
  disabled?: boolean | undefined;
  onUpload: (file: File, progress: (share: number) => void, signal: AbortSignal) => Promise<unknown>;
  error?: string | null | undefined;
  /** A file that was taken is cleared from the list. */
  onRemove?: ((file: File) => void) | undefined;
  /** Word for a file that was taken: 'uploaded' unless the form sends it later ('chosen'). */
  taken?: string | undefined;
};

export function FileDrop(props: FileDropProps) {
  const { label, types = [], maxBytes = MAX_FILE_BYTES, multiple = false, disabled = false, onUpload } = props;
  const limits: FileLimits = { types, maxBytes };
  const id = useId();
  const nextKey = useRef(0);
  const controllers = useRef(new Map<number, AbortController>());
  const [files, setFiles] = useState<FileUpload[]>([]);
  const [over, setOver] = useState(false);

  function patch(key: number, change: Partial<FileUpload>) {
    setFiles((list) => list.map((file) => (file.key === key ? { ...file, ...change } : file)));
  }
  async function send(file: File) {
    const key = nextKey.current++;
    const failure = refusal(file, limits);
    const row: FileUpload = { key, file, name: file.name, size: file.size, share: 0, failure, done: false };
    setFiles((list) => [...(multiple ? list : []), row]);
    if (failure) return;
    const controller = new AbortController();
    controllers.current.set(key, controller);
    try {
      await onUpload(file, (share) => patch(key, { share }), controller.signal);
      patch(key, { share: 1, done: true });
    } catch (caught) {
      if (!controller.signal.aborted) patch(key, { failure: failureText(caught) });
    } finally {
      controllers.current.delete(key);
    }
  }
  function take(chosen: FileList | null) {
    const list = [...(chosen ?? [])];
    for (const file of multiple ? list : list.slice(0, 1)) void send(file);
  }
  function remove(key: number) {
    controllers.current.get(key)?.abort();
    const removed = files.find((file) => file.key === key);
    if (removed?.done) props.onRemove?.(removed.file);
    setFiles((list) => list.filter((file) => file.key !== key));
  }
  function onDrag(event: DragEvent) {
    event.preventDefault();
    setOver(event.type === 'dragover' && !disabled);
    if (event.type === 'drop' && !disabled) take(event.dataTransfer.files);
  }

  return (
    <div className={styles.files}>
      <label htmlFor={id} className={styles.drop} data-over={over || undefined} data-disabled={disabled || undefined}
        onDragOver={onDrag} onDragLeave={onDrag} onDrop={onDrag}>
        <Upload size={18} strokeWidth={1.75} aria-hidden="true" />
        <span className={styles.title}>{label}</span>
        <span id={`${id}-limits`} className={styles.note}>
          Drop {multiple ? 'files' : 'a file'} here or choose. {limitText(limits)}.
        </span>
        <input id={id} type="file" className={styles.input} multiple={multiple} disabled={disabled}
          accept={types.join(',') || undefined} aria-label={label} aria-describedby={`${id}-limits`}
          aria-invalid={props.error ? true : undefined}
          onChange={(event) => { take(event.currentTarget.files); event.currentTarget.value = ''; }} />
      </label>
      {props.error && <p className={styles.error}>{props.error}</p>}
      <ul className={styles.list} aria-label={`${label}: files`} aria-live="polite">
        {files.map((file) => (
          <FileRow key={file.key} file={file} taken={props.taken ?? 'uploaded'} onRemove={() => remove(file.key)} />
        ))}
      </ul>
    </div>
  );
}

function FileRow({ file, taken, onRemove }: { file: FileUpload; taken: string; onRemove: () => void }) {
  const sending = !file.done && !file.failure;
  const percent = Math.round(file.share * 100);
  return (
    <li className={styles.file}>
      <FileText size={15} strokeWidth={1.75} aria-hidden="true" />
      <span className={styles.name}>{file.name}</span>
      <span className={file.failure ? styles.error : styles.note}>
        {file.failure || (sending ? `${percent}% of ${sizeText(file.size)}` : `${sizeText(file.size)}, ${taken}`)}
      </span>
      <IconButton size="small" label={sending ? `Cancel ${file.name}` : `Clear ${file.name}`}
        icon={<X aria-hidden="true" />} onClick={onRemove} />
      {sending && (
        <progress className={styles.progress} max={100} value={percent} aria-label={`Uploading ${file.name}`} />
      )}
    </li>
  );
}
