/** Messages of a conversation: author, time, text, files, and what became of the mail. Newest first. */
import { Mail, Paperclip } from 'lucide-react';
import type { ReactNode } from 'react';
import { sizeText } from '#web/controls/field/file-rules.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { Avatar } from './avatar.tsx';
import { Badge } from './badge.tsx';
import { DateText } from './date-text.tsx';
import styles from './message-list.module.css';

export interface ShownMessage {
  id: number;
  body: string;
  quoted: string;
  author_name: string;
  from_staff: boolean;
  by_mail: boolean;
  verified: boolean;
  files: readonly { id: number; name: string; size_bytes: number }[];
  refused_files: readonly { name: string; size_bytes: number; reason: string }[];
  created_at: string;
}

export interface MessageListProps<M extends ShownMessage> {
  messages: readonly M[];
  /** Written by the reader's own side. */
  own: (message: M) => boolean;
  fileHref: (fileId: number) => string;
  /** Beside the author, such as the address of a sender who is not known. */
  about?: ((message: M) => ReactNode) | undefined;
  /** Lines below the message: mails that did not arrive. */
  notes?: ((message: M) => readonly { text: string; error: boolean }[]) | undefined;
}

export function MessageList<M extends ShownMessage>({ messages, own, fileHref, about, notes }: MessageListProps<M>) {
  return (
    <ol className={styles.list} aria-label="Messages, newest first">
      {messages.map((message) => (
        <li key={message.id} className={styles.message} data-own={own(message)}>
          <span className={styles.mark}><Avatar name={message.author_name} /></span>
          <div className={styles.main}>
            <p className={styles.head}>
              <strong>{message.author_name}</strong>
              {message.by_mail && <span className={styles.when}><Glyph icon={Mail} size={13} /> by email</span>}
              {!message.verified && <Badge small tone="warn">Unverified sender</Badge>}
              {about?.(message)}
              <span className={styles.when}><DateText value={message.created_at} /></span>
            </p>
            <div className={styles.bubble}>
              {message.body === '' ? <p className={styles.muted}>No text</p>
                : <p className={styles.text}>{message.body}</p>}
              {message.quoted !== '' && (
                <details className={styles.quoted}><summary>Show quoted text</summary><p>{message.quoted}</p></details>
              )}
              <FileLinks files={message.files} fileHref={fileHref} />
            </div>
            <Notes lines={[...message.refused_files.map(({ name, reason }) =>
              ({ text: `${name} was not kept. ${reason}`, error: true })), ...notes?.(message) ?? []]} />
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Files to download; nothing where there are none. */
export function FileLinks({ files, fileHref }: Pick<ShownMessage, 'files'> & { fileHref: (fileId: number) => string }) {
  if (files.length === 0) return null;
  return (
    <ul className={styles.files} aria-label="Files">
      {files.map((file) => (
        <li key={file.id}>
          <a className="gr-link" href={fileHref(file.id)} download={file.name}>
            <Glyph icon={Paperclip} size={14} />{file.name}, {sizeText(file.size_bytes)}</a>
        </li>
      ))}
    </ul>
  );
}

function Notes({ lines }: { lines: readonly { text: string; error: boolean }[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className={styles.notes}>
      {lines.map(({ text, error }) => <li key={text} data-tone={error ? 'error' : undefined}>{text}</li>)}
    </ul>
  );
}
