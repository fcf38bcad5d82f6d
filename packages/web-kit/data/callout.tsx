/** A note that stands by itself: what is the matter, what follows, the way on (pictures 03 and 04). */
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Glyph, type Icon } from '#web/layout/icons.tsx';
import styles from './callout.module.css';

export type CalloutTone = 'info' | 'ok' | 'warn' | 'error';
const ICONS: Record<CalloutTone, Icon> = { info: Info, ok: CircleCheck, warn: TriangleAlert, error: CircleAlert };

export interface CalloutProps {
  tone?: CalloutTone | undefined;
  icon?: Icon | undefined;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Announced when it appears. */
  live?: boolean | undefined;
}

export function Callout({ tone = 'info', icon, title, children, action, live }: CalloutProps) {
  return (
    <div className={styles.callout} data-tone={tone} role={live ? (tone === 'error' ? 'alert' : 'status') : 'note'}>
      <Glyph icon={icon ?? ICONS[tone]} />
      <div className={styles.body}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div className={styles.text}>{children}</div>}
        {action && <div className={styles.action}>{action}</div>}
      </div>
    </div>
  );
}
