/** The Activity of a record as its call answers it: what happened, page by page, newest first (U24). */
import { Button } from '#web/controls/button/button.tsx';
import { actionWords } from './activity-acts.ts';
import { ActivityTimeline } from './activity-timeline.tsx';
import { changeWords, type RecordedChange } from './activity-words.ts';
import { EmptyState, Skeleton } from './empty-state.tsx';
import styles from './activity-timeline.module.css';

export interface RecordedEvent {
  id: number;
  created_at: string;
  /** null: the house's own clock did it. */
  actor: string | null;
  action: string;
  changes: readonly RecordedChange[];
}

export interface ActivityLogProps {
  read: {
    data: { data: readonly RecordedEvent[]; meta: { last_page: number } } | undefined;
    error: { message: string } | null;
    refetch: () => unknown;
  };
  page: number;
  onPage: (page: number) => void;
  /** Words of this kind of record, where it has better ones. */
  words?: ((action: string) => string) | undefined;
  change?: ((change: RecordedChange) => RecordedChange) | undefined;
}

export function ActivityLog({ read, page, onPage, words = actionWords, change = changeWords }: ActivityLogProps) {
  const rows = read.data?.data;
  const last = read.data?.meta.last_page ?? 1;
  if (!rows && read.error) {
    return (
      <EmptyState role="alert" title="The activity did not load" text={read.error.message}
        action={<Button onClick={() => void read.refetch()}>Try again</Button>} />
    );
  }
  if (!rows) {
    return (
      <div aria-busy="true">
        {[320, 260, 300].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </div>
    );
  }
  if (rows.length === 0) {
    return <EmptyState title="Nothing has happened yet" text="Changes appear here with the person who made them." />;
  }
  return (
    <>
      <ActivityTimeline items={rows.map((row) => ({ id: row.id, who: row.actor, what: words(row.action),
        when: row.created_at, changes: row.changes.map(change) }))} />
      {last > 1 && (
        <div className={styles.pages} data-print="hide">
          <Button size="small" reason={page <= 1 ? 'This is the newest page' : undefined}
            onClick={() => onPage(page - 1)}>Newer</Button>
          <span className={styles.page}>Page {page} of {last}</span>
          <Button size="small" reason={page >= last ? 'This is the oldest page' : undefined}
            onClick={() => onPage(page + 1)}>Older</Button>
        </div>
      )}
    </>
  );
}
