/** The Activity of a person, a group or a team: what happened, page by page. */
import { ActivityLog } from '#web/data/activity-log.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import type { groupEndpoints } from '../staff-group/staff-group.contract.ts';
import type { teamEndpoints } from '../team/team.contract.ts';
import type { staffEndpoints } from './staff.contract.ts';

type ActivityEndpoint = typeof staffEndpoints.activity | typeof groupEndpoints.activity | typeof teamEndpoints.activity;

export function ActivityList({ endpoint, id }: { endpoint: ActivityEndpoint; id: number }) {
  const { values, set } = useQueryValues();
  const page = Math.max(1, Number(values.get('page') ?? 1) || 1);
  const read = useEndpoint(endpoint as typeof staffEndpoints.activity, { params: { id }, query: { page } });
  return (
    <PageContent record>
      <ActivityLog read={read} page={page} onPage={(next) => set({ page: next === 1 ? null : String(next) })} />
    </PageContent>
  );
}
