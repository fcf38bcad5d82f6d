/** Every production of the customer and every application that is still open. */
import { CalendarDays, ChevronRight } from 'lucide-react';
import type { PageMeta } from '#kit/endpoint.ts';
import { applicationEndpoints } from '#modules/licensing/applications/application.contract.ts';
import { portalEndpoints, type ProductionRow } from '#modules/licensing/portal/portal.contract.ts';
import { Badge, PhaseBadge } from '#web/data/badge.tsx';
import { daySpan } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { OPEN_APPLICATIONS, OpenApplications } from './open-applications.web.tsx';
import { CardsSkeleton, Pager, PortalHead, QueryBoundary, usePortal } from './portal-parts.web.tsx';
import { counted } from './portal-words.web.ts';
import styles from './portal.module.css';

/** Days left in words ('90 Days', gaps G62) stand beside the phase while a run lies ahead. */
function Marks({ row }: { row: ProductionRow }) {
  return (
    <>
      <Badge tone="outline">{row.category}</Badge>
      {row.status.endsWith('Days') && <Badge tone="brass" icon={CalendarDays}>{row.status}</Badge>}
      <PhaseBadge phase={row.phase} />
    </>
  );
}

/** A production in short: work, dates and places, category, how far it is. */
export function ProductionItem({ row, base }: { row: ProductionRow; base: string }) {
  return (
    <li>
      <AppLink href={`${base}/productions/${row.id}/overview`} className={styles.item}>
        <span className={styles.itemText}>
          <strong className={styles.work}>{row.title_on_license || row.show_title}</strong>
          <span>{[daySpan(row.first_performance_on, row.last_performance_on), row.venue_names,
            row.number_of_performances > 0 ? counted(row.number_of_performances, 'performance') : '']
            .filter(Boolean).join(', ')}</span>
          {row.balance_minor > 0 && <span>{formatAmount(row.balance_minor, row.currency)} to pay</span>}
        </span>
        <span className={styles.itemSide}><Marks row={row} /><Glyph icon={ChevronRight} size={18} /></span>
      </AppLink>
    </li>
  );
}

function AllProductions({ rows, base, meta }: { rows: readonly ProductionRow[]; base: string; meta: PageMeta }) {
  return (
    <Card title="Productions">
      {rows.length === 0
        ? <EmptyState title="No productions yet" text="An offer that we send you appears here." />
        : <ul className={styles.list}>{rows.map((row) => <ProductionItem key={row.id} row={row} base={base} />)}</ul>}
      <Pager meta={meta} />
    </Card>
  );
}

export default function Productions() {
  const { customerId, base } = usePortal();
  const { values } = useQueryValues();
  const params = { id: customerId };
  const open = useEndpoint(applicationEndpoints.customerList, { params,
    query: { per_page: 50, status: OPEN_APPLICATIONS } });
  const all = useEndpoint(portalEndpoints.licenses, { params,
    query: { page: Number(values.get('page') ?? 1) || 1 } });
  return (
    <>
      <PortalHead title="Productions" facts={['Your current, upcoming and past productions']}>
        <ButtonLink href={`${base}/shows`} variant="primary">Find a show</ButtonLink>
      </PortalHead>
      {/* Together: productions that stand there first would be pushed down by the applications. */}
      {open.isPending || all.isPending ? <CardsSkeleton /> : (
        <>
          <QueryBoundary read={open}>{({ data }) => <OpenApplications rows={data} base={base} />}</QueryBoundary>
          <QueryBoundary read={all}>
            {({ data, meta }) => <AllProductions rows={data} base={base} meta={meta} />}
          </QueryBoundary>
        </>
      )}
    </>
  );
}
