/** Invariants, a sentence each, with their violations, which should be none. */
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Badge } from './badge.tsx';
import styles from './invariant-list.module.css';

export interface Invariant {
  key: string;
  title: string;
  ok: boolean;
  violations: number;
  /** The first of the violations, each by what names it. */
  rows: readonly Record<string, unknown>[];
}

/** The sum over all invariants, for the head of a page. */
export function ViolationsBadge({ violations }: { violations: number }) {
  return violations === 0 ? <Badge tone="ok" icon={CircleCheck}>No violations</Badge> : (
    <Badge tone="error" icon={TriangleAlert}>
      {`${violations.toLocaleString('en-US')} ${violations === 1 ? 'violation' : 'violations'}`}</Badge>
  );
}

function broken(rows: Invariant['rows']): string {
  return rows.map((row) => Object.entries(row).map(([key, value]) => `${key}: ${String(value)}`).join(', ')).join('\n');
}

export function InvariantList({ invariants }: { invariants: readonly Invariant[] }) {
  return (
    <ul className={styles.list}>
      {invariants.map((one) => (
        <li key={one.key}>
          <div className={styles.rule}>
            <p>{one.title}</p>
            {one.ok ? <Badge tone="ok" icon={CircleCheck} small>Holds</Badge> : (
              <Badge tone="error" icon={TriangleAlert} small>
                {`${one.violations.toLocaleString('en-US')} broken`}</Badge>
            )}
          </div>
          {one.rows.length > 0 && (
            <pre className={styles.broken} tabIndex={0} role="region" aria-label={`Exceptions: ${one.title}`}>
              {broken(one.rows)}
            </pre>
          )}
        </li>
      ))}
    </ul>
  );
}
