/** A document number or code in headers and traces. In list columns codes are plain tabular text (LOOK.md 3). */
import type { ReactNode } from 'react';
import styles from './code-text.module.css';

export function CodeText({ children }: { children: ReactNode }) {
  return <code className={styles.code}>{children}</code>;
}

/** Keys of a shortcut: `<Keys keys={['C', 'Q']} />`. */
export function Keys({ keys }: { keys: readonly string[] }) {
  return <span className={styles.keys}>{keys.map((key) => <kbd key={key} className={styles.key}>{key}</kbd>)}</span>;
}
