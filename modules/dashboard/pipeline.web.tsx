/** Licences by phase: how many, worth what, and their share of the largest phase as a bar. */
import { spell } from '#kernel/text/english.ts';
import { phaseLook } from '#web/data/badge.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { PIPELINE_PHASES, type Dashboard } from './dashboard.contract.ts';
import { phaseHref } from './dashboard-words.web.ts';
import styles from './dashboard.module.css';

type Rows = NonNullable<Dashboard['pipeline']>;
const GROUPS = [
  { label: 'Quotes', phases: PIPELINE_PHASES.slice(0, 3) },
  { label: 'Productions', phases: PIPELINE_PHASES.slice(3) },
];

export function Pipeline({ rows, currency, division }: { rows: Rows; currency: string; division: string }) {
  const own = rows.filter((row) => row.currency === currency);
  const most = Math.max(1, ...own.map((row) => row.count));
  if (own.length === 0) {
    return (
      <section className={styles.section}>
        <h2 className="gr-hidden">Pipeline</h2>
        <EmptyState title={spell`No licenses in ${currency} are under way`}
          text="Quotes and productions are counted here by phase from the first one on." />
      </section>
    );
  }
  return (
    <section className={styles.pipeline}>
      <h2 className="gr-hidden">Pipeline, {currency}</h2>
      {GROUPS.map((group) => {
        const of = (phase: string) => own.find((row) => row.phase === phase) ?? { count: 0, minor: 0 };
        const sum = (pick: 'count' | 'minor') => group.phases.reduce((all, phase) => all + of(phase)[pick], 0);
        return (
          <div key={group.label} className={styles.group}>
            <p className={styles.groupHead}>
              <strong>{group.label}</strong><span>{sum('count').toLocaleString('en-US')}</span>
              <span className={styles.groupSum}>{formatAmount(sum('minor'), currency)}</span>
            </p>
            <ul className={styles.phases}>
              {group.phases.map((phase) => (
                <Phase key={phase} phase={phase} row={of(phase)} most={most} href={phaseHref(division, phase)} />
              ))}
            </ul>
          </div>
        );
      })}
    </section>
  );
}

function Phase({ phase, row, most, href }: {
  phase: string; row: { count: number; minor: number }; most: number; href: string;
}) {
  const look = phaseLook(phase);
  return (
    <li data-tone={look.tone}>
      <AppLink href={href} className={styles.phase}>
        <span className={styles.bar} aria-hidden="true"><i style={{ width: `${(row.count / most) * 100}%` }} /></span>
        <span className={styles.phaseName}><Glyph icon={look.icon} size={14} />{look.label}</span>
        <span className={styles.count}>{row.count.toLocaleString('en-US')}</span>
        <span className={styles.worth}>{formatAmount(row.minor)}</span>
      </AppLink>
    </li>
  );
}
