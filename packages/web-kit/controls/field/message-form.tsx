/** A message with files: what was typed is kept until it is sent; files are uploaded as they are chosen. */
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Button } from '../button/button.tsx';
import { FileDrop } from './file-drop.tsx';
import { dropDraft, keepDraft, readDraft } from '../form/form-draft.ts';
import { TextField } from './text-field.tsx';
import styles from './message-form.module.css';

export interface MessageFormProps {
  label: string;
  /** Key of the draft on this device. */
  draftKey: string;
  types: readonly string[];
  pending: boolean;
  error?: string | undefined;
  /** The reader may write only later, or never. */
  reason?: string | undefined;
  /** Uploads a file and answers its id. */
  upload: (file: File, progress: (share: number) => void, signal: AbortSignal) => Promise<number>;
  /** Answers whether the message was sent. */
  send: (body: string, fileIds: number[]) => Promise<boolean>;
}

const NOTHING = { body: '' };

export function MessageForm(props: MessageFormProps) {
  const { draftKey } = props;
  const [body, setBody] = useState(() => readDraft<typeof NOTHING>(draftKey)?.values.body ?? '');
  const [attaching, setAttaching] = useState(false);
  const [round, setRound] = useState(0);
  const files = useRef(new Map<File, number>());
  useEffect(() => {
    if (body !== '') return keepDraft(draftKey, { loaded: NOTHING, values: { body } });
    dropDraft(draftKey);
    return undefined;
  }, [draftKey, body]);
  const [uploading, setUploading] = useState(0);

  async function upload(file: File, progress: (share: number) => void, signal: AbortSignal) {
    setUploading((count) => count + 1);
    try {
      files.current.set(file, await props.upload(file, progress, signal));
    } finally {
      setUploading((count) => count - 1);
    }
  }
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (body.trim() === '' || uploading > 0 || !await props.send(body.trim(), [...files.current.values()])) return;
    setBody('');
    files.current.clear();
    setAttaching(false);
    setRound(round + 1);
  }
  const reason = props.reason ?? (body.trim() === '' ? 'Write a message first'
    : uploading > 0 ? 'A file is still being uploaded' : undefined);
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} aria-label={props.label} data-print="hide">
      <TextField label={props.label} rows={4} value={body} onChange={setBody} maxLength={20_000} error={props.error} />
      {attaching && (
        <FileDrop key={round} label="Attach files" multiple types={props.types.map((type) => `.${type}`)}
          onUpload={upload} onRemove={(file) => files.current.delete(file)} />
      )}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" pending={props.pending} reason={reason}>Send message</Button>
        {!attaching && <Button variant="quiet" onClick={() => setAttaching(true)}>Attach files</Button>}
      </div>
    </form>
  );
}
