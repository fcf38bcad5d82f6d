/** The portal's home: the next production as a ticket, what next, the run, what it costs, the contract. */
import { ChevronRight, Download, FileText, Receipt } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { urlOf } from '#kit/client.ts';
import { applicationEndpoints } from '#modules/licensing/applications/application.contract.ts';
import { portalEndpoints, type ProductionDetail,
  type ProductionRow } from '#modules/licensing/portal/portal.contract.ts';
import { PhaseBadge } from '#web/data/badge.tsx';
import { daySpan } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { useDocumentTitle } from '#web/layout/document-title.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { Card, Ticket } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { OPEN_APPLICATIONS, OpenApplications } from './open-applications.web.tsx';
import { ContractCard, CostCard, PaidBadge } from './production-cards.web.tsx';
import { CardsSkeleton, PortalHead, QueryBoundary, SectionHead, usePortal } from './portal-parts.web.tsx';
import { countdown, counted, PHASE_WORDS, totalInWords } from './portal-words.web.ts';
import { Timeline } from './timeline.web.tsx';
import { WhatNext } from './what-next.web.tsx';
import home from './home.module.css';
import styles from './portal.module.css';

const LIVE = ['licensed', 'in_production', 'accepted', 'sent', 'settlement'];

/** The production that matters now: the next to open, else the one still being settled, else the latest. */
export function nextProduction(rows: readonly ProductionRow[], on: string): ProductionRow | undefined {
  const live = rows.filter((row) => LIVE.includes(row.phase));
  const day = (row: ProductionRow): string => row.first_performance_on ?? '9999-12-31';
  const coming = live.filter((row) => (row.last_performance_on ?? '9999-12-31') >= on)
    .toSorted((a, b) => (day(a) < day(b) ? -1 : 1));
  return coming[0] ?? live.toSorted((a, b) => (day(a) < day(b) ? 1 : -1))[0]
    ?? rows.toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1))[0];
}

function Hero({ row, base }: { row: ProductionRow; base: string }) {
  const { figure, caption } = countdown(row.first_performance_on, row.last_performance_on, today());
  const facts = [row.venue_names, daySpan(row.first_performance_on, row.last_performance_on),
    row.number_of_performances > 0 ? counted(row.number_of_performances, 'performance') : ''].filter(Boolean);
  return (
    <AppLink href={`${base}/productions/${row.id}/overview`} className={home.hero}>
      <Ticket badge={<PhaseBadge phase={row.phase} />} note={PHASE_WORDS[row.phase] ?? row.status}
        title={row.title_on_license || row.show_title} text={facts.join(', ')} figure={figure} caption={caption} />
    </AppLink>
  );
}

/** Phones: cost and contract folded to two rows, right under the tasks. */
function Folded({ production, base }: { production: ProductionDetail; base: string }) {
  const { customerId } = usePortal();
  const paper = production.documents.find((one) => ['signed_contract', 'production_contract'].includes(one.type));
  return (
    <div className={home.folded}>
      <Card>
        <ul className={styles.list}>
          <li>
            <AppLink href={`${base}/productions/${production.id}/quote`} className={styles.item}>
              <span className={styles.tile}><Glyph icon={Receipt} size={18} /></span>
              <span className={styles.itemText}><strong>Price</strong>
                <span>{totalInWords(production)}</span></span>
              <span className={styles.itemSide}><PaidBadge production={production} /><Glyph icon={ChevronRight}
                size={18} />
              </span>
            </AppLink>
          </li>
          {paper && (
            <li>
              <a className={styles.item} download={paper.file_name ?? 'contract.pdf'}
                href={urlOf(portalEndpoints.document,
                { id: customerId, licenseId: production.id, documentId: paper.id })}>
                <span className={styles.tile}><Glyph icon={FileText} size={18} /></span>
                <span className={styles.itemText}><strong>Contract</strong>
                  <span>{paper.signed_at ? 'Signed' : 'To be signed'}</span></span>
                <span className={styles.itemSide}><Glyph icon={Download} size={18} /></span>
              </a>
            </li>
          )}
        </ul>
      </Card>
    </div>
  );
}

function Production({ row }: { row: ProductionRow }) {
  const { customerId, base } = usePortal();
  const read = useEndpoint(portalEndpoints.license, { params: { id: customerId, licenseId: row.id } });
  return (
    <>
      {read.data && <Folded production={read.data.data} base={base} />}
      <SectionHead title="Your production"
        right={<AppLink className="gr-link"
          href={`${base}/productions/${row.id}/performances`}>All performances</AppLink>} />
      <Card><Timeline production={row} /></Card>
      <QueryBoundary read={read}>
        {({ data }) => (
          <div className={styles.split}><CostCard production={data} /><ContractCard production={data} /></div>
        )}
      </QueryBoundary>
    </>
  );
}

function Welcome({ base, applied }: { base: string; applied: boolean }) {
  const user = useCurrentUser();
  return (
    <>
      <PortalHead title={user ? `Welcome, ${user.first_name}` : 'Welcome'} />
      {!applied && <Card>
        <EmptyState title="No productions yet"
          text="Find a show, see what it would cost at your venue, and apply. We answer within a few days."
          action={<ButtonLink href={`${base}/shows`} variant="primary">Find a show</ButtonLink>} />
      </Card>}
    </>
  );
}

const FirstDetails = lazy(() => import('./first-details.web.tsx').then((file) => ({ default: file.FirstDetails })));

export default function PortalHome() {
  const { customerId } = usePortal();
  const asks = useCurrentUser()?.customers.find((one) => one.id === customerId)?.asks_details;
  return asks ? <Suspense fallback={<CardsSkeleton />}><FirstDetails customerId={customerId} /></Suspense> : <Home />;
}

function Home() {
  const { customerId, base } = usePortal();
  const list = useEndpoint(portalEndpoints.licenses, {
    params: { id: customerId }, query: { per_page: 100, sort_by: 'first_performance_on' },
  });
  const tasks = useEndpoint(portalEndpoints.nextActions, { params: { id: customerId } });
  const open = useEndpoint(applicationEndpoints.customerList, { params: { id: customerId },
    query: { per_page: 50, status: OPEN_APPLICATIONS } });
  useDocumentTitle('Home');
  // All before anything: what is to be done stands above the production and would push it down.
  const ready = (tasks.data !== undefined || tasks.isError) && (open.data !== undefined || open.isError);
  return (
    <QueryBoundary read={ready ? list : { ...list, data: undefined }} cards={3} page="Home">
      {({ data }) => {
        const row = nextProduction(data, today());
        return (
          <>
            {row ? <Hero row={row} base={base} /> : <Welcome base={base} applied={(open.data?.data.length ?? 0) > 0} />}
            <QueryBoundary read={tasks} cards={1}>
              {(answer) => (row === undefined && answer.data.length === 0 ? null
                : <WhatNext tasks={answer.data} base={base} />)}
            </QueryBoundary>
            {open.data && <OpenApplications rows={open.data.data} base={base} />}
            {row && <Production key={row.id} row={row} />}
          </>
        );
      }}
    </QueryBoundary>
  );
}
