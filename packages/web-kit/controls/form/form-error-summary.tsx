/**
 * Errors of the form, above its fields: one line per field, each a link to it, or the server's own message for a
 * failure that belongs to no field (U18). Announced when it appears.
 */
import { CircleAlert } from 'lucide-react';
import type { FieldErrors } from '../failure/failure.ts';
import styles from './form-frame.module.css';

export type FormErrorSummaryProps = {
  errors: FieldErrors;
  failure?: string | undefined;
  /** Words for a path in the list; without an entry the message stands alone. */
  labels?: Record<string, string> | undefined;
  /** Called with the path whose control should get the focus. */
  onPick: (path: string) => void;
};

export function FormErrorSummary({ errors, failure = '', labels = {}, onPick }: FormErrorSummaryProps) {
  const entries = Object.entries(errors);
  if (entries.length === 0 && failure === '') return null;
  const title = entries.length === 0 ? failure
    : entries.length === 1 ? 'One field needs your attention' : `${entries.length} fields need your attention`;
  return (
    <div role="alert" className={styles.summary}>
      <CircleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
      <div>
        <p className={styles.summaryTitle}>{title}</p>
        {entries.length > 0 && (
          <ul className={styles.summaryList}>
            {entries.map(([path, text]) => (
              <li key={path}>
                <button type="button" className={styles.summaryLink} onClick={() => onPick(path)}>
                  {labels[path] ? `${labels[path]}: ${text}` : text}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
