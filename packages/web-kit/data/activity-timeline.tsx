/** Timeline of actors, actions, values before and after, and times (U24). Newest first, as activity calls return it. */
import type { ReactNode } from 'react';
import { Avatar } from './avatar.tsx';
import { DateText } from './date-text.tsx';
import styles from './activity-timeline.module.css';

export interface ActivityChange { field: string; before: ReactNode; after: ReactNode }
export interface Activity {
  id: number | string;
  /** null: the house's own clock did it. */
  who: string | null;
  what: ReactNode;
  when: string;
  changes?: readonly ActivityChange[] | undefined;
  /** A note somebody wrote. */
  note?: ReactNode;
}

export function ActivityTimeline({ items }: { items: readonly Activity[] }) {
  return (
    <ol className={styles.timeline}>
      {items.map((item) => (
        <li key={item.id} className={styles.item}>
          <span className={styles.mark}><Avatar name={item.who ?? 'Grand Rights'} /></span>
          <div className={styles.body}>
            <p>
              <strong>{item.who ?? 'Automatic'}</strong> {item.what}<span className={styles.gap}>{' '}</span>
              <span className={styles.when}><DateText value={item.when} /></span>
            </p>
            {item.note && <div className={styles.note}>{item.note}</div>}
            {item.changes && item.changes.length > 0 && (
              <dl className={styles.changes}>
                {item.changes.map((change) => (
                  <div key={change.field}>
                    <dt>{change.field || <span className="gr-hidden">List</span>}</dt>
                    <dd><del>{change.before}</del><span aria-hidden="true"> → </span><ins>{change.after}</ins></dd>
                  </div>
                ))}
              </dl>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
