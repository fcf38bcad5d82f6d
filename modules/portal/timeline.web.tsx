/** The run as a line from offer to closing night, with Today between what was and what comes; vertical on phones. */
import { Check, Star } from 'lucide-react';
import { payByReasonOf } from '#kernel/licensing/pay-by.ts';
import { spell } from '#kernel/text/english.ts';
import type { ProductionRow } from '#modules/licensing/portal/portal.contract.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { dayOf, today } from '#web/data/local-day.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { dayAndReason } from './portal-words.web.ts';
import styles from './home.module.css';

export interface Moment { label: string; day: string | null; done: boolean; star?: boolean; before?: string }

/** The thing a license waits for until its day, where that is no payment. */
const PAY_BY_WORDS: Readonly<Record<string, string>> = { purchase_order: 'purchase order by', signature_only: 'by' };
const payByWords = (row: ProductionRow): string => PAY_BY_WORDS[row.execution_policy] ?? 'pay by';

/** The day that the license waits until, with its reason; null once it is valid, and before it is signed. */
function waitsFor(row: ProductionRow): string | null {
  const reason = payByReasonOf(row);
  if (row.executed_at !== null || row.pay_by === null || reason === null || row.phase !== 'accepted') return null;
  return `${spell`License`}: ${payByWords(row)} ${dayAndReason(row.pay_by, reason)}.`;
}

/** The moments of a production that have a day, or are still to come. */
export function momentsOf(row: ProductionRow, on: string): Moment[] {
  const passed = (day: string | null): boolean => day !== null && day < on;
  const moments: Moment[] = [
    { label: 'Offer', day: dayOf(row.offer_sent_at), done: row.offer_sent_at !== null },
    row.accepted_at !== null ? { label: 'Signed', day: dayOf(row.accepted_at), done: true }
      : { label: 'Sign', day: row.offer_expires_on, done: false, before: 'by ' },
    row.executed_at !== null ? { label: 'Licensed', day: dayOf(row.executed_at), done: true }
      : { label: spell`License`, day: row.pay_by, done: false, before: `${payByWords(row)} ` },
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
  const waits = waitsFor(production);
  return (
    <>
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
      {waits !== null && <p className={styles.waits}>{waits}</p>}
    </>
  );
}
