/** One line of the security page: picture, name, what is to know, what can be done. */
import type { ReactNode } from 'react';
import { Skeleton } from '#web/data/empty-state.tsx';
import { Glyph, type Icon } from '#web/layout/icons.tsx';
import styles from './security.module.css';

export interface SecurityRowProps {
  icon: Icon;
  name: ReactNode;
  badge?: ReactNode;
  text: ReactNode;
  children?: ReactNode;
}

export function SecurityRow({ icon, name, badge, text, children }: SecurityRowProps) {
  return (
    <li className={styles.row}>
      <span className={styles.icon}><Glyph icon={icon} size={20} /></span>
      <span className={styles.words}>
        <span className={styles.name}>{name}{badge}</span>
        <span className={styles.text}>{text}</span>
      </span>
      {children && <span className={styles.actions}>{children}</span>}
    </li>
  );
}

export function SecurityRows({ label, children }: { label: string; children: ReactNode }) {
  return <ul className={styles.rows} aria-label={label}>{children}</ul>;
}

/**
 * As many lines as are to come, each as high as it will be: what stands below stays where it is. `tall`: on a phone a
 * second line of text and a button stand in each.
 */
export function SecurityRowsWaiting({ rows, tall }: { rows: number; tall?: boolean }) {
  return (
    <div className={styles.rows} aria-busy="true">
      {Array.from({ length: rows }, (_, index) => (
        <p key={index} className={styles.row}>
          <span className={styles.waiting} data-tall={tall}><Skeleton height="100%" /></span>
        </p>
      ))}
    </div>
  );
}
