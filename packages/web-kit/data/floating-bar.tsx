/** The bar over a list: what is chosen or at work, what can be done with it, and closing. */
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Glyph } from '#web/layout/icons.tsx';
import styles from './data-table.module.css';

export function FloatingBar({ words, children, onClose, closing }: {
  words: string; children: ReactNode; onClose: () => void; closing: string;
}) {
  return (
    <div className={styles.bulk} role="toolbar" aria-label="Selected rows">
      <span className={styles.bulkCount} role="status">{words}</span>
      <span className={styles.bulkActions}>{children}</span>
      <button type="button" aria-label={closing} onClick={onClose}><Glyph icon={X} /></button>
    </div>
  );
}
