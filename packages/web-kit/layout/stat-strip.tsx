/** A sum in one line: parts, signs, result (pictures 02 and 05). Each figure may carry a note and a tone. */
import type { CSSProperties, ReactNode } from 'react';
import { AppLink } from '#web/navigation/navigation.tsx';
import styles from './stat-strip.module.css';

export interface Stat {
  label: string;
  value: ReactNode;
  /** Sign before this figure: '+', '−', '='. */
  sign?: '+' | '−' | '=' | undefined;
  note?: ReactNode;
  /** The lines behind the figure (U20). */
  href?: string | undefined;
  tone?: 'error' | 'ok' | undefined;
  /** The result: larger. */
  strong?: boolean | undefined;
}

export interface StatStripProps {
  stats: readonly Stat[];
  label: string;
  /** Button at the right end: the calculator. */
  action?: ReactNode;
  /** Without the box: a full-width strip under the header. */
  plain?: boolean | undefined;
  /** The figures are on their way: what stands there is their skeleton. */
  waiting?: boolean | undefined;
}

export function StatStrip({ stats, label, action, plain, waiting }: StatStripProps) {
  return (
    <div className={styles.strip} data-plain={plain || undefined} role="group" aria-label={label}
      style={{ '--parts': stats.length } as CSSProperties} aria-busy={waiting || undefined}>
      <dl className={styles.stats}>
        {stats.map((stat) => (
          <div key={stat.label} className={styles.stat} data-sign={stat.sign} data-tone={stat.tone}
            data-strong={stat.strong || undefined}>
            <dt>{stat.label}</dt>
            <dd>{stat.href ? <AppLink href={stat.href}>{stat.value}</AppLink> : stat.value}</dd>
            {stat.note && <dd className={styles.note}>{stat.note}</dd>}
          </div>
        ))}
      </dl>
      {action}
    </div>
  );
}
