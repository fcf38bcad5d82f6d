/** The Activity of a person, a group or a team: what happened, page by page. */
import { ActivityTimeline } from '#web/data/activity-timeline.tsx';
import { Button } from '#web/controls/button.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import type { groupEndpoints } from '../staff-group/staff-group.contract.ts';
import type { teamEndpoints } from '../team/team.contract.ts';
import type { staffEndpoints } from './staff.contract.ts';
import { actionWords } from './staff-words.web.ts';
import styles from './staff.module.css';

type ActivityEndpoint = typeof staffEndpoints.activity | typeof groupEndpoints.activity | typeof teamEndpoints.activity;

export function ActivityList({ endpoint, id }: { endpoint: ActivityEndpoint; id: number }) {
  const { values, set } = useQueryValues();
  const page = Math.max(1, Number(values.get('page') ?? 1) || 1);
  const read = useEndpoint(endpoint as typeof staffEndpoints.activity, { params: { id }, query: { page } });
  const rows = read.data?.data;
  const last = read.data?.meta.last_page ?? 1;
  return (
    <PageContent record>
      {read.isError && !rows && (
        <EmptyState role="alert" title="The activity did not load" text={read.error.message}
          action={<Button onClick={() => void read.refetch()}>Try again</Button>} />
      )}
      {!rows && !read.isError && <p aria-busy="true"><Skeleton width={360} height={16} /></p>}
      {rows?.length === 0 && <EmptyState title="Nothing has happened yet" />}
      {rows && rows.length > 0 && (
        <ActivityTimeline items={rows.map((row) => ({
          id: row.id, who: row.actor, what: actionWords(row.action), when: row.created_at,
          changes: row.changes.map((change) => ({ ...change, field: change.field.replaceAll('_', ' ') })),
        }))} />
      )}
      {last > 1 && (
        <div className={styles.row}>
          <Button size="small" reason={page <= 1 ? 'This is the newest page' : undefined}
            onClick={() => set({ page: page === 2 ? null : String(page - 1) })}>Newer</Button>
          <span className={styles.faint}>Page {page} of {last}</span>
          <Button size="small" reason={page >= last ? 'This is the oldest page' : undefined}
            onClick={() => set({ page: String(page + 1) })}>Older</Button>
        </div>
      )}
    </PageContent>
  );
}
