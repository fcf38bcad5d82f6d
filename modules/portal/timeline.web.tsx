/** The run as a line from offer to closing night, with Today between what was and what comes; vertical on phones. */
import { Check, Star } from 'lucide-react';
import { spell } from '#kernel/text/english.ts';
import type { ProductionRow } from '#modules/licensing/portal/portal.contract.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { dayOf, today } from '#web/data/local-day.ts';
import { Glyph } from '#web/layout/icons.tsx';
import styles from './home.module.css';

export interface Moment { label: string; day: string | null; done: boolean; star?: boolean; before?: string }

/** The moments of a production that have a day, or are still to come. */
export function momentsOf(row: ProductionRow, on: string): Moment[] {
  const passed = (day: string | null): boolean => day !== null && day < on;
  const moments: Moment[] = [
    { label: 'Offer', day: dayOf(row.offer_sent_at), done: row.offer_sent_at !== null },
    row.accepted_at !== null ? { label: 'Signed', day: dayOf(row.accepted_at), done: true }
      : { label: 'Sign', day: row.offer_expires_on, done: false, before: 'by ' },
    row.executed_at !== null ? { label: 'Licensed', day: dayOf(row.executed_at), done: true }
      : { label: spell`License`, day: row.pay_by, done: false, before: 'pay by ' },
    { label: 'Opening', day: row.first_performance_on, done: passed(row.first_performance_on), star: true },
    { label: 'Closing', day: row.last_performance_on, done: passed(row.last_performance_on) },
    { label: 'Settled', day: null, done: row.phase === 'closed' },
  ];
  return moments;
}

export function Timeline({ production }: { production: ProductionRow }) {
  const on = today();
  const moments = momentsOf(production, on);
  const next = moments.findIndex((moment) => !moment.done);
  return (
    <ol className={styles.line} aria-label="Your production">
      {moments.map((moment, index) => {
        const state = moment.done ? 'past' : index === next ? 'next' : 'future';
        const hasToday = index === next - 1;
        return (
          <li key={moment.label} className={styles.node} data-state={state} data-star={moment.star || undefined}
            data-today={hasToday || undefined} aria-current={state === 'next' ? 'step' : undefined}>
            <span className={styles.dot}>
              {moment.star ? <Glyph icon={Star} size={13} /> : moment.done && <Glyph icon={Check} size={14} />}
            </span>
            <strong>{moment.label}<span className="gr-hidden">{moment.done ? ', done' : ', to come'}</span></strong>
            {moment.day && (
              <time dateTime={moment.day}>
                {moment.before}{formatDay(moment.day, moment.day.slice(0, 4) === on.slice(0, 4) ? 'short' : 'full')}
              </time>
            )}
            {hasToday && <span className={styles.today} aria-hidden="true">Today</span>}
          </li>
        );
      })}
    </ol>
  );
}
