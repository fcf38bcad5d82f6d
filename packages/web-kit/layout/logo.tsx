/** The mark (a proscenium arch whose opening is a ledger page) and the name. */
import styles from './logo.module.css';

export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} fill="none" aria-hidden="true" className={styles.mark}>
      <path d="M3 29V13a13 13 0 0 1 26 0v16h-5V14a8 8 0 0 0-16 0v15z" fill="currentColor" />
      <path d="M11 20h10M11 24.5h10M11 29h10" stroke="var(--gr-brass)" strokeWidth="2" />
    </svg>
  );
}

export function Logo({ size = 28 }: { size?: number }) {
  return (
    <span className={styles.logo}>
      <Mark size={size} />
      <span className={styles.name}>Grand Rights</span>
    </span>
  );
}
