/** The performances of a production, and asking for a change or a cancellation. */
import { lazy, Suspense, useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import type { PerformanceRow } from '#modules/licensing/licenses/performances/performance.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { CancelRequest } from './cancel-request.web.tsx';
import type { Performance } from './performance-row.web.ts';
import { QueryBoundary } from './portal-parts.web.tsx';
import { clock } from './portal-words.web.ts';
import { PostponeRequest } from './postpone-request.web.tsx';
import { ProductionFrame, type ProductionProps } from './production-frame.web.tsx';
import { Requests } from './production-overview.web.tsx';
import styles from './portal.module.css';

const ChangeRequest = lazy(() => import('./change-request.web.tsx').then((file) => ({ default: file.ChangeRequest })));

const TYPES: Record<PerformanceRow['type'], string> = {
  public: '', preview: 'Preview', matinee: 'Matinee', school: 'School performance', dress_invited: 'Invited dress',
  gala: 'Gala', competition: 'Competition', stream_live: 'Live stream', stream_vod: 'Stream on demand',
};

function State({ row }: { row: Performance }) {
  if (row.status === 'cancelled') return <Badge tone="error">{spell`Canceled`}</Badge>;
  if (row.status === 'postponed') return <Badge tone="warn">Postponed</Badge>;
  if (row.status === 'performed') return <Badge tone="ok">Played</Badge>;
  return row.is_free ? <Badge tone="outline">Free admission</Badge> : null;
}

function List({ rows }: { rows: readonly Performance[] }) {
  const several = new Set(rows.map((row) => row.license_venue_id)).size > 1;
  if (rows.length === 0) {
    return <EmptyState title="No dates yet" text="They appear here once your offer names them." />;
  }
  return (
    <ul className={styles.list}>
      {rows.map((row) => (
        <li key={row.id} className={styles.item}>
          <span className={styles.itemText}>
            <strong>{formatDay(row.local_date, 'weekday')}</strong>
            <span>{[clock(row.local_time), TYPES[row.type], several ? row.venue_name : ''].filter(Boolean).join(', ')}
            </span>
          </span>
          <span className={styles.itemSide}><State row={row} /></span>
        </li>
      ))}
    </ul>
  );
}

function Performances(props: ProductionProps) {
  const { production, portal } = props;
  const [changing, setChanging] = useState(false);
  const read = useEndpoint(portalEndpoints.performances, {
    params: { id: portal.customerId, licenseId: production.id },
  });
  const actions = production.allowed_actions;
  const may = portal.maySee && (actions.includes('amend') || actions.includes('request_cancellation'));
  return (
    <QueryBoundary read={read}>
      {({ data }) => (
        <>
          {changing
            ? <Suspense><ChangeRequest {...props} rows={data} onClose={() => setChanging(false)} /></Suspense>
            : (
              <Card title="Performances">
                <List rows={data} />
                {may && (
                  <div className={styles.foot}>
                    {actions.includes('amend') && (
                      <Button variant="primary" onClick={() => setChanging(true)}
                        {...(portal.held && { reason: portal.held })}>Ask for a change</Button>
                    )}
                    {actions.includes('amend') && data.some((row) => row.status === 'planned')
                      && <PostponeRequest {...props} />}
                    {actions.includes('request_cancellation') && <CancelRequest {...props} />}
                  </div>
                )}
              </Card>
            )}
          <Requests production={production} />
        </>
      )}
    </QueryBoundary>
  );
}

export default function PerformancesPage() {
  return <ProductionFrame>{(props) => <Performances {...props} />}</ProductionFrame>;
}
