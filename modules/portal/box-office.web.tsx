/** Box office of a production: what is due, what was sent; each period opens its form or its result. */
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { isOpenReport, portalBoxOfficeEndpoints } from '#modules/licensing/box-office/box-office.contract.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Badge, type Tone } from '#web/data/badge.tsx';
import { daySpan } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { BoxOfficeFile } from './box-office-file.web.tsx';
import { BoxOfficeReport } from './box-office-report.web.tsx';
import { BoxOfficeWeek } from './box-office-week.web.tsx';
import { Pager, QueryBoundary } from './portal-parts.web.tsx';
import { dueText, lowerFirst } from './portal-words.web.ts';
import { ProductionFrame, type ProductionProps } from './production-frame.web.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import styles from './portal.module.css';

type Row = ResponseOf<typeof portalBoxOfficeEndpoints.list>['data'][number];
const STATES: Record<Row['status'], { text: string; tone: Tone }> = {
  expected: { text: 'To report', tone: 'warn' }, submitted: { text: 'With us', tone: 'info' },
  queried: { text: 'We have a question', tone: 'warn' }, accepted: { text: 'Accepted', tone: 'ok' },
  estimated: { text: 'Estimated by us', tone: 'brass' }, replaced: { text: 'Replaced', tone: 'outline' },
};

/** The period is not over: nothing is due yet. */
const UPCOMING = { text: 'Upcoming', tone: 'outline' } as const;

function ReportItem({ row, onOpen }: { row: Row; onOpen: () => void }) {
  const state = row.held ? { text: 'On hold', tone: 'warn' as const }
    : row.status === 'expected' && row.period_to >= today() ? UPCOMING : STATES[row.status];
  const open = isOpenReport(row);
  const verb = row.held || row.status === 'queried' ? 'Answer' : open ? 'Report' : 'See';
  return (
    <li className={styles.item}>
      <span className={styles.itemText}>
        <strong>{daySpan(row.period_from, row.period_to)}</strong>
        <span>{[row.venue_name, row.gross_minor > 0 ? `${formatAmount(row.gross_minor, row.currency)} taken` : '',
          open && !row.held ? lowerFirst(dueText(row.due_on, today())) : '',
          row.due_minor ? `${formatAmount(row.due_minor, row.currency)} royalty due` : ''].filter(Boolean).join(', ')}
        </span>
        {row.held && <span className={styles.countdown}>Please check this report.</span>}
        {row.query_note && open && <span className={styles.countdown}>{row.query_note}</span>}
      </span>
      <span className={styles.itemSide}>
        <Badge tone={row.overdue ? 'error' : state.tone}>{row.overdue ? 'Overdue' : state.text}</Badge>
        <Button onClick={onOpen} aria-label={`${verb} ${daySpan(row.period_from, row.period_to)}`}>{verb}</Button>
      </span>
    </li>
  );
}

function Reports(props: ProductionProps) {
  const { production, portal } = props;
  const { values } = useQueryValues();
  const [opened, setOpened] = useState<number | 'week' | 'file' | null>(null);
  const due = useEndpoint(portalBoxOfficeEndpoints.list, {
    params: { id: portal.customerId, licenseId: production.id },
    query: { per_page: 100, sort_by: 'period_to', sort_direction: 'asc', open: 'true' },
  });
  const weeks = due.data?.data.filter((row) => row.scope !== 'run') ?? [];
  const read = useEndpoint(portalBoxOfficeEndpoints.list, {
    params: { id: portal.customerId, licenseId: production.id },
    query: { page: Number(values.get('page') ?? 1) || 1, sort_by: 'period_to', sort_direction: 'asc' },
  });
  const close = () => setOpened(null);
  if (opened === 'file') return <BoxOfficeFile {...props} onClose={close} />;
  if (opened === 'week') return <BoxOfficeWeek {...props} open={weeks} onClose={close} />;
  if (opened !== null) return <BoxOfficeReport {...props} reportId={opened} onClose={close} />;
  return (
    <QueryBoundary read={read}>
      {({ data, meta }) => (
        <Card title="Box office">
          <div className={styles.stack}>
            {production.advance && (
              <p className={styles.muted}>
                {advanceInWords(production.advance, production.currency)}
              </p>
            )}
            {data.length > 0 && (
              <div className={styles.actions}>
                <Button icon={<Glyph icon={Upload} />} onClick={() => setOpened('file')}>Upload a file</Button>
                {weeks.length > 1 && <Button onClick={() => setOpened('week')}>Report a week</Button>}
              </div>
            )}
          </div>
          {data.length === 0
            ? <EmptyState title="Nothing to report"
              text={spell`If your license asks for box-office reports, the periods appear
                here when they are due.`} />
            : (
              <ul className={styles.list}>
                {data.map((row) => <ReportItem key={row.id} row={row} onOpen={() => setOpened(row.id)} />)}
              </ul>
            )}
          <Pager meta={meta} />
        </Card>
      )}
    </QueryBoundary>
  );
}

function advanceInWords(advance: { charged_minor: number; left_minor: number }, currency: string): string {
  const left = advance.left_minor === 0 ? 'fully recouped'
    : `of which ${formatAmount(advance.left_minor, currency)} is left to recoup`;
  return `Advance of ${formatAmount(advance.charged_minor, currency)}, ${left}.`;
}

export default function BoxOffice() {
  return <ProductionFrame>{(props) => <Reports {...props} />}</ProductionFrame>;
}
