/** One production at a glance: tasks, the run, venues, what it costs, the contract, what was asked for. */
import { Badge, type Tone } from '#web/data/badge.tsx';
import { daySpan, formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { Notes, SectionHead } from './portal-parts.web.tsx';
import { ContractCard, CostCard } from './production-cards.web.tsx';
import { RepresentativeCard } from './representative.web.tsx';
import { ProductionFrame, type ProductionProps } from './production-frame.web.tsx';
import { counted, PHASE_WORDS } from './portal-words.web.ts';
import { Timeline } from './timeline.web.tsx';
import { WhatNext } from './what-next.web.tsx';
import styles from './portal.module.css';

type Production = ProductionProps['production'];

function Venues({ production }: { production: Production }) {
  if (production.license_venues.length === 0) return null;
  return (
    <Card title={production.license_venues.length === 1 ? 'Venue' : 'Venues in order'}>
      <ul className={styles.list}>
        {production.license_venues.map((venue) => (
          <li key={venue.id} className={styles.item}>
            <span className={styles.itemText}>
              <strong>{venue.name}</strong>
              <span>{[venue.address?.thoroughfare, venue.address?.locality].filter(Boolean).join(', ')}</span>
              <span>{[daySpan(venue.opening_on, venue.closing_on), counted(venue.number_of_performances, 'performance'),
                venue.seats_offered ? `${venue.seats_offered.toLocaleString('en-US')} seats` : '']
                .filter(Boolean).join(', ')}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const STATES: Record<Production['amendments'][number]['status'], { text: string; tone: Tone }> = {
  requested: { text: 'With us', tone: 'info' }, approved: { text: 'Granted', tone: 'ok' },
  applied: { text: 'Done', tone: 'ok' }, refused: { text: 'Not granted', tone: 'error' },
  withdrawn: { text: 'Taken back', tone: 'outline' },
};

function difference(row: Production['amendments'][number]): string {
  if (row.delta_minor === 0) return '';
  return `${row.delta_minor > 0 ? 'adds' : 'takes off'} ${formatAmount(Math.abs(row.delta_minor), row.currency)}`;
}

/** Changes and cancellations that were asked for, with our answer. */
export function Requests({ production }: { production: Production }) {
  if (production.amendments.length === 0) return null;
  return (
    <Card title="Your request">
      <ul className={styles.list}>
        {production.amendments.map((row) => (
          <li key={row.id} className={styles.item}>
            <span className={styles.itemText}>
              <strong>{row.kind === 'cancel_request' ? 'Cancel the production'
                : row.postpones ? 'Postpone the run' : 'Change of the run'}</strong>
              <span>{row.reason}</span>
              {row.decision_note && <span>Our answer: {row.decision_note}</span>}
              <span>{[formatDay(row.created_at), difference(row)].filter(Boolean).join(', ')}</span>
            </span>
            <span className={styles.itemSide}><Badge tone={STATES[row.status].tone}>{STATES[row.status].text}</Badge>
              </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Overview({ production, portal }: ProductionProps) {
  const quoted = production.offer_version > 0;
  return (
    <>
      <WhatNext tasks={production.next_actions} base={portal.base} />
      <SectionHead title="Your production" note={PHASE_WORDS[production.phase]} />
      <Card><Timeline production={production} /></Card>
      <div className={styles.split}>
        <div className={styles.stack}>
          {quoted && <CostCard production={production} />}
          <Requests production={production} />
        </div>
        <div className={styles.stack}><ContractCard production={production} />
          <RepresentativeCard production={production} base={portal.base} write /><Notes memos={production.memos} />
          <Venues production={production} /></div>
      </div>
    </>
  );
}

export default function ProductionOverview() {
  return <ProductionFrame>{(props) => <Overview {...props} />}</ProductionFrame>;
}
