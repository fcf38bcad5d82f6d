/** An export under way: how far it is, and the way to stop it. Without figures yet it only says that it runs. */
import { X } from 'lucide-react';
import { Glyph } from '#web/layout/icons.tsx';
import styles from './table-tools.module.css';

const NUMBER = new Intl.NumberFormat('en-US');

/** '1,204 rows', '1 row'. */
export const counted = (rows: number): string => `${NUMBER.format(rows)} ${rows === 1 ? 'row' : 'rows'}`;

export interface ExportProgressProps { done: number; total: number; onStop: () => void }

export function ExportProgress({ done, total, onStop }: ExportProgressProps) {
  return (
    <button type="button" className={styles.tool} onClick={onStop}>
      <Glyph icon={X} size={15} />
      <span className="gr-hidden">Stop exporting </span>
      <span role="status">{total === 0 ? 'Exporting' : `${NUMBER.format(done)} of ${counted(total)}`}</span>
    </button>
  );
}
