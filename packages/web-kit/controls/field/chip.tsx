/** One chosen value with its way out: the remove button is named after the value. */
import { X } from 'lucide-react';
import styles from './chip.module.css';

export type ChipProps = { label: string; onRemove: () => void; disabled?: boolean | undefined };

export function Chip({ label, onRemove, disabled = false }: ChipProps) {
  return (
    <span className={styles.chip}>
      <span className={styles.label}>{label}</span>
      <button type="button" className={styles.remove} disabled={disabled} aria-label={`Remove ${label}`}
        title={`Remove ${label}`} onClick={onRemove}>
        <X size={12} strokeWidth={2} aria-hidden="true" />
      </button>
    </span>
  );
}
