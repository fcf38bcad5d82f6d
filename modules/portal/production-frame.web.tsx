/** Head and tabs of one production; the tab's content gets the production once it is there. */
import type { ReactNode } from 'react';
import { portalEndpoints, type ProductionDetail } from '#modules/licensing/portal/portal.contract.ts';
import { PhaseBadge } from '#web/data/badge.tsx';
import { daySpan } from '#web/data/date-text.tsx';
import { useIdParam } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { firstAndMore } from './portal-words.web.ts';
import { PortalHead, QueryBoundary, usePortal, type Portal } from './portal-parts.web.tsx';

export interface ProductionProps { production: ProductionDetail; portal: Portal }

export function ProductionFrame({ children }: { children: (props: ProductionProps) => ReactNode }) {
  const portal = usePortal();
  const productionId = useIdParam('productionId');
  const base = `${portal.base}/productions/${productionId}`;
  const read = useEndpoint(portalEndpoints.license, { params: { id: portal.customerId, licenseId: productionId } });
  const row = read.data?.data.id === productionId ? read.data.data : undefined;
  const reports = row?.next_actions.filter((task) => task.kind.startsWith('box_office')) ?? [];
  const late = reports.some((task) => task.overdue);
  return (
    <>
      <PortalHead title={row ? row.title_on_license || row.show_title : 'Production'}
        back={{ href: `${portal.base}/productions`, text: 'Productions' }}
        badges={row && <PhaseBadge phase={row.phase} />}
        facts={row && [firstAndMore(row.license_venues.map((venue) => venue.name)),
          daySpan(row.first_performance_on, row.last_performance_on)]}
        tabs={[
          { id: 'overview', text: 'Overview', href: `${base}/overview` },
          { id: 'quote', text: 'Offer', href: `${base}/quote` },
          { id: 'performances', text: 'Performances', href: `${base}/performances` },
          { id: 'box-office', text: 'Box office', href: `${base}/box-office`, error: late,
            ...(reports.length > 0 && { note: `${reports.length} ${late ? 'late' : 'due'}` }) },
          { id: 'materials', text: 'Materials', href: `${base}/materials` },
          { id: 'invoices', text: 'Payments', href: `${base}/invoices` },
          { id: 'documents', text: 'Documents', href: `${base}/documents` },
          { id: 'messages', text: 'Messages', href: `${base}/messages` },
        ]} />
      <QueryBoundary read={{ data: row, isError: read.isError, error: read.error, refetch: read.refetch }}>
        {(production) => children({ production, portal })}
      </QueryBoundary>
    </>
  );
}
