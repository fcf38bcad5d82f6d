/** Applications that are still open, with reference and state: on the home page and above the productions. */
import { ChevronRight } from 'lucide-react';
import type { ApplicationRow } from '#modules/licensing/applications/application.contract.ts';
import { Badge } from '#web/data/badge.tsx';
import { daySpan, formatDay } from '#web/data/date-text.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { applicationTone, applicationWords } from './application-words.web.ts';
import styles from './portal.module.css';

export const OPEN_APPLICATIONS = 'draft,submitted,in_review,info_requested,clearance,approved';

type PortalApplication = Omit<ApplicationRow, 'license_rep_id'>;

function ApplicationItem({ row, base }: { row: PortalApplication; base: string }) {
  const facts = [row.number, daySpan(row.first_performance_on, row.last_performance_on), row.venue_names];
  return (
    <li>
      <AppLink href={`${base}/applications/${row.id}`} className={styles.item}>
        <span className={styles.itemText}>
          <strong className={styles.work}>{row.show_titles || 'Application'}</strong>
          <span>{facts.filter(Boolean).join(', ') || `Begun ${formatDay(row.created_at)}`}</span>
        </span>
        <span className={styles.itemSide}>
          <Badge tone={applicationTone(row.status)}>{applicationWords(row.status)}</Badge><Glyph icon={ChevronRight}
            size={18} />
        </span>
      </AppLink>
    </li>
  );
}

export function OpenApplications({ rows, base }: { rows: readonly PortalApplication[]; base: string }) {
  if (rows.length === 0) return null;
  return (
    <Card title="Applications">
      <ul className={styles.list}>{rows.map((row) => <ApplicationItem key={row.id} row={row} base={base} />)}</ul>
    </Card>
  );
}
