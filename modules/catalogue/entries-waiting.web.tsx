/** Entries that are being read, each as high as it will be: what stands below them stays where it is. */
import { Skeleton } from '#web/data/empty-state.tsx';
import styles from './catalogue.module.css';

export function EntriesWaiting({ entries }: { entries: number }) {
  return (
    <div className={styles.entries} aria-busy="true">
      {Array.from({ length: entries }, (_, index) => (
        <div key={index} className={styles.entry}>
          <div className={styles.entryMain}><Skeleton width={140} height={18} /><Skeleton height={21} /></div>
        </div>
      ))}
    </div>
  );
}
