/**
 * The 401 screen of the permission wrapper: heading, text, Back to Overview to the admin home, and room for the user
 * menu, so that whoever has no page here can still sign out (gap G36). Source: SPEC.md 6, R45, R46, M30-M32.
 */
import type { ReactNode } from 'react';
import buttonStyles from '../button/button.module.css';
import { Logo } from '#web/layout/logo.tsx';
import styles from './error-fallback.module.css';

/** Target of Back to Overview. */
export const OVERVIEW_HREF = '/admin';

export type UnauthorizedProps = {
  userMenu?: ReactNode;
  /** Moves inside the application instead of loading the address anew. */
  onBack?: (() => void) | undefined;
};

export function Unauthorized({ userMenu, onBack }: UnauthorizedProps) {
  return (
    <div className={styles.frame}>
      {userMenu && <div className={styles.menu}>{userMenu}</div>}
      <div className={styles.page}>
        <Logo size={40} />
        <h1 className={styles.title}>401 - Unauthorized</h1>
        <p className={styles.text}>You do not have permission to view this page</p>
        <a href={OVERVIEW_HREF} className={`${buttonStyles.button} ${buttonStyles.primary}`}
          onClick={onBack && ((event) => { event.preventDefault(); onBack(); })}>Back to Overview</a>
      </div>
    </div>
  );
}
