/** Facts of a record as names and values. An absent value shows nothing, never a dash (LOOK.md 5). */
import type { ReactNode } from 'react';
import styles from './key-value.module.css';

export interface Fact {
  label: string;
  value: ReactNode;
  /** Over both columns. */
  wide?: boolean | undefined;
}

export interface KeyValueProps {
  facts: readonly (Fact | null | false)[];
  /** `rows`: name left, value right, one per line (side columns); `grid`: name over value in columns. */
  layout?: 'rows' | 'grid' | undefined;
  columns?: 2 | 3 | 4 | undefined;
}

export function KeyValue({ facts, layout = 'grid', columns = 3 }: KeyValueProps) {
  return (
    <dl className={styles.facts} data-layout={layout} data-columns={columns}>
      {facts.map((fact) => fact && (
        <div key={fact.label} className={styles.fact} data-wide={fact.wide || undefined}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
