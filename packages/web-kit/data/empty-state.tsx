/** Nothing to show: what is missing, one sentence why, one way on (LOOK.md 8). No illustration. */
import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

export interface EmptyStateProps {
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  /** `alert` for a failed load: read out at once. */
  role?: 'alert' | 'status' | undefined;
}

export function EmptyState({ title, text, action, role }: EmptyStateProps) {
  return (
    <div className={styles.empty} role={role} data-empty>
      <p className={styles.title}>{title}</p>
      {text && <p className={styles.text}>{text}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

/** Grey bar in the geometry of what is coming; the region around it says aria-busy. */
export function Skeleton({ width = '100%', height = 12 }: { width?: number | string; height?: number | string }) {
  return <span className={styles.skeleton} aria-hidden="true" style={{ width, height }} />;
}
