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

/** px: a line's name and one line of text. */
const WAITING_HEIGHT = 39;

export function SecurityRows({ label, children }: { label: string; children: ReactNode }) {
  return <ul className={styles.rows} aria-label={label}>{children}</ul>;
}

/** As many lines as are to come, each as high as it will be: what stands below stays where it is. */
export function SecurityRowsWaiting({ rows }: { rows: number }) {
  return (
    <div className={styles.rows} aria-busy="true">
      {Array.from({ length: rows }, (_, index) => (
        <p key={index} className={styles.row}><Skeleton height={WAITING_HEIGHT} /></p>
      ))}
    </div>
  );
}
