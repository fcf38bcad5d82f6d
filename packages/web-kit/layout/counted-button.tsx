/** A button of the bar that tells how much is behind it and opens it: notifications, the cart. */
import type { LucideIcon } from 'lucide-react';
import type { Ref } from 'react';
import styles from './counted-button.module.css';
import { Glyph } from './icons.tsx';

const MOST_SHOWN = 99;

/** As it stands on a button: more than 99 as `99+`. */
export function countText(count: number): string {
  return count > MOST_SHOWN ? `${MOST_SHOWN}+` : String(count);
}

export interface CountedButtonProps {
  /** Label with the target and its count, in words. */
  words: string;
  icon: LucideIcon;
  /** None is not shown. */
  count: number;
  open: boolean;
  /** Id of what it opens. */
  controls?: string;
  ref: Ref<HTMLButtonElement>;
  onToggle: () => void;
}

export function CountedButton({ words, icon, count, open, controls, ref, onToggle }: CountedButtonProps) {
  return (
    <button type="button" className={styles.button} ref={ref} aria-label={words} title={words} aria-expanded={open}
      aria-controls={controls} onClick={onToggle}>
      <Glyph icon={icon} size={17} />
      {count > 0 && <span className={styles.count} aria-hidden="true">{countText(count)}</span>}
    </button>
  );
}
