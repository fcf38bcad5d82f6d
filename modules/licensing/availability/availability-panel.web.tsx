/** Whether the rights are free, every rule that spoke with its reason, and dates that would be (domain.md 1.5). */
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '#web/data/badge.tsx';
import { daySpan } from '#web/data/date-text.tsx';
import { Glyph, type Icon } from '#web/layout/icons.tsx';
import { VERDICT_LOOKS } from '../words.web.ts';
import type { AvailabilityAnswer } from './availability.contract.ts';
import styles from '../licensing.module.css';

const ICONS: Readonly<Record<string, Icon>> = {
  clear: CircleCheck, cleared: CircleCheck, needs_clearance: TriangleAlert, blocked: CircleX,
};
const SOURCES: Readonly<Record<string, string>> = {
  show: 'The show', restriction: 'Restriction', proximity: 'Nearby production',
};

export function VerdictBadge({ verdict, small }: { verdict: string | null; small?: boolean }) {
  const look = verdict === null ? null : VERDICT_LOOKS[verdict];
  if (!verdict || !look) return <Badge tone="outline" small={small}>Not checked</Badge>;
  return <Badge tone={look.tone} icon={ICONS[verdict]} small={small}>{look.label}</Badge>;
}

export function AvailabilityPanel({ answer, heading, onAlternative }: {
  answer: AvailabilityAnswer;
  /** Before the verdict: the show's title where there are several. */
  heading?: ReactNode;
  /** Makes every free run a button that takes it over. */
  onAlternative?: ((run: { from: string; to: string }) => void) | undefined;
}) {
  return (
    <div className={styles.tight}>
      <div className={styles.row}>{heading}<VerdictBadge verdict={answer.verdict} /></div>
      {answer.rules.length === 0 && answer.reason_public && <p className={styles.muted}>{answer.reason_public}</p>}
      {answer.rules.length > 0 && (
        <ul className={styles.lines} data-plain>
          {answer.rules.map((rule, index) => {
            const tone = VERDICT_LOOKS[rule.verdict]?.tone;
            return (
              <li key={`${rule.source}${rule.id}${index}`}>
                <span className={styles.mark} data-tone={tone}><Glyph icon={ICONS[rule.verdict] ?? TriangleAlert}
                  size={15} /></span>
                <div className={styles.grow}>
                  <span className={styles.strong}>{SOURCES[rule.source]}</span>
                  {rule.venue_name && <span className={styles.muted}> at {rule.venue_name}</span>}
                  <div>{rule.reason_internal || rule.reason_public}</div>
                  {rule.reason_internal && rule.reason_public && rule.reason_internal !== rule.reason_public && (
                    <div className={styles.faint}>The customer reads: {rule.reason_public}</div>
                  )}
                </div>
              </li>
            );
          })}
        </ul>
      )}
      {answer.alternatives.length > 0 && (
        <div className={styles.tight}>
          <span className={styles.faint}>Free nearby</span>
          <div className={styles.row}>
            {answer.alternatives.map((run) => (onAlternative
              ? <button key={run.from} type="button" className={styles.choice}
                onClick={() => onAlternative(run)}>{daySpan(run.from, run.to)}</button>
              : <Badge key={run.from} tone="outline">{daySpan(run.from, run.to)}</Badge>))}
          </div>
        </div>
      )}
    </div>
  );
}
