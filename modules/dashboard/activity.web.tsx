/** Latest activity on licenses of the division. */
import { DateText } from '#web/data/date-text.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { recordHref } from './dashboard-words.web.ts';
import type { Dashboard } from './dashboard.contract.ts';
import styles from './dashboard.module.css';

export function Activity({ rows }: { rows: NonNullable<Dashboard['activity']> }) {
  return (
    <section className={styles.section}>
      <div className={styles.head}><h2>Recent activity</h2></div>
      {rows.length === 0 && (
        <EmptyState title="Nothing has happened yet" text="Every step of a quote or a production appears here." />
      )}
      <ul className={styles.activity}>
        {rows.map((row) => (
          <li key={row.id}>
            <strong>{row.event}</strong>
            <AppLink href={recordHref(row) ?? ''}>{row.title}</AppLink>
            <CodeText>{row.number}</CodeText>
            <span className={styles.who}>{row.who ?? 'By itself'}</span>
            <span className={styles.at}><DateText value={row.at} /></span>
          </li>
        ))}
      </ul>
    </section>
  );
}
