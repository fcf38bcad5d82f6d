/** A sound to be heard and a picture to be seen where they stand; pages are looked at elsewhere. */
import type { FileKind } from './material-file-kinds.contract.ts';
import styles from '../catalogue.module.css';

interface FilePreviewProps { kind: FileKind; name: string; src: string }

export function FilePreview({ kind, name, src }: FilePreviewProps) {
  if (kind === 'pdf') return null;
  // oxlint-disable-next-line jsx-a11y/media-has-caption -- a track to sing or play to has no text of its own
  if (kind === 'audio') return <audio className={styles.sound} controls preload="none" src={src} aria-label={name} />;
  return <img className={styles.picture} loading="lazy" src={src} alt={name} />;
}
